"""Documentation of a rule module as Markdown: what each rule inspects, measures and compares, with sources."""

from __future__ import annotations

from collections.abc import Iterable

from fettle.rules.cases import CaseBook
from fettle.rules.parse import parameters_read
from fettle.rules.registry import METRICS, SELECTORS
from fettle.rules.spec import FitNeed, Level, Module, Rule, Tier

EXAMPLE_OF = {Level.FAIL: "Fails", Level.WARNING: "Warns", Level.PASS: "Passes"}


def explain_module(module: Module, book: CaseBook | None = None) -> str:
    """The module as a Markdown page; with its cases, each rule has examples."""
    lines = [f"# {module.name} (`{module.key}`)", ""]
    if module.about:
        lines += [module.about, ""]
    if module.fit:
        lines += [_fit(module.fit), ""]
    lines += ["| configuration | what it is |", "|---|---|"]
    lines += [f"| `{key}` | {configuration.name} |" for key, configuration in module.configurations.items()]
    for rule in module.rules:
        lines += ["", *_rule(module, rule, book)]
    return "\n".join(lines) + "\n"


def _fit(need: FitNeed) -> str:
    processes = " or ".join(need.processes)
    if need.minimum <= 0:
        return f"Processes are ranked by the part's fit to {processes}, from 0 to 1; no part is refused for it."
    least = f"Judged where the part's fit to {processes}, from 0 to 1, is at least {need.minimum:g}."
    return f"{least} Of a part that is no candidate, `{need.rule}` says so, and nothing else is judged."


def explain_rule(module: Module, rule: Rule) -> str:
    """One rule as Markdown."""
    return "\n".join(_rule(module, rule, None)) + "\n"


def _rule(module: Module, rule: Rule, book: CaseBook | None) -> list[str]:
    lines = [f"## {rule.name} (`{rule.key}`)", ""]
    if rule.about:
        lines += [rule.about, ""]
    if rule.selector is None:
        lines.append("- Inspects the whole part.")
    else:
        lines.append(f"- Inspects `{rule.selector}`: {SELECTORS[rule.selector].meaning}")
    for name in dict.fromkeys([rule.metric, *(rule.metric_of(tier) for tier in rule.tiers)]):
        lines.append(f"- Measures `{name}` ({METRICS[name].unit}): {METRICS[name].meaning}")
    lines += ["", f"| verdict | when | {' | '.join(f'`{key}`' for key in module.configurations)} |"]
    lines.append("|---|---|" + "---|" * len(module.configurations))
    lines += [_tier(module, rule, tier) for tier in rule.tiers]
    if rule.tiers[-1].op is not None:
        lines.append("| pass | else |" + " |" * len(module.configurations))
    notes = _parameters(module, rule)
    examples = list(_examples(rule, book)) if book else []
    return lines + ([""] if notes else []) + notes + ([""] if examples else []) + examples


def _tier(module: Module, rule: Rule, tier: Tier) -> str:
    columns = len(module.configurations)
    if tier.op is None or tier.rhs is None:
        return f"| {tier.level.word} | else |" + " |" * columns
    metric = METRICS[rule.metric_of(tier)]
    unit = "" if metric.unit in {"count", "ratio"} else f" {metric.unit}"
    values = [tier.rhs.threshold(one.parameters) for one in module.configurations.values()]
    source = f"`{tier.rhs.param}`" if tier.rhs.param else "a fixed number"
    if tier.rhs.factor is not None:
        source = f"{tier.rhs.factor:g} x {source}"
    cells = " | ".join(f"{value:g}{unit}" for value in values)
    return f"| {tier.level.word} | `{metric.name}` {tier.op.phrase} {source} | {cells} |"


def _parameters(module: Module, rule: Rule) -> list[str]:
    documented = module.parameters or {}
    return [
        f"- `{name}` ({documented[name].unit}): {documented[name].meaning} Source: {documented[name].source}."
        for name in parameters_read(rule)
        if name in documented
    ]


def _examples(rule: Rule, book: CaseBook) -> Iterable[str]:
    """The first case of each verdict, worst first."""
    for level in sorted(EXAMPLE_OF, reverse=True):
        for case in book.cases:
            shown = [configuration for configuration, key, found in case.expected if key == rule.key and found is level]
            if shown:
                yield f"- {EXAMPLE_OF[level]}: {case.name} ({', '.join(shown)})."
                break
