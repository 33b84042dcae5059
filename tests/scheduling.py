"""Distribution of the tests over the processes of pytest-xdist: tests that share an expensive service, or the same
real parts, run in one.

pytest-xdist has the marker `xdist_group` for this, but pytest no longer lets the plug-in append it to the test's id.
"""

from __future__ import annotations

import re

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

SERVICE = re.compile(r"service on \w+")
"""In the id of a test: the service that it speaks to."""

REAL_PARTS = frozenset(
    {
        "tests/geometry/test_corpus.py",
        "tests/geometry/test_face_integrals.py",
        "tests/geometry/test_pmi_nist.py",
        "tests/geometry/test_step_names.py",
        "tests/geometry/test_torn_faces.py",
        "tests/recognize/test_bought.py",
        "tests/recognize/test_corpus.py",
        "tests/recognize/test_mesh_parts.py",
    }
)
"""The files of tests that read the same real parts, by `tests.real_parts`."""


def file_of(nodeid: str) -> str:
    """Path of a test's file, by the test's id."""
    return nodeid.partition("::")[0]


class ServiceScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Runs the tests of one service, those that read the same parts, and those of each other file in one process, in
    the order of collection."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        service = SERVICE.search(nodeid)
        if service:
            return service[0]
        file = file_of(nodeid)
        return "real parts" if file in REAL_PARTS else file
