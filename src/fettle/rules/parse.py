"""Parsing of rule modules from untrusted data, with all faults reported at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fettle.errors import InvalidModule
from fettle.fit import PROCESSES
from fettle.rules import metrics, selectors, tolerance_selectors, turning_selectors
from fettle.rules.checked_input import Faults, Node, nearest
from fettle.rules.registry import METRICS, SELECTORS
from fettle.rules.shared_sets import INCLUDE, shared_sets, with_included
from fettle.rules.spec import (
    FIT_RULE,
    LEVELS,
    MAX_CONFIGURATIONS,
    MAX_NAME,
    MAX_NUMBER,
    MAX_PARAMETERS,
    MAX_RULES,
    MAX_TEXT,
    MAX_TIERS,
    Configuration,
    FitNeed,
    Level,
    Module,
    Op,
    Parameter,
    Rhs,
    Rule,
    Scope,
    Tier,
)
from fettle.rules.template import BadTemplate, Template, parse_template

REGISTERED = (metrics, selectors, tolerance_selectors, turning_selectors)
"""Modules whose import fills the registry, before a name is looked up."""

OPS = {op.value: op for op in Op}
SCOPES = {scope.value: scope for scope in Scope}


def parse_module(data: object) -> Module:
    """Parse a rule module; raises InvalidModule with every fault."""
    faults = Faults()
    module = _module(Node(with_included(data) if isinstance(data, Mapping) else data, "", faults))
    if faults.found or module is None:
        raise InvalidModule(tuple(faults.found))
    return module


def _module(node: Node) -> Module | None:
    fields = node.fields(["key", "name", "configurations", "rules"], ["about", "parameters", "fit", INCLUDE])
    if fields is None:
        return None
    included = fields[INCLUDE].items(len(shared_sets())) if INCLUDE in fields else None
    sets = [item.choice("set of rules", shared_sets()) for item in included or []]
    configurations = _configurations(fields["configurations"]) if "configurations" in fields else None
    rules = _rules(fields["rules"]) if "rules" in fields else None
    documented = _parameters(fields["parameters"]) if "parameters" in fields else {}
    key, name = _text(fields, "key", MAX_NAME), _text(fields, "name", MAX_NAME)
    about = _text(fields, "about", MAX_TEXT) or ""
    fit = _fit(fields["fit"]) if "fit" in fields else None
    if configurations is not None and rules is not None:
        _check_parameters(node, configurations, rules)
        _check_documented(node, configurations, documented)
    if node.faults.found or key is None or name is None or configurations is None or rules is None:
        return None
    return Module(key, name, configurations, tuple(rules), about, documented, fit, tuple(one for one in sets if one))


def _configurations(node: Node) -> dict[str, Configuration] | None:
    children = node.mapping(MAX_CONFIGURATIONS)
    if children is None:
        return None
    if not children:
        node.complain("a module needs at least one configuration")
    found = {}
    for key, child in children.items():
        fields = child.fields(["name"], ["parameters"])
        if fields is None:
            continue
        parameters = fields["parameters"].mapping(MAX_PARAMETERS) if "parameters" in fields else {}
        values = {name: value.number(MAX_NUMBER) for name, value in (parameters or {}).items()}
        known = {name: value for name, value in values.items() if value is not None}
        found[key] = Configuration(_text(fields, "name", MAX_NAME) or key, known)
    return found


def _parameters(node: Node) -> dict[str, Parameter]:
    documented = {}
    for key, child in (node.mapping(MAX_PARAMETERS) or {}).items():
        fields = child.fields(["unit", "meaning", "source"])
        if fields is not None:
            unit, meaning, source = (_text(fields, name, MAX_TEXT) or "" for name in ("unit", "meaning", "source"))
            documented[key] = Parameter(unit, meaning, source)
    return documented


def _fit(node: Node) -> FitNeed | None:
    fields = node.fields(["processes", "minimum"], ["rule"])
    if fields is None or not {"processes", "minimum"} <= set(fields):
        return None
    named = [item.choice("process", PROCESSES) for item in fields["processes"].items(len(PROCESSES)) or []]
    minimum = fields["minimum"].number(1.0)
    if minimum is not None and minimum < 0.0:
        fields["minimum"].complain("a fit is a number from 0 to 1")
    rule = _text(fields, "rule", MAX_NAME) or FIT_RULE
    return FitNeed(tuple(name for name in named if name), minimum, rule) if minimum is not None else None


def _rules(node: Node) -> list[Rule] | None:
    items = node.items(MAX_RULES)
    if items is None:
        return None
    rules: list[Rule] = []
    keys: set[str] = set()
    for item in items:
        rule = _rule(item)
        if rule is None:
            continue
        if rule.key in keys:
            item.child("key", rule.key).complain(f"two rules are called '{rule.key}'")
        keys.add(rule.key)
        rules.append(rule)
    return rules


def _rule(node: Node) -> Rule | None:
    fields = node.fields(["key", "name", "scope", "metric", "tiers"], ["selector", "messages", "about"])
    if fields is None:
        return None
    key, name = _text(fields, "key", MAX_NAME), _text(fields, "name", MAX_NAME)
    scope_word = fields["scope"].choice("scope", SCOPES) if "scope" in fields else None
    scope = SCOPES[scope_word] if scope_word else None
    selector = _selector(node, fields.get("selector"), scope)
    metric = _metric(fields["metric"], scope, selector) if "metric" in fields else None
    tiers = _tiers(fields["tiers"], scope, selector) if "tiers" in fields else None
    messages = _messages(fields["messages"]) if "messages" in fields else {}
    if key is None or name is None or scope is None or metric is None or tiers is None:
        return None
    return Rule(key, name, scope, selector, metric, tiers, messages, _text(fields, "about", MAX_TEXT) or "")


def _selector(rule: Node, node: Node | None, scope: Scope | None) -> str | None:
    if scope is Scope.WHOLE_PART:
        if node is not None:
            node.complain("a whole_part rule has one value and no selector; remove it, or use per_feature")
        return None
    if node is None:
        if scope is Scope.PER_FEATURE:
            rule.complain("field 'selector' is missing; a per_feature rule needs {set: NAME}")
        return None
    fields = node.fields(["set"])
    return fields["set"].choice("selector set", SELECTORS) if fields and "set" in fields else None


def _metric(node: Node, scope: Scope | None, selector: str | None) -> str | None:
    valid = [metric.name for metric in METRICS.values() if scope is None or metric.scope is scope]
    if isinstance(node.value, str) and node.value in METRICS and node.value not in valid:
        metric = METRICS[node.value]
        node.complain(f"{metric.name} is a {metric.scope.value} metric; {nearest(metric.name, valid)}")
        return None
    name = node.choice("metric", valid)
    if name is None:
        return None
    reads = METRICS[name].reads
    if selector is not None and reads is not None and not reads & SELECTORS[selector].gives:
        kinds = ", ".join(sorted(reads))
        node.complain(f"{name} reads {kinds}, but the set '{selector}' has none: the rule could never fire")
    return name


def _tiers(node: Node, scope: Scope | None, selector: str | None) -> tuple[Tier, ...] | None:
    items = node.items(MAX_TIERS)
    if items is None:
        return None
    tiers = [_tier(item, scope, selector, last=item is items[-1]) for item in items]
    return tuple(tier for tier in tiers if tier is not None)


def _tier(node: Node, scope: Scope | None, selector: str | None, last: bool) -> Tier | None:
    fields = node.fields(["level"], ["op", "rhs", "metric", "message"])
    if fields is None:
        return None
    word = fields["level"].choice("level", LEVELS) if "level" in fields else None
    if ("op" in fields) != ("rhs" in fields):
        node.complain("'op' and 'rhs' belong together; a tier with neither always holds")
    if "op" not in fields and "metric" in fields:
        node.complain("a tier that compares nothing cannot have a metric of its own")
    if "op" not in fields and "rhs" not in fields and not last:
        node.complain("this tier always holds, so the tiers below it never can; move it to the end")
    op = fields["op"].choice("comparison", OPS) if "op" in fields else None
    rhs = _rhs(fields["rhs"]) if "rhs" in fields else None
    metric = _metric(fields["metric"], scope, selector) if "metric" in fields else None
    message = _template(fields["message"]) if "message" in fields else None
    return Tier(LEVELS[word], OPS[op] if op else None, rhs, metric, message) if word else None


def _rhs(node: Node) -> Rhs | None:
    if not isinstance(node.value, dict):
        number = node.number(MAX_NUMBER)
        return None if number is None else Rhs(number=number)
    fields = node.fields(["param"], ["factor"])
    if fields is None or "param" not in fields:
        return None
    name = fields["param"].text(MAX_NAME)
    factor = fields["factor"].number(MAX_NUMBER) if "factor" in fields else None
    return None if name is None else Rhs(param=name, factor=factor)


def _messages(node: Node) -> dict[Level, Template]:
    messages = {}
    fields = node.fields([], LEVELS)
    for word, child in (fields or {}).items():
        template = _template(child)
        if template is not None:
            messages[LEVELS[word]] = template
    return messages


def _template(node: Node) -> Template | None:
    text = node.text(MAX_TEXT)
    if text is None:
        return None
    try:
        return parse_template(text)
    except BadTemplate as error:
        node.complain(str(error))
        return None


def _text(fields: dict[str, Node], name: str, most: int) -> str | None:
    return fields[name].text(most) if name in fields else None


def _check_parameters(node: Node, configurations: dict[str, Configuration], rules: Iterable[Rule]) -> None:
    """Check that every configuration has every parameter that a rule reads."""
    wanted: dict[str, str] = {}
    for rule in rules:
        for name in parameters_read(rule):
            wanted.setdefault(name, rule.key)
    child = node.child("configurations", None)
    for key, configuration in configurations.items():
        for name, rule_key in wanted.items():
            if name not in configuration.parameters:
                hint = nearest(name, configuration.parameters)
                child.child(key, None).child("parameters", None).complain(
                    f"parameter '{name}', which rule '{rule_key}' reads, is missing; {hint}"
                )


def _check_documented(node: Node, configurations: dict[str, Configuration], documented: Iterable[str]) -> None:
    """Check that every documented parameter is one of a configuration."""
    present = list(dict.fromkeys(name for one in configurations.values() for name in one.parameters))
    for name in documented:
        if name not in present:
            child = node.child("parameters", None).child(name, None)
            node.faults.unknown(child.pointer, "configuration has a parameter", name, present)


def parameters_read(rule: Rule) -> list[str]:
    """Names of the parameters that a rule reads: in its thresholds and in its metrics."""
    names = [tier.rhs.param for tier in rule.tiers if tier.rhs and tier.rhs.param]
    for metric in [rule.metric, *(tier.metric for tier in rule.tiers)]:
        names += METRICS[metric].parameters if metric in METRICS else ()
    return list(dict.fromkeys(names))
