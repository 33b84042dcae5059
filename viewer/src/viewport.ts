// The 3D view with its controls: canvas, display modes, standard views, section, legend, values under the cursor.

import { calloutFrame } from "./callout-frame";
import { spoken, type Callout } from "./callouts";
import { element } from "./dom";
import { Vector3 } from "three";
import type { View } from "./camera";
import { dimensionOf, type Measured } from "./dimension";
import { shapeOf } from "./face-shape";
import { FIELDS, USUAL_LIMIT_MM, loadField, pointAreas, shares, stepsOf, type FieldName, type Glbs } from "./fields";
import { parsePart, type FieldValues, type PartGeometry } from "./glb";
import { FlatView } from "./flat-view";
import { Legend } from "./legend";
import { KIND_COLORS } from "./kind_colors";
import type { Columns, Leader } from "./leaders";
import { faceNumbers, figure, quantity, type AnalysisResult, type Feature } from "./result";
import { PartScene, type DrawCost, type Hit } from "./scene";
import { Measuring } from "./measure";
import { SectionControl } from "./section-control";
import { AxesIndicator } from "./axes-indicator";
import { ViewCube } from "./view-cube";
import { sampleFaces } from "./visibility";

export type Mode = "shaded" | "features" | FieldName | "flat";
const MODES: Mode[] = ["shaded", "features", "thickness", "clearance", "draft"];
/** Places on the faces of a callout that its line may lead to. */
const CALLOUT_PLACES = 8;
const VIEWS: View[] = ["iso", "front", "top", "right", "back", "bottom", "left"];

export class Viewport {
  readonly root: HTMLElement;
  mode: Mode = "shaded";
  private wanted: Mode = "shaded";
  marked: number[] = [];
  range: [number, number] | null = null;
  firstFrameMs: number | null = null;
  lastSwitchMs: number | null = null;
  private readonly canvas = element("canvas", {
    tabindex: "0", role: "img",
    "aria-label": "3D view of the part: drag or use the arrow keys to turn, wheel or plus and minus to zoom, F to fit, Escape to clear the mark",
  });
  private readonly readout = element("output", { class: "readout", "aria-live": "off" });
  private readonly legend = new Legend((limit) => this.limitChanged(limit));
  private readonly modes = element("div", { class: "modes", role: "group", "aria-label": "What the colors show" });
  private readonly key = element("ul", { class: "kind-key", "aria-label": "Feature colors" });
  private readonly axes = new AxesIndicator();
  /** Limits typed by the visitor, by mode. */
  private readonly limits = new Map<Mode, number>();
  /** Limit of a length in the chosen process, mm. */
  limitOf: (mode: FieldName) => number = () => USUAL_LIMIT_MM;
  private areas: Float32Array | null = null;
  private readonly fields = new Map<Mode, FieldValues>();
  private readonly featureOfFace = new Map<number, Feature>();
  private readonly flat: FlatView | null;
  private readonly holder = element("div", { class: "canvas-holder" }, this.canvas);
  private readonly section = new SectionControl({
    extent: (normal) => (this.part ? extent(this.part.positions, normal) : [0, 1]),
    cut: (normal, offset) => this.scene?.cut(normal, offset),
    uncut: () => this.scene?.uncut(),
    picked: () => this.pickedPlane(),
    towards: () => this.scene?.camera.direction ?? new Vector3(0, 0, 1),
  });
  private readonly cube = new ViewCube((direction) => this.scene?.camera.turn(direction));
  private readonly measureButton = element("button", { type: "button", "aria-pressed": "false", title: "Click two places; a round face gives its radius", onclick: () => this.toggleMeasuring() }, "Measure");
  private measuring: Measuring | null = null;
  private readonly foot = element("div", { class: "stage-foot" }, this.legend.root, this.key, this.readout);
  private readonly allCallouts = element("input", { type: "checkbox", onchange: () => this.showCallouts(null) });
  private readonly leaders = new Map<Callout, Leader>();
  hidden: ReadonlySet<number> = new Set();
  private lastPicked: Hit | null = null;
  private scene: PartScene | null = null;
  private part: PartGeometry | null = null;

