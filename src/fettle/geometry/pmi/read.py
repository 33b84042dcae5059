"""The text of a STEP file to its PMI."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from fettle.geometry.pmi.datums import Datums
from fettle.geometry.pmi.dimensions import Dimensions
from fettle.geometry.pmi.notes import read_texts
from fettle.geometry.pmi.part21 import Instance, StepFile, Unreadable
from fettle.geometry.pmi.records import Pmi
from fettle.geometry.pmi.targets import Aspects, FacesOf
from fettle.geometry.pmi.tolerances import Tolerances

MAX_PROBLEMS = 20
"""Most problems that are told one by one."""

Read = TypeVar("Read")


def read_pmi(file: StepFile, faces_of: FacesOf) -> Pmi:
    """Everything that can be read; what cannot is a problem with its reason and costs nothing else."""
    problems: list[str] = []
    aspects = Aspects(file, faces_of)
    datums = Datums(file, aspects)
    dimensions = Dimensions(file, aspects)
    tolerances = Tolerances(file, aspects, datums, dimensions)
    instances = dimensions.instances()
    sized = [one for one in _each(instances, dimensions.read, problems) if one is not None]
    toleranced = list(_each(tolerances.instances(), tolerances.read, problems))
    valued = {one.entity for one in sized}
    texts = read_texts(file, aspects, [one.number for one in instances if one.number not in valued])
    return Pmi(
        dimensions=tuple(replace(one, text=texts.of_instance.get(one.entity, "")) for one in sized),
        tolerances=tuple(replace(one, text=texts.of_instance.get(one.entity, "")) for one in toleranced),
        datums=tuple(sorted(_each(datums.instances(), datums.read, problems), key=lambda datum: datum.label)),
        notes=texts.notes,
        drawn_only=texts.drawn_only,
        problems=_summary(problems),
    )


def _each(instances: Iterable[Instance], read: Callable[[Instance], Read], problems: list[str]) -> Iterator[Read]:
    for instance in instances:
        try:
            yield read(instance)
        except Unreadable as error:
            problems.append(f"#{instance.number} ({instance.type.lower()}) was left out: {error}")


def _summary(problems: list[str]) -> tuple[str, ...]:
    if len(problems) <= MAX_PROBLEMS:
        return tuple(problems)
    return (*problems[:MAX_PROBLEMS], f"{len(problems) - MAX_PROBLEMS} more tolerances or dimensions were left out")
