"""What an installation compiles beforehand: a loop that it forgets takes 20 s in the first part that needs it."""

from __future__ import annotations

import pytest

from fettle.app.build_result import build_encoded_result
from fettle.app.kernel_tasks import job_analysis
from fettle.app.kernel_tasks.measuring import measure
from fettle.app.options import JobOptions
from fettle.fit import free_faces
from fettle.geometry.csg import build
from fettle.geometry.kernel import face_integrals, freeform, spline_trims
from fettle.geometry.load import load
from fettle.measure import neighbor_counts


def test_the_sample_has_inside_corners_and_supports_that_stay_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = set()
    for module, name in ((free_faces, "free_shares"), (neighbor_counts, "count_near")):
        work = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, work=work, name=name: (reached.add(name), work(*given))[1])
    model = load(build(job_analysis.SAMPLE), "sample.step")
    build_encoded_result(measure(model, JobOptions(), lambda line: None), "")
    assert reached == {"free_shares", "count_near"}


def test_the_rehearsal_of_splines_follows_edges_and_integrates_within_trims(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = set()
    for module, name in ((spline_trims, "follow"), (freeform, "integrate_trimmed"), (face_integrals, "integrate")):
        work = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, work=work, name=name: (reached.add(name), work(*given))[1])
    job_analysis.read_splines()
    assert reached == {"follow", "integrate_trimmed", "integrate"}
