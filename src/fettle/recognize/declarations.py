"""How a kind of feature is declared: its class, roles, color, texts, dimensions and the recognizers that find it.

Declarations are read by the rules, the API, the viewer and the documentation, so they load no recognizer: a recognizer
is named as `package.module:function` and imported when the first part is recognized.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from fettle.recognize.feature import Feature, Role

TAKEN = "taken"
"""Need of a recognizer that leaves claimed faces alone: numbers of the regions claimed by all that it yields to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognizer:
    """One step of recognition.

    `function` (`package.module:function`) is called with one keyword argument for each of `needs`: results of other
    recognizers by name, `graph`, `confidence`, or `taken`. Its result is known by `name`; where it `claims` roles, the
    result is a list of `Claim`s, else an intermediate result for others.
    `yields_to`: recognizers whose claims, and those of all that they yield to, come before its own.
    `takes_the_rest`: it comes after all others and finds the regions of all of them taken.
    """

    name: str
    function: str
    needs: tuple[str, ...]
    yields_to: tuple[str, ...] = ()
    claims: tuple[Role, ...] = ()
    takes_the_rest: bool = False


@dataclass(frozen=True, slots=True)
class Dimension:
    """A size of a feature that rules compare. `unit`: mm, deg or ratio. `read` returns None for no reading."""

    name: str
    unit: str
    meaning: str
    read: Callable[[Any], float | None]


def field_dimension(name: str, field: str, meaning: str) -> Dimension:
    """The dimension that a field of the feature holds; the field's ending says its unit."""
    return Dimension(name, unit_of(field) or "ratio", meaning, attrgetter(field))


def ratio(name: str, numerator: str, denominator: str, meaning: str) -> Dimension:
    """One field of the feature over another; no reading where the second is zero."""

    def read(feature: Feature) -> float | None:
        below = float(getattr(feature, denominator))
        return float(getattr(feature, numerator)) / below if below > 0 else None

    return Dimension(name, "ratio", meaning, read)


def unit_of(field: str) -> str:
    """The unit in the ending of a field's name: mm, mm2, mm3, deg, or nothing."""
    ending = field.rpartition("_")[2]
    return ending if ending in ("mm", "mm2", "mm3", "deg") else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureKind:
    """A kind of feature, all that follows from it in one place.

    `color`: sRGB `#rrggbb` in pictures and legends. `about`: a paragraph for the documentation. `selector`: name of the
    selector set of all features of this kind, `selects` its meaning.
    """

    feature_class: type[Feature]
    roles: tuple[Role, ...]
    color: str
    about: str
    selector: str
    selects: str
    dimensions: tuple[Dimension, ...] = ()
    recognizers: tuple[Recognizer, ...]

    @property
    def name(self) -> str:
        """The name users see in results, for example `HOLE`."""
        return self.feature_class.kind
