// The 3D view with its controls: canvas, display modes, standard views, section, legend, values under the cursor.

import { element } from "./dom";
import { parseField, parsePart, type FieldValues, type PartGeometry } from "./glb";
import { Legend, type Scale } from "./legend";
import { ANGLE, KINDS, LENGTH } from "./ramps";
import { faceNumbers, figure, quantity, type AnalysisResult, type Feature } from "./result";
import { PartScene, type DrawCost, type Hit, type View } from "./scene";
import { AxesIndicator } from "./axes-indicator";

export type Mode = "shaded" | "features" | "thickness" | "clearance" | "draft";
export type Glbs = (name: "features" | "thickness" | "clearance" | "draft") => Promise<ArrayBuffer>;

interface FieldMode extends Scale {
  attribute: string;
}

interface FieldData extends FieldValues {
  /** Smallest and largest reading. */
  full: [number, number];
}

const FIELDS: Record<"thickness" | "clearance" | "draft", FieldMode> = {
  thickness: { attribute: "_THICKNESS", ramp: LENGTH, unit: "mm", title: "Wall thickness" },
  clearance: { attribute: "_CLEARANCE", ramp: LENGTH, unit: "mm", title: "Clearance to the nearest wall" },
  draft: { attribute: "_DRAFT", ramp: ANGLE, unit: "deg", title: "Draft against the pull" },
};
const MODES: Mode[] = ["shaded", "features", "thickness", "clearance", "draft"];
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
  private readonly legend = new Legend((low, high) => this.rangeChanged(low, high));
  private readonly modes = element("div", { class: "modes", role: "group", "aria-label": "What the colors show" });
  private readonly key = element("ul", { class: "kind-key", "aria-label": "Feature colors" });
  private readonly axes = new AxesIndicator();
  private readonly fields = new Map<Mode, FieldData>();
  private readonly featureOfFace = new Map<number, Feature>();
  private scene: PartScene | null = null;
  private part: PartGeometry | null = null;

  constructor(
    private readonly result: AnalysisResult,
    private readonly glbs: Glbs,
    private readonly faceClicked: (face: number | null) => void,
  ) {
    const holder = element("div", { class: "canvas-holder" }, this.canvas);
    this.root = element("section", { class: "stage", "aria-label": "Part" }, this.bar(), holder,
      this.axes.root, element("div", { class: "stage-foot" }, this.legend.root, this.key, this.readout));
    this.key.hidden = true;
    // Small features last, so that a hole in a pocket keeps its own color.
    const bySize = [...result.features.features].sort((a, b) => b.related_fids.length - a.related_fids.length);
    for (const feature of bySize) for (const face of faceNumbers(feature.related_fids)) this.featureOfFace.set(face, feature);
  }

  async start(): Promise<void> {
    const data = await this.glbs("features");
    const began = performance.now();
    this.part = parsePart(data);
    this.scene = new PartScene(this.canvas, this.part, (camera) => this.axes.rotate(camera));
    this.paintKinds();
    this.scene.showPull(this.result.features.manufacturability.pull_dir);
    this.listen();
    await this.scene.firstFrame;
    this.firstFrameMs = performance.now() - began;
  }

  feature(face: number): Feature | undefined {
    return this.featureOfFace.get(face);
  }

  mark(fids: readonly string[], fly: boolean): void {
    this.marked = faceNumbers(fids);
    this.scene?.mark(this.marked, fly);
  }

  get cost(): DrawCost | null {
    return this.scene?.cost ?? null;
  }

  async show(mode: Mode): Promise<void> {
    if (!this.scene) return;
    this.wanted = mode;
    const data = mode in FIELDS ? await this.field(mode as keyof typeof FIELDS) : null;
    if (this.wanted !== mode) return; // another mode was chosen while this one was loading
    const began = performance.now();
    this.mode = mode;
    for (const button of this.modes.children) button.setAttribute("aria-pressed", String(button.getAttribute("data-mode") === mode));
    this.key.hidden = mode !== "features";
    if (data) {
      const scale = FIELDS[mode as keyof typeof FIELDS];
      this.scene.surface.setField(data.values, data.noReading, scale.ramp);
      this.scene.surface.show("field");
      this.legend.show(scale, data.full, data.range);
    } else {
      this.legend.hide();
      this.range = null;
      this.scene.surface.show(mode === "features" ? "faces" : "plain");
    }
    this.scene.draw();
    this.lastSwitchMs = performance.now() - began;
  }

  private async field(mode: keyof typeof FIELDS): Promise<FieldData> {
    const known = this.fields.get(mode);
    if (known) return known;
    const { values, noReading, range } = parseField(await this.glbs(mode), FIELDS[mode].attribute);
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (value <= noReading + 0.5) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    const full: [number, number] = low < high ? [low, high] : [range[0], range[1] + 1e-6];
    const inside: [number, number] = [Math.max(range[0], full[0]), Math.min(range[1], full[1])];
    const data: FieldData = { values, noReading, full, range: inside[0] < inside[1] ? inside : full };
    this.fields.set(mode, data);
    return data;
  }

  private rangeChanged(low: number, high: number): void {
    this.range = [low, high];
    const data = this.fields.get(this.mode);
    if (data) data.range = [low, high];
    this.scene?.surface.setRange(low, high);
    this.scene?.redraw();
  }

  private paintKinds(): void {
    if (!this.scene) return;
    const colors = Array.from({ length: this.scene.surface.faceCount }, (_, face) => KINDS[this.featureOfFace.get(face)?.kind ?? ""] ?? "#9aa2ab");
    this.scene.surface.setFaceColors(colors);
    const present = Object.keys(KINDS).filter((kind) => this.result.features.features.some((feature) => feature.kind === kind));
    this.key.replaceChildren(...present.map((kind) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.backgroundColor = KINDS[kind]!;
      const count = this.result.features.features.filter((feature) => feature.kind === kind).length;
      return element("li", {}, swatch, `${kind.toLowerCase()} ${count}`);
    }));
  }

  private bar(): HTMLElement {
    this.modes.append(...MODES.map((mode) => element("button", {
      type: "button", "aria-pressed": String(mode === "shaded"), "data-mode": mode, onclick: () => void this.show(mode),
    }, mode[0]!.toUpperCase() + mode.slice(1))));
    const views = element("select", { "aria-label": "Standard view", onchange: () => this.scene?.look(views.value as View) },
      ...VIEWS.map((view) => element("option", { value: view }, view === "iso" ? "Iso view" : `${view[0]!.toUpperCase()}${view.slice(1)}`)));
    const fit = element("button", { type: "button", onclick: () => this.scene?.fit() }, "Fit");
    const edges = element("input", { type: "checkbox", checked: true, onchange: () => this.scene?.showEdges(edges.checked) });
    return element("div", { class: "viewer-bar" }, this.modes, views, fit, element("label", {}, edges, " Edges"), this.sectionControl());
  }

  private sectionControl(): HTMLElement {
    const axis = element("select", { "aria-label": "Section across", onchange: () => cut() },
      ...["off", "x", "y", "z"].map((name) => element("option", { value: name }, name === "off" ? "No section" : `Section ${name.toUpperCase()}`)));
    const position = element("input", { type: "range", min: "0", max: "100", value: "50", "aria-label": "Position of the section", oninput: () => cut() });
    position.hidden = true;
    const cut = (): void => {
      if (!this.scene || !this.part) return;
      position.hidden = axis.value === "off";
      const k = ["x", "y", "z"].indexOf(axis.value);
      if (k < 0) this.scene.uncut();
      else {
        const [low, high] = extent(this.part.positions, k);
        this.scene.cut(k, low + ((high - low) * Number(position.value)) / 100);
      }
    };
    return element("span", { class: "section-control" }, axis, position);
  }

  private listen(): void {
    let pressed: [number, number] | null = null;
    this.canvas.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
    this.canvas.addEventListener("pointerup", (event) => {
      const moved = pressed ? Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) : 9;
      pressed = null;
      if (moved < 4) this.faceClicked(this.pick(event)?.face ?? null);
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
    ArrowLeft: () => this.scene?.orbit(-10, 0),
    ArrowRight: () => this.scene?.orbit(10, 0),
    ArrowUp: () => this.scene?.orbit(0, 10),
    ArrowDown: () => this.scene?.orbit(0, -10),
    "+": () => this.scene?.zoom(1.25),
    "=": () => this.scene?.zoom(1.25),
    "-": () => this.scene?.zoom(0.8),
    f: () => this.scene?.fit(),
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
      const { unit } = FIELDS[this.mode as keyof typeof FIELDS];
      parts.unshift(hit.value === null ? `${this.mode}: no reading` : `${this.mode} ${quantity(hit.value, unit)}`);
    }
    return parts.filter(Boolean).join(" · ");
  }
}

function extent(positions: Float32Array, axis: number): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let k = axis; k < positions.length; k += 3) {
    low = Math.min(low, positions[k]!);
    high = Math.max(high, positions[k]!);
  }
  return [low, high];
}
