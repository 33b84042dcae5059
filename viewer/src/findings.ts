// The panel beside the part: processes as cards, then the causes of the chosen configuration.

import { CauseList, type PointAt } from "./causes";
import { element } from "./dom";
import { ProcessCards, type Choice } from "./process-cards";
import { plainest, processes, type AnalysisResult, type ConfigurationVerdict, type Severity } from "./result";

export class FindingsPanel {
  readonly root = element("section", { class: "findings", "aria-label": "Processes and causes" });
  private readonly cards: ProcessCards;
  private readonly causes: CauseList;
  private readonly title = element("h2", { class: "panel-title" });
  private chosen: Choice = { module: "", configuration: "" };

  constructor(private readonly result: AnalysisResult, pointAt: PointAt, private readonly choiceChanged: (choice: Choice) => void) {
    this.cards = new ProcessCards(result, (choice) => this.choose(choice));
    this.causes = new CauseList(pointAt);
    this.root.append(this.cards.root, this.title, this.causes.root);
    const [best] = processes(result);
    const first = best && plainest(best);
    this.choose({ module: first?.module_key ?? "", configuration: first?.configuration_key ?? "" });
  }

  /** Replaces the result of one configuration, for instance after its thresholds were changed. */
  replace(module: string, verdict: ConfigurationVerdict): void {
    const entry = this.result.modules.modules.find((one) => one.module_key === module);
    const place = entry?.configurations.findIndex((one) => one.configuration_key === verdict.configuration_key) ?? -1;
    if (entry && place >= 0) entry.configurations[place] = verdict;
    this.choose({ module, configuration: verdict.configuration_key });
  }

  get choice(): Choice {
    return this.chosen;
  }

  get verdict(): ConfigurationVerdict | undefined {
    return this.result.modules.modules.find((one) => one.module_key === this.chosen.module)
      ?.configurations.find((one) => one.configuration_key === this.chosen.configuration);
  }

  get severity(): Severity | null {
    return this.verdict?.result.overall_severity ?? null;
  }

  /** Limit in millimeters of the first rule of the chosen configuration whose metric matches; null where there is none. */
  limitOf(metric: RegExp | null): number | null {
    const rule = this.verdict?.result.rules.find((one) => one.unit === "mm" && one.threshold !== null && metric?.test(one.metric));
    return rule?.threshold || null;
  }

  showMarked(fids: readonly string[] | null): void {
    this.causes.showMarked(fids);
  }

  choose(choice: Choice): void {
    this.chosen = choice;
    const name = this.result.processes.find((one) => one.module_key === choice.module && one.configuration_key === choice.configuration)?.name;
    this.title.textContent = name ?? "";
    this.cards.show(choice);
    this.causes.show(this.verdict);
    this.choiceChanged(choice);
  }
}
