"""Distribution of the tests over the processes of pytest-xdist: tests that share an expensive service run in one.

pytest-xdist has the marker `xdist_group` for this, but pytest no longer lets the plug-in append it to the test's id.
"""

from __future__ import annotations

import re

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

SERVICE = re.compile(r"service on \w+")
"""In the id of a test: the service that it speaks to."""


class ServiceScheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Runs the tests of one service, else those of one file, in one process, in the order of collection."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        service = SERVICE.search(nodeid)
        return service[0] if service else nodeid.partition("::")[0]
