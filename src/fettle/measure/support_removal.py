# mypy: allow-untyped-defs
"""Whether supports can be taken out: a straight way from a column of support to the outside, wide enough for a tool."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit, njit_inner
from fettle.measure.bvh import STACK_SIZE
from fettle.measure.own_walls import NONE, SEVERAL
from fettle.measure.rays import Scene, find_blocker
from fettle.measure.readings import Triple

TOOL_WIDTHS_MM = (4.0, 3.0, 2.0, 1.0)
"""Widths of tools that are tried, the widest first."""
PLAY = 0.03
"""By how much a tool is narrower than the way it needs: one of 2 mm passes an opening of 2 mm."""
NOT_ALONG = 0.99
"""Largest cosine between two directions that span a plane."""
AZIMUTHS = 12
ELEVATIONS_DEG = (0.0, -30.0, 30.0, -60.0, 60.0)
"""Besides the part's own directions, ways out are looked for at these angles to the plate, all around."""


def measure_exits(scene: Scene, places: NDArray[np.float64], directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Widest of the tools that leaves each of k places (k, 3) straight along one of the directions (d, 3), mm; 0 where
    none does, shape (k,). A tool is a square bar with the place on one of its four edges."""
    cosines = np.abs(directions @ directions.T)
    aside = directions[np.argmax(cosines < NOT_ALONG, axis=1)]
    first = np.cross(directions, aside)
    first /= np.linalg.norm(first, axis=1)[:, None]
    sides = (1.0 - PLAY) * np.stack([first, np.cross(directions, first)], axis=1)
    exits: NDArray[np.float64] = _exits(
        scene.tree, scene.fixed(places), scene.fixed(directions), scene.fixed(sides), np.array(TOOL_WIDTHS_MM)
    )
    return exits


def exit_directions(up: Triple, own: NDArray[np.float64]) -> NDArray[np.float64]:
    """Directions (d, 3) in which a way out is looked for: the part's own (k, 3) and their opposites first, then an even
    set around `up`, which starts at the first of the own that is not along it."""
    axis = np.asarray(up)
    aside = next(way for way in own if abs(way @ axis) < NOT_ALONG)
    x = aside - (aside @ axis) * axis
    x /= np.linalg.norm(x)
    y = np.cross(axis, x)
    turn = np.arange(AZIMUTHS) * (2.0 * math.pi / AZIMUTHS)
    ring = np.cos(turn)[:, None] * x + np.sin(turn)[:, None] * y
    tilted = [math.cos(math.radians(deg)) * ring + math.sin(math.radians(deg)) * axis for deg in ELEVATIONS_DEG]
    return np.concatenate([[-axis, axis], own, -own, *tilted])


@njit(cache=True, error_model="numpy")
def _exits(tree, places, directions, sides, widths):
    stack, enters = np.empty(STACK_SIZE, np.int64), np.empty(STACK_SIZE)
    below = np.full(tree.child.shape, SEVERAL, np.int32)
    exits = np.zeros(len(places))
    for i in range(len(places)):
        x, y, z = places[i]
        for d in range(len(directions)):
            if not _free(tree, below, stack, enters, x, y, z, directions, d):
                continue
            for width in widths:
                if width <= exits[i]:
                    break
                if _bar_passes(tree, below, stack, enters, x, y, z, directions, d, width, sides):
                    exits[i] = width
                    break
            if exits[i] == widths[0]:
                break
    return exits


@njit_inner
def _bar_passes(tree, below, stack, enters, x, y, z, directions, d, width, sides):
    """Whether a bar along a direction, with sides[d] (2, 3) times `width` mm, gets out in one of its four positions
    beside the place (x, y, z)."""
    ux, uy, uz = width * sides[d, 0, 0], width * sides[d, 0, 1], width * sides[d, 0, 2]
    vx, vy, vz = width * sides[d, 1, 0], width * sides[d, 1, 1], width * sides[d, 1, 2]
    for a in (-1.0, 1.0):
        ax, ay, az = x + a * ux, y + a * uy, z + a * uz
        if not _free(tree, below, stack, enters, ax, ay, az, directions, d):
            continue
        for b in (-1.0, 1.0):
            if _free(tree, below, stack, enters, x + b * vx, y + b * vy, z + b * vz, directions, d) and _free(
                tree, below, stack, enters, ax + b * vx, ay + b * vy, az + b * vz, directions, d
            ):
                return True
    return False


@njit_inner
def _free(tree, below, stack, enters, x, y, z, directions, d):
    """Whether nothing lies ahead of (x, y, z) along a direction; below (nodes, 8): no walls to pass over."""
    blocker = find_blocker(
        tree.box, tree.child, tree.corners, below, NONE, 0, stack, enters,
        x, y, z, directions[d, 0], directions[d, 1], directions[d, 2],
    )  # fmt: skip
    return blocker < 0
