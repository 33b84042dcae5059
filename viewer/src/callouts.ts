// What the file asks for (PMI) as callouts: dimensions and geometric tolerances as drawings write them, datums and notes,
// each with the faces it holds for.

import type { CallOutEntry, DimensionEntry, NoteEntry, PmiReport, ToleranceEntry } from "./result.generated";

export type CalloutGroup = "Dimensions" | "Geometric tolerances" | "Datums" | "Notes";

export interface Callout {
  group: CalloutGroup;
  /** Kind of the tolerance whose symbol stands first; null: no symbol. */
  symbol: string | null;
  /** Cells of the frame, from left to right. */
  cells: string[];
  /** A frame is drawn around the cells: tolerances, datums and basic dimensions have one. */
  framed: boolean;
  /** What the cells do not say: kind, grade, modifiers in words. */
  remark: string;
  fids: string[];
}

const PREFIXES: Record<string, string> = { diameter: "⌀", radius: "R", spherical_diameter: "S⌀", spherical_radius: "SR" };
/** Modifiers that are written as a letter in a circle. */
const CIRCLED: Record<string, string> = {
  maximum_material_requirement: "Ⓜ", least_material_requirement: "Ⓛ", projected: "Ⓟ", free_state: "Ⓕ", tangent_plane: "Ⓣ", unequally_disposed: "Ⓤ",
};
/** Limits are compared to this fraction of a millimeter or degree: files give them as sums of rounded numbers. */
const SAME = 1e-6;

export function calloutsOf(pmi: PmiReport | null | undefined): Callout[] {
  if (!pmi) return [];
  const letters = new Set(pmi.datums.map(({ label }) => label));
  return [
    ...pmi.dimensions.map(dimension),
    ...pmi.tolerances.map(tolerance),
    ...pmi.datums.map(({ label, fids, targets }): Callout => ({
      group: "Datums", symbol: null, cells: [label], framed: true, fids: fids.length > 0 ? fids : targets.flatMap((target) => target.fids),
      remark: targets.map((target) => `${target.label} ${words(target.kind)}`).join(", "),
    })),
    ...pmi.call_outs.map(callOut),
    // Some files write the letter of a datum as a text of its own.
    ...pmi.notes.filter(({ text }) => !letters.has(text.trim())).map(note),
  ];
}

/** A callout in words, for a list that is read aloud and for tests. */
export function spoken({ symbol, cells, remark }: Callout): string {
  return [symbol ? words(symbol) : "", cells.join(" | "), remark].filter(Boolean).join(" ");
}

function dimension(entry: DimensionEntry): Callout {
  const angle = entry.nominal_deg !== null;
  const nominal = entry.nominal_deg ?? entry.nominal_mm;
  const unit = angle ? "°" : "";
  const basic = entry.modifiers.includes("theoretical");
  const size = nominal === null ? "" : `${PREFIXES[entry.kind] ?? ""}${exact(nominal)}${unit}`;
  const limits = limitsOf(entry, nominal, unit);
  const text = [size, entry.fit ?? "", limits].filter(Boolean).join(" ");
  const kind = PREFIXES[entry.kind] || angle ? "" : words(entry.kind);
  const others = entry.modifiers.filter((modifier) => modifier !== "theoretical" && modifier !== "auxiliary").map(words);
  const grade = entry.it_grade === null ? "" : `IT${entry.it_grade}`;
  return {
    group: "Dimensions", symbol: null, framed: basic, fids: entry.fids,
    cells: [entry.modifiers.includes("auxiliary") ? `(${text})` : text || entry.text],
    remark: [kind, grade, basic ? "basic" : "", entry.modifiers.includes("auxiliary") ? "reference" : "", ...others].filter(Boolean).join(", "),
  };
}

/** `±0.2`, `+0.1 −0.05`, or both limits where the nominal size does not lie between them. */
function limitsOf({ lower, upper }: DimensionEntry, nominal: number | null, unit: string): string {
  if (lower === null && upper === null) return "";
  if (lower === null) return `≤ ${exact(upper!)}${unit}`;
  if (upper === null) return `≥ ${exact(lower)}${unit}`;
  if (nominal === null || nominal < lower - SAME || nominal > upper + SAME) return `${exact(lower)} to ${exact(upper)}${unit}`;
  const [above, below] = [upper - nominal, nominal - lower];
  if (Math.abs(above - below) < SAME) return `±${exact(above)}${unit}`;
  return `${above < SAME ? "0" : `+${exact(above)}`} ${below < SAME ? "0" : `−${exact(below)}`}${unit}`;
}

function tolerance(entry: ToleranceEntry): Callout {
  const round = entry.zone === "cylindrical_or_circular" ? "⌀" : entry.zone === "spherical" ? "S⌀" : "";
  const circled = entry.modifiers.filter((modifier) => CIRCLED[modifier]).map((modifier) => sized(entry, modifier, CIRCLED[modifier]!));
  const others = entry.modifiers.filter((modifier) => !CIRCLED[modifier]).map((modifier) => sized(entry, modifier, words(modifier)));
  const datums = entry.datums.map((label, k) => `${label}${(entry.datum_modifiers[k] ?? []).map((modifier) => CIRCLED[modifier] ?? `(${words(modifier)})`).join("")}`);
  return {
    group: "Geometric tolerances", symbol: entry.kind, framed: true, fids: entry.fids,
    cells: [[`${round}${exact(entry.value_mm)}`, ...circled].join(" "), ...datums], remark: others.join(", "),
  };
}

function sized({ modifier_sizes_mm }: ToleranceEntry, modifier: string, written: string): string {
  const size = (modifier_sizes_mm as Record<string, number>)[modifier];
  return size === undefined ? written : `${written} ${exact(size)}`;
}

function callOut(entry: CallOutEntry): Callout {
  const count = entry.count === null || entry.designation.startsWith(`${entry.count}X`) ? "" : `${entry.count}X `;
  return { group: "Notes", symbol: null, cells: [`${count}${entry.designation}`], framed: false, remark: entry.kind, fids: entry.fids };
}

function note({ text, fids }: NoteEntry): Callout {
  return { group: "Notes", symbol: null, cells: [text.replaceAll("#{diameter}", "⌀").trim()], framed: false, remark: "", fids };
}

/** As files give it, without what conversion from inches added behind the fourth decimal. */
function exact(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: 4 });
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}
