// A callout as it stands on a drawing: a frame of cells, or plain text.

import { spoken, type Callout } from "./callouts";
import { element } from "./dom";
import { toleranceSymbol } from "./tolerance-symbols";

const FIRST_CIRCLED = "Ⓐ".codePointAt(0)!;
const FIRST_LETTER = "A".codePointAt(0)!;

export function calloutFrame(callout: Callout): HTMLElement {
  const { symbol, cells, framed } = callout;
  const content = [...(symbol ? [toleranceSymbol(symbol)] : []), ...cells];
  return element("span", { class: framed ? "callout-frame framed" : "callout-frame", role: "img", "aria-label": spoken(callout) },
    ...content.map((cell) => element("span", { class: "callout-cell" }, ...(typeof cell === "string" ? written(cell) : [cell]))));
}

/** Text with its circled letters drawn, because few fonts have them. */
function written(text: string): (Node | string)[] {
  return text.split(/([Ⓐ-Ⓩ])/u).filter(Boolean).map((piece) => {
    const letter = /^[Ⓐ-Ⓩ]$/u.test(piece) ? String.fromCodePoint(piece.codePointAt(0)! - FIRST_CIRCLED + FIRST_LETTER) : null;
    return letter ? element("span", { class: "circled" }, letter) : piece;
  });
}
