// Part and findings side by side: the analysis page and the report both mount this.

import { element } from "./dom";
import { FindingsPanel, type Choice } from "./findings";
import { dimensions, type AnalysisResult } from "./result";
import type { DrawCost } from "./scene";
import { Stage, type Glbs } from "./stage";

export interface WorkbenchState {
  ready: boolean;
  mode: string;
  marked: number[];
  range: [number, number] | null;
  choice: Choice;
  severity: string | null;
  firstFrameMs: number | null;
  lastSwitchMs: number | null;
  cost: DrawCost | null;
}

export class Workbench {
  readonly stage: Stage;
  readonly panel: FindingsPanel;
  private readonly card = element("section", { class: "face-card", "aria-label": "Chosen face", "aria-live": "polite" });
  private ready = false;

  constructor(
    root: HTMLElement,
    private readonly result: AnalysisResult,
    glbs: Glbs,
    choiceChanged: (choice: Choice) => void = () => {},
  ) {
    this.stage = new Stage(result, glbs, (face) => this.showFace(face));
    this.panel = new FindingsPanel((fids) => this.point(fids), choiceChanged);
    this.panel.show(result.modules.modules);
    this.card.hidden = true;
    root.replaceChildren(this.stage.root, element("aside", { class: "side" }, this.card, this.panel.root));
  }

  async start(): Promise<void> {
    await this.stage.start();
    this.ready = true;
  }

  /** What the page shows, for tests and for pages that embed it. */
  state(): WorkbenchState {
    const { mode, marked, range, firstFrameMs, lastSwitchMs, cost } = this.stage;
    const { choice, severity } = this.panel;
    return { ready: this.ready, mode, marked, range, choice, severity, firstFrameMs, lastSwitchMs, cost };
  }

  /** Flies to the faces of a finding and marks them. */
  private point(fids: string[]): void {
    this.card.hidden = true;
    this.stage.mark(fids, true);
    this.panel.showMarked(fids);
  }

  showFace(face: number | null): void {
    this.card.hidden = face === null;
    this.panel.showMarked([]);
    if (face === null) {
      this.stage.mark([], false);
      return;
    }
    const fid = String(face + 1);
    const { roles_by_fid, role_names } = this.result.features;
    const role = role_names[String(roles_by_fid[fid] ?? 0)] ?? "Unclassified";
    const feature = this.stage.feature(face);
    this.stage.mark(feature ? feature.related_fids : [fid], false);
    const close = element("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => this.showFace(null) }, "×");
    const figures = feature ? dimensions(feature).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]) : [];
    const findings = this.findingsOn(fid).map((message) => element("li", { class: "on-face" }, message));
    this.card.replaceChildren(
      close,
      element("h3", {}, `Face ${fid}`),
      element("p", { class: "quiet" }, feature ? `${role}, part of a ${feature.kind.toLowerCase()}` : role),
      element("dl", {}, ...figures),
      ...(findings.length > 0 ? [element("h4", {}, "Findings here"), element("ul", {}, ...findings)] : []),
    );
  }

  private findingsOn(fid: string): string[] {
    const { module, configuration } = this.panel.choice;
    const chosen = this.result.modules.modules
      .find((one) => one.module_key === module)
      ?.configurations.find((one) => one.configuration_key === configuration);
    const all = chosen?.result.rules.flatMap((rule) => rule.findings) ?? [];
    return all.filter((finding) => finding.severity !== "pass" && finding.related_fids.includes(fid)).map((finding) => finding.message);
  }
}