  constructor(
    private readonly result: AnalysisResult,
    private readonly glbs: Glbs,
    private readonly faceClicked: (face: number | null) => void,
    private readonly callouts: readonly Callout[] = [],
    private readonly calloutClicked: (callout: Callout) => void = () => {},
  ) {
    this.flat = result.flat && new FlatView(result.flat, (fids) => this.faceClicked(fids.length > 0 ? Number(fids[0]) - 1 : null));
    this.root = element("section", { class: "stage", "aria-label": "Part" }, this.bar(), this.holder, ...(this.flat ? [this.flat.root] : []),
      this.axes.root, this.cube.root, this.foot);
    this.key.hidden = true;
    // Small features last, so that a hole in a pocket keeps its own color.
    const bySize = [...result.features.features].sort((a, b) => b.related_fids.length - a.related_fids.length);
    for (const feature of bySize) for (const face of faceNumbers(feature.related_fids)) this.featureOfFace.set(face, feature);
  }

  async start(): Promise<void> {
    const data = await this.glbs("features");
    const began = performance.now();
    this.part = parsePart(data);
    this.scene = new PartScene(this.canvas, this.part, (camera) => {
      this.axes.rotate(camera);
      this.cube.rotate(camera);
    });
    this.holder.append(this.scene.leaders.root, this.scene.labels.root);
    this.scene.columns = () => this.freeColumns();
    this.paintKinds();
    this.scene.showPull(this.result.features.manufacturability.pull_dir);
    this.listen();
    await this.scene.firstFrame;
    this.firstFrameMs = performance.now() - began;
  }

  feature(face: number): Feature | undefined {
    return this.featureOfFace.get(face);
  }

  /** Highlights faces without moving the camera. */
  mark(fids: readonly string[]): void {
    this.marked = faceNumbers(fids);
    this.scene?.mark(this.marked);
    this.flat?.mark(fids);
  }

  /** Highlights faces where they are visible, with the dimension measured there; no faces: the whole part. */
  point(fids: readonly string[], measured: Measured | null = null, callout: Callout | null = null): void {
    if (!this.scene) return;
    const faces = fids.length > 0 ? faceNumbers(fids) : [...Array(this.scene.surface.faceCount).keys()];
    if (faces.some((face) => this.hidden.has(face))) this.hide(new Set());
    if (this.mode === "flat") void this.show("shaded");
    this.section.clear();
    this.marked = faces;
    this.scene.mark(faces);
    this.flat?.mark(fids);
    const worst = measured?.position ? new Vector3(...measured.position).divideScalar(1000) : null;
    const cut = this.scene.fly(faces, worst);
    if (cut) this.section.set(cut.axis, cut.sign, cut.offset);
    const dimension = measured && dimensionOf(measured, this.scene.index, this.featureOf(faceNumbers(measured.fids)));
    this.scene.measure(dimension ? [dimension] : []);
    this.showCallouts(callout);
  }

  /** Callouts with lines to their faces: all where the visitor wants them, else only the chosen one. */
  showCallouts(chosen: Callout | null): void {
    if (!this.scene) return;
    const wanted = this.allCallouts.checked ? this.callouts.filter(({ fids, group }) => fids.length > 0 && group !== "Notes") : [];
    const shown = chosen && !wanted.includes(chosen) ? [chosen, ...wanted] : wanted;
    for (const { label } of this.leaders.values()) label.classList.remove("chosen");
    if (chosen) this.leaderOf(chosen).label.classList.add("chosen");
    this.scene.leaders.show(shown.map((callout) => this.leaderOf(callout)));
    this.scene.redraw();
  }

  private leaderOf(callout: Callout): Leader {
    const known = this.leaders.get(callout);
    if (known) return known;
    const samples = sampleFaces(this.scene!.index, faceNumbers(callout.fids));
    const every = Math.max(1, Math.floor(samples.length / CALLOUT_PLACES));
    const middle = samples.reduce((sum, { point }) => sum.addScaledVector(point, 1 / samples.length), new Vector3());
    const places = samples.filter((_, k) => k % every === 0).sort((a, b) => a.point.distanceTo(middle) - b.point.distanceTo(middle));
    // Reached from the list by keyboard; here only by the pointer.
    const label = element("button", { type: "button", class: "leader-label", tabindex: "-1", onclick: () => this.calloutClicked(callout) }, calloutFrame(callout));
    const leader = { places, label, text: spoken(callout) };
    this.leaders.set(callout, leader);
    return leader;
  }

  /** What bar, cube and legend leave of the sides of the view. */
  private freeColumns(): Columns {
    const { top, bottom } = this.holder.getBoundingClientRect();
    const below = (node: Element) => node.getBoundingClientRect().bottom - top + 8;
    const [bar, cube] = [below(this.root.firstElementChild!), below(this.cube.root)];
    const foot = [...this.foot.children].filter((child) => child.clientHeight > 0 && child !== this.readout);
    const end = foot.reduce((least, child) => Math.min(least, child.getBoundingClientRect().top - top), bottom - top) - 8;
    return { left: [bar, end], right: [cube, bottom - top - 96] };
  }

