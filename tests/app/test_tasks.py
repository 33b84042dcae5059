"""Kernel tasks: what is declared is what the functions take and return."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from fettle import results
from fettle.app.isolation.task import KernelTask
from fettle.app.kernel_tasks import tasks
from fettle.cli import answers
from fettle.geometry.model import Model
from fettle.results.record import JsonObject
from fettle.rules.cases import Case, Miss
from fettle.rules.spec import Module

TYPES = vars(results) | {
    "Path": Path,
    "Model": Model,
    "Case": Case,
    "Miss": Miss,
    "Module": Module,
    "JsonObject": JsonObject,
}
"""What the declarations import for type checkers alone."""

DECLARED = {
    name: (home, task) for home in (tasks, answers) for name, task in vars(home).items() if isinstance(task, KernelTask)
}


def test_there_are_tasks() -> None:
    assert {"LOAD", "ANALYZE_FILE", "EVALUATE", "ANSWER_FILE"} <= set(DECLARED)


@pytest.mark.parametrize("name", DECLARED)
def test_a_declared_task_has_the_types_of_its_function(name: str) -> None:
    home, task = DECLARED[name]
    result, *arguments = get_args(get_type_hints(home, localns=TYPES)[name])
    module, _, function = task.name.partition(":")
    called: Any = getattr(import_module(module), function)
    hints = get_type_hints(called)
    assert hints.pop("return") == result
    parameters = inspect.signature(called).parameters.values()
    named = [one for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY]
    assert [hints[one.name] for one in parameters if one not in named] == arguments
    assert {one.name for one in named if one.default is inspect.Parameter.empty} <= {"say"}, "a task passes no others"
