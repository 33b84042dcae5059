"""Dimensions, tolerances, datums and notes of a file as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from fettle.app.pmi_words import say_dimension, say_tolerance
from fettle.results.pmi import PmiReport

_MOST_FIDS = 8
"""Faces that are listed one by one."""


def pmi_lines(pmi: PmiReport | None) -> Iterator[str]:
    """Lines below those of the file; one that says so where it holds no PMI."""
    if pmi is None:
        yield "  pmi      none: the file carries no dimensions or tolerances"
        return
    sizes = (len(pmi.dimensions), len(pmi.tolerances), len(pmi.datums), len(pmi.notes))
    counts = ", ".join(
        f"{n} {what}" for n, what in zip(sizes, ("dimensions", "tolerances", "datums", "notes"), strict=True)
    )
    yield f"  pmi      {counts}, {len(pmi.drawn_only)} only drawn"
    for dimension in pmi.dimensions:
        yield f"    dimension  {say_dimension(dimension)}{_faces(dimension.fids)}"
    for tolerance in pmi.tolerances:
        yield f"    tolerance  {say_tolerance(tolerance)}{_faces(tolerance.fids)}"
    for datum in pmi.datums:
        targets = ", ".join(f"{target.label} {target.kind}" for target in datum.targets)
        yield f"    datum      {datum.label}{f' (targets {targets})' if targets else ''}{_faces(datum.fids)}"
    for note in pmi.notes:
        yield f"    note       {' '.join(note.text.split())}{_faces(note.fids)}"
    for call_out in pmi.call_outs:
        yield f"    {call_out.kind:<11}{call_out.designation}{_faces(call_out.fids)}"
    for general in pmi.general:
        yield f"    general    {general.text}"
    for check in pmi.checks:
        yield f"    check      {check.message}{_faces(check.fids)}"
    for problem in pmi.problems:
        yield f"    problem    {problem}"


def _faces(fids: tuple[str, ...]) -> str:
    if not fids:
        return ""
    more = f" and {len(fids) - _MOST_FIDS} more" if len(fids) > _MOST_FIDS else ""
    return f"  [{'face' if len(fids) == 1 else 'faces'} {', '.join(fids[:_MOST_FIDS])}{more}]"
