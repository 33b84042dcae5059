// What the page asks of an analysis result. Its types are generated from the service's own (`make generate`).

import type { AnalysisResult, Feature, Finding, RankedProcess, RuleResult } from "./result.generated";

export type {
  AnalysisResult, BodyEntry, Cause, ConfigurationVerdict, Feature, Finding, ModuleResult, RankedProcess, RuleResult,
} from "./result.generated";

export type Severity = RuleResult["severity"];

/** Metric of the rule that says whether a part is a candidate for a process. */
export const FIT_METRIC = "part.fit";

const COMPARISONS: Record<string, string> = { lt: "<", le: "≤", gt: ">", ge: "≥", eq: "=", ne: "≠" };

/** Fills in what results of version 0.1 lack: the ranking of processes, and bodies. */
export function completed<Result extends AnalysisResult>(result: Result): Result {
  const unranked = result.modules.modules.flatMap(({ module_key, configurations }) => configurations.map(({ configuration_key, result: verdict }) => ({
    module_key, configuration_key, name: `${module_key}: ${configuration_key}`, fit: null, fit_reason: null, severity: verdict.overall_severity,
    causes: verdict.causes ?? [], price: null,
  })));
  return { ...result, processes: result.processes?.length ? result.processes : unranked, bodies: result.bodies ?? [], flat: result.flat ?? null };
}

/** Configurations of each process, processes in the order of the ranking, configurations in that of their pack. */
export function processes(result: AnalysisResult): RankedProcess[][] {
  const groups = new Map<string, RankedProcess[]>(result.processes.map(({ module_key }) => [module_key, []]));
  for (const { module_key, configurations } of result.modules.modules) {
    for (const { configuration_key } of configurations) {
      const ranked = result.processes.find((one) => one.module_key === module_key && one.configuration_key === configuration_key);
      if (ranked) groups.get(module_key)!.push(ranked);
    }
  }
  return [...groups.values()].filter((group) => group.length > 0);
}

/** The configuration that a shop takes first, as the headline does: packs give the plainest first; a later one where only that does not fail. */
export function plainest(group: readonly RankedProcess[]): RankedProcess {
  return group.find((one) => one.severity !== "fail") ?? group[0]!;
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

/** Value against limit, as `0.5 mm < 0.8 mm`; a count or a yes-or-no stands alone. */
export function compared({ value, threshold, op, borderline }: Finding, unit: string): string {
  if (value === null) return "";
  if (threshold === null || op === null || unit === "count") return quantity(value, unit);
  return `${quantity(value, unit)} ${COMPARISONS[op] ?? op} ${quantity(threshold, unit)}${borderline ? " (borderline)" : ""}`;
}

const UNITS: Record<string, string> = { mm: " mm", mm2: " mm²", mm3: " mm³", deg: "°", percent: " %", ratio: " ×", kN: " kN", kn: " kN" };

/** A figure with its unit, where it has one that is written. */
export function quantity(value: number, unit: string): string {
  return `${figure(value)}${UNITS[unit] ?? ""}`;
}

/** At most three decimals, fewer for large values, no trailing zeros; thousands are separated. */
export function figure(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}
