"""Holes of real parts after the loss of everything but triangles: exact geometry against bare GLB, hole by hole.

A hole is found again when a hole of the mesh part has the same axis line, within a tenth of the radius, a smallest
diameter within one percent and at least half its length in common. What is left over on the mesh side is false.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.floor import corpus
from fettle.geometry.load import load
from fettle.recognize import recognize
from fettle.recognize.feature import Hole, Recognition
from tests.recognize.bare import bare_glb

PARTS = (
    "machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_02_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_04_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp",
    "machined/featuretype.STEP",
    "printed/odri/foot_structure.STEP",
    "printed/odri/lower_leg_structure_base.STEP",
    "printed/odri/lower_leg_structure_fork.STEP",
    "printed/odri/transmission_pulley_at3_t10_motor.STEP",
    "printed/odri/transmission_pulley_at3_t10_center.STEP",
    "printed/odri/motor_antigravity_4004_custom_shaft.STEP",
    "printed/framework/ExpansionCard_SelfTapping.stp",
    "printed/framework/ExpansionCard_ThreadedInsert.stp",
    "printed/example-bracket.step",
)
DIAMETER_SLACK = 0.01


def main() -> None:
    folder = corpus()
    sys.stdout.write(
        f"{'part':36} {'triangles':>9} {'patches':>7} {'load s':>6} {'holes':>5} {'found':>5} {'false':>5}\n"
    )
    total = right = wrong = 0
    for name in PARTS:
        path = folder / name
        model = load(path.read_bytes(), path.name)
        exact = holes_of(recognize(model.part))
        data = bare_glb(model.mesh)
        start = time.process_time()
        part = load(data, "part.glb").part
        spent = time.process_time() - start
        missing, false = match(exact, holes_of(recognize(part)))
        found = len(exact) - len(missing)
        figures = (
            f"{len(model.mesh.triangles):9} {len(part.faces):7} {spent:6.1f} {len(exact):5} {found:5} {len(false):5}"
        )
        sys.stdout.write(f"{path.name[:36]:36} {figures}\n")
        for words, holes in (("lost", missing), ("false", false)):
            for hole in holes:
                sys.stdout.write(f"    {words}: {_said(hole)}\n")
        sys.stdout.flush()
        total, right, wrong = total + len(exact), right + found, wrong + len(false)
    sys.stdout.write(f"recall {right}/{total} = {right / max(total, 1):.3f}, false {wrong}\n")


def match(exact: list[Hole], fitted: list[Hole]) -> tuple[list[Hole], list[Hole]]:
    """Exact holes without a fitted one, and fitted ones without an exact one."""
    left = list(fitted)
    missing = []
    for hole in exact:
        twin = next((other for other in left if _same(hole, other)), None)
        if twin is None:
            missing.append(hole)
        else:
            left.remove(twin)
    return missing, left


def holes_of(found: Recognition) -> list[Hole]:
    """The holes among all features."""
    return [feature for feature in found.features if isinstance(feature, Hole)]


def _same(one: Hole, two: Hole) -> bool:
    if abs(one.diameter_mm - two.diameter_mm) > DIAMETER_SLACK * one.diameter_mm:
        return False
    axis, other = np.array(one.axis), np.array(two.axis)
    if abs(float(axis @ other)) < 0.99:
        return False
    offset = np.array(two.position_mm) - np.array(one.position_mm)
    start = float(offset @ axis)
    if float(np.linalg.norm(offset - start * axis)) > 0.05 * one.diameter_mm:
        return False
    end = start + two.total_depth_mm * float(other @ axis)
    common = min(one.total_depth_mm, max(start, end)) - max(0.0, min(start, end))
    return common > 0.5 * one.total_depth_mm


def _said(hole: Hole) -> str:
    place = ", ".join(f"{value:.2f}" for value in hole.position_mm)
    kind = "through" if hole.through else "blind"
    part = " partial" if hole.partial else ""
    return f"d {hole.diameter_mm:.3f} depth {hole.depth_mm:.3f} {kind}{part} at {place}"


if __name__ == "__main__":
    main()
