"""Speed of the viewer: first frame, switches of map, process and body, draw calls and memory, and the time from a drop
to the headline on a warm service, in Chromium with software WebGL.

Wall-clock times of a browser that renders on the processor; each is the smallest of several and includes reading a
pixel, which waits until the frame is drawn.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa
from playwright.sync_api import Browser

from benchmarks.table import Table
from fettle.analysis import analyze
from fettle.app.build_result import build_result
from fettle.app.isolation.limits import Limits
from fettle.app.reports.report import draw_report, html_report
from fettle.app.state.store import jobs
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from tests.browser import Visit, chromium, visit
from tests.web.conftest import running
from tests.web.visitors import sign_up

MAX_EDGES_MM = (3.1, 1.25)
"""Edge lengths that mesh the plate into about 50,000 and 200,000 triangles."""
MODES = ("thickness", "clearance", "draft", "features", "shaded")
REPEATS = 3
Row = tuple[str, str, str]
"""What was measured, the figure, and what is allowed."""

# Reading a pixel makes the browser wait until everything before it is drawn.
SWITCH = """async (mode) => {
  const gl = document.querySelector("canvas").getContext("webgl2");
  const start = performance.now();
  await window.fettle.viewport.show(mode);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  return performance.now() - start;
}"""
# A click on a control of the page, until the frame after it is drawn.
CLICK = """async (control) => {
  const gl = document.querySelector("canvas").getContext("webgl2");
  const start = performance.now();
  document.querySelector(control).click();
  await new Promise((done) => requestAnimationFrame(() => done()));
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  return performance.now() - start;
}"""
PIXELS = """() => {
  const gl = document.querySelector("canvas").getContext("webgl2");
  const start = performance.now();
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  return performance.now() - start;
}"""


def holes() -> list[dict[str, object]]:
    """A hundred of them in a square."""
    return [
        {"move": {"of": {"cylinder": {"d": 5, "h": 20}}, "by": [10 + 12 * column, 10 + 12 * row, -5]}}
        for column in range(10)
        for row in range(10)
    ]


def perforated_plate() -> bytes:
    """STEP file of a plate with a hundred holes."""
    return build({"cut": [{"box": [130, 130, 10]}, *holes()]})


def page_of(data: bytes, max_edge_mm: float) -> str:
    """HTML report, which contains the viewer, of a part meshed with that edge length."""
    model = load(data, "plate.step", MeshOptions(max_edge_mm=max_edge_mm))
    analysis = analyze(model.part, refine(model.mesh, model.part, model.options))
    result = build_result(analysis, "0" * 64)
    drawings = draw_report(result, pickle.dumps(analysis), Limits(), models=True)
    return html_report("plate.step", result, drawings, None)


def assembly() -> bytes:
    """STEP file of the plate beside a block."""
    block = {"move": {"of": {"box": [40, 40, 40]}, "by": [150, 0, 0]}}
    return build({"bodies": [{"cut": [{"box": [130, 130, 10]}, *holes()]}, block]})


def measure_service(browser: Browser, folder: Path) -> Iterator[Row]:
    """From the drop of a file to its headline, beside what the log of the job says of the analysis; then the switches
    of process and body on that page."""
    part = folder / "assembly.step"
    part.write_bytes(assembly())
    with running(folder / "service", worker=True) as service, visit(browser) as seen:
        page = seen.page
        sign_up(seen, service)
        for _ in range(REPEATS):
            page.goto(f"{service.url}/dashboard/analyses")
            start = time.perf_counter()
            page.set_input_files("#file", part)
            page.wait_for_selector("#headline")
            whole_s = time.perf_counter() - start
            job = page.url.rpartition("/")[2]
            with service.store.read() as connection:
                row = connection.execute(sa.select(jobs).where(jobs.c.id == job)).one()
            analysis_s = (row.finished_at - row.started_at).total_seconds()
            more_s = whole_s - analysis_s
            yield "drop of a file to its headline, beside the analysis (s)", f"{more_s:.2f}", "0.5"
            seen.wait_for_viewer()
        controls = {"process": ("[data-process='cnc:3-axis']", "[data-process='cnc:5-axis']")}
        controls["body"] = (".body-row input", ".body-row input")
        for what, both in controls.items():
            spent = [seen.page.evaluate(CLICK, control) for _ in range(REPEATS) for control in both]
            yield f"switch of {what}, most (ms)", f"{max(spent):.0f}", "100"


def measure(seen: Visit, address: str) -> Iterator[Row]:
    frames = []
    for _ in range(REPEATS):
        seen.page.goto(address)
        seen.wait_for_viewer()
        frames.append(seen.state()["firstFrameMs"] + seen.page.evaluate(PIXELS))
    state = seen.state()
    for mode in MODES:
        seen.page.evaluate(SWITCH, mode)  # the first time reads and uploads the field
    switches = {mode: min(seen.page.evaluate(SWITCH, mode) for _ in range(REPEATS)) for mode in MODES}
    cost = seen.state()["cost"]
    of = f"{cost['triangles']:,} triangles"
    yield f"{of}: first frame after the data arrived (ms)", f"{min(frames):.0f}", "1500"
    for mode, ms in switches.items():
        yield f"{of}: switch to {mode} (ms)", f"{ms:.0f}", "100"
    yield f"{of}: draw calls of a frame", str(state["cost"]["drawCalls"]), "-"
    yield f"{of}: buffers and textures (MB)", f"{cost['bytes'] / 1e6:.1f}", "-"


def tables() -> Iterator[Table]:
    data, rows = perforated_plate(), []
    with TemporaryDirectory() as folder, chromium() as browser:
        for max_edge_mm in MAX_EDGES_MM:
            path = Path(folder) / f"{max_edge_mm}.html"
            path.write_text(page_of(data, max_edge_mm), encoding="utf-8")
            rows.append(
                (f"report with the viewer, edges of {max_edge_mm} mm (MB)", f"{path.stat().st_size / 1e6:.2f}", "-")
            )
            with visit(browser) as seen:
                rows += measure(seen, path.as_uri())
        rows += measure_service(browser, Path(folder))
    yield Table("", ("what", "figure", "allowed"), tuple(rows))
