// Callouts around the part with lines that lead to their faces. They are laid out on the screen: in two columns beside
// the part, ordered by height, none over another; those whose faces are not visible are left out.

import { Vector3, type Camera } from "three";
import { element, svg } from "./dom";
import type { Sample } from "./visibility";

export interface Leader {
  /** Places on its faces that the line may lead to. */
  places: readonly Sample[];
  label: HTMLElement;
  text: string;
}

/** Where labels may stand: top and bottom of the columns on the left and on the right, CSS pixels. */
export interface Columns {
  left: readonly [number, number];
  right: readonly [number, number];
}

interface Placed {
  leader: Leader;
  x: number;
  y: number;
  width: number;
  height: number;
}

const GAP_PX = 4;
const MARGIN_PX = 10;
/** Between the outline of the part and the labels. */
const AWAY_PX = 24;

export class Leaders {
  /** Above the canvas; only the labels take clicks. */
  readonly root = element("div", { class: "leaders" });
  private readonly lines = svg("svg", { class: "leader-lines", "aria-hidden": "true" });
  private leaders: readonly Leader[] = [];
  private seen: string[] = [];

  constructor() {
    this.root.append(this.lines);
  }

  show(leaders: readonly Leader[]): void {
    this.leaders = leaders;
    this.root.replaceChildren(this.lines, ...leaders.map(({ label }) => label));
    this.root.hidden = leaders.length === 0;
    if (leaders.length === 0) this.seen = [];
  }

  /** Texts of the callouts that are in view. */
  get texts(): string[] {
    return this.seen;
  }

  /** `sees`: whether a place is visible from the camera; `half`: distance in pixels from the middle to the part's outline. */
  place(camera: Camera, size: { width: number; height: number }, columns: Columns, half: number, sees: (place: Sample) => boolean): void {
    if (this.leaders.length === 0) return;
    const anchored = this.leaders.flatMap((leader): Placed[] => {
      const at = leader.places.find((place) => onScreen(place.point, camera) && sees(place));
      leader.label.hidden = !at;
      if (!at) return [];
      const { x, y } = at.point.clone().project(camera);
      const { offsetWidth: width, offsetHeight: height } = leader.label;
      return [{ leader, x: ((x + 1) / 2) * size.width, y: ((1 - y) / 2) * size.height, width, height }];
    });
    const middle = size.width / 2;
    const left = stack(anchored.filter(({ x }) => x < middle), columns.left);
    const right = stack(anchored.filter(({ x }) => x >= middle), columns.right);
    const outline = Math.max(0, half) + AWAY_PX;
    const lines = [
      ...left.map(([one, top]) => this.put(one, Math.max(MARGIN_PX, middle - outline - one.width), top)),
      ...right.map(([one, top]) => this.put(one, Math.min(size.width - MARGIN_PX - one.width, middle + outline), top)),
    ];
    this.seen = [...left, ...right].map(([{ leader }]) => leader.text);
    const shown = new Set([...left, ...right].map(([{ leader }]) => leader));
    for (const { leader } of anchored) if (!shown.has(leader)) leader.label.hidden = true;
    this.lines.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    this.lines.replaceChildren(...lines.flat());
  }

  private put({ leader, x, y, width, height }: Placed, left: number, top: number): SVGElement[] {
    leader.label.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
    const from = x < left + width / 2 ? left : left + width;
    const ends = { x1: from.toFixed(1), y1: (top + height / 2).toFixed(1), x2: x.toFixed(1), y2: y.toFixed(1) };
    return [svg("line", { class: "leader-halo", ...ends }), svg("line", { class: "leader-line", ...ends }), svg("circle", { class: "leader-end", cx: ends.x2, cy: ends.y2, r: "3" })];
  }
}

/** Tops of labels at the height of their places, moved apart; those that find no room are left out. */
function stack(labels: Placed[], [top, bottom]: readonly [number, number]): [Placed, number][] {
  const ordered = [...labels].sort((a, b) => a.y - b.y);
  let room = bottom - top;
  const fitting = ordered.filter(({ height }) => (room -= height + GAP_PX) >= -GAP_PX);
  const tops: number[] = [];
  let next = top;
  for (const { y, height } of fitting) {
    tops.push(Math.max(next, y - height / 2));
    next = tops.at(-1)! + height + GAP_PX;
  }
  let end = bottom;
  for (let k = fitting.length - 1; k >= 0; k--) {
    tops[k] = Math.min(tops[k]!, end - fitting[k]!.height);
    end = tops[k]! - GAP_PX;
  }
  return fitting.map((label, k) => [label, tops[k]!]);
}

function onScreen(point: Vector3, camera: Camera): boolean {
  const { x, y } = point.clone().project(camera);
  return Math.abs(x) < 1 && Math.abs(y) < 1;
}
