"""A kernel shape becomes a `Part` and its base mesh."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from OCP.TopoDS import TopoDS_Shape

from fettle.errors import Damaged, OutOfBounds
from fettle.geometry.exact.extents import axial_ranges
from fettle.geometry.exact.face_meshes import FaceMeshes
from fettle.geometry.kernel.box import exact_box, loose_box
from fettle.geometry.kernel.curves import sample
from fettle.geometry.kernel.edges import read_edges
from fettle.geometry.kernel.face_integrals import measure_faces
from fettle.geometry.kernel.healing import close_open_solids, unshare
from fettle.geometry.kernel.loops import Boundaries, bound, outer_loops
from fettle.geometry.kernel.remesh import angle_of
from fettle.geometry.kernel.surfaces import FaceSample, read_surfaces
from fettle.geometry.kernel.tessellate import DEFLECTION_PER_DIAGONAL, tessellate
from fettle.geometry.kernel.topology import Topology, number, open_edge_count, shares_faces
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.part import Body, Cone, Cylinder, Face, Loop, Part, Shell, Source, Torus

Array = NDArray[np.float64]

MAX_REACH_MM = 1e7
MIN_SIZE_MM = 1e-4


def read_part(shape: TopoDS_Shape, options: MeshOptions, source: Source, name: str) -> tuple[Part, Mesh]:
    """`shape`: a compound of solids in millimeters; `name` is the file's, for refusals."""
    rough = loose_box(shape)
    _check_bounds(rough, name)
    diagonal_mm = float(np.linalg.norm(rough[1] - rough[0]))
    shape, topology, healed = _numbered(shape, diagonal_mm, name)
    tessellation = tessellate(shape, topology, diagonal_mm, options)
    mesh, borders, outward = tessellation.mesh, tessellation.borders, ~tessellation.reversed_faces
    if len(mesh.points) == 0:
        raise Damaged(
            f"{name}: none of the {len(topology.faces)} faces can be meshed; their surfaces and boundaries do not fit "
            "together. Repair the part in the CAD system and export it again."
        )
    turned = np.array(topology.reversed_faces) == outward

    samples = sample(topology.edges)
    edges, numbers = read_edges(topology, mesh, borders, turned, outward, samples)
    boundaries = bound(topology, numbers, turned, samples)
    reference = rough.mean(axis=0)
    meshes = FaceMeshes(mesh, len(topology.faces), reference)
    places = read_surfaces(topology.faces, outward, _places_near(meshes, boundaries))
    deflection_mm = DEFLECTION_PER_DIAGONAL * diagonal_mm
    angle_rad = angle_of(options.curvature_used)
    figures = measure_faces(topology.faces, places, outward, boundaries, meshes, reference, deflection_mm, angle_rad)
    faces = _faces(topology, places, figures.area, boundaries, numbers, meshes)
    shells = _shells(topology, figures.flux)
    bodies = _bodies(topology, shells, figures.area)
    part = Part(
        faces=faces,
        edges=tuple(edges),
        shells=shells,
        bodies=bodies,
        volume_mm3=sum(body.volume_mm3 for body in bodies),
        area_mm2=sum(body.area_mm2 for body in bodies),
        box=exact_box(topology, places, meshes, samples, deflection_mm),
        watertight=all(shell.closed for shell in shells),
        source=replace(source, warnings=source.warnings + healed + tessellation.warnings + figures.warnings),
    )
    return part, mesh


def _check_bounds(box: Array, name: str) -> None:
    reach = float(np.abs(box).max())
    if not reach <= MAX_REACH_MM:
        raise OutOfBounds(
            f"{name} has geometry {reach:.3g} mm away from the origin, beyond {MAX_REACH_MM:.0e} mm; it is damaged, or "
            "its length unit is wrong: export it again"
        )
    size = float((box[1] - box[0]).max())
    if size < MIN_SIZE_MM:
        raise OutOfBounds(f"{name} is only {size:.3g} mm across; check the length unit of the export")


def _numbered(shape: TopoDS_Shape, diagonal_mm: float, name: str) -> tuple[TopoDS_Shape, Topology, tuple[str, ...]]:
    """The shape with closed solids that share no face, its numbering, and what had to be done for it."""
    topology = number(shape)
    warnings: list[str] = []
    if open_edge_count(topology):
        shape, warnings = close_open_solids(shape, diagonal_mm, name)
        topology = number(shape)
    if shares_faces(topology):
        shape = unshare(shape)
        topology = number(shape)
    return shape, topology, tuple(warnings)


