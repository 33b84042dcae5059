// Two revisions of a part side by side: cameras linked, changed faces colored, and the list of what changed.

import { Vector3 } from "three";
import { changeGroups, summary, type ChangeRow, type Changes, type Sign } from "./changes";
import { element } from "./dom";
import { parsePart } from "./glb";
import { follow } from "./linked-cameras";
import { completed, faceNumbers, type AnalysisResult } from "./result";
import { PartScene } from "./scene";

type Side = "old" | "new";
type Stored = AnalysisResult & { artifacts: Record<string, string> };

const COLORS = { unchanged: "#b9bfc6", changed: "#e0a100", added: "#2e8b57", removed: "#c4453c" } as const;
/** Rows of a group that are shown at first. */
const SHOWN_AT_ONCE = 12;
const SIGN_WORDS: Record<Sign, string> = { "+": "added", "−": "removed", "~": "changed", "": "" };

export interface ComparisonState {
  ready: boolean;
  /** Marked faces (from 0) of either part. */
  marked: Record<Side, number[]>;
  directions: Record<Side, number[]>;
  targets: Record<Side, number[]>;
  /** Pixels for a millimeter. */
  scales: Record<Side, number>;
  flying: boolean;
}

interface Pane {
  root: HTMLElement;
  scene: PartScene;
  canvas: HTMLCanvasElement;
  marked: number[];
}

export class ComparisonView {
  private ready = false;

  private constructor(private readonly panes: Record<Side, Pane>) {}

  static async open(root: HTMLElement): Promise<ComparisonView> {
    const place = root.dataset as Record<string, string>;
    const [changes, before, after] = await Promise.all([json<Changes>(place["changes"]!), json<Stored>(`${place["old"]!}/result`), json<Stored>(`${place["new"]!}/result`)]);
    const [old, fresh] = await Promise.all([model(before), model(after)]);
    const { changed, added, removed, shift_mm } = changes.faces;
    const pair = element("div", { class: "pair" });
    const list = element("aside", { class: "side changes", "aria-label": "What changed" });
    root.replaceChildren(pair, list);

    const shift = new Vector3(...shift_mm).divideScalar(1000);
    const scenes: Partial<Record<Side, PartScene>> = {};
    const linked = (from: Side, to: Side, way: Vector3) => () => {
      const [leader, follower] = [scenes[from], scenes[to]];
      if (leader && follower) follow(leader, follower, way);
    };
    const make = (side: Side, name: string, data: ArrayBuffer, turned: () => void): Pane => {
      const canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": `3D view of ${name}: drag or use the arrow keys to turn both parts, plus and minus to zoom, F to fit, Escape to clear the mark` });
      const holder = element("div", { class: "canvas-holder" }, canvas);
      const stage = element("section", { class: "stage", "data-side": side, "aria-label": `${side === "old" ? "Earlier" : "Later"} revision` },
        element("p", { class: "pane-title" }, element("span", { class: "quiet" }, side === "old" ? "Earlier" : "Later"), ` ${name}`), holder);
      pair.append(stage);
      const scene = new PartScene(canvas, parsePart(data), turned);
      scenes[side] = scene;
      return { root: stage, scene, canvas, marked: [] };
    };
    const panes: Record<Side, Pane> = {
      old: make("old", place["oldName"]!, old, linked("old", "new", shift)),
      new: make("new", place["newName"]!, fresh, linked("new", "old", shift.clone().negate())),
    };
    paint(panes.old.scene, [[changed.map((one) => one.old), COLORS.changed], [removed, COLORS.removed]]);
    paint(panes.new.scene, [[changed.map((one) => one.new), COLORS.changed], [added, COLORS.added]]);
    const view = new ComparisonView(panes);
    for (const pane of Object.values(panes)) view.listen(pane);
    const groups = changeGroups(changes, completed(before), completed(after));
    list.append(element("h2", { class: "panel-title" }, groups.length > 0 ? "Changes" : "No change"), element("p", {}, summary(changes)), key(), ...groups.flatMap(({ title, rows }) => view.group(title, rows)));
    await Promise.all([panes.old.scene.firstFrame, panes.new.scene.firstFrame]);
    view.ready = true;
    return view;
  }

