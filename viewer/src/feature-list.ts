// The features of the part as a table: sorted by any column, a row shows its feature on the part.

import { element } from "./dom";
import { figure, type Feature } from "./result";

/** Columns after the kind: title, and the fields of which a feature shows the first that it has. */
const COLUMNS: readonly [string, readonly string[]][] = [
  ["Diameter", ["diameter_mm", "major_diameter_mm", "large_diameter_mm", "outer_diameter_mm"]],
  ["Radius", ["radius_mm", "inner_radius_mm", "min_corner_radius_mm"]],
  ["Width", ["width_mm", "thickness_mm"]],
  ["Depth", ["total_depth_mm", "depth_mm", "height_mm"]],
  ["Length", ["length_mm"]],
];
/** Rows drawn at once; a button draws the others. */
const ROWS = 60;

export class FeatureList {
  readonly root = element("details", { class: "feature-list" });
  private readonly body = element("tbody", {});
  private readonly columns: readonly [string, readonly string[]][];
  /** Column (0: kind) and direction of the order. */
  private order: [number, 1 | -1] = [0, 1];
  private shown = ROWS;

  constructor(private readonly features: readonly Feature[], private readonly point: (feature: Feature) => void) {
    this.columns = COLUMNS.filter(([, fields]) => features.some((feature) => valueOf(feature, fields) !== null));
    const titles = ["Feature", ...this.columns.map(([title]) => `${title}, mm`)];
    const head = titles.map((title, k) => element("th", { scope: "col" },
      element("button", { type: "button", class: "plain-button", onclick: () => this.sort(k) }, title)));
    this.root.append(element("summary", {}, `${features.length.toLocaleString("en")} ${features.length === 1 ? "feature" : "features"}`),
      element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...head)), this.body)));
    this.root.hidden = features.length === 0;
    // Filled when it is opened: a part may have thousands.
    this.root.addEventListener("toggle", () => { if (this.root.open && this.body.children.length === 0) this.draw(); });
  }

  private sort(column: number): void {
    this.order = [column, this.order[0] === column && this.order[1] === 1 ? -1 : 1];
    this.draw();
  }

  private draw(): void {
    const [column, direction] = this.order;
    const fields = this.columns[column - 1]?.[1];
    const rows = [...this.features].sort((a, b) => {
      if (!fields) return direction * a.kind.localeCompare(b.kind) || Number(a.fid) - Number(b.fid);
      const [one, other] = [valueOf(a, fields), valueOf(b, fields)];
      // Those without the dimension come last in either direction.
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return direction * (one - other) || Number(a.fid) - Number(b.fid);
    });
    this.root.querySelectorAll("th").forEach((head, k) => head.setAttribute("aria-sort", k !== column ? "none" : direction === 1 ? "ascending" : "descending"));
    this.body.replaceChildren(...rows.slice(0, this.shown).map((feature) => this.row(feature)), ...this.rest(rows.length));
  }

  private row(feature: Feature): HTMLElement {
    const name = element("button", { type: "button", class: "plain-button", onclick: () => this.point(feature) }, `${feature.kind.toLowerCase().replaceAll("_", " ")} ${feature.fid}`);
    const cells = this.columns.map(([, fields]) => {
      const value = valueOf(feature, fields);
      return element("td", { class: "number" }, value === null ? "" : figure(value));
    });
    return element("tr", { "data-fid": feature.fid }, element("td", {}, name), ...cells);
  }

  private rest(count: number): HTMLElement[] {
    if (count <= this.shown) return [];
    const more = element("button", { type: "button", class: "more", onclick: () => { this.shown = count; this.draw(); } }, `Show ${count - this.shown} more`);
    return [element("tr", {}, element("td", { colspan: String(this.columns.length + 1) }, more))];
  }
}

function valueOf(feature: Feature, fields: readonly string[]): number | null {
  const values = feature as unknown as Record<string, unknown>;
  const found = fields.map((field) => values[field]).find((value) => typeof value === "number");
  return found === undefined ? null : (found as number);
}
