"""Fettle: what a part is, whether it can be made, and what it costs.

    import fettle

    analysis = fettle.analyze("bracket.step", pull="0,0,1")
    print(analysis.summary())
    verdict = fettle.judge(analysis, "cnc", "3-axis", {"min_wall_mm": 1.0})
    print(fettle.price(analysis, "Aluminium A356", quantity=50).total_price)

`read` gives the part as plain data (`Model`: part and mesh), `result` the JSON object of the HTTP API. Objects of
CadQuery or build123d come in as STEP or BREP bytes: `fettle.read(data, name="part.step")`. Names are loaded when they
are first used, so that `import fettle` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fettle.analysis import Analysis, Options, with_pull
    from fettle.app.library import analyze, judge, price, read, result, unfold
    from fettle.errors import FettleError
    from fettle.geometry.mesh import Mesh
    from fettle.geometry.mesh_options import MeshOptions
    from fettle.geometry.model import Model
    from fettle.geometry.part import Part
    from fettle.quote import Catalog, Price, load_catalog
    from fettle.recognize.feature import Feature, Recognition
    from fettle.rules import Module, parse_module, rule_schema, shipped_modules

__version__ = "0.2.0"

_HOMES = {
    "fettle.analysis": ("Analysis", "Options", "with_pull"),
    "fettle.app.library": ("analyze", "judge", "price", "read", "result", "unfold"),
    "fettle.errors": ("FettleError",),
    "fettle.geometry.mesh_options": ("MeshOptions",),
    "fettle.geometry.mesh": ("Mesh",),
    "fettle.geometry.model": ("Model",),
    "fettle.geometry.part": ("Part",),
    "fettle.quote": ("Catalog", "Price", "load_catalog"),
    "fettle.recognize.feature": ("Feature", "Recognition"),
    "fettle.rules": ("Module", "parse_module", "rule_schema", "shipped_modules"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Analysis",
    "Catalog",
    "Feature",
    "FettleError",
    "Mesh",
    "MeshOptions",
    "Model",
    "Module",
    "Options",
    "Part",
    "Price",
    "Recognition",
    "analyze",
    "judge",
    "load_catalog",
    "parse_module",
    "price",
    "read",
    "result",
    "rule_schema",
    "shipped_modules",
    "unfold",
    "with_pull",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'fettle' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
