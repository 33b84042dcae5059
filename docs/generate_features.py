"""Writes docs/features/ and the viewer's table of colors, both derived from the declared kinds of features.

Run `python -m docs.generate_features` after a change to a module in src/fettle/recognize/kinds.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from fettle.recognize.declarations import FeatureKind, unit_of
from fettle.recognize.feature import Feature
from fettle.recognize.kinds import feature_kinds

ROOT = Path(__file__).parent
FOLDER = ROOT / "features"
KIND_COLORS = ROOT.parent / "viewer" / "src" / "kind_colors.ts"
NOTE = "<!-- Written by docs/generate_features.py; edit the kind's module, not this page. -->\n"
COMMON = """Every feature also has `fid` (its largest face), `related_fids` (all its faces), `confidence` (1 on exact
geometry) and what was measured on it: `thickness_min_mm`, `thickness_mean_mm`, `clearance_min_mm`, `draft_min_deg`,
`area_mm2`. See [how each is measured](../measurements.md).
"""
ABOUT = """A feature is a group of faces with a purpose and dimensions. Faces are named by their `fid`: the number, from
1, that other CAD tools give them too. A face has one role; it may belong to several features (a hole inside a pocket).
"""


def pages() -> dict[str, str]:
    """File name to text."""
    rows = [
        f"| [{_title(kind)}]({kind.name.lower()}.md) | `{kind.color}` | {', '.join(_roles(kind))} |"
        for kind in feature_kinds()
    ]
    table = ["| kind | color | roles of faces |", "|---|---|---|", *rows]
    units = "Lengths are millimeters, angles degrees. A dimension that a feature does not have is `null`."
    index = "\n".join([NOTE + "# Features", "", ABOUT, *table, "", units, ""])
    return {f"{kind.name.lower()}.md": _page(kind) for kind in feature_kinds()} | {"index.md": index}


def kind_colors() -> str:
    """TypeScript source of the viewer's color of each kind."""
    rows = [f'  {kind.name}: "{kind.color}",' for kind in feature_kinds()]
    head = "// Written by docs/generate_features.py; edit the color in src/fettle/recognize/kinds, not here.\n\n"
    return "\n".join([f"{head}export const KIND_COLORS: Readonly<Record<string, string>> = {{", *rows, "};", ""])


def _page(kind: FeatureKind) -> str:
    title = _title(kind)
    lines = [NOTE + f"# {title}", "", kind.about, ""]
    drawing = f"{kind.name.lower()}.svg"
    if (ROOT / "drawings" / drawing).exists():
        lines += [f"![{title} with its dimensions](../drawings/{drawing})", ""]
    lines += ["## Dimensions", "", *_fields(kind.feature_class), ""]
    for name, part in _nested(kind.feature_class):
        lines += [f"Each of `{name}`:", "", *_fields(part), ""]
    lines += [COMMON, "## Rules", "", f"Selector set `{kind.selector}`: {kind.selects}", ""]
    if kind.dimensions:
        lines += ["| metric | unit | what it is |", "|---|---|---|"]
        lines += [f"| `{one.name}` | {one.unit} | {one.meaning} |" for one in kind.dimensions]
        lines.append("")
    lines += [f"Roles of its faces: {', '.join(_roles(kind))}. Color in pictures and legends: `{kind.color}`.", ""]
    return "\n".join(lines)


def _title(kind: FeatureKind) -> str:
    return kind.name.replace("_", " ").capitalize()


def _roles(kind: FeatureKind) -> list[str]:
    return [f"{role.code} {role.title}" for role in kind.roles]


def _fields(shown: type[Any]) -> list[str]:
    """A table of the fields that a feature, or a part of one, adds to those of every feature."""
    hints = get_type_hints(shown, include_extras=True)
    common = {field.name for field in dataclasses.fields(Feature)}
    rows = [
        f"| `{_shown_name(field.name)}` | {_type_name(get_args(hints[field.name])[0])} | {unit_of(field.name)} | "
        f"{get_args(hints[field.name])[1]} |"
        for field in dataclasses.fields(shown)
        if field.name not in common
    ]
    return ["| field | type | unit | meaning |", "|---|---|---|---|", *rows]


def _nested(shown: type[Feature]) -> Iterator[tuple[str, type[Any]]]:
    """Fields that hold a tuple of records, each with the record's class."""
    for name, hint in get_type_hints(shown).items():
        inner = get_args(hint)[:1] if get_origin(hint) is tuple else ()
        if inner and dataclasses.is_dataclass(inner[0]) and isinstance(inner[0], type):
            yield name, inner[0]


def _shown_name(field: str) -> str:
    """The name in results: face numbers are shown as fids."""
    if field.endswith("_faces"):
        return field.removesuffix("faces") + "fids"
    return field.removesuffix("face") + "fid" if field.endswith("_face") else field


def _type_name(hint: Any) -> str:
    """The JSON type of a field."""
    if get_origin(hint) in (types.UnionType,):
        return " or ".join(_type_name(one) for one in get_args(hint))
    if get_origin(hint) is tuple:
        first, *rest = get_args(hint)
        return f"list of {_type_name(first)}" if rest == [...] else f"{len(rest) + 1} numbers"
    names = {float: "number", int: "integer", bool: "boolean", str: "text", type(None): "null"}
    return names.get(hint, "object")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    KIND_COLORS.write_text(kind_colors(), encoding="utf-8")


if __name__ == "__main__":
    main()
