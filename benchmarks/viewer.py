"""Speed of the viewer: first frame, switches of map, process and body, draw calls and memory, and the time from a drop
to the headline on a warm service, in Chromium with software WebGL.

Times of a browser that renders on the processor. A switch includes reading a pixel, which waits until the frame is
drawn; its wall-clock time is the smallest of several. On a machine that is busy with other work that says little, so
the processor time of all processes of the browser stands beside it: on an idle core the wall-clock time is below it.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
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
PROCESSES = ("[data-process='cnc:3-axis']", "[data-process='cnc:5-axis']")
REPEATS = 3
SWITCHES = 5
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


# Keeps when the page got the file, in milliseconds since 1970, for the pages that follow.
NOTE_DROP = """addEventListener("change", (event) => {
  sessionStorage.setItem("dropped", String(performance.timeOrigin + event.timeStamp));
}, true)"""
DROPPED = """() => Number(sessionStorage.getItem("dropped"))"""
# When the headline was painted, in milliseconds since 1970.
PAINTED = """() => new Promise((done) => {
  const tell = (list) => done(performance.timeOrigin + list.getEntries()[0].renderTime);
  new PerformanceObserver(tell).observe({type: "element", buffered: true});
})"""


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


def assembly(side_mm: float) -> bytes:
    """STEP file of the plate beside a block of that height: every height is another file."""
    block = {"move": {"of": {"box": [40, 40, side_mm]}, "by": [150, 0, 0]}}
    return build({"bodies": [{"cut": [{"box": [130, 130, 10]}, *holes()]}, block]})


def processor_s() -> float:
    """Processor time that all descendants of this process have used so far, the browser among them."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended meanwhile
            parents[int(entry.name)], used[int(entry.name)] = int(fields[1]), int(fields[11]) + int(fields[12])

    def ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and ours(parents[pid]))

    ticks = sum(time for pid, time in used.items() if pid != os.getpid() and ours(pid))
    return ticks / os.sysconf("SC_CLK_TCK")


def switch(seen: Visit, what: str, script: str, targets: Sequence[str]) -> Iterator[Row]:
    """Switch to every target in turn: smallest wall-clock time of one, and mean processor time."""
    for target in targets:
        seen.page.evaluate(script, target)  # the first time reads and uploads
    before = processor_s()
    spent = [seen.page.evaluate(script, target) for _ in range(SWITCHES) for target in targets]
    each_s = (processor_s() - before) / len(spent)
    yield f"{what} (ms)", f"{min(spent):.0f}", "100"
    yield f"{what}, processor (ms)", f"{each_s * 1000:.0f}", "-"


def measure_service(browser: Browser, folder: Path) -> Iterator[Row]:
    """From the drop of a file to its headline, beside the time of its analysis; then the switches of process and body
    on that page. The service has seen one part before."""
    part = folder / "assembly.step"
    with running(folder / "service", worker=True) as service, visit(browser) as seen:
        page = seen.page
        page.add_init_script(NOTE_DROP)
        sign_up(seen, service)
        for number in range(1 + REPEATS):
            part.write_bytes(assembly(40 + number))
            page.goto(f"{service.url}/dashboard/analyses")
            page.wait_for_load_state("networkidle")  # the picture of the part before is drawn
            page.set_input_files("#file", part)
            page.wait_for_selector("#headline")
            seen.wait_for_viewer()
            start, end = (datetime.fromtimestamp(page.evaluate(when) / 1000, UTC) for when in (DROPPED, PAINTED))
            job = page.url.rpartition("/")[2]
            with service.store.read() as connection:
                row = connection.execute(sa.select(jobs).where(jobs.c.id == job)).one()
            times = (start, row.created_at, row.started_at, row.finished_at, end)
            upload_s, wait_s, analysis_s, page_s = ((b - a).total_seconds() for a, b in pairwise(times))
            if number > 0:
                more_s = upload_s + wait_s + page_s
                yield f"drop {number} to headline, beside an analysis of {analysis_s:.2f} s (s)", f"{more_s:.2f}", "0.5"
                parts = f"{upload_s:.2f} + {wait_s:.2f} + {page_s:.2f}"
                yield "of that, upload + queue + page (s)", parts, "-"
        yield from switch(seen, "switch of process", CLICK, PROCESSES)
        yield from switch(seen, "switch of body", CLICK, [".body-row input"])


def measure(seen: Visit, address: str) -> Iterator[Row]:
    frames = []
    for _ in range(REPEATS):
        seen.page.goto(address)
        seen.wait_for_viewer()
        frames.append(seen.state()["firstFrameMs"] + seen.page.evaluate(PIXELS))
    state = seen.state()
    cost = seen.state()["cost"]
    of = f"{cost['triangles']:,} triangles"
    yield f"{of}: first frame after the data arrived (ms)", f"{min(frames):.0f}", "1500"
    for mode in MODES:
        yield from switch(seen, f"{of}: switch to {mode}", SWITCH, [mode])
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
