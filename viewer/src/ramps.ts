// Color scales that color-blind people can read. Control points are sRGB, with linear interpolation between them.

export type Ramp = readonly (readonly [number, number, number])[];

/** For lengths: ordered by lightness, with small values in warm colors because thin walls are the problem. */
export const LENGTH: Ramp = [
  [0.73, 0.13, 0.2],
  [0.94, 0.51, 0.24],
  [0.98, 0.84, 0.45],
  [0.55, 0.78, 0.62],
  [0.2, 0.53, 0.66],
  [0.18, 0.25, 0.5],
];

/** For angles: two hues with a neutral middle at zero. Orange is undercut, blue is ample draft. */
export const ANGLE: Ramp = [
  [0.7, 0.31, 0.03],
  [0.95, 0.64, 0.36],
  [0.92, 0.92, 0.9],
  [0.52, 0.69, 0.86],
  [0.13, 0.32, 0.61],
];

/** One color per feature kind; kinds that occur side by side differ in lightness and hue. */
export const KINDS: Readonly<Record<string, string>> = {
  HOLE: "#3b6fb6",
  BOSS: "#d9822b",
  SLOT: "#5aa469",
  FIN: "#c4577e",
  SLAB: "#a9b4c2",
  POCKET: "#7a5fb0",
  PROTRUSION: "#c9a227",
  ROUND: "#6fb7c4",
  FILLET: "#2b8a8f",
  BEND: "#b5583c",
  CHAMFER: "#8f9a4a",
  WALL: "#cfd4da",
};

/** 256 RGBA texels of a color scale. */
export function rampTexels(ramp: Ramp): Uint8Array {
  const texels = new Uint8Array(256 * 4);
  for (let k = 0; k < 256; k++) {
    const [red, green, blue] = sample(ramp, k / 255);
    texels.set([red * 255, green * 255, blue * 255, 255], k * 4);
  }
  return texels;
}

/** A CSS gradient of the same ramp for the legend, its stops at `places` (percent), one for each control point. */
export function rampGradient(ramp: Ramp, places: readonly number[]): string {
  const stops = ramp.map(([red, green, blue], k) => `rgb(${red * 255} ${green * 255} ${blue * 255}) ${places[k]!.toFixed(2)}%`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

function sample(ramp: Ramp, t: number): [number, number, number] {
  const place = t * (ramp.length - 1);
  const low = Math.min(Math.floor(place), ramp.length - 2);
  const share = place - low;
  const from = ramp[low]!;
  const to = ramp[low + 1]!;
  return [0, 1, 2].map((k) => from[k]! * (1 - share) + to[k]! * share) as [number, number, number];
}
