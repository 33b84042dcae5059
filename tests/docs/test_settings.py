"""The page of settings is the one the generator writes today."""

from __future__ import annotations

from docs.generate_settings import PAGE, page

from fettle.app.settings import Settings


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m docs.generate_settings`"


def test_every_setting_says_what_it_is_and_what_it_is_by_default() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith("."), name
        if field.default_factory is not None:
            assert "Default:" in field.description, name
