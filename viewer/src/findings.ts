// The panel of findings: packs and configurations with their verdicts, then the findings, worst first.

import { element } from "./dom";
import { quantity, rank, type ConfigurationVerdict, type Finding, type ModuleResult, type RuleResult, type Severity } from "./result";

const SIGNS: Record<Severity, string> = { pass: "✓", warning: "!", fail: "✕" };
const COMPARISONS: Record<string, string> = { lt: "<", le: "≤", gt: ">", ge: "≥", eq: "=", ne: "≠" };
/** Findings of a rule that are shown at first; a button shows the others. */
const SHOWN_AT_ONCE = 6;

export interface Choice {
  module: string;
  configuration: string;
}

export class FindingsPanel {
  readonly root = element("section", { class: "findings", "aria-label": "Verdicts and findings" });
  private readonly verdicts = element("div", { class: "verdicts", role: "group", "aria-label": "Processes and their verdicts" });
  private readonly list = element("div", { class: "finding-list" });
  private modules: ModuleResult[] = [];
  private chosen: Choice = { module: "", configuration: "" };

  constructor(
    private readonly pointAt: (fids: string[]) => void,
    private readonly choiceChanged: (choice: Choice) => void,
  ) {
    this.root.append(this.verdicts, this.list);
  }

  show(modules: ModuleResult[], choice?: Choice): void {
    this.modules = modules;
    const first = modules[0];
    const known = choice && this.find(choice) ? choice : null;
    const fallback = { module: first?.module_key ?? "", configuration: first?.configurations[0]?.configuration_key ?? "" };
    this.choose(known ?? (this.find(this.chosen) ? this.chosen : fallback));
  }

  /** Replaces the result of one configuration, for instance after its thresholds were changed. */
  replace(module: string, result: ConfigurationVerdict): void {
    const entry = this.modules.find((one) => one.module_key === module);
    const place = entry?.configurations.findIndex((one) => one.configuration_key === result.configuration_key) ?? -1;
    if (entry && place >= 0) entry.configurations[place] = result;
    this.choose({ module, configuration: result.configuration_key });
  }

  get choice(): Choice {
    return this.chosen;
  }

  get severity(): Severity | null {
    return this.find(this.chosen)?.result.overall_severity ?? null;
  }

  private find(choice: Choice): ConfigurationVerdict | undefined {
    return this.modules
      .find((one) => one.module_key === choice.module)
      ?.configurations.find((one) => one.configuration_key === choice.configuration);
  }

  private choose(choice: Choice): void {
    this.chosen = choice;
    const held = this.verdicts.contains(document.activeElement);
    this.verdicts.replaceChildren(...this.modules.map((module) => this.process(module)));
    if (held) this.verdicts.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
    const rules = [...(this.find(choice)?.result.rules ?? [])].sort((a, b) => rank(a.severity) - rank(b.severity));
    this.list.replaceChildren(...rules.map((rule) => this.rule(rule)));
    this.choiceChanged(choice);
  }

  private process(module: ModuleResult): HTMLElement {
    const name = module.module_key.length <= 3 ? module.module_key.toUpperCase() : sentence(module.module_key.replaceAll("-", " "));
    const verdicts = module.configurations.map((one) => this.verdict(module, one));
    return element("div", { class: "process" }, element("span", { class: "process-name" }, name), element("span", { class: "process-verdicts" }, ...verdicts));
  }

  private verdict(module: ModuleResult, one: ConfigurationVerdict): HTMLElement {
    const choice = { module: module.module_key, configuration: one.configuration_key };
    const selected = choice.module === this.chosen.module && choice.configuration === this.chosen.configuration;
    const severity = one.result.overall_severity;
    return element(
      "button",
      {
        type: "button", class: `verdict ${severity}`, "aria-pressed": String(selected), "data-process": `${choice.module}:${choice.configuration}`,
        "aria-label": `${choice.module}, ${choice.configuration}: ${severity}`, onclick: () => this.choose(choice),
      },
      element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[severity]),
      choice.configuration,
    );
  }

  private rule(rule: RuleResult): HTMLElement {
    const title = element(
      "summary", {},
      element("span", { class: `sign ${rule.severity}`, "aria-hidden": "true" }, SIGNS[rule.severity]),
      element("span", { class: "rule-name" }, rule.name),
      element("span", { class: "count" }, inspected(rule)),
    );
    const shown = rule.findings.filter((finding) => finding.severity !== "pass" || rule.severity === "pass");
    const rows = shown.sort((a, b) => rank(a.severity) - rank(b.severity)).map((finding) => this.finding(rule, finding));
    const message = rows.length === 0 ? [element("p", { class: "rule-message" }, rule.message)] : [];
    const attributes = { class: `rule ${rule.severity}`, "data-rule": rule.key, open: rule.severity !== "pass" };
    return element("details", attributes, title, ...message, ...rows.slice(0, SHOWN_AT_ONCE), ...rest(rows.slice(SHOWN_AT_ONCE)));
  }

  private finding(rule: RuleResult, finding: Finding): HTMLElement {
    const fids = finding.related_fids.length > 0 ? finding.related_fids : finding.fid ? [finding.fid] : rule.fids;
    return element(
      "button",
      { type: "button", class: `finding ${finding.severity}`, "data-fids": fids.join(" "), onclick: () => this.pointAt(fids) },
      element("span", { class: "message" }, finding.message),
      element("span", { class: "value" }, compared(finding, rule.unit)),
    );
  }

  /** Highlights the finding that the marked faces belong to, if any. */
  showMarked(fids: readonly string[]): void {
    const wanted = fids.join(" ");
    for (const row of this.list.querySelectorAll(".finding")) {
      row.setAttribute("aria-current", String(wanted !== "" && row.getAttribute("data-fids") === wanted));
    }
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

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function inspected(rule: RuleResult): string {
  const missing = rule.n_not_measured > 0 ? `, ${rule.n_not_measured} not measured` : "";
  return rule.n_inspected === 0 && missing === "" ? "nothing to inspect" : `${rule.n_inspected} inspected${missing}`;
}

function compared(finding: Finding, unit: string): string {
  if (finding.value === null) return "";
  if (finding.threshold === null || finding.op === null) return quantity(finding.value, unit);
  const borderline = finding.borderline ? " (borderline)" : "";
  return `${quantity(finding.value, unit)} ${COMPARISONS[finding.op] ?? finding.op} ${quantity(finding.threshold, unit)}${borderline}`;
}
