// The ranked processes as cards: name, fit with its reason, verdict and causes in words, and the verdict of every
// configuration. Processes that the part is no candidate for come last, in one line each.

import { element } from "./dom";
import { FIT_METRIC, plainest, processes, quantity, type AnalysisResult, type Cause, type ConfigurationVerdict, type RankedProcess, type Severity } from "./result";

export interface Choice {
  module: string;
  configuration: string;
}

export const SIGNS: Record<Severity, string> = { pass: "✓", warning: "!", fail: "✕" };
const WORDS: Record<Severity, string> = { pass: "can be made", warning: "can be made, with remarks", fail: "cannot be made as it is" };
/** Causes on a card; all are listed below the cards. */
const CAUSES_SHOWN = 3;

export class ProcessCards {
  readonly root = element("div", { class: "cards", role: "group", "aria-label": "Processes, the best first" });
  private chosen: Choice = { module: "", configuration: "" };

  constructor(private readonly result: AnalysisResult, private readonly choose: (choice: Choice) => void) {}

  /** Draws the cards anew; `choice` is pressed. */
  show(choice: Choice): void {
    this.chosen = choice;
    const held = this.root.contains(document.activeElement);
    const open = this.root.querySelector("details")?.open ?? false;
    const groups = processes(this.result);
    const suited = groups.filter(([first]) => this.verdict(first!)?.result.rules.every((rule) => rule.metric !== FIT_METRIC || rule.severity !== "fail"));
    const others = groups.filter((group) => !suited.includes(group));
    const cards = suited.map((ranked, k) => this.card(ranked, k + 1));
    const rest = others.map((ranked) => this.line(ranked));
    const more = element("details", { class: "not-suited", open: open || suited.length === 0 },
      element("summary", {}, `Not for this part: ${others.map((ranked) => moduleName(ranked[0]!)).join(", ")}`), ...rest);
    this.root.replaceChildren(...cards, ...(rest.length > 0 ? [more] : []));
    if (held) this.root.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
  }

  private verdict({ module_key, configuration_key }: RankedProcess): ConfigurationVerdict | undefined {
    return this.result.modules.modules.find((one) => one.module_key === module_key)
      ?.configurations.find((one) => one.configuration_key === configuration_key);
  }

  private card(ranked: RankedProcess[], place: number): HTMLElement {
    const shown = ranked.find((one) => this.isChosen(one)) ?? plainest(ranked);
    const verdict = this.verdict(shown)!.result;
    const { overall_severity: severity, causes } = verdict;
    const names = new Map(verdict.rules.map((rule) => [rule.key, rule.name]));
    const more = causes.length - CAUSES_SHOWN;
    const listed = causes.slice(0, CAUSES_SHOWN).map((cause) => element("li", { class: cause.severity }, `${names.get(cause.rule) ?? cause.rule}${figures(cause)}`));
    const key = `${shown.module_key}:${shown.configuration_key}`;
    return element("article", { class: `process-card ${severity}${this.isChosen(shown) ? " chosen" : ""}`, "data-module": shown.module_key },
      element("header", {},
        element("h3", {}, element("span", { class: "place" }, String(place)), moduleName(shown)),
        ...(shown.fit === null ? [] : [fitMeter(shown.fit)]),
      ),
      element("p", { class: `card-verdict word ${severity}` }, `${SIGNS[severity]} ${configurationName(shown)}: ${WORDS[severity]}`),
      ...(listed.length > 0 ? [element("ul", { class: "card-causes" }, ...listed, ...(more > 0 ? [element("li", {}, `and ${more} more`)] : []))] : []),
      ...(shown.fit_reason ? [element("p", { class: "quiet card-reason" }, shown.fit_reason)] : []),
      // What prices a process fills this in; empty, it takes no room.
      element("p", { class: "card-price", "data-price": key }),
      element("div", { class: "configurations", role: "group", "aria-label": `${moduleName(shown)}: configurations` }, ...ranked.map((one) => this.button(one))),
    );
  }

  private line(ranked: RankedProcess[]): HTMLElement {
    const first = ranked[0]!;
    return element("div", { class: "unsuited", "data-module": first.module_key },
      element("p", {}, element("strong", {}, moduleName(first)), first.fit_reason ? `: ${first.fit_reason}` : ""),
      element("div", { class: "configurations" }, ...ranked.map((one) => this.button(one))));
  }

  private button(one: RankedProcess): HTMLElement {
    const severity = this.verdict(one)?.result.overall_severity ?? one.severity;
    return element("button", {
      type: "button", class: `verdict ${severity}`, "aria-pressed": String(this.isChosen(one)), "data-process": `${one.module_key}:${one.configuration_key}`,
      "aria-label": `${one.name}: ${severity}`, onclick: () => this.choose({ module: one.module_key, configuration: one.configuration_key }),
    }, element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[severity]), configurationName(one));
  }

  private isChosen({ module_key, configuration_key }: RankedProcess): boolean {
    return module_key === this.chosen.module && configuration_key === this.chosen.configuration;
  }
}

/** `CNC machining` of `CNC machining: 3-axis mill`. */
export function moduleName({ name, module_key }: RankedProcess): string {
  return name.split(": ")[0] || module_key;
}

export function configurationName({ name, configuration_key }: RankedProcess): string {
  return name.split(": ").slice(1).join(": ") || configuration_key;
}

/** `: 0.5 mm, 15 places`. */
function figures({ value, unit, count }: Cause): string {
  const parts = [value === null || (unit === "count" && count > 1) ? "" : quantity(value, unit), count > 1 ? `${count.toLocaleString("en")} places` : ""].filter(Boolean);
  return parts.length > 0 ? `: ${parts.join(", ")}` : "";
}

function fitMeter(fit: number): HTMLElement {
  const percent = Math.round(fit * 100);
  return element("span", { class: "fit" }, element("meter", { min: "0", max: "1", value: String(fit), "aria-label": "Fit of the shape" }), `fit ${percent} %`);
}
