"""The result of a job, with what callers ask of it first."""

from __future__ import annotations

from typing import Literal

from fettle.client.models import JobResult


class Result(JobResult):
    """A finished analysis."""

    def verdicts(self) -> dict[str, Literal["pass", "warning", "fail"]]:
        """Overall severity by `module:configuration`."""
        return {
            f"{module.module_key}:{one.configuration_key}": one.result.overall_severity
            for module in self.modules.modules
            for one in module.configurations
        }
