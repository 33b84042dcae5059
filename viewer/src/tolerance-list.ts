// What the file asks for, as a list: dimensions, geometric tolerances, datums, notes, and what does not agree with the
// model. A click shows the faces and the callout on the part.

import { calloutFrame } from "./callout-frame";
import type { Callout, CalloutGroup } from "./callouts";
import { element } from "./dom";
import type { PmiReport } from "./result.generated";

const GROUPS: readonly CalloutGroup[] = ["Dimensions", "Geometric tolerances", "Datums", "Notes"];

export interface ToleranceActions {
  point: (callout: Callout) => void;
  /** Faces of something that does not agree with the model. */
  pointFaces: (fids: string[]) => void;
}

export class ToleranceList {
  readonly root = element("details", { class: "tolerances" });

  constructor(pmi: PmiReport | null | undefined, callouts: readonly Callout[], private readonly actions: ToleranceActions) {
    this.root.hidden = !pmi;
    if (!pmi) return;
    const asked = pmi.dimensions.length + pmi.tolerances.length;
    this.root.append(element("summary", {}, `${asked} ${asked === 1 ? "tolerance" : "tolerances"} in the file`));
    this.root.append(...this.checks(pmi));
    for (const group of GROUPS) {
      const own = callouts.filter((callout) => callout.group === group);
      if (own.length > 0) this.root.append(element("h3", {}, group), element("ul", { class: "callouts" }, ...own.map((callout) => this.row(callout))));
    }
    const quiet = [
      ...pmi.general.map(({ text }) => `Everything else: ${text}`),
      ...(pmi.drawn_only.length > 0 ? [`${pmi.drawn_only.length} more are only drawn in the file, without values.`] : []),
      ...pmi.problems,
    ];
    this.root.append(...quiet.map((text) => element("p", { class: "quiet" }, text)));
  }

  private checks({ checks }: PmiReport): HTMLElement[] {
    return checks.map(({ message, fids }) => element("button", {
      type: "button", class: "finding warning", "data-fids": fids.join(" "), onclick: () => this.actions.pointFaces(fids),
    }, message));
  }

  private row(callout: Callout): HTMLElement {
    const { fids, remark } = callout;
    const where = fids.length === 0 ? "" : fids.length === 1 ? `face ${fids[0]!}` : `${fids.length} faces`;
    const about = element("span", { class: "quiet" }, [remark, where].filter(Boolean).join(" · "));
    // What holds for the whole part has no place to show.
    if (fids.length === 0) return element("li", { class: "callout-row" }, calloutFrame(callout), about);
    return element("li", {}, element("button", {
      type: "button", class: "callout-row", "data-fids": fids.join(" "), onclick: () => this.actions.point(callout),
    }, calloutFrame(callout), about));
  }
}
