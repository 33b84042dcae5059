"""From a part that was read to its analysis, with the lines of progress.

Apart from the tasks that call it: a command that analyzes one file loads nothing of what a job stores.
"""

from __future__ import annotations

from collections.abc import Callable

from fettle.analysis import Analysis, Options
from fettle.app.kernel_tasks.stages import MEASURING, REFINING
from fettle.app.options import JobOptions
from fettle.app.wording import counted
from fettle.assembly import analyze_model, refine_model
from fettle.geometry.model import Model

Say = Callable[[str], None]


def measure(model: Model, options: JobOptions, say: Say) -> Analysis:
    """Refine the mesh of a part that was read, recognize and measure."""
    part = model.part
    counts = ((part.faces, "face"), (part.edges, "edge"), (part.bodies, "body"))
    say(", ".join(counted(len(found), noun) for found, noun in counts) + ".")
    say(REFINING)
    refined = refine_model(model, options.mesh(), say)
    mesh = refined.mesh
    say(f"{len(mesh.triangles)} triangles, no edge longer than {mesh.max_edge_mm:.3g} mm.")
    say(MEASURING)
    angles = Options(options.pull, options.alpha_min_deg, options.alpha_warn_deg)
    return analyze_model(refined, angles)
