"""How several processes share the tests: what costs a start is started in one of them.

The mark `xdist_group` would say the same, but pytest no longer lets the plug-in write it into the names it sorts by.
"""

from __future__ import annotations

import re

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling


class Sharing(LoadScopeScheduling):
    """Together go the tests of one service, else those of one file, in the order in which they were collected."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        service = re.search(r"service on \w+", nodeid)
        return service[0] if service else nodeid.partition("::")[0]
