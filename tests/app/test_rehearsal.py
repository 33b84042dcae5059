"""What an installation compiles beforehand: a loop that it forgets takes 20 s in the first part that needs it."""

from __future__ import annotations

import pytest

from fettle.app.kernel_tasks import job_analysis
from fettle.geometry.kernel import face_integrals, freeform, spline_trims


def test_the_rehearsal_of_splines_follows_edges_and_integrates_within_trims(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = set()
    for module, name in ((spline_trims, "follow"), (freeform, "integrate_trimmed"), (face_integrals, "integrate")):
        work = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, work=work, name=name: (reached.add(name), work(*given))[1])
    job_analysis.read_splines()
    assert reached == {"follow", "integrate_trimmed", "integrate"}
