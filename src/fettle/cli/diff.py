"""`fettle diff`: what changed between two revisions of a part."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from fettle.app.isolation.sandbox import run
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.kernel_tasks.tasks import COMPARE
from fettle.app.options import JobOptions
from fettle.app.prices import price_change, price_file
from fettle.app.settings import Settings
from fettle.app.wording import counted
from fettle.cli.analyze import chosen_modules
from fettle.cli.analyze_file import inspect_file
from fettle.cli.formats.markdown import escape
from fettle.cli.part_files import read_file
from fettle.errors import FettleError
from fettle.quote import load_catalog

DEFAULT_QUANTITY = 100
UNIT = re.compile("_(mm3|mm2|mm|deg)$")

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


class DiffFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


@app.command()
def diff(
    old: Annotated[Path, typer.Argument(help="The part as it was.")],
    new: Annotated[Path, typer.Argument(help="The part as it is.")],
    form: Annotated[DiffFormat, typer.Option("--format", help="How to print it.")] = DiffFormat.TEXT,
    process: Annotated[
        list[str] | None, typer.Option(metavar="MODULE:CONFIGURATION", help="Judge by this process; default all.")
    ] = None,
    pull: Annotated[str, typer.Option(help="Pull direction of both: cardinal, hemisphere, or x,y,z.")] = "cardinal",
    material: Annotated[str | None, typer.Option(help="Price it in this; default the first of the catalog.")] = None,
    quantity: Annotated[int, typer.Option(help="Price this many.")] = DEFAULT_QUANTITY,
) -> None:
    """What changed: faces matched by geometry, features, findings new and fixed, causes, price.

    Exit codes: 0 no new failure, 1 new failures or a refused file, 2 missing file.
    """
    asked = chosen_modules(process, None)
    sources = [(path.name, read_file(path), JobOptions(pull=pull), asked) for path in (old, new)]
    try:
        with ThreadPoolExecutor(2) as pool:
            before, after = pool.map(lambda source: inspect_file(*source), sources)
        pair = (before.analysis, after.analysis, before.result, after.result)
        change = run(COMPARE, pair, Settings().kernel_limits)
        change["price"] = _price(before, after, material, quantity)
        change = {"same": _is_same(change), **change}
    except FettleError as error:
        typer.echo(f"fettle diff: {error}", err=True)
        raise typer.Exit(1) from error
    change = {"old": str(old), "new": str(new), **change}
    if form is DiffFormat.JSON:
        typer.echo(json.dumps(change, indent=2))
    else:
        lines = _lines(change)
        typer.echo("\n".join(_markdown(change, lines) if form is DiffFormat.MARKDOWN else _text(change, lines)))
    raise typer.Exit(int(any(one["severity"] == "fail" for one in change["findings"]["new"])))


def _price(before: FileOutput, after: FileOutput, material: str | None, quantity: int) -> dict[str, Any]:
    """Of one piece, before and after; or why there is none."""
    catalog = load_catalog()
    name = material or next(entry.name for entry in catalog.materials if entry.active)
    asked = [(one.result.geometry, one.result.bodies, catalog, name, quantity) for one in (before, after)]
    try:
        change = price_change(*(price_file(*one).whole for one in asked))
    except FettleError as refusal:
        return {"material": name, "quantity": quantity, "error": str(refusal)}
    return {"material": name, "quantity": quantity, **change}


def _is_same(change: dict[str, Any]) -> bool:
    """Whether nothing that is compared differs; a part that was only moved is not the same."""
    faces, features, found, price = (change[name] for name in ("faces", "features", "findings", "price"))
    moved = any(faces["shift_mm"]) or any(faces[word] for word in ("changed", "added", "removed"))
    reshaped = any(features[word] for word in ("changed", "added", "removed"))
    reshaped = reshaped or any(change["tolerances"].values())
    judged = found["fixed"] or found["new"] or change["bodies"] or change["causes"] or change["verdicts"]
    return not (moved or reshaped or judged or price.get("old_unit_price") != price.get("new_unit_price"))


def _lines(change: dict[str, Any]) -> list[tuple[str, str]]:
    """A sign and a sentence for every change; one line where nothing changed."""
    if change["same"]:
        return [(" ", "No change: faces, features, findings and price are the same.")]
    faces, features, found, price = (change[name] for name in ("faces", "features", "findings", "price"))
    shift = "" if not any(faces["shift_mm"]) else f", all moved by {', '.join(f'{x:g}' for x in faces['shift_mm'])} mm"
    counted = ", ".join(f"{len(faces[word])} {word}" for word in ("changed", "added", "removed"))
    lines = [
        (" ", f"faces: {faces['n_unchanged']} unchanged, {counted}{shift}"),
        (" ", f"features: {features['n_unchanged']} unchanged"),
    ]
    lines += [_body(one) for one in change["bodies"]]
    lines += [("-", f"{_feature(one)}") for one in features["removed"]]
    lines += [("+", f"{_feature(one)}") for one in features["added"]]
    lines += [
        ("~", f"{one['kind'].lower()} on face {one['new']}: {_changes(one['changes'])}") for one in features["changed"]
    ]
    asked = change["tolerances"]
    lines += [("~", f"tolerance: {one['old']} -> {one['new']}") for one in asked["changed"]]
    lines += [("-", f"tolerance: {text}") for text in asked["removed"]]
    lines += [("+", f"tolerance: {text}") for text in asked["added"]]
    counts = ", ".join(f"{len(found[word])} {word}" for word in ("unchanged", "fixed", "new"))
    lines.append((" ", f"findings: {counts}"))
    lines += [("-", f"fixed: {_finding(one)}") for one in found["fixed"]]
    lines += [("+", f"new: {_finding(one)}") for one in found["new"]]
    lines += [
        ("~", f"{one['severity']} {one['module']}:{one['configuration']} {one['rule']}: {_places(one)}")
        for one in change["causes"]
    ]
    lines += [
        ("~", f"{one['module']}:{one['configuration']} {one['old']} -> {one['new']}") for one in change["verdicts"]
    ]
    where = f"{price['quantity']} in {price['material']}"
    if "error" in price:
        lines.append((" ", f"price of {where}: {price['error']}"))
    else:
        was, now = price["old_unit_price"], price["new_unit_price"]
        lines.append(("~" if was != now else " ", f"price each, {where}: {was:.2f} -> {now:.2f} {price['currency']}"))
    return lines


def _text(change: dict[str, Any], lines: list[tuple[str, str]]) -> list[str]:
    return [f"--- {change['old']}", f"+++ {change['new']}", *(f"{sign} {text}" for sign, text in lines)]


def _markdown(change: dict[str, Any], lines: list[tuple[str, str]]) -> list[str]:
    words = {"-": "**removed** ", "+": "**added** ", "~": "**changed** ", " ": ""}
    title = f"## {escape(change['old'])} to {escape(change['new'])}"
    return [title, "", *(f"- {words[sign]}{escape(text)}" for sign, text in lines)]


def _body(one: dict[str, Any]) -> tuple[str, str]:
    old, new = one["old"], one["new"]
    if old is None or new is None:
        held = new or old
        return "+" if old is None else "-", f"body {one['name']}: {held['count']} of {_volume(held)}"
    words = [
        f"{name} {old[key]} -> {new[key]}"
        for name, key in (("count", "count"), ("verdict", "severity"), ("made", "made"))
        if old[key] != new[key]
    ]
    if old["volume_cm3"] != new["volume_cm3"]:
        words.append(f"volume {_volume(old)} -> {_volume(new)}")
    return "~", f"body {one['name']}: {', '.join(words)}"


def _volume(body: dict[str, Any]) -> str:
    return "unknown volume" if body["volume_cm3"] is None else f"{body['volume_cm3']:.5g} cm3"


def _feature(one: dict[str, Any]) -> str:
    sizes = [f"{_name(name)} {_value(name, value)}" for name, value in one.items() if isinstance(value, float | int)]
    return f"{one['kind'].lower()} on face {one['fid']}: {', '.join(sizes)}"


def _changes(changes: dict[str, Any]) -> str:
    shown = [
        f"{_name(name)} {_value(name, both['old'])} -> {_value(name, both['new'])}"
        for name, both in changes.items()
        if not isinstance(both["new"], list)
    ]
    return ", ".join(shown) or ", ".join(map(_name, changes))


def _finding(one: dict[str, Any]) -> str:
    return f"{one['severity']} {one['module']}/{one['rule']} [{', '.join(one['configurations'])}] {one['message']}"


def _places(one: dict[str, Any]) -> str:
    return f"{counted(one['old'], 'place')} -> {one['new']}"


def _name(field: str) -> str:
    return UNIT.sub("", field).replace("_", " ")


def _value(field: str, value: Any) -> str:
    """With the unit that the field's name ends in."""
    if not isinstance(value, float):
        return "none" if value is None else str(value)
    unit = UNIT.search(field)
    return f"{value:g} {unit[1]}" if unit else f"{value:g}"
