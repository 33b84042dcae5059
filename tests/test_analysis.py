"""Analysis of a part, and the same part with another pull direction."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from fettle.analysis import Options, analyze, with_pull
from fettle.errors import BadRequest
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine
from fettle.measure.field_glb import clearance_glb, draft_glb, thickness_glb
from tests.geometry.test_glb import column, parse, primitive
from tests.measure.parts import CUP, box, context, rod

POT = {"cut": [CUP, rod(8, 10, "x", (-5, 20, 15))]}


def test_changing_the_pull_gives_the_analysis_with_that_pull() -> None:
    on = context(POT)
    changed = with_pull(analyze(on.part, on.mesh), "1,0,0")
    fresh = analyze(on.part, on.mesh, Options(pull="1,0,0"))
    assert pickle.dumps(changed) == pickle.dumps(fresh)


def test_changing_the_pull_of_a_pickled_analysis_gives_the_same_bytes() -> None:
    on = context(POT)
    first = analyze(on.part, on.mesh)
    apart = pickle.loads(pickle.dumps(first))
    with_pull(first, "2,1,3")
    assert apart.visibility is None
    kept, fresh = with_pull(first, "1,2,3"), with_pull(apart, "1,2,3")
    # One by one: the bytes of a whole analysis also depend on which of its parts share an object.
    for name in ("pull", "draft", "access"):
        assert pickle.dumps(getattr(kept, name)) == pickle.dumps(getattr(fresh, name))


def test_changing_the_pull_keeps_the_thickness_and_the_features() -> None:
    on = context(POT)
    first = analyze(on.part, on.mesh)
    changed = with_pull(first, "0,1,0")
    assert changed.thickness is first.thickness
    assert changed.recognition is first.recognition
    assert (first.pull.direction, changed.pull.direction) == ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    assert changed.draft.undercut_faces != first.draft.undercut_faces


def test_analyzing_twice_gives_the_same_bytes() -> None:
    on = context(POT)
    assert pickle.dumps(analyze(on.part, on.mesh)) == pickle.dumps(analyze(on.part, on.mesh))


def test_what_a_mold_releases_does_not_lean_back(corpus: Path) -> None:
    """A mold half releases walls that lean back by at most alpha_min: no face without undercut leans back further."""
    model = load((corpus / "printed" / "example-bracket.step").read_bytes(), "example-bracket.step")
    draft = analyze(model.part, refine(model.mesh, model.part, model.options), Options("0,1,0", 0.5)).draft
    released = np.setdiff1d(np.arange(len(model.part.faces)), draft.undercut_faces)
    assert len(draft.undercut_faces) > 0
    assert np.nanmin(draft.face_min_deg[released]) >= -0.5


@pytest.mark.parametrize("wrong", [{"pull": "0,0,0"}, {"alpha_min_deg": float("nan")}, {"alpha_warn_deg": -1.0}])
def test_wrong_options_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadRequest):
        Options(**wrong)


def test_sealed_and_open_cavities() -> None:
    solid = context({"cut": [box(30, 30, 30), box(10, 10, 10, (10, 10, 10))]})
    sealed = analyze(solid.part, solid.mesh).cavities
    assert (sealed.sealed, sealed.min_drain_diameter_mm) == (1, None)

    on = context({"cut": [box(40, 40, 40), box(30, 30, 30, (5, 5, 5)), rod(6, 20, "z", (20, 20, 30))]})
    bottle = analyze(on.part, on.mesh).cavities
    assert bottle.sealed == 0
    # Found on cells of 1/80 of the part: 0.5 mm.
    assert bottle.min_drain_diameter_mm == pytest.approx(6.0, abs=1.0)
    assert len(bottle.drain_faces) == 6

    pot = context(CUP)
    assert analyze(pot.part, pot.mesh).cavities.min_drain_diameter_mm is None


def test_a_pull_does_not_change_the_build_direction() -> None:
    """A table of one leg is printed on its top, whatever a mold's pull is: then nothing hangs over."""
    on = context({"union": [box(10, 10, 20, (15, 15, 0)), box(40, 40, 5, (0, 0, 20))]})
    found = analyze(on.part, on.mesh, Options(pull="0,0,1"))
    assert found.build[0].direction == (0.0, 0.0, -1.0)
    assert np.isnan(found.overhang.face_min_deg).all()
    turned = with_pull(found, "1,0,0")
    assert turned.build is found.build
    assert turned.overhang is found.overhang


def test_fields_are_written_as_glb_with_their_numbers() -> None:
    """A tube of 5 mm inside with a wall of 4 mm: outside and at its ends there is no clearance."""
    on = context({"cut": [rod(13, 50, "z", (0, 0, 0)), rod(5, 50, "z", (0, 0, 0))]})
    found = analyze(on.part, on.mesh, Options(pull="0,0,1"))
    for data, name, values, sentinel, unit, ends in (
        (
            thickness_glb(on.mesh, found.thickness, closed=True),
            "_THICKNESS",
            found.thickness.value_mm,
            -1.0,
            "mm",
            (4.0, 4.0),
        ),
        (
            clearance_glb(on.mesh, found.clearance, closed=True),
            "_CLEARANCE",
            found.clearance.value_mm,
            -1.0,
            "mm",
            (5.0, 5.0),
        ),
        (draft_glb(on.mesh, found.draft, closed=True), "_DRAFT", found.draft.signed_deg, -999.0, "deg", (-15.0, 15.0)),
    ):
        written = column(data, primitive(data)["attributes"][name])
        expected = np.where(np.isnan(values), sentinel, values).astype(np.float32)
        assert written.tolist() == expected.tolist()
        extras = parse(data)[0]["asset"]["extras"]["field"]
        assert (extras["attribute"], extras["unit"], extras["no_reading"]) == (name, unit, sentinel)
        assert extras["range"] == pytest.approx(ends)
        assert [stop["value"] for stop in extras["legend"]] == pytest.approx(np.linspace(*ends, 5).tolist())
    inside = np.hypot(on.mesh.points[:, 0], on.mesh.points[:, 1]) < 2.6
    facing = inside & (np.abs(on.mesh.normals[:, 2]) < 0.1)
    clear = clearance_glb(on.mesh, found.clearance, closed=True)
    assert column(clear, primitive(clear)["attributes"]["_CLEARANCE"]).tolist() == np.where(facing, 5.0, -1.0).tolist()
    drafted = draft_glb(on.mesh, found.draft, closed=True)
    signed = column(drafted, primitive(drafted)["attributes"]["_DRAFT"])
    assert signed.tolist() == pytest.approx((90.0 * on.mesh.normals[:, 2]).tolist(), abs=1e-5)
