// What changed between two revisions, as rows of a list: a sign, a sentence, and the faces of either part it is about.

import { figure, quantity, type AnalysisResult, type Feature, type Severity } from "./result";

type Change<T> = { old: T; new: T };
interface FeatureBrief { kind: string; fid: string; [size: string]: unknown }
interface FindingBrief { module: string; configurations: string[]; rule: string; severity: Severity; fids: string[]; message: string }

/** The comparison as the service gives it. */
export interface Changes {
  geometry: Change<{ volume_cm3: number | null }>;
  faces: { n_unchanged: number; changed: Change<string>[]; added: string[]; removed: string[]; shift_mm: [number, number, number] };
  features: { n_unchanged: number; changed: (Change<string> & { kind: string; changes: Record<string, Change<unknown>> })[]; added: FeatureBrief[]; removed: FeatureBrief[] };
  findings: { new: FindingBrief[]; fixed: FindingBrief[]; unchanged: FindingBrief[] };
  verdicts: (Change<Severity> & { module: string; configuration: string })[];
  bodies: { name: string; old: { count: number } | null; new: { count: number } | null }[];
  tolerances: { changed: (Change<string> & { fids: string[] })[]; added: string[]; removed: string[] };
}

export type Sign = "+" | "−" | "~" | "";

export interface ChangeRow {
  sign: Sign;
  text: string;
  /** Faces of the old and of the new part; both empty where there is nothing to point at. */
  old: string[];
  new: string[];
}

export interface ChangeGroup {
  title: string;
  rows: ChangeRow[];
}

export function changeGroups(changes: Changes, before: AnalysisResult, after: AnalysisResult): ChangeGroup[] {
  return [
    { title: "Verdicts", rows: verdicts(changes, after) },
    { title: "Faces", rows: faces(changes) },
    { title: "Features", rows: features(changes, before.features.features, after.features.features) },
    { title: "Tolerances", rows: tolerances(changes) },
    { title: "Bodies", rows: bodies(changes) },
    { title: "Findings", rows: findings(changes) },
  ].filter(({ rows }) => rows.length > 0);
}

/** The size of the change in a sentence. */
export function summary({ geometry, faces: { n_unchanged, changed, added, removed, shift_mm } }: Changes): string {
  const counts = [[n_unchanged, "unchanged"], [changed.length, "changed"], [added.length, "added"], [removed.length, "removed"]] as const;
  const said = counts.filter(([count, word]) => count > 0 || word === "unchanged").map(([count, word]) => `${count} ${word}`).join(", ");
  const [was, is] = [geometry.old.volume_cm3, geometry.new.volume_cm3];
  const volume = was === null || is === null ? "" : Math.abs(was - is) <= 1e-6 * was ? ` The volume is the same.` : ` Volume ${figure(was)} → ${figure(is)} cm³.`;
  const moved = shift_mm.some((part) => part !== 0) ? ` The whole part was moved by ${shift_mm.map(figure).join(", ")} mm.` : "";
  return `Faces: ${said}.${volume}${moved}`;
}

function verdicts({ verdicts }: Changes, { processes }: AnalysisResult): ChangeRow[] {
  return verdicts.map((one) => {
    const name = processes.find(({ module_key, configuration_key }) => module_key === one.module && configuration_key === one.configuration)?.name;
    return row("~", `${name ?? `${one.module}: ${one.configuration}`}: ${one.old} → ${one.new}`);
  });
}

function faces({ faces: { changed, added, removed } }: Changes): ChangeRow[] {
  const rows: ChangeRow[] = [];
  if (changed.length > 0) rows.push(row("~", `${counted(changed.length)} changed`, changed.map((one) => one.old), changed.map((one) => one.new)));
  if (added.length > 0) rows.push(row("+", `${counted(added.length)} added`, [], added));
  if (removed.length > 0) rows.push(row("−", `${counted(removed.length)} removed`, removed, []));
  return rows;
}

function features({ features }: Changes, before: readonly Feature[], after: readonly Feature[]): ChangeRow[] {
  return [
    ...features.changed.map((one) => row("~", `${name(one.kind)} on face ${one.new}: ${differences(one.changes)}`, facesOf(before, one.kind, one.old), facesOf(after, one.kind, one.new))),
    ...features.added.map((one) => row("+", brief(one), [], facesOf(after, one.kind, one.fid))),
    ...features.removed.map((one) => row("−", brief(one), facesOf(before, one.kind, one.fid), [])),
  ];
}

function tolerances({ tolerances: { changed, added, removed } }: Changes): ChangeRow[] {
  return [
    ...changed.map((one) => row("~", `${one.old} → ${one.new}`, [], one.fids)),
    ...added.map((text) => row("+", text)),
    ...removed.map((text) => row("−", text)),
  ];
}

function bodies({ bodies }: Changes): ChangeRow[] {
  return bodies.map((one) => {
    if (!one.old || !one.new) return row(one.old ? "−" : "+", one.name);
    return row("~", one.old.count === one.new.count ? one.name : `${one.name}: ${one.old.count} → ${one.new.count}`);
  });
}

function findings({ findings: { new: fresh, fixed } }: Changes): ChangeRow[] {
  return [
    ...fresh.map((one) => row("+", `New ${one.severity}: ${one.message}`, [], one.fids)),
    ...fixed.map((one) => row("−", `Fixed: ${one.message}`, one.fids, [])),
  ];
}

function row(sign: Sign, text: string, old: string[] = [], fresh: string[] = []): ChangeRow {
  return { sign, text, old, new: fresh };
}

function counted(count: number): string {
  return count === 1 ? "1 face" : `${count.toLocaleString("en")} faces`;
}

function facesOf(features: readonly Feature[], kind: string, fid: string): string[] {
  return features.find((feature) => feature.kind === kind && feature.fid === fid)?.related_fids ?? [fid];
}

function differences(changes: Record<string, Change<unknown>>): string {
  const entries = Object.entries(changes);
  const sizes = entries.filter(([, both]) => typeof both.new !== "object" || both.new === null);
  const said = sizes.map(([field, both]) => `${label(field)} ${value(field, both.old)} → ${value(field, both.new)}`);
  // Axes, positions and stages say little; they are named where nothing else differs.
  return (said.length > 0 ? said : entries.map(([field]) => label(field))).join(", ");
}

function brief(one: FeatureBrief): string {
  const sizes = Object.entries(one).filter(([field, size]) => field !== "fid" && typeof size === "number").map(([field, size]) => `${label(field)} ${value(field, size)}`);
  return `${name(one.kind)} on face ${one.fid}${sizes.length > 0 ? `: ${sizes.join(", ")}` : ""}`;
}

function name(kind: string): string {
  const words = kind.toLowerCase().replaceAll("_", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}

function label(field: string): string {
  return field.replace(/_(mm3|mm2|mm|deg)$/, "").replace(/^n_/, "").replaceAll("_", " ");
}

function value(field: string, of: unknown): string {
  if (typeof of === "number") return quantity(of, /_(mm3|mm2|mm|deg)$/.exec(field)?.[1] ?? "");
  return of === null ? "none" : of === true ? "yes" : of === false ? "no" : String(of);
}
