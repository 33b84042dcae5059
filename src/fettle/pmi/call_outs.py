"""Texts of drawings read as data: threads, holes, surface finish and general tolerances."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_NUMBER = r"(\d+(?:[.,]\d+)?|[.,]\d+)"
_COUNT = r"(?:(\d+)\s*[xX×]\s+|(\d+)\s*[xX×](?=\s*[MØøΦ∅⌀⌴⌵(]))?\s*"
_METRIC = re.compile(
    rf"(?<![A-Za-z0-9.]){_COUNT}M{_NUMBER}(?:\s*[xX×]\s*{_NUMBER})?(?:\s*-\s*(\d[A-Za-z]\d?[A-Za-z]?))?(?![\w.])"
)
_UNIFIED = re.compile(
    r"(?<![\w.])(?:(\d+)\s*[xX×]\s+)?(#\d+|\d+(?:\s*-\s*\d+/\d+|\s+\d+/\d+|/\d+)?|\d*\.\d+)\s*-\s*(\d+)\s*"
    r"(UNC|UNF|UNEF|UN|NPTF?|NPSM?)(?:\s*-\s*(\d[AB]))?",
    re.IGNORECASE,
)
_DIAMETER = re.compile(
    rf"{_COUNT}[⌴⌵]?\s*(?:[Øø∅⌀Φ]|\bDIA\.?\s)\s*{_NUMBER}"
    rf"(?:\s*([A-Z]{{1,2}}|[a-z]{{1,2}})\s?(\d{{1,2}})(?![\d.]))?"
    rf"(?:\s*±\s*{_NUMBER}|\s*\+\s*{_NUMBER}\s*/?\s*[-−]?\s*{_NUMBER})?"
)
_DEPTH = re.compile(rf"(?:↧|\bDEEP\b|\bDEPTH\b)\s*{_NUMBER}|{_NUMBER}\s*(?:DEEP|DEPTH)\b", re.IGNORECASE)
_THROUGH = re.compile(r"\b(?:THRU|THROUGH)\b(?:\s*ALL\b)?", re.IGNORECASE)
_FINISH = re.compile(rf"\b(Ra|Rz|RMS)\s*(?:max\.?\s*)?{_NUMBER}\s*(µin|μin|uin|µ\"|in)?", re.IGNORECASE)
_GENERAL = (
    ("ISO 2768", re.compile(r"\bISO\s*2768\s*(?:-\s*[12]\s*)?[-–\s]?\s*([fmcv])([HKL])?(?:-?E)?\b", re.IGNORECASE)),
    ("ISO 22081", re.compile(r"\bISO\s*22081\b(?:\s*[:(]?\s*([^\n;]{0,40}))?", re.IGNORECASE)),
    ("ISO 8062-3", re.compile(r"\b(?:ISO\s*8062(?:-3)?\s*[-,]?\s*)((?:DCTG|CT)\s*\d+)", re.IGNORECASE)),
    ("ISO 13920", re.compile(r"\b(?:ISO\s*13920)\s*[-,]?\s*([A-D])([E-H])?\b", re.IGNORECASE)),
    ("ISO 20457", re.compile(r"\bISO\s*20457\s*[-,]?\s*(TG\s*\d)", re.IGNORECASE)),
    ("DIN 16742", re.compile(r"\bDIN\s*16742\s*[-,]?\s*(TG\s*\d)", re.IGNORECASE)),
)  # fmt: skip
_COARSE_PITCH_MM = {
    1.0: 0.25, 1.2: 0.25, 1.4: 0.3, 1.6: 0.35, 1.8: 0.35, 2.0: 0.4, 2.2: 0.45, 2.5: 0.45, 3.0: 0.5, 3.5: 0.6, 4.0: 0.7,
    4.5: 0.75, 5.0: 0.8, 6.0: 1.0, 7.0: 1.0, 8.0: 1.25, 10.0: 1.5, 12.0: 1.75, 14.0: 2.0, 16.0: 2.0, 18.0: 2.5,
    20.0: 2.5, 22.0: 2.5, 24.0: 3.0, 27.0: 3.0, 30.0: 3.5, 33.0: 3.5, 36.0: 4.0, 39.0: 4.0, 42.0: 4.5, 45.0: 4.5,
    48.0: 5.0, 52.0: 5.0, 56.0: 5.5, 60.0: 5.5, 64.0: 6.0,
}  # fmt: skip
"""Coarse pitches of ISO 261."""
INCH_MM = 25.4
_NUMBERED_STEP_IN, _NUMBERED_ZERO_IN = 0.013, 0.060
"""Screws #0, #1, ... of ASME B1.1: major diameter 0.060 in, and 0.013 in more for every number."""
MAX_TEXT = 4000
"""Longest text that is looked through."""


