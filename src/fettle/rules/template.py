"""Message templates: text with four placeholders, read once by a pattern and never evaluated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

PLACEHOLDERS = ("fid", "metric", "threshold", "n_inspected")
NUMBERS = ("metric", "threshold")
DEFAULT_DECIMALS = 2
MOST_DECIMALS = 9

_BRACED = re.compile(r"\{([^{}]{0,40})\}")
_PLACEHOLDER = re.compile(r"(fid|n_inspected|(?:metric|threshold)(?::\.([0-9])f)?)")


class BadTemplate(ValueError):
    """The text says what stands in the braces and what may."""


@dataclass(frozen=True, slots=True)
class Template:
    """`pieces`: literal text and placeholders in turn; a placeholder is (name, decimals). `form` is the same as a
    format string of our own making, with the four values by position. `fewest`: the least decimals of a number."""

    text: str
    pieces: tuple[str | tuple[str, int], ...]
    form: str
    fewest: int

    def render(self, fid: str, metric: float | None, threshold: float | None, n_inspected: int) -> str:
        """The sentence. Two different numbers never look the same: decimals are added until they differ."""
        extra = self._extra_decimals(metric, threshold)
        absent = {"metric": metric, "threshold": threshold} if metric is None or threshold is None else {}
        form = _form(self.pieces, extra, absent) if extra or absent else self.form
        return form.format(fid, metric, threshold, n_inspected)

    def _extra_decimals(self, metric: float | None, threshold: float | None) -> int:
        if metric is None or threshold is None or metric == threshold:
            return 0
        if abs(metric - threshold) > 1.001 * 10.0**-self.fewest:
            return 0  # more than one in the last decimal apart: they cannot be rounded to the same
        extra = 0
        while extra < MOST_DECIMALS and f"{metric:.{self.fewest + extra}f}" == f"{threshold:.{self.fewest + extra}f}":
            extra += 1
        return extra


def parse_template(text: str) -> Template:
    """Raises BadTemplate for anything in braces that is not a placeholder, and for a lone brace."""
    pieces: list[str | tuple[str, int]] = []
    end = 0
    for match in _BRACED.finditer(text):
        _refuse_brace(text[end : match.start()])
        pieces.append(text[end : match.start()])
        pieces.append(_placeholder(match.group(1)))
        end = match.end()
    _refuse_brace(text[end:])
    pieces.append(text[end:])
    kept = tuple(piece for piece in pieces if piece != "")
    fewest = min(
        (piece[1] for piece in kept if not isinstance(piece, str) and piece[0] in NUMBERS), default=MOST_DECIMALS
    )
    return Template(text, kept, _form(kept), fewest)


def _placeholder(inside: str) -> tuple[str, int]:
    found = _PLACEHOLDER.fullmatch(inside)
    if found is None:
        raise BadTemplate(
            f"{{{inside}}} is no placeholder; there are {', '.join('{' + name + '}' for name in PLACEHOLDERS)}, "
            "and {metric} and {threshold} take decimals as in {metric:.2f}"
        )
    return inside.split(":", maxsplit=1)[0], DEFAULT_DECIMALS if found.group(2) is None else int(found.group(2))


def _refuse_brace(text: str) -> None:
    at = max(text.find("{"), text.find("}"))
    if at >= 0:
        raise BadTemplate(
            f"a brace stands alone near {text[max(0, at - 10) : at + 20]!r}; braces only hold placeholders"
        )


def _form(
    pieces: tuple[str | tuple[str, int], ...], extra: int = 0, absent: Mapping[str, float | None] | None = None
) -> str:
    """A format string for the values (fid, metric, threshold, n_inspected); literal text has no braces by now."""
    written = []
    for piece in pieces:
        if isinstance(piece, str):
            written.append(piece)
            continue
        name, decimals = piece
        if name not in NUMBERS:
            written.append(f"{{{PLACEHOLDERS.index(name)}}}")
        elif absent and absent[name] is None:
            written.append("none")
        else:
            written.append(f"{{{PLACEHOLDERS.index(name)}:.{min(decimals + extra, MOST_DECIMALS)}f}}")
    return "".join(written)
