"""Processes by the names that people know, from the ranking of a result."""

from __future__ import annotations

from fettle.results import AnalysisResult


class ProcessNames:
    """Names of the modules and configurations of one result; a key stands for itself where the result has no name."""

    def __init__(self, result: AnalysisResult) -> None:
        self._names = {(one.module_key, one.configuration_key): one.name for one in result.processes}

    def module(self, key: str) -> str:
        """`CNC machining` for `cnc`."""
        names = (name for (module, _), name in self._names.items() if module == key)
        return next(names, key).partition(": ")[0]

    def configuration(self, module: str, key: str) -> str:
        """`3-axis mill` for `3-axis`."""
        return self._names.get((module, key), key).partition(": ")[2] or key
