"""A table of figures: what every benchmark yields, printed on a terminal and written into the page of the docs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Figures as texts with their digits, one row a part or case; `notes`: sentences that belong below it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.title!r} has {len(self.columns)} columns, but a row is {row}")

    def text(self) -> str:
        """Aligned columns: the first to the left, the others to the right."""
        widths = [max(map(len, cells)) for cells in zip(self.columns, *self.rows, strict=True)]
        lines = [self.title] if self.title else []
        for row in (self.columns, *self.rows) if self.rows else ():
            first, *others = (
                cell.ljust(width) if k == 0 else cell.rjust(width) for k, (cell, width) in _with(row, widths)
            )
            lines.append("  ".join([first, *others]).rstrip())
        return "\n".join([*lines, *self.notes])

    def markdown(self) -> str:
        """Title, table and notes."""
        lines = [f"**{self.title}**", ""] if self.title else []
        if self.rows:
            lines += [_cells(self.columns), _cells(["---"] + ["--:"] * (len(self.columns) - 1))]
            lines += [*map(_cells, self.rows), ""]
        for note in self.notes:
            lines += [_escaped(note), ""]
        return "\n".join(lines)

    @classmethod
    def read(cls, stored: dict[str, object]) -> Table:
        """The table of its JSON (`dataclasses.asdict`)."""
        rows, columns, notes = stored["rows"], stored["columns"], stored["notes"]
        if not (isinstance(rows, list) and isinstance(columns, list) and isinstance(notes, list)):
            raise TypeError(f"not a table: {stored}")
        return cls(str(stored["title"]), tuple(columns), tuple(tuple(row) for row in rows), tuple(notes))


def _with(row: tuple[str, ...], widths: list[int]) -> Iterable[tuple[int, tuple[str, int]]]:
    return enumerate(zip(row, widths, strict=True))


def _cells(row: Iterable[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in row)} |"


def _escaped(text: str) -> str:
    """Text whose characters mean nothing to Markdown."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
