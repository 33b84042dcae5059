"""Judge a finished analysis by a caller's own module, in a child: neither a huge analysis nor a module written to be
slow may hold up the process that answers."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

from fettle.analysis import Analysis
from fettle.rules import judge, judge_module, parse_module


def evaluate(
    pickled: bytes, module: object, configuration_key: str | None, overrides: Mapping[str, float]
) -> dict[str, Any]:
    """The module's entry of a result: of the one configuration, or of all where none is named."""
    spec = parse_module(module)
    analysis: Analysis = pickle.loads(pickled)  # noqa: S301 - written by our own worker into our own store
    if configuration_key is None:
        return judge_module(analysis, spec)
    judged = judge(analysis, spec, configuration_key, overrides)
    return {"module_key": spec.key, "configurations": [judged]}
