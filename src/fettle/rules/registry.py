"""Registry of selector sets and metrics. Each is one decorated function; rule schema, validation, documentation and
suggestions in error messages are derived from the two tables here."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fettle.measure.readings import Triple
from fettle.recognize.feature import Feature
from fettle.rules.context import RuleContext, Subject
from fettle.rules.spec import Scope

Given: TypeAlias = Mapping[str, float]
"""Parameters of a configuration, with overrides applied."""

FACE, EDGE, REQUIREMENT = "FACE", "EDGE", "REQUIREMENT"
"""Kinds of subjects that are no features: single faces, sharp edges, and what the file asks of accuracy."""

COUNT = 0.0
"""Resolution of counts: never borderline."""
EXACT_MM = 1e-3
"""Resolution in mm of a dimension read from exact surfaces: the tolerance within which a surface is recognized."""
MESH_MM = 0.02
"""Resolution in mm of a length measured on the mesh."""
ANGLE_DEG = 0.05
"""Resolution of an angle."""
RATIO = 1e-3
"""Resolution of a ratio of two dimensions."""
RESOLUTIONS = {"mm": EXACT_MM, "deg": ANGLE_DEG, "ratio": RATIO, "count": COUNT}
"""Resolution of a dimension of a feature by its unit."""


# Not frozen, and so several times faster to make: a metric may answer for every face.
@dataclass(slots=True)
class Measured:
    """A value and where it was measured: faces to report (the first gives the fid), position in mm, a note that is
    added to the message, and advice that is added to that of a warning or a failure."""

    value: float
    faces: tuple[int, ...] = ()
    position: Triple | None = None
    note: str = ""
    advice: str = ""


Answer: TypeAlias = float | Measured | None
"""Value of a metric; None for no reading."""

Measure: TypeAlias = Callable[[RuleContext, Subject, Given], Answer]


@dataclass(frozen=True, slots=True, eq=False)
class FaceReadings:
    """A value of every face, nan without a reading. `together`: the value of several faces from those they have;
    `points`: numbers of the mesh points where they were measured; `names_one`: of several faces, the one with the
    value of all is reported alone."""

    values: list[float]
    together: Callable[[Iterable[float]], float]
    points: list[int] | None = None
    names_one: bool = False

    def of(self, context: RuleContext, faces: tuple[int, ...]) -> Answer:
        """What the faces have together."""
        read = [face for face in faces if not math.isnan(self.values[face])]
        if not read:
            return None
        value = float(self.together(self.values[face] for face in read))
        if self.points is None:
            return value
        face = next(face for face in read if self.values[face] == value)
        return Measured(value, (face,) if self.names_one else (), context.mesh_point(self.points[face]))


ReadFaces: TypeAlias = Callable[[RuleContext, Given], FaceReadings]


@dataclass(frozen=True, slots=True)
class Metric:
    """A registered metric. `resolution`: a value this near to a threshold is borderline; `parameters`: names of those
    it reads from the configuration; `reads`: kinds that it can measure (feature kinds, FACE, EDGE), None for all;
    `read_faces`: its values of all faces, where those of subjects follow from them."""

    name: str
    unit: str
    scope: Scope
    meaning: str
    resolution: float
    parameters: tuple[str, ...]
    reads: frozenset[str] | None
    measure: Measure
    read_faces: ReadFaces | None = None


@dataclass(frozen=True, slots=True)
class Selector:
    """A registered selector set. `plural`: name of its members in messages; `gives`: kinds of subjects it selects."""

    name: str
    plural: str
    meaning: str
    gives: frozenset[str]
    select: Callable[[RuleContext], tuple[Subject, ...]]


METRICS: dict[str, Metric] = {}
SELECTORS: dict[str, Selector] = {}

PART = Subject(faces=())
"""Subject of whole-part metrics."""


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


def per_face(
    name: str, unit: str, resolution: float, parameters: tuple[str, ...] = ()
) -> Callable[[ReadFaces], ReadFaces]:
    """Register a metric of one subject that follows from values of its faces; its docstring is its meaning."""

    def register(read: ReadFaces) -> ReadFaces:
        def measure(context: RuleContext, subject: Subject, given: Given) -> Answer:
            return read_once(context, given).of(context, subject.faces)

        def read_once(context: RuleContext, given: Given) -> FaceReadings:
            return context.keep((name, *(given[one] for one in parameters)), lambda: read(context, given))

        meaning = _meaning(read)
        _add(Metric(name, unit, Scope.PER_FEATURE, meaning, resolution, parameters, None, measure, read_once))
        return read

    return register


def dimension(
    name: str, unit: str, *classes: type[Feature]
) -> Callable[[Callable[[Feature], Answer]], Callable[[Feature], Answer]]:
    """Register a metric that is a function of the recognized feature alone, of one of these classes."""

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
    """Register a metric of the whole part; its docstring is its meaning."""

    def register(read: Callable[[RuleContext, Given], Answer]) -> Callable[[RuleContext, Given], Answer]:
        def measure(context: RuleContext, subject: Subject, given: Given) -> Answer:
            return read(context, given)

        _add(Metric(name, unit, Scope.WHOLE_PART, _meaning(read), resolution, parameters, None, measure))
        return read

    return register


def selector(
    name: str, plural: str, gives: Iterable[str]
) -> Callable[[Callable[[RuleContext], tuple[Subject, ...]]], Callable[[RuleContext], tuple[Subject, ...]]]:
    """Register a selector set; its docstring is its meaning, `plural` the name of its members in messages. It selects
    once: for every rule, and for the sets that are chosen from it."""

    def register(select: Callable[[RuleContext], tuple[Subject, ...]]) -> Callable[[RuleContext], tuple[Subject, ...]]:
        def select_once(context: RuleContext) -> tuple[Subject, ...]:
            return context.keep(("subjects", name), lambda: select(context))

        add_selector(Selector(name, plural, _meaning(select), frozenset(gives), select_once))
        return select_once

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
