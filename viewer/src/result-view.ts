// The 3D view and the findings side by side, used by the analysis page and by the report.

import { element } from "./dom";
import { BodyList } from "./bodies";
import { calloutFrame } from "./callout-frame";
import { calloutsOf, type Callout } from "./callouts";
import type { Measured } from "./dimension";
import { FindingsPanel } from "./findings";
import type { Choice } from "./process-cards";
import { completed, dimensions, type AnalysisResult } from "./result";
import type { DrawCost } from "./scene";
import { FeatureList } from "./feature-list";
import { FIELDS, USUAL_LIMIT_MM, type Glbs } from "./fields";
import { ToleranceList } from "./tolerance-list";
import { Viewport } from "./viewport";

export interface ResultViewState {
  ready: boolean;
  mode: string;
  marked: number[];
  /** Number of hidden faces. */
  hidden: number;
  range: [number, number] | null;
  choice: Choice;
  severity: string | null;
  firstFrameMs: number | null;
  lastSwitchMs: number | null;
  cost: DrawCost | null;
  /** Texts of the dimensions drawn on the part. */
  labels: string[];
  /** Callouts of the file that are in view, in words. */
  callouts: string[];
  /** Whether the camera is still moving. */
  flying: boolean;
  direction: number[];
  zoom: number;
}

export class ResultView {
  readonly viewport: Viewport;
  readonly panel: FindingsPanel;
  private readonly bodies: BodyList;
  private readonly card = element("section", { class: "face-card", "aria-label": "Chosen face", "aria-live": "polite" });
  private readonly result: AnalysisResult;
  private readonly callouts: readonly Callout[];
  private ready = false;

  constructor(
    root: HTMLElement,
    stored: AnalysisResult,
    glbs: Glbs,
    choiceChanged: (choice: Choice) => void = () => {},
  ) {
    const result = completed(stored);
    this.result = result;
    this.callouts = calloutsOf(result.pmi);
    this.viewport = new Viewport(result, glbs, (face) => this.showFace(face), this.callouts, (callout) => this.point(callout.fids, null, callout));
    this.panel = new FindingsPanel(result, (fids, measured) => this.point(fids, measured), (choice) => {
      this.viewport.repaint();
      choiceChanged(choice);
    });
    this.viewport.limitOf = (mode) => this.panel.limitOf(FIELDS[mode].limits) ?? USUAL_LIMIT_MM;
    this.bodies = new BodyList(result.bodies, {
      point: (faces) => this.point(faces.map((face) => String(face + 1)), null),
      hide: (faces) => this.viewport.hide(faces),
    });
    const features = new FeatureList(result.features.features, (feature) => this.point(feature.related_fids, null));
    const tolerances = new ToleranceList(result.pmi, this.callouts, {
      point: (callout) => this.point(callout.fids, null, callout),
      pointFaces: (fids) => this.point(fids, null),
    });
    this.card.hidden = true;
    this.viewport.root.append(this.card);
    root.replaceChildren(this.viewport.root, element("aside", { class: "side", "aria-label": "Answer" }, this.bodies.root, this.panel.root, tolerances.root, features.root));
  }

  async start(): Promise<void> {
    await this.viewport.start();
    this.ready = true;
  }

  /** State of the view, for tests and for embedding pages. */
  state(): ResultViewState {
    const { mode, marked, hidden, range, firstFrameMs, lastSwitchMs, cost, labels, shownCallouts: callouts, flying, direction, zoom } = this.viewport;
    const { choice, severity } = this.panel;
    return { ready: this.ready, mode, marked, hidden: hidden.size, range, choice, severity, firstFrameMs, lastSwitchMs, cost, labels, callouts, flying, direction, zoom };
  }

  /** Shows the faces of a finding, a cause or a body, and the dimension measured there. */
  point(fids: string[], measured: Measured | null, callout: Callout | null = null): void {
    this.card.hidden = true;
    const hidden = this.viewport.hidden;
    this.viewport.point(fids, measured, callout);
    if (hidden !== this.viewport.hidden) this.bodies.shownAll();
    this.panel.showMarked(fids);
    const { top, bottom } = this.viewport.root.getBoundingClientRect();
    if (top < -1 || bottom > window.innerHeight + 1) this.viewport.root.scrollIntoView({ block: "start" });
  }

  showFace(face: number | null): void {
    this.card.hidden = face === null;
    this.panel.showMarked(null);
    this.viewport.showCallouts(null);
    if (face === null) {
      this.viewport.mark([]);
      return;
    }
    const fid = String(face + 1);
    const { roles_by_fid, role_names } = this.result.features;
    const role = role_names[String(roles_by_fid[fid] ?? 0)] ?? "Unclassified";
    const feature = this.viewport.feature(face);
    this.viewport.mark(feature ? feature.related_fids : [fid]);
    const close = element("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => this.showFace(null) }, "×");
    const figures = feature ? dimensions(feature).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]) : [];
    const findings = this.findingsOn(fid).map((message) => element("li", { class: "on-face" }, message));
    this.card.replaceChildren(
      close,
      element("h2", {}, `Face ${fid}`),
      element("p", { class: "quiet" }, feature ? `${role}, part of a ${feature.kind.toLowerCase()}` : role),
      ...this.calloutsOn(fid),
      element("dl", {}, ...figures),
      ...this.pullButton(face),
      ...(findings.length > 0 ? [element("h3", {}, "Findings here"), element("ul", {}, ...findings)] : []),
    );
  }

  /** Fills the direction of the face into the form of the pull, where the page has one. */
  private pullButton(face: number): HTMLElement[] {
    const menu = document.querySelector<HTMLSelectElement>("#pull");
    const typed = document.querySelector<HTMLInputElement>("#pull-custom");
    const normal = this.viewport.normalOf(face);
    if (!menu || !typed || !normal) return [];
    return [element("button", {
      type: "button", class: "more", onclick: () => {
        menu.value = "other";
        menu.dispatchEvent(new Event("change"));
        typed.value = normal.map((part) => String(Number(part.toFixed(6)))).join(",");
        typed.focus();
      },
    }, "Pull along this face")];
  }

  /** What the file asks of a face. */
  private calloutsOn(fid: string): HTMLElement[] {
    const own = this.callouts.filter(({ fids }) => fids.includes(fid));
    if (own.length === 0) return [];
    const rows = own.map((callout) => element("li", {}, calloutFrame(callout), element("span", { class: "quiet" }, callout.group === "Datums" ? "datum" : callout.remark)));
    return [element("ul", { class: "callouts" }, ...rows)];
  }

  private findingsOn(fid: string): string[] {
    const all = this.panel.verdict?.result.rules.flatMap((rule) => rule.findings) ?? [];
    return all.filter((finding) => finding.severity !== "pass" && finding.related_fids.includes(fid)).map((finding) => finding.message);
  }
}
