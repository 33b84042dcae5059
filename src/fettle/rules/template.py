"""Message templates: text with four placeholders, parsed by a regular expression and never evaluated."""

from __future__ import annotations

import re
from dataclasses import dataclass

PLACEHOLDERS = ("fid", "metric", "threshold", "n_inspected")
NUMBERS = ("metric", "threshold")
DEFAULT_DECIMALS = 2
MAX_DECIMALS = 9
PLACEHOLDER_PATTERN = r"fid|n_inspected|(metric|threshold)(:\.[0-9]f)?"
"""Regular expression of the text in the braces of a placeholder."""

_BRACED = re.compile(r"\{([^{}]{0,40})\}")
_PLACEHOLDER = re.compile(PLACEHOLDER_PATTERN)


class BadTemplate(ValueError):
    """A faulty template; the message quotes the braces and lists the valid placeholders."""


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template. `pieces`: literal texts and placeholders (name, decimals); `fewest`: smallest number of
    decimals of its numbers."""

    text: str
    pieces: tuple[str | tuple[str, int], ...]
    fewest: int

    def render(self, fid: str, metric: float | None, threshold: float | None, n_inspected: int) -> str:
        """The message. Decimals are added until value and threshold, if different, also look different."""
        return fid.join(self.around_fid(metric, threshold, n_inspected))

    def around_fid(self, metric: float | None, threshold: float | None, n_inspected: int) -> list[str]:
        """The message split at the face id: subjects with the same value share these parts."""
        extra = self._extra_decimals(metric, threshold)
        numbers = {"metric": metric, "threshold": threshold}
        parts = [""]
        for piece in self.pieces:
            if isinstance(piece, str):
                parts[-1] += piece
            elif piece[0] == "fid":
                parts.append("")
            elif piece[0] == "n_inspected":
                parts[-1] += str(n_inspected)
            else:
                parts[-1] += _number(numbers[piece[0]], min(piece[1] + extra, MAX_DECIMALS))
        return parts

    def _extra_decimals(self, metric: float | None, threshold: float | None) -> int:
        if metric is None or threshold is None or metric == threshold:
            return 0
        extra = 0
        while extra < MAX_DECIMALS and f"{metric:.{self.fewest + extra}f}" == f"{threshold:.{self.fewest + extra}f}":
            extra += 1
        return extra


def parse_template(text: str) -> Template:
    """Parse a template; raises BadTemplate for anything else in braces, and for an unpaired brace."""
    pieces: list[str | tuple[str, int]] = []
    end = 0
    for match in _BRACED.finditer(text):
        _check_no_brace(text[end : match.start()])
        pieces.append(text[end : match.start()])
        pieces.append(_placeholder(match.group(1)))
        end = match.end()
    _check_no_brace(text[end:])
    pieces.append(text[end:])
    kept = tuple(piece for piece in pieces if piece != "")
    fewest = min(
        (piece[1] for piece in kept if not isinstance(piece, str) and piece[0] in NUMBERS), default=MAX_DECIMALS
    )
    return Template(text, kept, fewest)


def _placeholder(inside: str) -> tuple[str, int]:
    found = _PLACEHOLDER.fullmatch(inside)
    if found is None:
        raise BadTemplate(
            f"{{{inside}}} is no placeholder; there are {', '.join('{' + name + '}' for name in PLACEHOLDERS)}, "
            "and {metric} and {threshold} take decimals as in {metric:.2f}"
        )
    return inside.split(":", maxsplit=1)[0], DEFAULT_DECIMALS if found.group(2) is None else int(found.group(2)[2])


def _check_no_brace(text: str) -> None:
    at = max(text.find("{"), text.find("}"))
    if at >= 0:
        raise BadTemplate(
            f"a brace has no partner near {text[max(0, at - 10) : at + 20]!r}; braces only hold placeholders"
        )


def _number(value: float | None, decimals: int) -> str:
    return "none" if value is None else f"{value:.{decimals}f}"
