"""What the style sheet and the bundles promise: contrast in both schemes, less motion on request, small files."""

from __future__ import annotations

import gzip
import re

import pytest

from tests.browser import ASSETS, needs_bundle

CSS = (ASSETS / "style.css").read_text(encoding="utf-8")
BUNDLE_LIMIT_BYTES = {"viewer.js": 250_000, "pages.js": 250_000, "reference.js": 450_000, "reference.css": 30_000}
TEXT_CONTRAST = 4.5
"""WCAG 2.2, 1.4.3 (AA)."""

# Every ink, and the grounds it is written on.
GROUNDS = {
    "ink": ("paper", "raised", "stage", "pass-soft", "warning-soft", "fail-soft"),
    "quiet": ("paper", "raised", "stage", "pass-soft", "warning-soft", "fail-soft"),
    "accent": ("paper", "raised"),
    "accent-ink": ("accent",),
    "paper": ("ink",),
    "pass": ("paper", "raised"),
    "warning": ("paper", "raised"),
    "fail": ("paper", "raised"),
    "axis-x": ("stage",),
    "axis-y": ("stage",),
    "axis-z": ("stage",),
}


def colors(scheme: str) -> dict[str, str]:
    """The variables of a scheme: those of light, and what dark changes."""
    light, dark = (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in root_blocks())
    return light if scheme == "light" else light | dark


def root_blocks() -> tuple[str, str]:
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    return light, dark


def luminance(color: str) -> float:
    """Relative luminance of sRGB, as WCAG defines it."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_formula_itself() -> None:
    """Black on white is 21, and #767676 is the lightest gray that passes on white."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") >= TEXT_CONTRAST > contrast("#777777", "#ffffff")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(scheme: str) -> None:
    known = colors(scheme)
    weak = {
        f"{ink} on {ground}": round(contrast(known[ink], known[ground]), 2)
        for ink, grounds in GROUNDS.items()
        for ground in grounds
        if contrast(known[ink], known[ground]) < TEXT_CONTRAST
    }
    assert weak == {}


def test_motion_is_for_those_who_did_not_decline_it() -> None:
    calm = CSS.split("@media (prefers-reduced-motion: no-preference)", maxsplit=1)[0]
    assert "transition" not in calm
    assert "animation" not in calm


@needs_bundle
@pytest.mark.parametrize("name", BUNDLE_LIMIT_BYTES)
def test_bundles_are_small(name: str) -> None:
    assert len(gzip.compress((ASSETS / name).read_bytes(), 9)) < BUNDLE_LIMIT_BYTES[name]
