"""The module that a fork server imports; named apart, for processes that start fork servers and run no task."""

from __future__ import annotations

CHILD_MODULE = "fettle.app.kernel_tasks.job_analysis"
"""Module that the fork server of a service imports before its first child."""
