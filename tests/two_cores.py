"""A mark for tests of what only happens where a process may run on two cores."""

from __future__ import annotations

import os

import pytest

two_cores = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="this process may run on one core only")
