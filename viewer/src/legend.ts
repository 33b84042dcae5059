// The legend of a measured field: one cell for each step of the scale with the share of the surface that lies in it, and
// the limit of a length to be changed.

import { element } from "./dom";
import { quantity } from "./result";
import { css, type Steps } from "./steps";

export interface Shown {
  title: string;
  unit: string;
  steps: Steps;
  /** Share of the surface in each step, 0 to 1; what is missing has no reading. */
  shares: readonly number[];
  /** Limit that the steps are made from; null where it cannot be changed. */
  limit: number | null;
}

/** Pixels of the highest bar of the histogram. */
const BAR_PX = 34;

export class Legend {
  readonly root: HTMLElement;
  private readonly title = element("span", { class: "legend-title" });
  private readonly missing = element("span", { class: "legend-missing" });
  private readonly limit = element("input", { type: "number", step: "any", min: "0", class: "legend-limit", "aria-label": "Limit in millimeters", onchange: () => this.typed() });
  private readonly limitLabel = element("label", { class: "legend-limit-label" }, "Limit ", this.limit, " mm");
  private readonly cells = element("div", { class: "legend-cells" });

  constructor(private readonly limitChanged: (limit: number) => void) {
    this.root = element("div", { class: "legend", role: "group", "aria-label": "Color scale" },
      element("div", { class: "legend-head" }, this.title, this.limitLabel, this.missing), this.cells);
    this.root.hidden = true;
  }

  show({ title, unit, steps, shares, limit }: Shown): void {
    this.root.hidden = false;
    this.title.textContent = title;
    this.limitLabel.hidden = limit === null;
    if (limit !== null && document.activeElement !== this.limit) this.limit.value = String(Number(limit.toPrecision(4)));
    const most = Math.max(...shares, 1e-9);
    const rest = 1 - shares.reduce((sum, share) => sum + share, 0);
    this.missing.replaceChildren(...(rest > 0.005 ? [element("span", { class: "swatch no-reading" }), `no reading ${percent(rest)}`] : []));
    this.cells.replaceChildren(...steps.colors.map((color, k) => {
      const bar = element("span", { class: "legend-bar" });
      bar.style.height = `${Math.max(shares[k]! > 0 ? 1 : 0, (BAR_PX * shares[k]!) / most)}px`;
      const swatch = element("span", { class: "legend-swatch" });
      bar.style.backgroundColor = swatch.style.backgroundColor = css(color);
      const [low, high] = [steps.edges[k - 1], steps.edges[k]];
      const range = low === undefined ? `below ${quantity(high!, unit)}` : high === undefined ? `from ${quantity(low, unit)}` : `${quantity(low, unit)} to ${quantity(high, unit)}`;
      const edge = high === undefined ? "" : quantity(high, unit);
      return element("div", { class: "legend-cell", title: `${range}: ${percent(shares[k]!)} of the surface` },
        element("span", { class: "legend-share" }, percent(shares[k]!)), bar, swatch, element("span", { class: "legend-edge" }, edge));
    }));
  }

  hide(): void {
    this.root.hidden = true;
  }

  private typed(): void {
    const limit = Number(this.limit.value);
    if (limit > 0) this.limitChanged(limit);
  }
}

function percent(share: number): string {
  if (share <= 0) return "0 %";
  return share < 0.01 ? "< 1 %" : `${Math.round(share * 100)} %`;
}
