"""PDF by typst."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from fettle.errors import BadRequest


def can_write_pdf() -> bool:
    """Whether the extra that writes PDF is installed."""
    return find_spec("typst") is not None


def compile_pdf(source: Path) -> bytes:
    """The PDF of a typst file, which reads nothing outside its folder; the same input gives the same bytes."""
    try:
        import typst  # noqa: PLC0415 - an extra of 77 MB that only this function needs
    except ModuleNotFoundError as missing:
        raise BadRequest("a PDF needs typst: pip install 'fettle[pdf]', or write an .html report") from missing
    made: bytes = typst.compile(source, root=source.parent, format="pdf", ignore_system_fonts=True, timestamp=0)
    return made
