"""Chapters of the page: which benchmarks stand under which heading, and in which order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """One benchmark: its name, the heading above its tables, and whether its figures are times.

    `starts_services`: on ports and databases that a second benchmark would find taken.
    """

    benchmark: str
    heading: str
    is_timed: bool = False
    starts_services: bool = False

    @property
    def runs_alone(self) -> bool:
        """Whether nothing else may run beside it."""
        return self.is_timed or self.starts_services


CHAPTERS: dict[str, tuple[Section, ...]] = {
    "Exactness": (
        Section("closed_forms", "Volume, area and box against formulas"),
        Section("volumes", "Volumes of real parts against the kernel's own integrals"),
        Section("thickness", "Wall thickness against known walls"),
    ),
    "Recognition": (
        Section("labeled", "Public labeled sets: MFCAD and CADNet"),
        Section("blocks", "Random milled blocks with known labels"),
        Section("turned", "Random turned blocks with known labels"),
        Section("triangles", "From bare triangles: features"),
        Section("segmentation", "From bare triangles: faces"),
    ),
    "Verdicts": (
        Section("verdicts", "Parts really made, judged by the process that made them"),
        Section("fit", "Which process a part fits"),
        Section("positions", "The same part in another position"),
    ),
    "Sheet metal": (
        Section("flats", "Flat patterns against formulas"),
        Section("unfold", "Flat patterns of real parts"),
    ),
    "Times and prices": (
        Section("cutting_times", "Machining times of worked examples"),
        Section("chooser", "The process chosen, with its price"),
        Section("prices", "What a price costs to compute", is_timed=True),
    ),
    "Speed": (
        Section("whole", "A whole analysis against the floor", is_timed=True),
        Section("geometry", "Reading against the floor", is_timed=True),
        Section("meshing", "Meshing against gmsh", is_timed=True),
        Section("measure", "Measuring against the floor, and against gmsh + trimesh", is_timed=True),
        Section("recognize", "Recognition against the floor", is_timed=True),
        Section("rules", "Rules", is_timed=True),
        Section("command_line", "The command line from a cold start", is_timed=True),
    ),
    "Service": (
        Section("service", "Throughput and latency", is_timed=True),
        Section("calls", "One caller: response times and disk", is_timed=True),
        Section("viewer", "The viewer in a browser", is_timed=True),
        Section("drills", "Reliability drills", starts_services=True),
        Section("node_kills", "One of two nodes killed whole", is_timed=True),
        Section("soak", "Fifteen minutes of mixed load", is_timed=True),
        Section("upgrade", "From the last release, and beside it", starts_services=True),
    ),
}

ALONE = frozenset(section.benchmark for chapter in CHAPTERS.values() for section in chapter if section.runs_alone)
