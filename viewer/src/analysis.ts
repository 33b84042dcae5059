// The analysis page: shows a finished analysis, and lets the visitor change the pull direction and the thresholds of a
// configuration. The rest of the page (progress, log, links) is plain HTML.

import { element } from "./dom";
import { mountPullMenu } from "./pages/pull";
import { Prices } from "./prices";
import { figure, type AnalysisResult, type ConfigurationVerdict, type ModuleResult } from "./result";
import { ResultView } from "./result-view";
import type { Choice } from "./process-cards";

interface ModuleSpec {
  key: string;
  configurations: Record<string, { name: string; parameters: Record<string, number> }>;
  parameters?: Record<string, { unit: string; meaning: string }>;
}

export class AnalysisPage {
  readonly resultView: ResultView;
  private readonly thresholds = element("details", { class: "thresholds" }, element("summary", {}, "Thresholds"));

  private constructor(
    private readonly root: HTMLElement,
    private readonly address: string,
    private readonly csrf: string,
    private readonly modules: Map<string, ModuleSpec>,
    /** Thresholds tried on this analysis, by process: they are kept until they are reset. */
    private readonly kept: Record<string, Record<string, number>>,
    result: AnalysisResult & { artifacts: Record<string, string> },
  ) {
    const glbs = async (name: string): Promise<ArrayBuffer> => {
      const answer = await fetch(new URL(result.artifacts[`${name}_glb`]!).pathname);
      if (!answer.ok) throw new Error(`the ${name} model could not be loaded (${answer.status})`);
      return answer.arrayBuffer();
    };
    this.resultView = new ResultView(root, result, glbs, (choice) => this.showThresholds(choice));
    this.resultView.panel.root.after(this.thresholds);
    this.showThresholds(this.resultView.panel.choice);
  }

  static async open(root: HTMLElement): Promise<AnalysisPage> {
    const address = root.dataset["address"]!;
    const [result, shipped, tried] = await Promise.all([json(`${address}/result`), json(`${address}/modules`), json(`${address}/what-if`)]);
    const { overrides } = tried as { overrides: Record<string, Record<string, number>> };
    const specs = (shipped as { modules: ModuleSpec[] }).modules;
    const modules = new Map(specs.map((spec) => [spec.key, spec]));
    const page = new AnalysisPage(root, address, root.dataset["csrf"]!, modules, { ...overrides }, result as never);
    mountPullMenu();
    const cards = page.resultView.panel.root.querySelector<HTMLElement>(".cards");
    if (cards) {
      const prices = new Prices(cards, address);
      cards.before(prices.root);
      void prices.load();
    }
    await page.resultView.start();
    const first = page.resultView.panel.choice;
    for (const [process, changed] of Object.entries(overrides)) {
      const [module, configuration] = process.split(":") as [string, string];
      if (modules.get(module)?.configurations[configuration]) await page.judge(module, configuration, changed);
    }
    page.resultView.panel.choose(first);
    return page;
  }

  /** Inputs for every parameter of the chosen configuration; a change is evaluated at once. */
  private showThresholds({ module, configuration }: Choice): void {
    const spec = this.modules?.get(module);
    const parameters = spec?.configurations[configuration]?.parameters ?? {};
    const kept = this.kept[`${module}:${configuration}`] ?? {};
    const rows: HTMLElement[] = Object.entries(parameters).map(([name, value]) => {
      const about = spec?.parameters?.[name];
      const input = element("input", {
        type: "number", step: "any", value: String(kept[name] ?? value), name, "data-shipped": String(value),
        onchange: () => void this.judge(module, configuration, this.changed()),
      });
      const label = element("span", { class: "meaning" }, about?.meaning ?? name.replaceAll("_", " "));
      return element("label", {}, label, input, element("span", { class: "unit" }, written(about?.unit ?? "")));
    });
    if (Object.keys(kept).length > 0) {
      const reset = element("button", { type: "button", class: "reset", onclick: () => void this.judge(module, configuration, {}) }, "Reset");
      rows.push(element("p", {}, reset, " to the shipped thresholds; yours are kept for this part."));
    }
    const open = this.thresholds.open;
    this.thresholds.replaceChildren(element("summary", {}, `Thresholds: ${spec?.configurations[configuration]?.name ?? configuration}`), ...rows);
    this.thresholds.open = open;
  }

  /** Thresholds in the inputs that differ from the shipped ones. */
  private changed(): Record<string, number> {
    const inputs = [...this.thresholds.querySelectorAll<HTMLInputElement>("input")];
    const changed = inputs.filter((input) => input.value !== "" && Number(input.value) !== Number(input.dataset["shipped"]));
    return Object.fromEntries(changed.map((input) => [input.name, Number(input.value)]));
  }

  private async judge(module: string, configuration: string, overrides: Record<string, number>): Promise<void> {
    const body = JSON.stringify({ module_key: module, configuration_key: configuration, overrides });
    const headers = { "Content-Type": "application/json", "X-CSRF-Token": this.csrf, Accept: "application/json" };
    const answer = await fetch(`${this.address}/eval`, { method: "POST", body, headers });
    const judged = (await answer.json()) as ModuleResult & { error?: string };
    if (!answer.ok) {
      this.tell(judged.error ?? "the rules could not be evaluated");
      return;
    }
    // Before the panel draws the inputs anew.
    this.kept[`${module}:${configuration}`] = overrides;
    const [one] = judged.configurations as [ConfigurationVerdict];
    this.resultView.panel.replace(module, one);
    const said = Object.entries(overrides).map(([name, value]) => `${name} ${figure(value)}`);
    this.tell(said.length === 0 ? "" : `judged with ${said.join(", ")}`);
  }

  private tell(text: string): void {
    const status = this.root.ownerDocument.getElementById("analysis-status");
    if (status) status.textContent = text;
  }
}

/** Unit shown beside an input; none for counts and ratios. */
function written(unit: string): string {
  return unit === "count" || unit === "ratio" ? "" : unit;
}

async function json(address: string): Promise<unknown> {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.json();
}
