// Color scales in steps, which people tell apart at a glance: around the limit of a length, and around zero for draft.

export type Rgb = readonly [number, number, number];

export interface Steps {
  /** Borders between the steps, ascending; one fewer than colors. */
  edges: readonly number[];
  /** sRGB, 0 to 1. */
  colors: readonly Rgb[];
}

/** Ordered by lightness on both sides of the limit, readable by color-blind people: warm below it, cold above. */
const LENGTHS: readonly Rgb[] = [[0.64, 0.08, 0.16], [0.9, 0.42, 0.2], [0.98, 0.86, 0.5], [0.58, 0.8, 0.66], [0.24, 0.56, 0.68], [0.2, 0.28, 0.52]];
/** Borders in limits. */
const OF_THE_LIMIT = [0.5, 1, 1.5, 2, 4];

/** Orange is undercut, gray is without draft, blue is ample draft. */
const DRAFTS: readonly Rgb[] = [[0.7, 0.31, 0.03], [0.78, 0.76, 0.72], [0.97, 0.88, 0.62], [0.68, 0.82, 0.92], [0.38, 0.58, 0.82], [0.13, 0.32, 0.61]];
/** Degrees. Within a twentieth of a degree a wall is modeled without draft; half a degree is the least that releases, 1 and 3 are usual. */
const DRAFT_EDGES = [-0.05, 0.05, 0.5, 1, 3];

export function lengthSteps(limit: number): Steps {
  return { edges: OF_THE_LIMIT.map((share) => share * limit), colors: LENGTHS };
}

export const DRAFT_STEPS: Steps = { edges: DRAFT_EDGES, colors: DRAFTS };

/** The step of a value, from 0. */
export function stepOf({ edges }: Steps, value: number): number {
  let step = 0;
  while (step < edges.length && value >= edges[step]!) step++;
  return step;
}

export function css([red, green, blue]: Rgb): string {
  return `rgb(${Math.round(red * 255)} ${Math.round(green * 255)} ${Math.round(blue * 255)})`;
}