@dataclass(frozen=True, slots=True)
class CallOut:
    """A thread, a diameter or a surface finish as a text gives it; None for what it does not say.

    `kind`: thread, diameter or finish. `designation`: as written, for example M6x1-6H. `count`: how many (4X).
    `diameter_mm`: nominal, of a thread its major diameter. `lower_mm`, `upper_mm`: limits of the diameter. `fit`:
    tolerance class. `ra_um`: arithmetic mean roughness; `rz_um`: mean height.
    """

    kind: str
    designation: str
    count: int | None = None
    diameter_mm: float | None = None
    pitch_mm: float | None = None
    lower_mm: float | None = None
    upper_mm: float | None = None
    fit: str = ""
    depth_mm: float | None = None
    through: bool = False
    ra_um: float | None = None
    rz_um: float | None = None


@dataclass(frozen=True, slots=True)
class GeneralTolerance:
    """A standard that holds for every dimension without a tolerance of its own: `tolerance_class` of linear and angular
    sizes, `geometry_class` of form and position."""

    standard: str
    tolerance_class: str
    geometry_class: str
    text: str


def general_tolerances(text: str) -> tuple[GeneralTolerance, ...]:
    """Standards of general tolerances that a text names with their class."""
    found = []
    for standard, pattern in _GENERAL:
        for match in pattern.finditer(text[:MAX_TEXT]):
            first, second = (*(group or "" for group in match.groups()), "")[:2]
            first = first.lower() if standard == "ISO 2768" else " ".join(first.upper().split())
            found.append(GeneralTolerance(standard, first, second.upper(), match[0].strip()))
    return tuple(found)


def call_outs(text: str, unit_mm: float = 1.0) -> tuple[CallOut, ...]:
    """Threads, diameters and surface finishes of a text, in its order.

    `unit_mm`: millimeters per unit of plain numbers; metric threads are always millimeters.
    """
    text = text[:MAX_TEXT].replace("#{diameter}", "Ø").replace("\u2300", "Ø")
    spans = [(match.start(), match.end(), _metric(match)) for match in _METRIC.finditer(text)]
    spans += [(match.start(), match.end(), _unified(match)) for match in _UNIFIED.finditer(text)]
    spans += [(match.start(), match.end(), _diameter(match, unit_mm)) for match in _DIAMETER.finditer(text)]
    spans += [(match.start(), match.end(), _finish(match)) for match in _FINISH.finditer(text)]
    spans.sort(key=lambda span: span[0])
    ends = [*(start for start, _, _ in spans[1:]), len(text)][: len(spans)]
    return tuple(_with_depth(one, text[after:end], unit_mm) for (_, after, one), end in zip(spans, ends, strict=True))


def _with_depth(one: CallOut, rest: str, unit_mm: float) -> CallOut:
    """Depth and THRU stand after what they belong to."""
    if one.kind == "finish":
        return one
    depth = _DEPTH.search(rest)
    value = _number(depth[1] or depth[2]) * unit_mm if depth else None
    return replace(one, depth_mm=value, through=_THROUGH.search(rest) is not None)


def _metric(match: re.Match[str]) -> CallOut:
    count, other_count, size, pitch, fit = match.groups()
    diameter = _number(size)
    return CallOut(
        "thread",
        match[0].strip(),
        count=int(count or other_count) if count or other_count else None,
        diameter_mm=diameter,
        pitch_mm=_number(pitch) if pitch else _COARSE_PITCH_MM.get(diameter),
        fit=fit or "",
    )


def _unified(match: re.Match[str]) -> CallOut:
    count, size, per_inch, _, fit = match.groups()
    threads = int(per_inch)
    return CallOut(
        "thread",
        match[0].strip(),
        count=int(count) if count else None,
        diameter_mm=_inches(size) * INCH_MM,
        pitch_mm=INCH_MM / threads if threads else None,
        fit=fit or "",
    )


def _inches(size: str) -> float:
    if size.startswith("#"):
        return _NUMBERED_ZERO_IN + _NUMBERED_STEP_IN * int(size[1:])
    whole = 0.0
    for piece in re.split(r"[\s-]+", size):
        top, slash, bottom = piece.partition("/")
        whole += _number(top) / (_number(bottom) or 1.0) if slash else _number(top)
    return whole


def _diameter(match: re.Match[str], unit_mm: float) -> CallOut:
    count, other_count, size, letter, grade, either_way, plus, minus = match.groups()
    diameter = _number(size) * unit_mm
    lower = upper = None
    if either_way:
        lower, upper = diameter - _number(either_way) * unit_mm, diameter + _number(either_way) * unit_mm
    elif plus:
        lower, upper = diameter - _number(minus) * unit_mm, diameter + _number(plus) * unit_mm
    return CallOut(
        "diameter",
        match[0].strip(),
        count=int(count or other_count) if count or other_count else None,
        diameter_mm=diameter,
        lower_mm=lower,
        upper_mm=upper,
        fit=f"{letter}{grade}" if letter else "",
    )


def _finish(match: re.Match[str]) -> CallOut:
    which, figure, inches = match.groups()
    value = _number(figure) * (INCH_MM / 1000.0 if inches else 1.0)
    if which.lower() == "rz":
        return CallOut("finish", match[0].strip(), rz_um=value)
    return CallOut("finish", match[0].strip(), ra_um=value)


def _number(text: str) -> float:
    return float(text.replace(",", "."))
