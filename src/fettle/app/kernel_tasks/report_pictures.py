"""What a report shows of an analysis: models for the viewer and pictures of where. Runs in a child, by name: analyses
may be huge."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.analysis import Analysis
from fettle.app.kernel_tasks.job_analysis import features_glb
from fettle.app.kernel_tasks.messages import PictureRequest, ReportPictures
from fettle.app.kernel_tasks.pictures import Camera, draw, facing, frame
from fettle.measure.field_glb import clearance_glb, draft_glb, thickness_glb
from fettle.measure.rays import Scene

BODY = (0.72, 0.75, 0.78)
PAINT = {"fail": (0.84, 0.26, 0.2), "warning": (0.93, 0.65, 0.2)}
WHOLE = (720, 480)
DETAIL = (360, 240)
OTHER_SIDE = (-1.0, 1.3, -0.9)


def draw_pictures(pickled: bytes, marks: Sequence[PictureRequest], models: bool) -> ReportPictures:
    """Two views of the whole part painted by the worst mark of each face, and one context of every mark."""
    analysis: Analysis = pickle.loads(pickled)  # noqa: S301 - our own bytes
    mesh, scene, closed = analysis.mesh, Scene(analysis.mesh), analysis.part.watertight
    painted = _colors(len(analysis.part.faces), list(marks))
    glbs = {}
    if models:
        glbs = {
            "features": features_glb(analysis),
            "thickness": thickness_glb(mesh, analysis.thickness, closed),
            "clearance": clearance_glb(mesh, analysis.clearance, closed),
            "draft": draft_glb(mesh, analysis.draft, closed),
        }
    return ReportPictures(
        glbs=glbs,
        whole=tuple(draw(mesh, scene, camera, painted, WHOLE) for camera in _both_sides(analysis)),
        details=tuple(
            draw(mesh, scene, _look_at(analysis, mark), _colors(len(analysis.part.faces), [mark]), DETAIL, mark.faces)
            for mark in marks
        ),
    )


def _both_sides(analysis: Analysis) -> tuple[Camera, Camera]:
    return frame(analysis.mesh), frame(analysis.mesh, towards=OTHER_SIDE)


def _look_at(analysis: Analysis, mark: PictureRequest) -> Camera:
    if not mark.faces:
        return frame(analysis.mesh)
    return frame(analysis.mesh, mark.faces, facing(analysis.mesh, mark.faces))


def _colors(face_count: int, marks: Sequence[PictureRequest]) -> NDArray[np.float64]:
    """sRGB 0..1, shape (faces, 3); failures are painted over warnings."""
    colors = np.tile(np.array(BODY), (face_count, 1))
    for severity in ("warning", "fail"):
        for mark in marks:
            if mark.severity == severity:
                colors[list(mark.faces)] = PAINT[severity]
    return colors
