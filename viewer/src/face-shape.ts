// What surface a face is, from its vertices and normals: plane or cylinder.

import { Vector3 } from "three";
import type { PartIndex } from "./part-index";

export type FaceShape =
  | { kind: "plane"; normal: Vector3; point: Vector3 }
  | { kind: "cylinder"; axis: Vector3; center: Vector3; radius: number };

/** Normals of a plane differ by rounding only. */
const SAME_NORMAL = 1 - 1e-5;
/** Largest deviation from a cylinder, in radii. */
const ROUND_ENOUGH = 0.01;

export function shapeOf(index: PartIndex, face: number): FaceShape | null {
  const vertices = index.verticesOf(face);
  if (vertices.length < 3) return null;
  const normals = vertices.map((vertex) => index.normal(vertex));
  const points = vertices.map((vertex) => new Vector3().fromArray(index.part.positions, vertex * 3));
  if (normals.every((normal) => normal.dot(normals[0]!) > SAME_NORMAL)) return { kind: "plane", normal: normals[0]!, point: points[0]! };
  return cylinder(points, normals);
}

/** Points are center + radius x normal across the axis, which is perpendicular to all normals. */
function cylinder(points: readonly Vector3[], normals: readonly Vector3[]): FaceShape | null {
  const first = normals[0]!;
  const axis = normals.map((normal) => first.clone().cross(normal)).reduce((best, one) => (one.lengthSq() > best.lengthSq() ? one : best)).normalize();
  if (axis.lengthSq() < 0.5 || normals.some((normal) => Math.abs(normal.dot(axis)) > 0.02)) return null;
  const flat = points.map((point) => point.clone().addScaledVector(axis, -point.dot(axis)));
  const mean = flat.reduce((sum, point) => sum.add(point), new Vector3()).divideScalar(flat.length);
  const meanNormal = normals.reduce((sum, normal) => sum.add(normal), new Vector3()).divideScalar(normals.length);
  let [above, below] = [0, 0];
  flat.forEach((point, k) => {
    const normal = normals[k]!.clone().sub(meanNormal);
    above += point.clone().sub(mean).dot(normal);
    below += normal.lengthSq();
  });
  const radius = above / (below || 1);
  const center = mean.addScaledVector(meanNormal, -radius);
  const worst = Math.max(...flat.map((point) => Math.abs(point.distanceTo(center) - Math.abs(radius))));
  return worst <= ROUND_ENOUGH * Math.abs(radius) ? { kind: "cylinder", axis, center, radius: Math.abs(radius) } : null;
}
