"""The report: complete in itself, small, and it opens from disk in a browser without a single request."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from fettle.analysis import Analysis, analyze
from fettle.app.build_result import build_result
from fettle.app.isolation.sandbox import Limits
from fettle.app.kernel_tasks.messages import ReportPictures
from fettle.app.kernel_tasks.report_pictures import draw_pictures
from fettle.app.reports.report import draw_report, html_report, pdf_report, quote_table
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine
from fettle.quote import shipped_catalog
from fettle.results import AnalysisResult
from tests.browser import chromium, needs_bundle, visit
from tests.parts import DRILLED


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    model = load(build(DRILLED), "part.step")
    return analyze(model.part, refine(model.mesh, model.part, model.options))


@pytest.fixture(scope="module")
def result(analysis: Analysis) -> AnalysisResult:
    return build_result(analysis, "0" * 64)


@pytest.fixture(scope="module")
def drawings(analysis: Analysis, result: AnalysisResult) -> ReportPictures:
    return draw_report(result, pickle.dumps(analysis), Limits(), models=True)


@pytest.fixture(scope="module")
def plain(analysis: Analysis) -> ReportPictures:
    """Pictures on which nothing is marked."""
    return draw_pictures(pickle.dumps(analysis), [], models=False)


@pytest.fixture(scope="module")
def quote(result: AnalysisResult) -> dict[str, Any]:
    return quote_table(result, shipped_catalog(), "Aluminium A356", 100)


@pytest.fixture(scope="module")
def page(
    tmp_path_factory: pytest.TempPathFactory, result: AnalysisResult, drawings: ReportPictures, quote: dict[str, Any]
) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    title = "<script>alert(1)</script>.step"
    path.write_text(html_report(title, result, drawings, quote), encoding="utf-8")
    return path


def test_pictures_are_png_and_show_the_marked_faces_in_color(drawings: ReportPictures, plain: ReportPictures) -> None:
    assert len(drawings.whole) == 2
    first = pixels(drawings.details[0])
    assert first.shape == (240, 360, 4)
    assert reddish(first).sum() > 20, "the failing faces are painted"
    assert reddish(pixels(plain.whole[0])).sum() == 0, "nothing is marked where nothing was found"


def pixels(png: bytes) -> NDArray[np.int64]:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGBA")).astype(np.int64)


def reddish(image: NDArray[np.int64]) -> NDArray[np.bool_]:
    return (image[..., 3] > 200) & (image[..., 0] > 1.8 * image[..., 1]) & (image[..., 1] > 20)


def test_pictures_are_the_same_every_time(analysis: Analysis, plain: ReportPictures) -> None:
    assert draw_pictures(pickle.dumps(analysis), [], models=False) == plain


@needs_bundle
def test_the_page_is_small_and_carries_no_address(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert page.stat().st_size < 3_000_000
    assert "<script>alert(1)" not in text
    assert 'src="http' not in text
    assert "href=" not in text.split("<script", maxsplit=1)[0]


@needs_bundle
def test_the_page_opens_from_disk_without_a_request(page: Path, quote: dict[str, Any]) -> None:
    with chromium() as browser, visit(browser) as seen:
        seen.page.goto(page.as_uri())
        seen.wait_for_viewer()
        drawn = seen.state()["firstFrameMs"]
        listed = seen.page.locator("#findings .shot").count()
        verdicts = seen.page.locator("#verdicts .one").count()
        total = seen.page.locator("#quote strong").nth(1).inner_text()
    assert [asked for asked in seen.addresses if not asked.startswith(("data:", "blob:"))] == [page.as_uri()]
    assert seen.complaints == []
    assert drawn > 0
    assert listed > 0
    assert verdicts == 13, "configurations"
    assert total == f"{quote['total_price']:,.2f}"


def test_pdf(result: AnalysisResult, drawings: ReportPictures, quote: dict[str, Any]) -> None:
    pytest.importorskip("typst", reason="PDF is an extra: pip install 'fettle[pdf]'")
    made = pdf_report("part.step", result, drawings, quote)
    assert made.startswith(b"%PDF-")
    assert made == pdf_report("part.step", result, drawings, quote), "same content, same bytes"
    assert len(made) < 3_000_000
