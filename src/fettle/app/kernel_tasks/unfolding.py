"""Kernel tasks that unfold a part: from a file, and from a stored analysis.

Importing this module imports the kernel; it is called through `tasks`, by name.
"""

from __future__ import annotations

import pickle

from fettle.analysis import Analysis
from fettle.app.flats.request import FlatRequest
from fettle.app.flats.unfolding import unfold_part
from fettle.geometry.load import load
from fettle.results.flat import FlatPattern


def unfold_file(data: bytes, filename: str, units: str | None, request: FlatRequest) -> FlatPattern:
    """The flat pattern of a part file."""
    return unfold_part(load(data, filename, units=units).part, request)


def unfold_analysis(pickled: bytes, request: FlatRequest) -> FlatPattern:
    """The flat pattern of a part that was analyzed before."""
    analysis: Analysis = pickle.loads(pickled)  # noqa: S301 - our own bytes
    return unfold_part(analysis.part, request)
