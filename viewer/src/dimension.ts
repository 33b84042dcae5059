// The dimension that a finding is about, as a line on the part: a wall's thickness, a gap, a radius, a depth.

import { Vector3 } from "three";
import type { PartIndex } from "./part-index";
import { faceNumbers, quantity, type Feature } from "./result";

/** What was measured where, as a finding or a cause says it. */
export interface Measured {
  metric: string;
  value: number | null;
  unit: string;
  /** Millimeters. */
  position: readonly [number, number, number] | null;
  /** Faces where it was measured. */
  fids: readonly string[];
}

export interface Dimension {
  /** Meters; equal ends are a label without a line. */
  from: Vector3;
  to: Vector3;
  text: string;
}

/** A ray's length may differ this much from the value, which a sphere in the wall may have given. */
const NEAR_THE_VALUE = 0.35;
const DEPTHS = /depth|height|reach|slenderness|length/;
const WIDTHS = /gap|slot|groove|clearance|passage/;
/** Fields of a feature that hold the length along its axis, the first that it has. */
const LENGTHS = ["total_depth_mm", "depth_mm", "height_mm", "length_mm"] as const;

export function dimensionOf(measured: Measured, index: PartIndex, feature: Feature | undefined): Dimension | null {
  const { metric, value, unit, position } = measured;
  const faces = faceNumbers(measured.fids);
  if (!position || value === null) return null;
  const at = new Vector3(...position).divideScalar(1000);
  if (DEPTHS.test(metric)) {
    const along = depth(faces, index, feature);
    if (along) return along;
  }
  const normal = normalAt(index, faces, at);
  if (!normal || unit !== "mm") return unit === "mm" || unit === "deg" ? { from: at, to: at, text: quantity(value, unit) } : null;
  const length = value / 1000;
  if (/radius/.test(metric)) {
    const side = isHollow(index, faces, at, normal) ? 1 : -1;
    return { from: at.clone().addScaledVector(normal, side * length), to: at, text: value === 0 ? "sharp" : `R ${quantity(value, unit)}` };
  }
  if (/^thickness|tube_wall|^fin|web/.test(metric)) return across(index, at, normal.clone().negate(), length, quantity(value, unit));
  if (WIDTHS.test(metric)) return across(index, at, normal, length, quantity(value, unit));
  return { from: at, to: at, text: quantity(value, unit) };
}

/** From a point of the surface to the next surface, where that is about as far as the value; else exactly the value. */
function across(index: PartIndex, at: Vector3, direction: Vector3, length: number, text: string): Dimension {
  const start = at.clone().addScaledVector(direction, length * 1e-3);
  const met = index.first(start, direction, new Set());
  const good = met !== null && Math.abs(met.distance - length) <= NEAR_THE_VALUE * length;
  return { from: at, to: good ? met.point : at.clone().addScaledVector(direction, length), text };
}

/** Along the axis of the feature, over the extent of its faces. */
function depth(faces: readonly number[], index: PartIndex, feature: Feature | undefined): Dimension | null {
  const fields = feature as (Record<string, unknown> & Feature) | undefined;
  const axis = fields?.["axis"] as [number, number, number] | undefined;
  const name = LENGTHS.find((one) => typeof fields?.[one] === "number");
  if (!axis || !name) return null;
  const along = new Vector3(...axis).normalize();
  let [low, high] = [Infinity, -Infinity];
  const middle = new Vector3();
  let count = 0;
  const at = new Vector3();
  for (const face of faces) {
    for (const vertex of index.verticesOf(face)) {
      at.fromArray(index.part.positions, vertex * 3);
      low = Math.min(low, at.dot(along));
      high = Math.max(high, at.dot(along));
      middle.add(at);
      count++;
    }
  }
  if (count === 0) return null;
  middle.divideScalar(count);
  const base = middle.addScaledVector(along, -middle.dot(along));
  const text = `${name.replace(/^total_/, "").replace(/_mm$/, "")} ${quantity(fields![name] as number, "mm")}`;
  return { from: base.clone().addScaledVector(along, low), to: base.clone().addScaledVector(along, high), text };
}

/** Normal of the surface at the vertex of these faces that is nearest to a point. */
function normalAt(index: PartIndex, faces: readonly number[], at: Vector3): Vector3 | null {
  const vertex = nearestVertex(index, faces, at);
  return vertex === null ? null : index.normal(vertex);
}

function nearestVertex(index: PartIndex, faces: readonly number[], at: Vector3): number | null {
  let [best, least]: [number | null, number] = [null, Infinity];
  const point = new Vector3();
  for (const face of faces) {
    for (const vertex of index.verticesOf(face)) {
      const far = point.fromArray(index.part.positions, vertex * 3).distanceToSquared(at);
      if (far < least) [best, least] = [vertex, far];
    }
  }
  return best;
}

/** Whether normals around a point come together, as in a fillet; on a round they spread. */
function isHollow(index: PartIndex, faces: readonly number[], at: Vector3, normal: Vector3): boolean {
  let spread = 0;
  for (const face of faces.slice(0, 4)) {
    for (const vertex of index.verticesOf(face)) {
      const offset = new Vector3().fromArray(index.part.positions, vertex * 3).sub(at);
      spread += offset.dot(index.normal(vertex).sub(normal));
    }
  }
  return spread < 0;
}