  /** The feature of the first of these faces that has one. */
  private featureOf(faces: readonly number[]): Feature | undefined {
    return faces.map((face) => this.featureOfFace.get(face)).find((feature) => feature !== undefined);
  }

  /** Hides faces; all others are shown. */
  hide(faces: ReadonlySet<number>): void {
    this.hidden = faces;
    this.scene?.hide(faces);
  }

  /** Texts of the callouts in view. */
  get shownCallouts(): string[] {
    return this.scene?.leaders.texts ?? [];
  }

  get labels(): string[] {
    return this.scene?.labels.texts ?? [];
  }

  /** From the part to the camera. */
  get direction(): number[] {
    return this.scene?.camera.direction.toArray() ?? [];
  }

  get zoom(): number {
    return this.scene?.camera.pose.zoom ?? 1;
  }

  get flying(): boolean {
    return this.scene?.camera.flying ?? false;
  }

  get cost(): DrawCost | null {
    return this.scene?.cost ?? null;
  }

  async show(mode: Mode): Promise<void> {
    if (!this.scene) return;
    this.wanted = mode;
    const data = mode in FIELDS ? await this.field(mode as FieldName) : null;
    if (this.wanted !== mode) return; // another mode was chosen while this one was loading
    const began = performance.now();
    this.mode = mode;
    for (const button of this.modes.children) button.setAttribute("aria-pressed", String(button.getAttribute("data-mode") === mode));
    this.key.hidden = mode !== "features";
    for (const part of [this.holder, this.axes.root, this.cube.root]) part.toggleAttribute("hidden", mode === "flat");
    if (mode === "flat") this.flat?.open();
    else this.flat?.close();
    if (data) this.paintField(mode as FieldName, data);
    else {
      this.legend.hide();
      this.range = null;
      this.scene.surface.show(mode === "features" ? "faces" : "plain");
    }
    this.scene.draw();
    this.lastSwitchMs = performance.now() - began;
  }

  private async field(mode: FieldName): Promise<FieldValues> {
    const known = this.fields.get(mode) ?? (await loadField(this.glbs, mode));
    this.fields.set(mode, known);
    return known;
  }

  private paintField(mode: FieldName, data: FieldValues): void {
    const { title, unit, limits } = FIELDS[mode];
    const limit = this.limits.get(mode) ?? this.limitOf(mode);
    const steps = stepsOf(mode, limit);
    this.scene!.surface.setField(data.values, data.noReading, steps);
    this.scene!.surface.show("field");
    this.areas ??= pointAreas(this.part!);
    this.legend.show({ title, unit, steps, shares: shares(data, steps, this.areas), limit: limits ? limit : null });
    this.range = [steps.edges[0]!, steps.edges.at(-1)!];
  }

  private limitChanged(limit: number): void {
    this.limits.set(this.mode, limit);
    this.repaint();
  }

  /** Paints the shown field anew, for instance with the limit of another process. */
  repaint(): void {
    const data = this.fields.get(this.mode);
    if (!data || !this.scene) return;
    this.paintField(this.mode as FieldName, data);
    this.scene.redraw();
  }