def _places_near(meshes: FaceMeshes, boundaries: Boundaries) -> Array:
    """Shape (faces, 3): middle of each face's largest triangle, a point of its boundary where it has no triangles."""
    near = meshes.middle
    for face in np.flatnonzero(meshes.area == 0.0).tolist():
        boundary = boundaries.of_face(face)
        if len(boundary):
            near[face] = boundary[0]
    return near


def _faces(
    topology: Topology,
    places: list[FaceSample],
    areas: Array,
    boundaries: Boundaries,
    numbers: list[int],
    meshes: FaceMeshes,
) -> tuple[Face, ...]:
    ranges = _ranges(places, meshes)
    outer = outer_loops(boundaries, meshes.normal_sum)
    has_triangles = (meshes.area > 0.0).tolist()
    loop_starts = boundaries.face_start.tolist()
    faces = []
    for index, (place, area) in enumerate(zip(places, areas.tolist(), strict=True)):
        loops = tuple(
            [
                _loop(boundaries.chains[loop], numbers, loop == outer[index])
                for loop in range(loop_starts[index], loop_starts[index + 1])
            ]
        )
        box, centroid = meshes.box[index], meshes.centroid[index]
        if not has_triangles[index]:
            # a face without triangles still has its boundary
            points = boundaries.of_face(index)
            points = points if len(points) else place.point[None]
            box, centroid = np.array([points.min(axis=0), points.max(axis=0)]), points.mean(axis=0)
        faces.append(
            Face(
                surface=place.surface,
                area_mm2=area,
                convex=place.convex,
                loops=loops,
                shell=topology.face_shell[index],
                body=topology.face_body[index],
                point=place.point,
                normal=place.normal,
                centroid=centroid,
                u_range_rad=ranges[index][0],
                v_range_mm=ranges[index][1],
                box=box,
            )
        )
    return tuple(faces)


def _loop(chain: list[tuple[int, bool]], numbers: list[int], outer: bool) -> Loop:
    return Loop(tuple([numbers[edge] for edge, _ in chain]), tuple([backwards for _, backwards in chain]), outer)


def _ranges(places: list[FaceSample], meshes: FaceMeshes) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Of each face how far it reaches round its axis and along it; (nan, nan) where that means nothing."""
    nothing = (math.nan, math.nan)
    ranges = [(nothing, nothing)] * len(places)
    axes = [
        (index, surface.center if isinstance(surface, Torus) else surface.origin, surface.axis)
        for index, surface in enumerate(place.surface for place in places)
        if isinstance(surface, Cylinder | Cone | Torus)
    ]
    if not axes:
        return ranges
    found = axial_ranges(
        meshes.mesh.points,
        meshes.row_start,
        meshes.mesh.triangles,
        meshes.start,
        np.array([index for index, _, _ in axes]),
        np.array([origin for _, origin, _ in axes]),
        np.array([axis for _, _, axis in axes]),
    )
    for (index, _, _), (u_low, u_high, v_low, v_high) in zip(axes, found.tolist(), strict=True):
        along = nothing if isinstance(places[index].surface, Torus) else (v_low, v_high)
        ranges[index] = ((u_low, u_high), along)
    return ranges


def _shells(topology: Topology, fluxes: Array) -> tuple[Shell, ...]:
    """Closed by the file's own topology: what the mesh lacks opens no shell."""
    free = Counter(
        topology.face_shell[uses[0][0]]
        for edge, uses in zip(topology.edges, topology.uses, strict=True)
        if edge is not None and len(uses) == 1
    )
    return tuple(
        Shell(tuple(members), not free[index], 0.0 if free[index] else float(fluxes[members].sum()))
        for index, members in enumerate(topology.shells)
    )


def _bodies(topology: Topology, shells: tuple[Shell, ...], areas: Array) -> tuple[Body, ...]:
    return tuple(
        Body(
            outer_shell=max(members, key=lambda shell: shells[shell].volume_mm3),
            void_shells=tuple(shell for shell in members if shells[shell].volume_mm3 < 0.0),
            volume_mm3=sum(shells[shell].volume_mm3 for shell in members),
            area_mm2=float(sum(areas[list(shells[shell].faces)].sum() for shell in members)),
        )
        for members in topology.bodies
    )
