// What the page asks of an analysis result. Its types are generated from the service's own (`make generate`).

import type { Feature, RuleResult } from "./result.generated";

export type { AnalysisResult, ConfigurationVerdict, Feature, Finding, ModuleResult, RuleResult } from "./result.generated";

export type Severity = RuleResult["severity"];

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
