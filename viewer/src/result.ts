// The parts of an analysis result (API shape) that the page shows.

export type Severity = "pass" | "warning" | "fail";

export interface Finding {
  fid: string | null;
  related_fids: string[];
  severity: Severity;
  value: number | null;
  threshold: number | null;
  op: string | null;
  message: string;
  position: [number, number, number] | null;
  borderline: boolean;
}

export interface RuleResult {
  key: string;
  name: string;
  severity: Severity;
  metric: string;
  unit: string;
  n_inspected: number;
  n_not_measured: number;
  message: string;
  fids: string[];
  findings: Finding[];
}

export interface ConfigurationResult {
  configuration_key: string;
  result: { overall_severity: Severity; summary: Record<Severity, number>; rules: RuleResult[] };
}

export interface ModuleResult {
  module_key: string;
  configurations: ConfigurationResult[];
}

export interface Feature {
  fid: string;
  kind: string;
  related_fids: string[];
  [dimension: string]: unknown;
}

export interface AnalysisResult {
  features: {
    roles_by_fid: Record<string, number>;
    role_names: Record<string, string>;
    features: Feature[];
    manufacturability: { pull_dir: [number, number, number]; n_undercuts: number; n_low_draft: number };
  };
  modules: { modules: ModuleResult[] };
}

export const WORST_FIRST: readonly Severity[] = ["fail", "warning", "pass"];

export function rank(severity: Severity): number {
  return WORST_FIRST.indexOf(severity);
}

/** Face numbers (from 0) of face ids. */
export function faceNumbers(fids: readonly string[]): number[] {
  return fids.map((fid) => Number(fid) - 1);
}

/** Dimensions of a feature as pairs of name and value, for example `["diameter", "6 mm"]`. */
export function dimensions(feature: Feature): [string, string][] {
  const skipped = new Set(["fid", "kind", "related_fids", "confidence"]);
  const pairs: [string, string][] = [];
  for (const [key, value] of Object.entries(feature)) {
    if (skipped.has(key)) continue;
    const unit = /_(mm3|mm2|mm|deg)$/.exec(key)?.[1] ?? "";
    const name = key.replace(/_(mm3|mm2|mm|deg)$/, "").replace(/^n_/, "").replaceAll("_", " ");
    if (typeof value === "number") pairs.push([name, quantity(value, unit)]);
    else if (value === true) pairs.push([name, "yes"]);
    else if (typeof value === "string") pairs.push([name, value]);
    else if (key === "thread_candidates" && Array.isArray(value) && value.length > 0) pairs.push(["may be threaded", value.join(", ")]);
  }
  return pairs;
}

const UNITS: Record<string, string> = { mm: " mm", mm2: " mm²", mm3: " mm³", deg: "°", percent: " %" };

/** A figure with its unit, where it has one that is written. */
export function quantity(value: number, unit: string): string {
  return `${figure(value)}${UNITS[unit] ?? ""}`;
}

/** Three decimals at most, no trailing zeros. */
export function figure(value: number): string {
  return Number(value.toFixed(Math.abs(value) >= 100 ? 1 : 3)).toString();
}
