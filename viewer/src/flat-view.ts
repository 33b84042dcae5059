// The flat pattern: drawn folded, flat, or anything between; bend lines, bend table, and the face under a click.

import { element } from "./dom";
import { fold, type Folded, type Point3 } from "./flat-fold";
import { figure } from "./result";
import type { FlatPattern } from "./result.generated";

const UNFOLD_MS = 1200;
const MARGIN = 0.12;
const COLORS = { wall: "#cfd8e1", back: "#b3bfcb", bend: "#e7dcc3", chosen: "#f2c14e", edge: "#17212b", up: "#1f5fbf", down: "#c02f2f" };

export class FlatView {
  readonly root: HTMLElement;
  /** Share of the bend angles that is folded: 0 flat, 1 the part. */
  share = 1;
  private readonly canvas = element("canvas", { role: "img", "aria-label": "Flat pattern: drag to turn it" });
  private readonly slider = element("input", {
    type: "range", min: "0", max: "100", value: "100", "aria-label": "How far it is folded", oninput: () => this.fold(Number(this.slider.value) / 100),
  });
  private turn: [number, number] = [0.6, -0.9];
  private shown: { path: Path2D; fids: string[] }[] = [];
  private chosen = new Set<string>();
  private ticket = 0;

  constructor(private readonly flat: FlatPattern, private readonly facesClicked: (fids: string[]) => void) {
    const button = element("button", { type: "button", onclick: () => this.animate(this.share > 0.5 ? 0 : 1) }, "Fold / unfold");
    const [long, short] = flat.size_mm;
    const facts = `${figure(long)} × ${figure(short)} mm, sheet ${figure(flat.thickness_mm)} mm, ${flat.bends.length} bends, cut ${figure(flat.cut_length_mm)} mm`;
    const rows = flat.bends.map((bend) => element("tr", {},
      ...[String(bend.line), `${bend.kind} ${bend.direction}`, `${figure(bend.angle_deg)}°`, `${figure(bend.inner_radius_mm)} mm`, `${figure(bend.length_mm)} mm`,
        `${figure(bend.allowance_mm)} mm`].map((text) => element("td", {}, text))));
    const head = element("tr", {}, ...["Line", "Bend", "Angle", "Radius", "Length", "Allowance"].map((text) => element("th", { scope: "col" }, text)));
    const table = element("table", { class: "bend-table" }, element("thead", {}, head), element("tbody", {}, ...rows));
    this.root = element("div", { class: "flat-view" }, element("div", { class: "canvas-holder" }, this.canvas),
      element("div", { class: "flat-controls" }, button, this.slider, element("p", { class: "quiet" }, facts), ...(rows.length > 0 ? [table] : [])));
    this.root.hidden = true;
    this.listen();
  }

  /** Shows the folded part and lays it flat. */
  open(): void {
    this.root.hidden = false;
    this.fold(1);
    this.animate(0);
  }

  close(): void {
    this.ticket++;
    this.root.hidden = true;
  }

  mark(fids: readonly string[]): void {
    this.chosen = new Set(fids);
    this.draw();
  }

  private fold(share: number): void {
    this.share = share;
    this.slider.value = String(Math.round(share * 100));
    this.draw();
  }

  private animate(target: number): void {
    const [from, began, ticket] = [this.share, performance.now(), ++this.ticket];
    const step = (now: number): void => {
      if (ticket !== this.ticket) return;
      const passed = Math.min(1, Math.max(0, (now - began) / UNFOLD_MS));
      const eased = passed * passed * (3 - 2 * passed);
      this.fold(from + (target - from) * eased);
      if (passed < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  private draw(): void {
    const context = this.canvas.getContext("2d");
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!context || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const folded = fold(this.flat, this.share);
    const project = this.projection(folded, width, height);
    const panels = folded.panels.map((one) => {
      const loops = one.loops.map((loop) => loop.map(project));
      const points = loops.flat();
      const depth = points.reduce((total, point) => total + point[2], 0) / Math.max(points.length, 1);
      return { one, loops, depth, front: this.rotate(one.normal)[2] > 0 };
    });
    panels.sort((a, b) => a.depth - b.depth);
    this.shown = [];
    for (const { one, loops, front } of panels) {
      const path = new Path2D();
      for (const loop of loops) {
        loop.forEach(([x, y], k) => (k === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
        path.closePath();
      }
      const marked = one.panel.fids.some((fid) => this.chosen.has(fid));
      context.fillStyle = marked ? COLORS.chosen : one.panel.bend !== null ? COLORS.bend : front ? COLORS.wall : COLORS.back;
      context.fill(path, "evenodd");
      context.strokeStyle = COLORS.edge;
      context.lineWidth = one.panel.bend === null ? 1 : 0.4;
      context.stroke(path);
      this.shown.push({ path, fids: one.panel.fids });
    }
    context.setLineDash([6, 4]);
    context.lineWidth = 1.4;
    for (const line of folded.bendLines) {
      const [a, b] = line.points.map(project) as [Point3, Point3];
      context.strokeStyle = line.up ? COLORS.up : COLORS.down;
      context.beginPath();
      context.moveTo(a[0], a[1]);
      context.lineTo(b[0], b[1]);
      context.stroke();
    }
    context.setLineDash([]);
  }

  /** From space to the canvas, the whole part in view; the third number is the depth towards the viewer. */
  private projection(folded: Folded, width: number, height: number): (point: Point3) => Point3 {
    const points = folded.panels.flatMap((one) => one.loops.flat()).map((point) => this.rotate(point));
    const [low, high]: [Point3, Point3] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (const point of points) for (const k of [0, 1, 2] as const) {
      low[k] = Math.min(low[k], point[k]);
      high[k] = Math.max(high[k], point[k]);
    }
    const scale = (1 - 2 * MARGIN) * Math.min(width / (high[0] - low[0] || 1), height / (high[1] - low[1] || 1));
    return (point) => {
      const [x, y, z] = this.rotate(point);
      return [width / 2 + scale * (x - (low[0] + high[0]) / 2), height / 2 - scale * (y - (low[1] + high[1]) / 2), z];
    };
  }

  /** Turns towards the viewer; a flat sheet is looked at from straight above. */
  private rotate([x, y, z]: Point3): Point3 {
    const [turn, tilt] = [this.turn[0] * this.share, this.turn[1] * this.share];
    const [ax, ay] = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)];
    return [ax, ay * Math.cos(tilt) - z * Math.sin(tilt), ay * Math.sin(tilt) + z * Math.cos(tilt)];
  }

  private listen(): void {
    let last: [number, number] | null = null;
    let moved = 0;
    this.canvas.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; moved = 0; });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]];
      moved += Math.hypot(dx, dy);
      last = [event.clientX, event.clientY];
      this.turn = [this.turn[0] + dx / 150, this.turn[1] + dy / 150];
      this.draw();
    });
    this.canvas.addEventListener("pointerleave", () => { last = null; });
    this.canvas.addEventListener("pointerup", (event) => {
      last = null;
      if (moved < 4) this.facesClicked(this.pick(event.offsetX, event.offsetY));
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  private pick(x: number, y: number): string[] {
    const context = this.canvas.getContext("2d");
    const ratio = window.devicePixelRatio || 1;
    const hit = [...this.shown].reverse().find(({ path }) => context?.isPointInPath(path, x * ratio, y * ratio, "evenodd"));
    return hit?.fids ?? [];
  }
}