  private paintKinds(): void {
    if (!this.scene) return;
    const colors = Array.from({ length: this.scene.surface.faceCount }, (_, face) => KIND_COLORS[this.featureOfFace.get(face)?.kind ?? ""] ?? "#9aa2ab");
    this.scene.surface.setFaceColors(colors);
    const present = Object.keys(KIND_COLORS).filter((kind) => this.result.features.features.some((feature) => feature.kind === kind));
    this.key.replaceChildren(...present.map((kind) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.backgroundColor = KIND_COLORS[kind]!;
      const count = this.result.features.features.filter((feature) => feature.kind === kind).length;
      return element("li", {}, swatch, `${kind.toLowerCase()} ${count}`);
    }));
  }

  private bar(): HTMLElement {
    const offered: Mode[] = this.flat ? [...MODES, "flat"] : MODES;
    this.modes.append(...offered.map((mode) => element("button", {
      type: "button", "aria-pressed": String(mode === "shaded"), "data-mode": mode, onclick: () => void this.show(mode),
    }, mode[0]!.toUpperCase() + mode.slice(1))));
    const views = element("select", { "aria-label": "Standard view", onchange: () => this.scene?.look(views.value as View) },
      ...VIEWS.map((view) => element("option", { value: view }, view === "iso" ? "Iso view" : `${view[0]!.toUpperCase()}${view.slice(1)}`)));
    const fit = element("button", { type: "button", onclick: () => this.scene?.camera.fit() }, "Fit");
    const glass = element("input", { type: "checkbox", onchange: () => this.scene?.showGlass(glass.checked) });
    const edges = element("input", { type: "checkbox", checked: true, onchange: () => this.scene?.showEdges(edges.checked) });
    return element("div", { class: "viewer-bar" }, this.modes, views, fit, element("label", {}, edges, " Edges"), element("label", {}, glass, " See-through"),
      ...(this.callouts.some(({ fids }) => fids.length > 0) ? [element("label", { class: "all-callouts" }, this.allCallouts, " Tolerances")] : []), this.measureButton, this.section.root);
  }

  /** Normal of a plane face; null for other faces. */
  normalOf(face: number): [number, number, number] | null {
    const shape = this.scene && shapeOf(this.scene.index, face);
    return shape?.kind === "plane" ? shape.normal.toArray() : null;
  }

  /** Plane through the point that was clicked last. */
  private pickedPlane(): { normal: Vector3; offset: number } | null {
    if (!this.lastPicked || !this.scene) return null;
    const point = new Vector3(...this.lastPicked.point).divideScalar(1000);
    const normal = this.scene.index.normalNear(this.lastPicked.face, point);
    return { normal, offset: point.dot(normal) };
  }

  private toggleMeasuring(): void {
    this.measuring = this.measuring || !this.scene ? null : new Measuring(this.scene.index);
    this.measureButton.setAttribute("aria-pressed", String(this.measuring !== null));
    this.holder.classList.toggle("measuring", this.measuring !== null);
    if (!this.measuring) this.scene?.measure([]);
  }

  private listen(): void {
    let pressed: [number, number] | null = null;
    this.canvas.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
    this.canvas.addEventListener("pointerup", (event) => {
      const moved = pressed ? Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) : 9;
      pressed = null;
      if (moved >= 4) return;
      this.lastPicked = this.pick(event);
      if (this.measuring) {
        if (this.lastPicked) this.scene?.measure(this.measuring.take(this.lastPicked));
        return;
      }
      this.faceClicked(this.lastPicked?.face ?? null);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!pressed) this.readout.textContent = this.describe(this.pick(event));
    });
    this.canvas.addEventListener("pointerleave", () => { this.readout.textContent = ""; });
    this.canvas.addEventListener("keydown", (event) => {
      const act = this.keys[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    });
  }

  private readonly keys: Record<string, () => void> = {
    ArrowLeft: () => this.scene?.camera.orbit(-10, 0),
    ArrowRight: () => this.scene?.camera.orbit(10, 0),
    ArrowUp: () => this.scene?.camera.orbit(0, 10),
    ArrowDown: () => this.scene?.camera.orbit(0, -10),
    "+": () => this.scene?.camera.zoom(1.25),
    "=": () => this.scene?.camera.zoom(1.25),
    "-": () => this.scene?.camera.zoom(0.8),
    f: () => this.scene?.camera.fit(),
    Escape: () => this.faceClicked(null),
  };

  private pick(event: PointerEvent): Hit | null {
    const data = this.fields.get(this.mode) ?? null;
    return this.scene?.pick(event.clientX, event.clientY, data?.values ?? null, data?.noReading ?? 0) ?? null;
  }

  private describe(hit: Hit | null): string {
    if (!hit) return "";
    const feature = this.feature(hit.face);
    const [x, y, z] = hit.point.map(figure);
    const parts = [`face ${hit.face + 1}`, feature ? feature.kind.toLowerCase() : "", `at ${x}, ${y}, ${z} mm`];
    if (this.mode in FIELDS) {
      const { unit } = FIELDS[this.mode as FieldName];
      parts.unshift(hit.value === null ? `${this.mode}: no reading` : `${this.mode} ${quantity(hit.value, unit)}`);
    }
    return parts.filter(Boolean).join(" · ");
  }
}

/** Smallest and largest position of points along a direction. */
function extent(positions: Float32Array, { x, y, z }: Vector3): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < positions.length; k += 3) {
    const at = positions[k]! * x + positions[k + 1]! * y + positions[k + 2]! * z;
    low = Math.min(low, at);
    high = Math.max(high, at);
  }
  return [low, high];
}
