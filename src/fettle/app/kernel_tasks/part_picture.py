"""A picture of a part as it is, for lists and quotes. Runs in a child, by name: analyses may be huge."""

from __future__ import annotations

import pickle

import numpy as np

from fettle.analysis import Analysis
from fettle.app.kernel_tasks.pictures import draw, frame
from fettle.app.kernel_tasks.report_pictures import BODY
from fettle.measure.rays import Scene

SIZE = (480, 320)
"""Pixels: sharp on a page of paper, and small in a list."""


def draw_part(pickled: bytes) -> bytes:
    """PNG of the whole part from the usual side."""
    analysis: Analysis = pickle.loads(pickled)  # noqa: S301 - our own bytes
    mesh = analysis.mesh
    colors = np.tile(np.array(BODY), (len(analysis.part.faces), 1))
    return draw(mesh, Scene(mesh), frame(mesh), colors, SIZE)
