"""The vocabulary of rules: every selector set and every metric is one decorated function, and the catalog, the
validation, the documentation and the suggestions in error texts are derived from the two tables here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from fettle.measure.readings import Triple
from fettle.recognize.feature import Feature, Kind
from fettle.rules.context import RuleContext, Subject
from fettle.rules.spec import Scope

Given: TypeAlias = Mapping[str, float]
"""A configuration's parameters, overrides applied."""

FACE, EDGE = "FACE", "EDGE"
"""What a selector gives beside kinds of features."""

COUNT = 0.0
"""Resolution of whole numbers: never borderline."""
EXACT_MM = 1e-3
"""Resolution of a dimension read from the surfaces: the tolerance within which a surface is recognized."""
MESH_MM = 0.02
"""Resolution of a length measured on the mesh."""
ANGLE_DEG = 0.05
RATIO = 1e-3


@dataclass(frozen=True, slots=True)
class Measured:
    """A value and where it was found: faces to point at (the first gives the fid), a place, a word to add."""

    value: float
    faces: tuple[int, ...] = ()
    position: Triple | None = None
    note: str = ""


Answer: TypeAlias = float | Measured | None
"""None is "no reading"."""

Measure: TypeAlias = Callable[[RuleContext, Subject, Given], Answer]


@dataclass(frozen=True, slots=True)
class Metric:
    """`resolution`: a value this near a threshold is borderline. `parameters`: those it reads from the configuration.
    `reads`: the kinds it can measure (feature kinds, FACE, EDGE); None for all that has faces."""

    name: str
    unit: str
    scope: Scope
    meaning: str
    resolution: float
    parameters: tuple[str, ...]
    reads: frozenset[str] | None
    measure: Measure


@dataclass(frozen=True, slots=True)
class Selector:
    """`gives`: the kinds of subjects it selects."""

    name: str
    plural: str
    meaning: str
    gives: frozenset[str]
    select: Callable[[RuleContext], tuple[Subject, ...]]


METRICS: dict[str, Metric] = {}
SELECTORS: dict[str, Selector] = {}

PART = Subject(faces=())
"""What a whole-part metric is asked about."""

F = TypeVar("F", bound=Feature)
Decorated = TypeVar("Decorated", bound=Callable[..., object])


def per_feature(
    name: str,
    unit: str,
    resolution: float,
    reads: Iterable[Kind | str] | None = None,
    parameters: tuple[str, ...] = (),
) -> Callable[[Measure], Measure]:
    """Register a metric of one subject; its docstring is its meaning."""

    def register(measure: Measure) -> Measure:
        kinds = None if reads is None else frozenset(kind if isinstance(kind, str) else kind.value for kind in reads)
        _add(Metric(name, unit, Scope.PER_FEATURE, _meaning(measure), resolution, parameters, kinds, measure))
        return measure

    return register


def dimension(
    name: str, unit: str, feature_type: type[F], kinds: Iterable[Kind], resolution: float = EXACT_MM
) -> Callable[[Callable[[F], Answer]], Callable[[F], Answer]]:
    """Register a metric that needs nothing but the recognized feature."""

    def register(read: Callable[[F], Answer]) -> Callable[[F], Answer]:
        def measure(context: RuleContext, subject: Subject, given: Given) -> Answer:
            return read(subject.feature) if isinstance(subject.feature, feature_type) else None

        reads = frozenset(kind.value for kind in kinds)
        _add(Metric(name, unit, Scope.PER_FEATURE, _meaning(read), resolution, (), reads, measure))
        return read

    return register


def whole_part(
    name: str, unit: str, resolution: float, parameters: tuple[str, ...] = ()
) -> Callable[[Callable[[RuleContext, Given], Answer]], Callable[[RuleContext, Given], Answer]]:
    """Register a metric of the whole part."""

    def register(read: Callable[[RuleContext, Given], Answer]) -> Callable[[RuleContext, Given], Answer]:
        def measure(context: RuleContext, subject: Subject, given: Given) -> Answer:
            return read(context, given)

        _add(Metric(name, unit, Scope.WHOLE_PART, _meaning(read), resolution, parameters, None, measure))
        return read

    return register


def selector(
    name: str, plural: str, gives: Iterable[Kind | str]
) -> Callable[[Callable[[RuleContext], tuple[Subject, ...]]], Callable[[RuleContext], tuple[Subject, ...]]]:
    """Register a selector set; `plural` is how a sentence calls its members."""

    def register(select: Callable[[RuleContext], tuple[Subject, ...]]) -> Callable[[RuleContext], tuple[Subject, ...]]:
        kinds = frozenset(kind if isinstance(kind, str) else kind.value for kind in gives)
        SELECTORS[name] = Selector(name, plural, _meaning(select), kinds, select)
        return select

    return register


def _add(metric: Metric) -> None:
    if metric.name in METRICS:
        raise ValueError(f"two metrics are called {metric.name}")
    METRICS[metric.name] = metric


def _meaning(function: Callable[..., object]) -> str:
    if not function.__doc__:
        raise ValueError(f"{function.__qualname__} needs a docstring: it is the meaning users read")
    return " ".join(function.__doc__.split())
