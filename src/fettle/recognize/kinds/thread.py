"""THREAD: a thread of a turned part that the model shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import Dimension, FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role

THREAD = Role(34, "Thread")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedThread(Feature):
    """A thread about the axis, modeled as a helix or drawn at the size that modelers give cosmetic threads."""

    kind: ClassVar[str] = "THREAD"

    internal: Annotated[bool, "Whether it lies in a bore."]
    form: Annotated[str, "modeled (a helix) or sized (a cylinder of a diameter between a thread's limits)."]
    major_diameter_mm: Annotated[float, "Largest diameter; of a sized thread the nominal one."]
    minor_diameter_mm: Annotated[float | None, "Smallest diameter; none for a sized thread on a shaft."]
    pitch_mm: Annotated[float | None, "Pitch as modeled, or that of the thread it is sized for."]
    length_mm: Annotated[float, "Length along the axis."]
    z_mm: Annotated[float, "Where it begins, along the part's axis."]
    runout_mm: Annotated[
        float | None,
        "Free length between its end and the shoulder behind it, relief included; none without a shoulder.",
    ]
    thread_candidates: Annotated[tuple[str, ...], "Standard threads of these sizes, the most common first."]


def _runout(thread: TurnedThread) -> float | None:
    if thread.runout_mm is None or not thread.pitch_mm:
        return None
    return thread.runout_mm / thread.pitch_mm


KIND = FeatureKind(
    feature_class=TurnedThread,
    roles=(THREAD,),
    color="#00003c",
    about="A thread about the axis of a turned part that the model shows: as a helix, or as a cylinder of a "
    "diameter that nobody draws for its own sake and that lies between the limits of a standard thread. A "
    "cylinder of a nominal size is no thread by itself: shaft steps and holes list the threads that it could "
    "be as `thread_candidates`.",
    selector="threads",
    selects="Threads of a turned part, modeled or drawn at a thread's size.",
    dimensions=(
        field_dimension("thread.major_diameter", "major_diameter_mm", "Largest diameter of the thread."),
        Dimension(
            "thread.runout_pitches",
            "ratio",
            "Free length between the end of the thread and the shoulder behind it, in pitches.",
            _runout,
        ),
    ),
    recognizers=(
        Recognizer(
            name="modeled_threads",
            function="fettle.recognize.turning.turned_threads:find_modeled_threads",
            needs=("graph", "turned", "helices", "holes", "confidence"),
            yields_to=("knurls",),
            claims=(THREAD,),
        ),
        Recognizer(
            name="sized_threads",
            function="fettle.recognize.turning.turned_threads:find_sized_threads",
            needs=("turned", "shaft_steps", "grooves", "holes", "confidence"),
            yields_to=("shaft_steps",),
            claims=(THREAD,),
        ),
    ),
)