  /** State of the view, for tests. */
  state(): ComparisonState {
    const both = <T>(read: (pane: Pane) => T): Record<Side, T> => ({ old: read(this.panes.old), new: read(this.panes.new) });
    return {
      ready: this.ready,
      marked: both(({ marked }) => marked),
      directions: both(({ scene }) => scene.camera.direction.toArray()),
      targets: both(({ scene }) => scene.camera.pose.target.multiplyScalar(1000).toArray()),
      scales: both(({ scene, canvas }) => (scene.camera.pose.zoom * canvas.clientHeight) / (2000 * scene.camera.halves[1])),
      flying: this.panes.old.scene.camera.flying || this.panes.new.scene.camera.flying,
    };
  }

  private group(title: string, rows: readonly ChangeRow[]): HTMLElement[] {
    const items = rows.map((row) => element("li", {}, this.row(row)));
    const rest = items.slice(SHOWN_AT_ONCE);
    const list = element("ul", { class: "change-list" }, ...items.slice(0, SHOWN_AT_ONCE));
    const more = element("button", { type: "button", class: "more", onclick: () => {
      list.append(...rest);
      more.remove();
      rest[0]?.querySelector("button")?.focus();
    } }, `Show ${rest.length} more`);
    return [element("h3", {}, title), list, ...(rest.length > 0 ? [more] : [])];
  }

  private row(change: ChangeRow): HTMLElement {
    const { sign, text, old, new: fresh } = change;
    const content = [element("span", { class: "change-sign", role: "img", "aria-label": SIGN_WORDS[sign] }, sign), element("span", {}, text)];
    if (old.length + fresh.length === 0) return element("p", { class: "change" }, ...content);
    return element("button", { type: "button", class: "change", onclick: () => this.point(change) }, ...content);
  }

  /** Marks the faces of a change in both parts and turns both cameras to them. */
  private point({ old, new: fresh }: ChangeRow): void {
    this.mark("old", faceNumbers(old));
    this.mark("new", faceNumbers(fresh));
    // One leads, and the other follows.
    const [side, faces] = fresh.length > 0 ? ["new" as const, fresh] : ["old" as const, old];
    const { scene, root } = this.panes[side];
    for (const pane of Object.values(this.panes)) pane.scene.uncut();
    const cut = scene.fly(faceNumbers(faces), null);
    if (cut) {
      const other = this.panes[side === "new" ? "old" : "new"].scene;
      other.cut(new Vector3().setComponent(cut.axis, cut.sign), cut.offset * cut.sign);
    }
    const { top, bottom } = root.getBoundingClientRect();
    if (top < -1 || bottom > window.innerHeight + 1) root.scrollIntoView({ block: "start" });
  }

  private mark(side: Side, faces: number[]): void {
    this.panes[side].marked = faces;
    this.panes[side].scene.mark(faces);
  }

  private listen({ canvas, scene: { camera } }: Pane): void {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => camera.orbit(-10, 0),
      ArrowRight: () => camera.orbit(10, 0),
      ArrowUp: () => camera.orbit(0, 10),
      ArrowDown: () => camera.orbit(0, -10),
      "+": () => camera.zoom(1.25),
      "=": () => camera.zoom(1.25),
      "-": () => camera.zoom(0.8),
      f: () => camera.fit(),
      Escape: () => { this.mark("old", []); this.mark("new", []); },
    };
    canvas.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    });
  }
}

/** What the colors say. */
function key(): HTMLElement {
  const entries = Object.entries(COLORS).map(([word, color]) => {
    const swatch = element("span", { class: "swatch" });
    swatch.style.backgroundColor = color;
    return element("li", {}, swatch, word);
  });
  return element("ul", { class: "change-key", "aria-label": "Colors of faces" }, ...entries);
}

function paint(scene: PartScene, groups: readonly (readonly [readonly string[], string])[]): void {
  const colors: string[] = Array.from({ length: scene.surface.faceCount }, () => COLORS.unchanged);
  for (const [fids, color] of groups) for (const face of faceNumbers(fids)) colors[face] = color;
  scene.surface.setFaceColors(colors);
  scene.surface.show("faces");
  scene.redraw();
}

async function model({ artifacts }: Stored): Promise<ArrayBuffer> {
  const answer = await fetch(new URL(artifacts["features_glb"]!).pathname);
  if (!answer.ok) throw new Error(`a model could not be loaded (${answer.status})`);
  return answer.arrayBuffer();
}

async function json<T>(address: string): Promise<T> {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  const body = (await answer.json()) as T & { error?: string };
  if (!answer.ok) throw new Error(body.error ?? `${address} answered ${answer.status}`);
  return body;
}
