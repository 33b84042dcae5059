// The panel beside the part: packs and configurations with their verdicts first, then findings ranked, worst first.

import { element } from "./dom";
import { figure, rank, type ConfigurationResult, type Finding, type ModuleResult, type RuleResult, type Severity } from "./result";

const WORDS: Record<Severity, string> = { pass: "pass", warning: "warning", fail: "fail" };
const SIGNS: Record<Severity, string> = { pass: "✓", warning: "!", fail: "✕" };
const COMPARISONS: Record<string, string> = { lt: "<", le: "≤", gt: ">", ge: "≥", eq: "=", ne: "≠" };

export interface Choice {
  module: string;
  configuration: string;
}

export class FindingsPanel {
  readonly root = element("section", { class: "findings", "aria-label": "Verdicts and findings" });
  private readonly verdicts = element("div", { class: "verdicts", role: "tablist", "aria-label": "Processes" });
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
  replace(module: string, result: ConfigurationResult): void {
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

  private find(choice: Choice): ConfigurationResult | undefined {
    return this.modules
      .find((one) => one.module_key === choice.module)
      ?.configurations.find((one) => one.configuration_key === choice.configuration);
  }

  private choose(choice: Choice): void {
    this.chosen = choice;
    this.verdicts.replaceChildren(...this.modules.flatMap((module) => module.configurations.map((one) => this.verdict(module, one))));
    const rules = [...(this.find(choice)?.result.rules ?? [])].sort((a, b) => rank(a.severity) - rank(b.severity));
    this.list.replaceChildren(...rules.map((rule) => this.rule(rule)));
    this.choiceChanged(choice);
  }

  private verdict(module: ModuleResult, one: ConfigurationResult): HTMLElement {
    const choice = { module: module.module_key, configuration: one.configuration_key };
    const selected = choice.module === this.chosen.module && choice.configuration === this.chosen.configuration;
    const severity = one.result.overall_severity;
    return element(
      "button",
      {
        type: "button", role: "tab", class: `verdict ${severity}`, "aria-selected": String(selected),
        "data-process": `${choice.module}:${choice.configuration}`, onclick: () => this.choose(choice),
      },
      element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[severity]),
      element("span", { class: "process" }, `${choice.module} · ${choice.configuration}`),
      element("span", { class: "word" }, WORDS[severity]),
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
    const rows = shown.sort((a, b) => rank(a.severity) - rank(b.severity)).slice(0, 200).map((finding) => this.finding(rule, finding));
    const message = rows.length === 0 ? [element("p", { class: "rule-message" }, rule.message)] : [];
    const attributes = { class: `rule ${rule.severity}`, "data-rule": rule.key, open: rule.severity !== "pass" };
    return element("details", attributes, title, ...message, ...rows);
  }

  private finding(rule: RuleResult, finding: Finding): HTMLElement {
    const fids = finding.related_fids.length > 0 ? finding.related_fids : finding.fid ? [finding.fid] : rule.fids;
    return element(
      "button",
      { type: "button", class: `finding ${finding.severity}`, "data-fids": fids.join(" "), onclick: () => this.pointAt(fids) },
      element("span", { class: "message" }, finding.message),
      element("span", { class: "value" }, compared(finding)),
    );
  }
}

function inspected(rule: RuleResult): string {
  const missing = rule.n_not_measured > 0 ? `, ${rule.n_not_measured} not measured` : "";
  return `${rule.n_inspected} inspected${missing}`;
}

function compared(finding: Finding): string {
  if (finding.value === null) return "";
  if (finding.threshold === null || finding.op === null) return figure(finding.value);
  const borderline = finding.borderline ? " (borderline)" : "";
  return `${figure(finding.value)} ${COMPARISONS[finding.op] ?? finding.op} ${figure(finding.threshold)}${borderline}`;
}
