// The 3D view and the findings side by side, used by the analysis page and by the report.

import { element } from "./dom";
import { FindingsPanel, type Choice } from "./findings";
import { dimensions, type AnalysisResult } from "./result";
import type { DrawCost } from "./scene";
import { Viewport, type Glbs } from "./viewport";

export interface ResultViewState {
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

export class ResultView {
  readonly viewport: Viewport;
  readonly panel: FindingsPanel;
  private readonly card = element("section", { class: "face-card", "aria-label": "Chosen face", "aria-live": "polite" });
  private ready = false;

  constructor(
    root: HTMLElement,
    private readonly result: AnalysisResult,
    glbs: Glbs,
    choiceChanged: (choice: Choice) => void = () => {},
  ) {
    this.viewport = new Viewport(result, glbs, (face) => this.showFace(face));
    this.panel = new FindingsPanel((fids) => this.point(fids), choiceChanged);
    this.panel.show(result.modules.modules);
    this.card.hidden = true;
    root.replaceChildren(this.viewport.root, element("aside", { class: "side" }, this.card, this.panel.root));
  }

  async start(): Promise<void> {
    await this.viewport.start();
    this.ready = true;
  }

  /** State of the view, for tests and for embedding pages. */
  state(): ResultViewState {
    const { mode, marked, range, firstFrameMs, lastSwitchMs, cost } = this.viewport;
    const { choice, severity } = this.panel;
    return { ready: this.ready, mode, marked, range, choice, severity, firstFrameMs, lastSwitchMs, cost };
  }

  /** Highlights the faces of a finding and moves the camera to them. */
  private point(fids: string[]): void {
    this.card.hidden = true;
    this.viewport.mark(fids, true);
    this.panel.showMarked(fids);
  }

  showFace(face: number | null): void {
    this.card.hidden = face === null;
    this.panel.showMarked([]);
    if (face === null) {
      this.viewport.mark([], false);
      return;
    }
    const fid = String(face + 1);
    const { roles_by_fid, role_names } = this.result.features;
    const role = role_names[String(roles_by_fid[fid] ?? 0)] ?? "Unclassified";
    const feature = this.viewport.feature(face);
    this.viewport.mark(feature ? feature.related_fids : [fid], false);
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
