// Symbols of geometric tolerances (ISO 1101) as drawings, because few fonts have all of them.

import { svg } from "./dom";

/** Strokes in a square of 16 by 16. */
const STROKES: Record<string, string> = {
  straightness: "M1 8H15",
  flatness: "M5 4H15L11 12H1Z",
  roundness: "M8 2.5A5.5 5.5 0 1 1 7.99 2.5",
  cylindricity: "M8 4A4 4 0 1 1 7.99 4M1 14L6 2M10 14L15 2",
  line_profile: "M1.5 11A6.5 6.5 0 0 1 14.5 11",
  surface_profile: "M1.5 11A6.5 6.5 0 0 1 14.5 11Z",
  parallelism: "M4 14L8 2M8 14L12 2",
  perpendicularity: "M8 2V14M1.5 14H14.5",
  angularity: "M14 3L2 14H15",
  position: "M8 4A4 4 0 1 1 7.99 4M8 1V15M1 8H15",
  concentricity: "M8 2A6 6 0 1 1 7.99 2M8 5A3 3 0 1 1 7.99 5",
  coaxiality: "M8 2A6 6 0 1 1 7.99 2M8 5A3 3 0 1 1 7.99 5",
  symmetry: "M1 8H15M4 5H12M4 11H12",
  circular_runout: "M3 14L13 3M13 3L8.5 4.5M13 3L12 7.5",
  total_runout: "M1 14H8M1 14L7.5 4M8 14L14.5 4M7.5 4L4.5 5.5M7.5 4L7.5 7.5M14.5 4L11.5 5.5M14.5 4L14.5 7.5",
};

/** The symbol of a kind; its name in words where there is no drawing of it. */
export function toleranceSymbol(kind: string): SVGElement | string {
  const strokes = STROKES[kind];
  if (!strokes) return kind.replaceAll("_", " ");
  const symbol = svg("svg", { class: "tolerance-symbol", viewBox: "0 0 16 16", "aria-hidden": "true" });
  symbol.append(svg("path", { d: strokes }));
  return symbol;
}
