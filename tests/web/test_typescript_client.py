"""The TypeScript client, compiled and run by node against a service that runs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.web.conftest import Running

ROOT = Path(__file__).parents[2]
COMPILER = ROOT / "viewer" / "node_modules" / "typescript" / "bin" / "tsc"
STORY = """
import { readFileSync } from "node:fs";
import { Fettle, FettleError } from "./dist/index.js";
const [baseUrl, apiKey, part] = process.argv.slice(2);
const fettle = new Fettle({ baseUrl: baseUrl + "/", apiKey });
const file = { name: "part.step", data: new Blob([readFileSync(part)]) };
const converted = await fettle.convert({ file });
const { materials } = await fettle.listMaterials();
const { quote } = await fettle.createQuote({
  file_name: "part.step", geometry: converted.geometry, material_id: materials[0].id, quantity: 3,
}, "once");
const again = await fettle.createQuote({
  file_name: "part.step", geometry: converted.geometry, material_id: materials[0].id, quantity: 3,
}, "once");
const { job_id } = await fettle.analyze({ file, pull: "0,0,1" });
let job = await fettle.readJob(job_id);
while (job.status === "queued" || job.status === "running") {
  await new Promise((later) => setTimeout(later, 200));
  job = await fettle.readJob(job_id);
}
const result = await fettle.readResult(job_id);
const page = await fettle.listJobs({ limit: 1 });
const batch = await fettle.analyzeBatch({ files: [file, { name: "notes.txt", data: new Blob(["x"]) }] }, "batch once");
const state = await fettle.readBatch(batch.batch_id);
await fettle.deleteJob(job_id);
let refused;
try { await fettle.readJob(job_id); } catch (error) {
  refused = [error instanceof FettleError, error.status, error.code, error.requestId !== null];
}
let stranger;
try { await new Fettle({ baseUrl, apiKey: "svc_live_wrong" }).listMaterials(); } catch (error) {
  stranger = [error.status, error.code, error.message];
}
console.log(JSON.stringify({
  volume: converted.geometry.volume_cm3, same: quote.id === again.quote.id, status: job.status,
  batch: batch.files.map((one) => one.code), queued: state.jobs.map((one) => one.filename),
  pull: result.features.manufacturability.pull_dir, listed: page.jobs[0].job_id === job_id, refused, stranger,
}));
"""


@pytest.mark.slow
def test_from_a_file_to_a_quote_and_a_result(service: Running, bracket: bytes, tmp_path: Path) -> None:
    if not COMPILER.is_file() or shutil.which("node") is None:
        pytest.skip("no TypeScript compiler here: `npm ci` in viewer/, with node on PATH")
    project = tmp_path / "client"
    shutil.copytree(ROOT / "clients" / "typescript", project, ignore=shutil.ignore_patterns("dist", "node_modules"))
    built = subprocess.run(
        ["node", str(COMPILER), "-p", str(project)], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert built.returncode == 0, built.stdout
    (project / "story.mjs").write_text(STORY)
    (tmp_path / "part.step").write_bytes(bracket)
    command = ["node", str(project / "story.mjs"), service.url, service.key(), str(tmp_path / "part.step")]
    told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert told.returncode == 0, told.stderr
    story = json.loads(told.stdout)
    # a block of 60 x 40 x 30 mm with a through hole of 10 mm: 72 - 3 pi 0.25 cm3
    assert story.pop("volume") == pytest.approx(72 - 3 * 3.14159265 * 0.25, rel=1e-6)
    assert story == {
        "same": True,
        "status": "done",
        "pull": [0, 0, 1],
        "listed": True,
        "batch": [None, "bad_upload"],
        "queued": ["part.step"],
        "refused": [True, 404, "not_found", True],
        "stranger": [401, "key_unknown", "Invalid API key."],
    }
