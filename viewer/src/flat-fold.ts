// Folds the panels of a flat pattern: every bend by a share of its angle, on its neutral layer, whose length stays.

import type { FlatPanel, FlatPattern, FlatPiece } from "./result.generated";

export type Point3 = [number, number, number];

interface Frame {
  point: Point3;
  along: Point3;
  into: Point3;
  normal: Point3;
}

/** A panel in space: its outlines, points in order, and which way its drawn side looks. */
export interface FoldedPanel {
  panel: FlatPanel;
  loops: Point3[][];
  normal: Point3;
}

export interface Folded {
  panels: FoldedPanel[];
  bendLines: { up: boolean; points: [Point3, Point3] }[];
}

const ARC_STEP_DEG = 10;
const BEND_STEPS = 12;

/** The flat with every bend folded by `share` of its angle: 0 is flat, 1 the part. */
export function fold(flat: FlatPattern, share: number): Folded {
  const frames: Frame[] = [];
  for (const panel of flat.panels) {
    const parent = panel.parent === null ? undefined : flat.panels[panel.parent];
    frames.push(parent ? hinged(flat, parent, frames[panel.parent!]!, panel, share) : first(panel));
  }
  const panels = flat.panels.map((panel, at) => {
    const place = (point: readonly [number, number]): Point3 => placed(flat, panel, frames[at]!, point, share).point;
    return { panel, loops: panel.loops.map((loop) => trace(loop.pieces, panel.bend !== null).map(place)), normal: frames[at]!.normal };
  });
  return { panels, bendLines: lines(flat, frames, share) };
}

function lines(flat: FlatPattern, frames: Frame[], share: number): Folded["bendLines"] {
  return flat.bends.flatMap((bend) => bend.segments.map((segment) => {
    const at = nearest(flat, bend.line, segment.start_mm);
    const place = (point: readonly [number, number]): Point3 => placed(flat, flat.panels[at]!, frames[at]!, point, share).point;
    return { up: bend.direction === "up", points: [place(segment.start_mm), place(segment.end_mm)] as [Point3, Point3] };
  }));
}

/** Of the panels of a bend line the one that a segment lies in: a line between slots has several. */
function nearest(flat: FlatPattern, line: number, point: readonly [number, number]): number {
  let [best, least] = [0, Infinity];
  flat.panels.forEach((panel, at) => {
    if (panel.bend !== line) return;
    const corners = panel.loops[0]?.pieces.map((piece) => piece.start_mm) ?? [panel.hinge_mm];
    const away = Math.min(...corners.map(([x, y]) => Math.hypot(x - point[0], y - point[1])));
    if (away < least) [best, least] = [at, away];
  });
  return best;
}

function first(panel: FlatPanel): Frame {
  const [x, y] = panel.hinge_mm;
  return { point: [x, y, 0], along: [...panel.along, 0], into: [...panel.into, 0], normal: [0, 0, 1] };
}

function hinged(flat: FlatPattern, parent: FlatPanel, frame: Frame, panel: FlatPanel, share: number): Frame {
  const there = placed(flat, parent, frame, panel.hinge_mm, share);
  const turn = (direction: readonly [number, number]): Point3 =>
    sum(scaled(there.along, dot2(direction, parent.along)), scaled(there.into, dot2(direction, parent.into)));
  return { point: there.point, along: turn(panel.along), into: turn(panel.into), normal: there.normal };
}

function placed(flat: FlatPattern, panel: FlatPanel, frame: Frame, point: readonly [number, number], share: number): Frame {
  const away: [number, number] = [point[0] - panel.hinge_mm[0], point[1] - panel.hinge_mm[1]];
  const [along, into] = [dot2(away, panel.along), dot2(away, panel.into)];
  const start = sum(frame.point, scaled(frame.along, along));
  const bend = panel.bend === null ? undefined : flat.bends[panel.bend - 1];
  const angle = bend ? ((bend.angle_deg * Math.PI) / 180) * share : 0;
  if (!bend || angle < 1e-6) return { ...frame, point: sum(start, scaled(frame.into, into)) };
  const side = bend.direction === "up" ? 1 : -1;
  const radius = bend.allowance_mm / angle;
  const turned = into / radius;
  const [sine, cosine] = [Math.sin(turned), Math.cos(turned)];
  return {
    point: sum(start, sum(scaled(frame.into, radius * sine), scaled(frame.normal, side * radius * (1 - cosine)))),
    along: frame.along,
    into: sum(scaled(frame.into, cosine), scaled(frame.normal, side * sine)),
    normal: sum(scaled(frame.normal, cosine), scaled(frame.into, -side * sine)),
  };
}

/** Points along the pieces of a loop; lines of bends in steps, because they curve. */
export function trace(pieces: readonly FlatPiece[], bent: boolean): [number, number][] {
  const points: [number, number][] = [];
  for (const piece of pieces) {
    const { start_mm: start, end_mm: end, center_mm: center, radius_mm: radius, sweep_deg: sweep } = piece;
    if (center && radius !== null && sweep !== null) {
      const from = Math.atan2(start[1] - center[1], start[0] - center[0]);
      const steps = Math.max(2, Math.ceil(Math.abs(sweep) / ARC_STEP_DEG));
      for (let k = 0; k < steps; k++) {
        const angle = from + (((sweep * Math.PI) / 180) * k) / steps;
        points.push([center[0] + radius * Math.cos(angle), center[1] + radius * Math.sin(angle)]);
      }
      continue;
    }
    const steps = bent ? BEND_STEPS : 1;
    for (let k = 0; k < steps; k++) points.push([start[0] + ((end[0] - start[0]) * k) / steps, start[1] + ((end[1] - start[1]) * k) / steps]);
  }
  return points;
}

function dot2(a: readonly [number, number], b: readonly [number, number]): number {
  return a[0] * b[0] + a[1] * b[1];
}

function scaled(vector: Point3, by: number): Point3 {
  return [vector[0] * by, vector[1] * by, vector[2] * by];
}

function sum(a: Point3, b: Point3): Point3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
