"""The vocabulary of rules: every selector set and every metric is one decorated function, and the catalog, the
validation, the documentation and the suggestions in error texts are derived from the two tables here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fettle.measure.readings import Triple
from fettle.recognize.feature import Feature
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
"""Resolution of an angle."""
RATIO = 1e-3
"""Resolution of a ratio of two dimensions."""
RESOLUTIONS = {"mm": EXACT_MM, "deg": ANGLE_DEG, "ratio": RATIO, "count": COUNT}
"""Resolution of a dimension of a feature by its unit."""


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


def per_feature(
    name: str,
    unit: str,
    resolution: float,
    reads: Iterable[str] | None = None,
    parameters: tuple[str, ...] = (),
) -> Callable[[Measure], Measure]:
    """Register a metric of one subject; its docstring is its meaning."""

    def register(measure: Measure) -> Measure:
        kinds = None if reads is None else frozenset(reads)
        _add(Metric(name, unit, Scope.PER_FEATURE, _meaning(measure), resolution, parameters, kinds, measure))
        return measure

    return register


def dimension(
    name: str, unit: str, *classes: type[Feature]
) -> Callable[[Callable[[Feature], Answer]], Callable[[Feature], Answer]]:
    """Register a metric that needs nothing but the recognized feature, of one of these classes."""

    def register(read: Callable[[Feature], Answer]) -> Callable[[Feature], Answer]:
        add_dimension(name, unit, _meaning(read), classes, read)
        return read

    return register


def add_dimension(
    name: str, unit: str, meaning: str, classes: tuple[type[Feature], ...], read: Callable[[Feature], Answer]
) -> None:
    """Add a metric of the features of these classes; the unit decides the resolution."""

    def measure(context: RuleContext, subject: Subject, given: Given) -> Answer:
        return read(subject.feature) if isinstance(subject.feature, classes) else None

    reads = frozenset(one.kind for one in classes)
    _add(Metric(name, unit, Scope.PER_FEATURE, meaning, RESOLUTIONS[unit], (), reads, measure))


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
    name: str, plural: str, gives: Iterable[str]
) -> Callable[[Callable[[RuleContext], tuple[Subject, ...]]], Callable[[RuleContext], tuple[Subject, ...]]]:
    """Register a selector set; `plural` is how a sentence calls its members."""

    def register(select: Callable[[RuleContext], tuple[Subject, ...]]) -> Callable[[RuleContext], tuple[Subject, ...]]:
        add_selector(Selector(name, plural, _meaning(select), frozenset(gives), select))
        return select

    return register


def add_selector(one: Selector) -> None:
    """Add a selector set under its name."""
    if one.name in SELECTORS:
        raise ValueError(f"two selector sets are called {one.name}")
    SELECTORS[one.name] = one


def _add(metric: Metric) -> None:
    if metric.name in METRICS:
        raise ValueError(f"two metrics are called {metric.name}")
    METRICS[metric.name] = metric


def _meaning(function: Callable[..., object]) -> str:
    if not function.__doc__:
        raise ValueError(f"{function.__qualname__} needs a docstring: it is the meaning users read")
    return " ".join(function.__doc__.split())
