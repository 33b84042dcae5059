// What is wrong in one configuration: its causes, each with count, range and advice, and below each the places where it
// was found. Rules that pass or had nothing to check are listed at the end.

import { element } from "./dom";
import type { Measured } from "./dimension";
import { compared, quantity, type Cause, type ConfigurationVerdict, type Finding, type RuleResult } from "./result";
import { SIGNS } from "./process-cards";

/** Places of a cause that are shown at first; a button shows the others. */
const SHOWN_AT_ONCE = 6;

export type PointAt = (fids: string[], measured: Measured) => void;

export class CauseList {
  readonly root = element("div", { class: "finding-list" });

  constructor(private readonly pointAt: PointAt) {}

  show(verdict: ConfigurationVerdict | undefined): void {
    const rules = verdict?.result.rules ?? [];
    const causes = verdict?.result.causes ?? [];
    const byKey = new Map(rules.map((rule) => [rule.key, rule]));
    const rows = causes.map((cause, k) => this.cause(cause, byKey.get(cause.rule), k === 0));
    const passing = rules.filter((rule) => rule.severity === "pass" && rule.n_inspected > 0);
    const idle = rules.filter((rule) => rule.severity === "pass" && rule.n_inspected === 0);
    const quiet = causes.length === 0 ? [element("p", { class: "nothing-wrong" }, passing.length > 0 ? "Every rule passes." : "Nothing to check on this part.")] : [];
    this.root.replaceChildren(...quiet, ...rows, ...this.others("pass", passing), ...this.others("have nothing to check", idle));
  }

  /** Highlights the row whose faces are marked, if any. */
  showMarked(fids: readonly string[] | null): void {
    const wanted = fids?.join(" ") ?? null;
    for (const row of this.root.querySelectorAll("[data-fids]")) {
      row.setAttribute("aria-current", String(wanted !== null && row.getAttribute("data-fids") === wanted));
    }
  }

  private cause(cause: Cause, rule: RuleResult | undefined, open: boolean): HTMLElement {
    const metric = rule?.metric ?? "";
    const found = (rule?.findings ?? []).filter((finding) => finding.severity === cause.severity && finding.threshold === cause.threshold);
    const summary = element("summary", {
      "data-fids": cause.fids.join(" "),
      onclick: (event: MouseEvent) => {
        // An open cause is first shown; a second click closes it.
        if (details.open && summary.getAttribute("aria-current") !== "true") event.preventDefault();
        this.pointAt(cause.fids, { metric, value: cause.value, unit: cause.unit, position: cause.position_mm, fids: found[0]?.related_fids ?? cause.fids });
      },
    },
      element("span", { class: `sign ${cause.severity}`, "aria-hidden": "true" }, SIGNS[cause.severity]),
      element("span", { class: "rule-name" }, rule?.name ?? cause.rule),
      element("span", { class: "count" }, cause.count === 1 ? "1 place" : `${cause.count.toLocaleString("en")} places`),
    );
    const range = cause.value_range && cause.value_range[0] !== cause.value_range[1] ? ` ${quantity(cause.value_range[0], cause.unit)} to ${quantity(cause.value_range[1], cause.unit)}.` : "";
    const advice = cause.fix && !cause.message.includes(cause.fix) ? ` ${cause.fix}` : "";
    const rows = found.map((finding) => this.finding(finding, cause, metric));
    const details = element("details", { class: `rule ${cause.severity}`, "data-rule": cause.rule, open }, summary,
      element("p", { class: "rule-message" }, `${cause.message}${advice}${range}`),
      ...rows.slice(0, SHOWN_AT_ONCE), ...rest(rows.slice(SHOWN_AT_ONCE)));
    return details;
  }

  private finding(finding: Finding, cause: Cause, metric: string): HTMLElement {
    const fids = finding.related_fids.length > 0 ? finding.related_fids : finding.fid ? [finding.fid] : [];
    const faces = fids.length > 3 ? `Faces ${fids.slice(0, 3).join(", ")} and ${fids.length - 3} more` : `${fids.length === 1 ? "Face" : "Faces"} ${fids.join(", ")}`;
    return element("button", {
      type: "button", class: `finding ${finding.severity}`, "data-fids": fids.join(" "), title: finding.message,
      onclick: () => this.pointAt(fids, { metric, value: finding.value, unit: cause.unit, position: finding.position, fids }),
    }, element("span", { class: "message" }, fids.length > 0 ? faces : "The whole part"), element("span", { class: "value" }, compared(finding, cause.unit)));
  }

  private others(what: string, rules: readonly RuleResult[]): HTMLElement[] {
    if (rules.length === 0) return [];
    const lines = rules.map((rule) => element("li", { "data-rule": rule.key }, rule.n_inspected > 0 ? rule.message : rule.name));
    const verb = rules.length === 1 ? what.replace(/^pass$/, "passes").replace(/^have/, "has") : what;
    return [element("details", { class: "other-rules" }, element("summary", {}, `${rules.length} ${rules.length === 1 ? "rule" : "rules"} ${verb}`), element("ul", {}, ...lines))];
  }
}

/** A button that replaces itself by the remaining findings. */
function rest(rows: HTMLElement[]): HTMLElement[] {
  if (rows.length === 0) return [];
  const more = element("button", {
    type: "button", class: "more", onclick: () => { more.replaceWith(...rows); rows[0]!.focus(); },
  }, `Show ${rows.length} more`);
  return [more];
}
