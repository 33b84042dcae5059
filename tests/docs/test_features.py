"""The pages and colors derived from the declared kinds are those in the repository."""

from __future__ import annotations

from docs.generate_features import FOLDER, KIND_COLORS, kind_colors, pages


def test_pages_follow_from_the_declared_kinds() -> None:
    on_disk = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert on_disk == pages(), "run `python -m docs.generate_features`"


def test_viewer_has_the_declared_colors() -> None:
    assert KIND_COLORS.read_text(encoding="utf-8") == kind_colors(), "run `python -m docs.generate_features`"
