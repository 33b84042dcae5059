"""Dimensions and tolerances of a file as drawings say them, for every text, report and comparison."""

from __future__ import annotations

from collections.abc import Iterator

from fettle.results.pmi import DimensionEntry, PmiReport, ToleranceEntry

CIRCLED = {"maximum_material_requirement": "(M)", "least_material_requirement": "(L)"}


def stated(pmi: PmiReport | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Dimensions, tolerances and surface finishes in words, each with its face ids."""
    if pmi is None:
        return
    for dimension in pmi.dimensions:
        yield say_dimension(dimension), dimension.fids
    for tolerance in pmi.tolerances:
        yield say_tolerance(tolerance), tolerance.fids
    for one in pmi.call_outs:
        if one.kind == "finish":
            yield f"surface finish {one.designation}", one.fids


def say_dimension(one: DimensionEntry) -> str:
    """For example: diameter 20 mm H7 (20 to 20.021) IT7."""
    unit = "mm" if one.nominal_deg is None else "deg"
    nominal = one.nominal_mm if one.nominal_deg is None else one.nominal_deg
    words = [_words(one.kind)]
    if nominal is not None:
        words.append(f"{nominal:.6g} {unit}")
    if one.fit:
        words.append(one.fit)
    if one.lower is not None or one.upper is not None:
        ends = ("none" if end is None else f"{end:.6g}" for end in (one.lower, one.upper))
        words.append(f"({' to '.join(ends)})")
    if one.it_grade is not None:
        words.append(f"IT{one.it_grade}")
    return " ".join([*words, *(_words(modifier) for modifier in one.modifiers)])


def say_tolerance(one: ToleranceEntry) -> str:
    """For example: position diameter 0.2 mm (M) | A | B(M)."""
    zone = "diameter " if one.zone == "cylindrical_or_circular" else ""
    words = [f"{_words(one.kind)} {zone}{one.value_mm:.6g} mm"]
    for modifier in one.modifiers:
        size = one.modifier_sizes_mm.get(modifier)
        words.append(CIRCLED.get(modifier, _words(modifier)) + (f" {size:.6g} mm" if size is not None else ""))
    for label, modifiers in zip(one.datums, one.datum_modifiers, strict=True):
        words.append(f"| {label}{''.join(CIRCLED.get(modifier, f'({_words(modifier)})') for modifier in modifiers)}")
    return " ".join(words)


def _words(name: str) -> str:
    return name.replace("_", " ")
