"""The name and the types of a function that a child process runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar, TypeVarTuple

Result = TypeVar("Result")
Args = TypeVarTuple("Args")


@dataclass(frozen=True)
class KernelTask(Generic[Result, *Args]):
    """`KernelTask[Result, Arg, ...]("package.module:function")`: named, so that the caller does not import it."""

    name: str
