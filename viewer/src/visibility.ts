// Where to look from so that faces are visible: sample points of the faces cast rays towards many directions. Where
// nothing outside sees enough of them, a section across an axis of the part is searched in the same way.

import { Vector3 } from "three";
import type { PartIndex } from "./part-index";

/** Sample points on the faces looked at. */
const SAMPLES = 140;
/** Fraction of the faces' area that must be visible; below it a section is tried. A third of a bore's wall is at most visible. */
const ENOUGH = 0.1;
/** A section is opened only where it shows this many times more. */
const WORTH_A_SECTION = 2;
/** The present direction is kept where it shows this fraction of the best one. */
const GOOD_AS_IT_IS = 0.6;
/** Cosine between normal and view below which a surface is too much on edge to be seen. */
const ON_EDGE = 0.08;
/** Rays start this fraction of the part's radius above the surface, so that they do not meet it. */
const LIFT = 1e-4;
/** Candidate positions of a section across each axis. */
const POSITIONS = 24;

export interface Sample {
  point: Vector3;
  normal: Vector3;
  /** Square meters that it stands for. */
  area: number;
}

export interface Sight {
  /** From the part to the camera. */
  direction: Vector3;
  /** Section plane: everything beyond `offset` (meters) along `normal` is cut away. */
  section: { axis: number; sign: 1 | -1; offset: number } | null;
  /** Samples that are visible. */
  visible: Sample[];
}

export function sampleFaces(index: PartIndex, faces: readonly number[]): Sample[] {
  const triangles = faces.flatMap((face) => [...index.trianglesOf(face)]);
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  const areas = triangles.map((triangle) => {
    index.corner(triangle, 0, a), index.corner(triangle, 1, b), index.corner(triangle, 2, c);
    return b.clone().sub(a).cross(c.clone().sub(a)).length() / 2;
  });
  const total = areas.reduce((sum, area) => sum + area, 0);
  const step = total / Math.min(SAMPLES, triangles.length || 1);
  const samples: Sample[] = [];
  let reached = 0;
  triangles.forEach((triangle, k) => {
    reached += areas[k]!;
    if (reached < (samples.length + 0.5) * step) return;
    index.corner(triangle, 0, a), index.corner(triangle, 1, b), index.corner(triangle, 2, c);
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    samples.push({ point: a.clone().add(b).add(c).divideScalar(3), normal, area: step });
  });
  return samples;
}

/** The best view of some faces; `present`: direction of the camera now, kept where it is good. */
export function findSight(index: PartIndex, faces: readonly number[], present: Vector3, hidden: ReadonlySet<number>, radius: number): Sight {
  const samples = sampleFaces(index, faces);
  const lift = radius * LIFT;
  const seenFrom = (direction: Vector3): { score: number; visible: Sample[] } => {
    const visible = samples.filter(({ point, normal }) => {
      if (normal.dot(direction) < ON_EDGE) return false;
      const start = point.clone().addScaledVector(normal, lift).addScaledVector(direction, lift);
      return index.first(start, direction, hidden) === null;
    });
    return { score: visible.reduce((sum, { area, normal }) => sum + area * normal.dot(direction), 0), visible };
  };
  const now = { direction: present.clone().normalize(), ...seenFrom(present.clone().normalize()) };
  let best = now;
  for (const direction of directions(samples)) {
    const found = seenFrom(direction);
    if (found.score > best.score) best = { direction, ...found };
  }
  if (now.score >= GOOD_AS_IT_IS * best.score) best = now;
  const total = samples.reduce((sum, { area }) => sum + area, 0);
  if (best.score < ENOUGH * total) {
    const cut = bestSection(index, samples, hidden, lift);
    if (cut && cut.score > WORTH_A_SECTION * best.score) return cut.sight;
  }
  return { direction: best.direction, section: null, visible: best.visible };
}

/** Whether a place on the surface is visible from a direction; `keeps`: whether a point is not cut away. */
export function seesPlace(
  index: PartIndex, { point, normal }: Sample, direction: Vector3, hidden: ReadonlySet<number>, radius: number, keeps: (point: Vector3) => boolean,
): boolean {
  if (normal.dot(direction) < ON_EDGE) return false;
  const lift = radius * LIFT;
  const met = index.first(point.clone().addScaledVector(normal, lift).addScaledVector(direction, lift), direction, hidden);
  // A ray from what is kept leaves it once: what it meets first beyond the plane hides nothing, nor does anything after it.
  return met === null || !keeps(met.point);
}

/** Axes, edges and corners of a cube, and directions near the normals of some samples. */
function directions(samples: readonly Sample[]): Vector3[] {
  const found: Vector3[] = [];
  const steps = [-1, 0, 1];
  for (const x of steps) for (const y of steps) for (const z of steps) if (x || y || z) found.push(new Vector3(x, y, z).normalize());
  const usual = new Vector3(1, -1.3, 0.9).normalize();
  const every = Math.max(1, Math.floor(samples.length / 12));
  for (let k = 0; k < samples.length; k += every) found.push(samples[k]!.normal.clone().addScaledVector(usual, 0.4).normalize());
  return found;
}

function bestSection(
  index: PartIndex, samples: readonly Sample[], hidden: ReadonlySet<number>, lift: number,
): { score: number; sight: Sight } | null {
  let best: { score: number; sight: Sight } | null = null;
  for (const axis of [0, 1, 2]) {
    for (const sign of [1, -1] as const) {
      const direction = new Vector3().setComponent(axis, sign);
      const facing = samples.filter(({ normal }) => normal.dot(direction) >= ON_EDGE).map((sample) => {
        const start = sample.point.clone().addScaledVector(sample.normal, lift).addScaledVector(direction, lift);
        const free = index.first(start, direction, hidden)?.distance ?? Infinity;
        const height = sample.point.dot(direction);
        return { sample, height, ceiling: height + free };
      });
      const heights = facing.map(({ height, ceiling }) => height + Math.min(ceiling - height, lift * 1e4) / 2).sort((a, b) => a - b);
      const every = Math.max(1, Math.floor(heights.length / POSITIONS));
      for (let k = 0; k < heights.length; k += every) {
        const offset = heights[k]!;
        const open = facing.filter(({ height, ceiling }) => height < offset - lift && ceiling > offset);
        const score = open.reduce((sum, { sample }) => sum + sample.area * sample.normal.dot(direction), 0);
        if (best && score <= best.score) continue;
        const visible = open.map(({ sample }) => sample);
        best = { score, sight: { direction, section: { axis, sign, offset: offset * sign }, visible } };
      }
    }
  }
  return best && best.score > 0 ? best : null;
}
