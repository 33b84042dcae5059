// The measured fields that color the part: values, scale, and the share of the surface in every step of it.

import { parseField, type FieldValues, type PartGeometry } from "./glb";
import { DRAFT_STEPS, lengthSteps, stepOf, type Steps } from "./steps";

export type FieldName = "thickness" | "clearance" | "draft";
export type Glbs = (name: "features" | FieldName) => Promise<ArrayBuffer>;

interface FieldMode {
  attribute: string;
  unit: string;
  title: string;
  /** Metrics of rules whose limit the scale is made around. */
  limits: RegExp | null;
}

export const FIELDS: Record<FieldName, FieldMode> = {
  thickness: { attribute: "_THICKNESS", unit: "mm", title: "Wall thickness", limits: /^thickness\.|tube_wall/ },
  clearance: { attribute: "_CLEARANCE", unit: "mm", title: "Clearance", limits: /^gap\.|groove\.width|slot\.width/ },
  draft: { attribute: "_DRAFT", unit: "deg", title: "Draft against the pull", limits: null },
};

/** Limit in millimeters where the chosen process has none. */
export const USUAL_LIMIT_MM = 1;

export async function loadField(glbs: Glbs, mode: FieldName): Promise<FieldValues> {
  return parseField(await glbs(mode), FIELDS[mode].attribute);
}

export function stepsOf(mode: FieldName, limit: number): Steps {
  return FIELDS[mode].limits ? lengthSteps(limit) : DRAFT_STEPS;
}

/** Share of the surface in each step; a point stands for a third of the triangles around it. */
export function shares({ values, noReading }: FieldValues, steps: Steps, areas: Float32Array): number[] {
  const found = steps.colors.map(() => 0);
  let total = 0;
  values.forEach((value, row) => {
    total += areas[row]!;
    if (value > noReading + 0.5) found[stepOf(steps, value)]! += areas[row]!;
  });
  return found.map((area) => area / (total || 1));
}

/** A third of the area of the triangles at each point, square meters. */
export function pointAreas({ positions, triangles }: PartGeometry): Float32Array {
  const areas = new Float32Array(positions.length / 3);
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [triangles[k]! * 3, triangles[k + 1]! * 3, triangles[k + 2]! * 3];
    const [ux, uy, uz] = [positions[b]! - positions[a]!, positions[b + 1]! - positions[a + 1]!, positions[b + 2]! - positions[a + 2]!];
    const [vx, vy, vz] = [positions[c]! - positions[a]!, positions[c + 1]! - positions[a + 1]!, positions[c + 2]! - positions[a + 2]!];
    const third = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 6;
    for (const row of [a, b, c]) areas[row / 3]! += third;
  }
  return areas;
}
