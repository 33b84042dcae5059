"""Rule modules as frozen data, the same for shipped packs and for modules that callers send.

    Module        configurations (named sets of parameters) and rules
    └── Rule      which features (selector), what to measure (metric), what the value means (tiers)
        └── Tier  level, comparison and right-hand side; tried top down, the first that holds decides

`parse_module` builds one from untrusted data; `Module.spec` returns that data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum

from fettle.results.verdicts import Comparison, Severity
from fettle.rules.template import Template

MAX_RULES = 200
MAX_CONFIGURATIONS = 64
MAX_PARAMETERS = 256
MAX_TIERS = 20
MAX_NAME = 200
MAX_TEXT = 2000
MAX_NUMBER = 1e12
FIT_RULE = "fit"
"""Key of the rule that says that a part is no candidate, unless the module names another."""


class Level(IntEnum):
    """Severity of a verdict; the larger, the worse."""

    PASS = 0
    WARNING = 1
    FAIL = 2

    @property
    def word(self) -> Severity:
        return _WORDS[self]


_WORDS: tuple[Severity, ...] = ("pass", "warning", "fail")
LEVELS: dict[str, Level] = {level.word: level for level in Level}


class Scope(Enum):
    """Scope of a metric. `per_feature`: a value for each selected subject; `whole_part`: one value, no selector."""

    PER_FEATURE = "per_feature"
    WHOLE_PART = "whole_part"


class Op(Enum):
    """Comparison of the value with the threshold."""

    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"
    EQ = "eq"
    NE = "ne"

    __hash__ = object.__hash__
    """By identity, as members are compared: Enum's own takes longer than a comparison."""

    @property
    def word(self) -> Comparison:
        """The name that rules and results use."""
        return _OPS[self]

    @property
    def phrase(self) -> str:
        """The comparison in words, as in "the value is PHRASE the threshold"."""
        return _PHRASES[self]


_OPS: dict[Op, Comparison] = {Op.LT: "lt", Op.LE: "le", Op.GT: "gt", Op.GE: "ge", Op.EQ: "eq", Op.NE: "ne"}
_PHRASES = {
    Op.LT: "below",
    Op.LE: "at or below",
    Op.GT: "above",
    Op.GE: "at or above",
    Op.EQ: "equal to",
    Op.NE: "different from",
}


@dataclass(frozen=True, slots=True)
class Rhs:
    """Right-hand side of a comparison: a number, or a parameter of the configuration times a factor."""

    number: float | None = None
    param: str | None = None
    factor: float | None = None

    def threshold(self, parameters: Mapping[str, float]) -> float:
        if self.param is None:
            assert self.number is not None  # noqa: S101 - `parse_module` guarantees it
            return self.number
        return parameters[self.param] * (1.0 if self.factor is None else self.factor)

    def spec(self) -> object:
        if self.param is None:
            return self.number
        return {"param": self.param} if self.factor is None else {"param": self.param, "factor": self.factor}


@dataclass(frozen=True, slots=True)
class Tier:
    """One comparison of a rule; `op` and `rhs` are both None for a tier that always holds. `metric` and `message`, if
    given, replace those of the rule."""

    level: Level
    op: Op | None = None
    rhs: Rhs | None = None
    metric: str | None = None
    message: Template | None = None

    def spec(self) -> dict[str, object]:
        written: dict[str, object] = {"level": self.level.word}
        if self.metric is not None:
            written["metric"] = self.metric
        if self.op is not None and self.rhs is not None:
            written |= {"op": self.op.value, "rhs": self.rhs.spec()}
        if self.message is not None:
            written["message"] = self.message.text
        return written


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `selector`: name of a selector set, None for the whole part; `about`: reason, for the documentation."""

    key: str
    name: str
    scope: Scope
    selector: str | None
    metric: str
    tiers: tuple[Tier, ...]
    messages: Mapping[Level, Template]
    about: str = ""

    def metric_of(self, tier: Tier) -> str:
        return tier.metric or self.metric

    @property
    def metrics(self) -> list[str]:
        """Metrics that the rule compares, its own first, each once."""
        return list(dict.fromkeys((self.metric, *map(self.metric_of, self.tiers))))

    def spec(self) -> dict[str, object]:
        written: dict[str, object] = {"key": self.key, "name": self.name}
        if self.about:
            written["about"] = self.about
        written["scope"] = self.scope.value
        if self.selector is not None:
            written["selector"] = {"set": self.selector}
        return written | {
            "metric": self.metric,
            "tiers": [tier.spec() for tier in self.tiers],
            "messages": {level.word: template.text for level, template in self.messages.items()},
        }


@dataclass(frozen=True, slots=True)
class Parameter:
    """Documentation of a parameter: unit, meaning, and the source of its values."""

    unit: str
    meaning: str
    source: str

    def spec(self) -> dict[str, object]:
        return {"unit": self.unit, "meaning": self.meaning, "source": self.source}


@dataclass(frozen=True, slots=True)
class Configuration:
    """A named set of parameters, such as a machine or a material."""

    name: str
    parameters: Mapping[str, float]

    def spec(self) -> dict[str, object]:
        return {"name": self.name, "parameters": dict(self.parameters)}


@dataclass(frozen=True, slots=True)
class FitNeed:
    """The fit that a part needs to be judged by a module: the best of `processes` must reach `minimum`, 0 to 1. A part
    that is no candidate gets one finding, of the rule with the key `rule`, and no other rule is judged; where the
    module has no rule of that key, only results of such parts have it. A minimum of 0 refuses no part."""

    processes: tuple[str, ...]
    minimum: float
    rule: str = FIT_RULE

    def spec(self) -> dict[str, object]:
        written: dict[str, object] = {"processes": list(self.processes), "minimum": self.minimum}
        return written if self.rule == FIT_RULE else written | {"rule": self.rule}


@dataclass(frozen=True, slots=True)
class Module:
    """A rule module; `parameters` documents parameters of the configurations; without `fit` every part is judged.
    `included`: the shared sets that some of its rules came from."""

    key: str
    name: str
    configurations: Mapping[str, Configuration]
    rules: tuple[Rule, ...]
    about: str = ""
    parameters: Mapping[str, Parameter] | None = None
    fit: FitNeed | None = None
    included: tuple[str, ...] = field(default=(), compare=False)

    def rule(self, key: str) -> Rule:
        return next(rule for rule in self.rules if rule.key == key)

    def spec(self) -> dict[str, object]:
        """The module as JSON data; parsing it gives an equal module."""
        written: dict[str, object] = {"key": self.key, "name": self.name}
        if self.about:
            written["about"] = self.about
        if self.fit:
            written["fit"] = self.fit.spec()
        if self.parameters:
            written["parameters"] = {name: parameter.spec() for name, parameter in self.parameters.items()}
        return written | {
            "configurations": {key: configuration.spec() for key, configuration in self.configurations.items()},
            "rules": [rule.spec() for rule in self.rules],
        }
