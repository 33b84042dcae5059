"""What tolerances of the file cost on a machine: slower work and inspection of every piece, each with its tolerance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as checked

from fettle.plan.plan import Operation
from fettle.plan.rate_card import NotNegativeNumber, PositiveNumber
from fettle.results.making.machining import AskedTolerance


@checked(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
class ToleranceCost:
    """ISO 286 grades that the process holds by itself, of sizes and of bores; grades by which cost doubles below them;
    time of a careful cut where the face has no operation of its own, and of measuring one tolerance."""

    capability_it: PositiveNumber
    hole_capability_it: PositiveNumber
    grades_per_doubling: PositiveNumber
    careful_min: NotNegativeNumber
    inspect_min: NotNegativeNumber
    source: str


def tolerance_operations(
    asked: Sequence[AskedTolerance],
    done: Sequence[Operation],
    owners: Mapping[str, str],
    machine: str,
    cost: ToleranceCost,
) -> Iterator[Operation]:
    """Work beyond `done` for every tolerance that is finer than the process holds by itself.

    The time spent on its features doubles for every `grades_per_doubling` grades. `owners`: the feature of a face, by
    the face that names it.
    """
    for one in asked:
        held = cost.hole_capability_it if one.hollow else cost.capability_it
        if one.grade >= held:
            continue
        features = tuple(dict.fromkeys(owners.get(face, face) for face in one.fids))
        spent = sum(step.run_min for step in done if not set(step.fids).isdisjoint(features))
        factor = 2.0 ** ((held - one.grade) / cost.grades_per_doubling) - 1.0
        yield Operation(
            f"Hold {one.text}",
            machine,
            0.0,
            (spent or cost.careful_min) * factor,
            features,
            figures={"it_grade": float(one.grade), "held_it_grade": held, "factor": 1.0 + factor},
        )
        yield Operation(f"Measure {one.text}", "inspection", 0.0, cost.inspect_min, features)
