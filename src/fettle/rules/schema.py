"""Rule schema: selector sets, metrics and the JSON Schema of a rule module, derived from the registry."""

from __future__ import annotations

from fettle.fit import PROCESSES
from fettle.rules import parse
from fettle.rules.registry import METRICS, SELECTORS, Metric
from fettle.rules.shared_sets import INCLUDE, shared_sets
from fettle.rules.spec import (
    LEVELS,
    MAX_CONFIGURATIONS,
    MAX_NAME,
    MAX_NUMBER,
    MAX_PARAMETERS,
    MAX_RULES,
    MAX_TEXT,
    MAX_TIERS,
    Scope,
)
from fettle.rules.template import PLACEHOLDER_PATTERN, PLACEHOLDERS

Json = dict[str, object]

RHS_FORMS = (
    ("number", "A literal number."),
    ("{param: name}", "The configuration's parameter of that name."),
    ("{param: name, factor: number}", "That parameter multiplied by the factor."),
)

TEMPLATE_PATTERN = rf"^([^{{}}]|\{{({PLACEHOLDER_PATTERN})\}})*$"


def rule_schema() -> Json:
    """Response of GET /dfm/rule-schema: selector sets, metrics, comparisons, levels, forms and JSON Schema."""
    return {
        "selector_sets": list(SELECTORS),
        "metrics_per_feature": _names(Scope.PER_FEATURE),
        "metrics_whole_part": _names(Scope.WHOLE_PART),
        "comparison_ops": list(parse.OPS),
        "severity_levels": list(LEVELS),
        "rhs_forms": [{"shape": shape, "doc": doc} for shape, doc in RHS_FORMS],
        "scopes": list(parse.SCOPES),
        "metrics": {name: _described(metric) for name, metric in METRICS.items()},
        "selectors": {name: one.meaning for name, one in SELECTORS.items()},
        "message_placeholders": [f"{{{name}}}" for name in PLACEHOLDERS],
        "limits": {
            "rules": MAX_RULES,
            "configurations": MAX_CONFIGURATIONS,
            "parameters": MAX_PARAMETERS,
            "tiers": MAX_TIERS,
            "name_characters": MAX_NAME,
            "text_characters": MAX_TEXT,
        },
        "json_schema": json_schema(),
    }


def json_schema() -> Json:
    """JSON Schema (2020-12) of a rule module. `parse_module` also checks what a schema cannot express: that parameters
    are present, and that metrics fit their selector sets."""
    text: Json = {"type": "string", "minLength": 1, "maxLength": MAX_TEXT}
    name: Json = {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
    number: Json = {"type": "number", "minimum": -MAX_NUMBER, "maximum": MAX_NUMBER}
    rule = {"oneOf": [_rule(scope, name, text, number) for scope in Scope]}
    parameters = _map_of(number, MAX_PARAMETERS)
    configurations = _map_of(_object({"name": name}, {"parameters": parameters}), MAX_CONFIGURATIONS)
    documented = _map_of(_object({"unit": text, "meaning": text, "source": text}), MAX_PARAMETERS)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Rule module"} | _object(
        {
            "key": name,
            "name": name,
            "configurations": configurations | {"minProperties": 1},
            "rules": {"type": "array", "items": rule, "minItems": 1, "maxItems": MAX_RULES},
        },
        {"about": text, "parameters": documented, "fit": _fit(name), INCLUDE: _included()},
    )


def _included() -> Json:
    return {"type": "array", "items": {"enum": list(shared_sets())}, "maxItems": len(shared_sets())}


def _fit(name: Json) -> Json:
    processes = {"type": "array", "items": {"enum": list(PROCESSES)}, "minItems": 1, "maxItems": len(PROCESSES)}
    minimum = {"type": "number", "minimum": 0, "maximum": 1}
    return _object({"processes": processes, "minimum": minimum}, {"rule": name})


def _rule(scope: Scope, name: Json, text: Json, number: Json) -> Json:
    metric = {"enum": _names(scope)}
    template = text | {"pattern": TEMPLATE_PATTERN}
    rhs = {"oneOf": [number, _object({"param": name}, {"factor": number})]}
    tier = _object(
        {"level": {"enum": list(LEVELS)}},
        {"op": {"enum": list(parse.OPS)}, "rhs": rhs, "metric": metric, "message": template},
    ) | {"dependentRequired": {"op": ["rhs"], "rhs": ["op"], "metric": ["op"]}}
    required: Json = {
        "key": name,
        "name": name,
        "scope": {"const": scope.value},
        "metric": metric,
        "tiers": {"type": "array", "items": tier, "minItems": 1, "maxItems": MAX_TIERS},
    }
    if scope is Scope.PER_FEATURE:
        required["selector"] = _object({"set": {"enum": list(SELECTORS)}})
    return _object(required, {"messages": _object({}, dict.fromkeys(LEVELS, template)), "about": text})


def _object(required: Json, optional: Json | None = None) -> Json:
    schema: Json = {"type": "object", "properties": required | (optional or {}), "additionalProperties": False}
    return schema | ({"required": list(required)} if required else {})


def _map_of(value: Json, most: int) -> Json:
    return {
        "type": "object",
        "additionalProperties": value,
        "propertyNames": {"maxLength": MAX_NAME},
        "maxProperties": most,
    }


def _names(scope: Scope) -> list[str]:
    return [name for name, metric in METRICS.items() if metric.scope is scope]


def _described(metric: Metric) -> Json:
    return {
        "unit": metric.unit,
        "scope": metric.scope.value,
        "meaning": metric.meaning,
        "resolution": metric.resolution,
        "parameters": list(metric.parameters),
        "reads": sorted(metric.reads) if metric.reads else None,
    }
