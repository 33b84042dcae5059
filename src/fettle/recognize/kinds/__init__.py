"""The kinds of features, one module each. A module in this package declares its kind as `KIND` and is found here."""

from __future__ import annotations

from collections import Counter
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from fettle.recognize.declarations import FeatureKind
from fettle.recognize.feature import UNCLASSIFIED, Feature, Role


@cache
def feature_kinds() -> tuple[FeatureKind, ...]:
    """Every declared kind, in the order of its lowest role code."""
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    found: list[FeatureKind] = sorted(
        (module.KIND for module in modules), key=lambda kind: min(role.code for role in kind.roles)
    )
    for what, seen in (
        ("kind", [kind.name for kind in found]),
        ("role code", [r.code for k in found for r in k.roles]),
    ):
        twice = [value for value, count in Counter(seen).items() if count > 1]
        if twice:
            raise ValueError(f"declared twice: {what} {twice[0]}")
    return tuple(found)


def feature_classes() -> dict[str, type[Feature]]:
    """The dataclass of every kind by the kind's name."""
    return {kind.name: kind.feature_class for kind in feature_kinds()}


@cache
def role_table() -> dict[int, Role]:
    """Every role by its code, in the order of codes, 0 for Unclassified included."""
    roles = [UNCLASSIFIED, *(role for kind in feature_kinds() for role in kind.roles)]
    return {role.code: role for role in sorted(roles, key=lambda role: role.code)}
