"""A kernel shape becomes a `Part` and its base mesh."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from OCP.TopoDS import TopoDS_Shape

from fettle.errors import Damaged, OutOfBounds
from fettle.geometry.exact.extents import axial_ranges
from fettle.geometry.exact.face_meshes import FaceMeshes
from fettle.geometry.exact.volume_check import contradicted_bodies
from fettle.geometry.kernel import measure_warnings
from fettle.geometry.kernel.box import body_boxes, loose_box
from fettle.geometry.kernel.edges import read_edges
from fettle.geometry.kernel.face_integrals import SLACK, FaceIntegrals, measure_faces
from fettle.geometry.kernel.frames import SurfaceFrames, read_frames
from fettle.geometry.kernel.healing import close_open_solids, unshare
from fettle.geometry.kernel.loops import Boundaries, bound, outer_loops
from fettle.geometry.kernel.remesh import angle_of, renew_trims
from fettle.geometry.kernel.sampled_shape import SampledShape, sample_shape
from fettle.geometry.kernel.step_names import SolidName
from fettle.geometry.kernel.surfaces import FaceSample, read_surfaces
from fettle.geometry.kernel.tessellate import DEFLECTION_PER_DIAGONAL, tessellate
from fettle.geometry.kernel.topology import Topology, number, open_edge_count, shares_faces
from fettle.geometry.kernel.trim_gaps import OpenVolume, measure_open_volume
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.part import Body, Cone, Cylinder, Edge, Face, Loop, Part, Shell, Source, Torus, diameter_mm
from fettle.geometry.surfaces.encoding import pack_surfaces

Array = NDArray[np.float64]

MAX_REACH_MM = 1e7
MIN_SIZE_MM = 1e-4
LEAST_SPAN = 0.1
"""Least distance between two points of the edges, as a share of the box's diagonal, that speaks for the part's size: a
ball has one short seam, or none."""

MAX_SPREAD = 0.02
"""Share of a volume by which it may depend on which curve an edge is taken to be: beyond it there is no volume. A shop
would not quote by a weight that is less certain; the loosest real files seen reach a fifth of it."""


def read_part(
    shape: TopoDS_Shape,
    options: MeshOptions,
    source: Source,
    name: str,
    body_names: Sequence[SolidName] = (),
    sampled: SampledShape | None = None,
) -> tuple[Part, Mesh]:
    """`shape`: a compound of solids in millimeters; `name` is the file's, for refusals; `body_names`: of the solids;
    `sampled`: the shape numbered and its edges sampled, where that was done before."""
    topology, surfaces = (sampled.topology, sampled.surfaces) if sampled else _numbered(shape)
    rough = loose_box(topology, surfaces.kinds)
    _check_bounds(rough, name)
    diagonal_mm = float(np.linalg.norm(rough[1] - rough[0]))
    closed, healed, origins = _closed(shape, topology, diagonal_mm, name)
    if closed is not shape:
        shape, sampled = closed, None
        topology, surfaces = _numbered(shape)
    sampled = sampled or sample_shape(topology, surfaces)
    measured = _measure(shape, sampled, rough, options, name)
    if measured.figures.astray:
        astray = measured.figures.astray
        renew_trims(shape, [topology.faces[face] for face in astray])
        measured = _measure(shape, sampled, rough, options, name)
        renewed = [face for face in astray if face not in measured.figures.astray]
        healed += measure_warnings.renewed_trims(renewed)
    figures, meshes, mesh = measured.figures, measured.meshes, measured.meshes.mesh
    fluxes, contradicted = _checked(topology, figures, meshes, SLACK * measured.deflection_mm)
    fluxes, areas, spread_mm3, loose = _within_tolerance(sampled, measured, fluxes)
    shells = _shells(topology, fluxes)
    boxes = body_boxes(topology, measured.places, meshes, sampled.samples, measured.deflection_mm)
    names = [body_names[origin] if origin < len(body_names) else SolidName("") for origin in origins]
    bodies = _bodies(topology, shells, areas, boxes, names, spread_mm3)
    part = Part(
        faces=_faces(topology, measured.places, areas, measured.boundaries, measured.numbers, meshes),
        edges=tuple(measured.edges),
        shells=shells,
        bodies=bodies,
        volume_mm3=sum(body.volume_mm3 for body in bodies),
        area_mm2=sum(body.area_mm2 for body in bodies),
        box=np.stack([np.min(boxes[:, 0], axis=0), np.max(boxes[:, 1], axis=0)]),
        watertight=all(shell.closed for shell in shells),
        source=replace(
            source,
            warnings=source.warnings + healed + measured.mesh_warnings + figures.warnings + contradicted + loose,
        ),
    )
    return part, mesh


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """A meshed shape with its edges, surfaces, and the integrals of its faces; `numbers`: of each kernel edge its
    position in `edges`, -1 for none; `encoded`: the surfaces of `places` as in `surfaces.encoding`; `references`
    (faces, 3): where the fluxes of each face start from."""

    edges: list[Edge]
    numbers: list[int]
    boundaries: Boundaries
    meshes: FaceMeshes
    places: list[FaceSample]
    encoded: tuple[NDArray[np.int8], Array]
    references: Array
    figures: FaceIntegrals
    deflection_mm: float
    mesh_warnings: tuple[str, ...]


def _measure(shape: TopoDS_Shape, sampled: SampledShape, rough: Array, options: MeshOptions, name: str) -> _Measured:
    """`rough` (2, 3): a loose box of the shape; its middle is where fluxes start."""
    topology, samples = sampled.topology, sampled.samples
    diagonal_mm = float(np.linalg.norm(rough[1] - rough[0]))
    if len(samples.points):
        # a box changes with the part's position, and would change the mesh with it
        diagonal_mm = max(diameter_mm(samples.points), LEAST_SPAN * diagonal_mm)
    tessellation = tessellate(shape, sampled, diagonal_mm, options)
    mesh, borders, outward = tessellation.mesh, tessellation.borders, ~tessellation.reversed_faces
    if len(mesh.points) == 0:
        raise Damaged(
            f"{name}: none of the {len(topology.faces)} faces can be meshed; their surfaces and boundaries do not fit "
            "together. Repair the part in the CAD system and export it again."
        )
    turned = np.array(topology.reversed_faces) == outward
    edges, numbers = read_edges(topology, mesh, borders, turned, outward, samples)
    boundaries = bound(topology, numbers, turned, samples)
    reference = rough.mean(axis=0)
    meshes = FaceMeshes(mesh, len(topology.faces), reference)
    places = read_surfaces(topology.faces, sampled.surfaces, outward, _places_near(meshes, boundaries))
    encoded = pack_surfaces([place.surface for place in places])
    deflection_mm = DEFLECTION_PER_DIAGONAL * diagonal_mm
    angle_rad = angle_of(options.curvature_used)
    references = _body_middles(topology, meshes, reference)
    # fluxes start from the middle of their own body: far from it a gap in the boundary counts times the distance
    meshes.flux += np.einsum("ij,ij->i", reference - references, meshes.normal_sum) / 3.0
    figures = measure_faces(
        topology, places, encoded, outward, boundaries, meshes, references, deflection_mm, angle_rad
    )
    return _Measured(
        edges,
        numbers,
        boundaries,
        meshes,
        places,
        encoded,
        references,
        figures,
        deflection_mm,
        tessellation.warnings,
    )


def _body_middles(topology: Topology, meshes: FaceMeshes, middle: Array) -> Array:
    """Shape (faces, 3): middle of the box of each face's body; `middle`, the whole part's, where there is but one."""
    middles = np.tile(middle, (len(topology.faces), 1))
    if len(topology.bodies) > 1:
        for shells in topology.bodies:
            faces = [face for shell in shells for face in topology.shells[shell]]
            box = meshes.box[faces][meshes.area[faces] > 0.0]
            if len(box):
                middles[faces] = (box[:, 0].min(axis=0) + box[:, 1].max(axis=0)) / 2.0
    return middles


def _checked(
    topology: Topology, figures: FaceIntegrals, meshes: FaceMeshes, distance_mm: float
) -> tuple[Array, tuple[str, ...]]:
    """Fluxes (faces,) of the faces, nan in bodies whose exact volume and mesh contradict each other, and the warning
    that says so."""
    count = len(topology.bodies)
    face_body = np.array(topology.face_body)
    wrong = contradicted_bodies(face_body, count, figures.flux, meshes.flux, meshes.area, figures.followed, distance_mm)
    if not wrong.any():
        return figures.flux, ()
    volumes = np.zeros((2, count))
    np.add.at(volumes[0], face_body, figures.flux)
    np.add.at(volumes[1], face_body, meshes.flux)
    warning = measure_warnings.contradicted(volumes[0], volumes[1], np.flatnonzero(wrong).tolist())
    return np.where(wrong[face_body], np.nan, figures.flux), warning


def _within_tolerance(
    sampled: SampledShape, measured: _Measured, fluxes: Array
) -> tuple[Array, Array, Array, tuple[str, ...]]:
    """Fluxes and areas (faces,), nan in bodies whose edges are so far off their faces that they are a guess, how far
    off the volumes (bodies,) may be, mm3, and what there is to say of edges that are off."""
    topology, opened = sampled.topology, _open_volume(sampled, measured)
    face_body = np.array(topology.face_body)
    volumes = np.zeros(len(topology.bodies))
    np.add.at(volumes, face_body, fluxes)
    guessed = opened.spread_mm3 > MAX_SPREAD * np.abs(volumes)
    fluxes, areas = (np.where(guessed[face_body], np.nan, values) for values in (fluxes, measured.figures.area))
    return fluxes, areas, opened.spread_mm3, measure_warnings.loose_edges(volumes, opened, guessed)


def _open_volume(sampled: SampledShape, measured: _Measured) -> OpenVolume:
    figures = measured.figures
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_height = np.nan_to_num(3.0 * np.abs(figures.flux) / figures.area, posinf=0.0)
    return measure_open_volume(
        sampled, measured.places, measured.encoded, measured.boundaries, measured.references, mean_height
    )


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


def _numbered(shape: TopoDS_Shape) -> tuple[Topology, SurfaceFrames]:
    topology = number(shape)
    return topology, read_frames(topology.faces)


def _closed(
    shape: TopoDS_Shape, topology: Topology, diagonal_mm: float, name: str
) -> tuple[TopoDS_Shape, tuple[str, ...], list[int]]:
    """The shape with closed solids that share no face, what had to be done for it, and of which of the file's solids
    each was made; `topology`: the numbering of the shape as it is given."""
    warnings: list[str] = []
    origins = list(range(len(topology.bodies)))
    if open_edge_count(topology):
        shape, warnings, origins = close_open_solids(shape, diagonal_mm, name)
        topology = number(shape)
    if shares_faces(topology):
        shape = unshare(shape)
    return shape, tuple(warnings), origins


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
    ranges = _ranges(places, meshes, boundaries)
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
                area_mm2=meshes.area[index].item() if math.isnan(area) else area,
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
                area_known=not math.isnan(area),
            )
        )
    return tuple(faces)


def _loop(chain: list[tuple[int, bool]], numbers: list[int], outer: bool) -> Loop:
    return Loop(tuple([numbers[edge] for edge, _ in chain]), tuple([backwards for _, backwards in chain]), outer)


def _ranges(
    places: list[FaceSample], meshes: FaceMeshes, boundaries: Boundaries
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Of each face how far it reaches round its axis and along it, by its boundary where it has no triangles; (nan,
    nan) where that means nothing."""
    nothing = (math.nan, math.nan)
    ranges = [(nothing, nothing)] * len(places)
    is_bare = np.diff(meshes.row_start) == 0
    for bare, outline in ((False, _triangles_of(meshes)), (True, _sides_of(boundaries) if is_bare.any() else None)):
        axes = [
            (index, surface.center if isinstance(surface, Torus) else surface.origin, surface.axis)
            for index, surface in enumerate(place.surface for place in places)
            if isinstance(surface, Cylinder | Cone | Torus) and is_bare[index] == bare
        ]
        if not axes or outline is None:
            continue
        numbers, origins, directions = zip(*axes, strict=True)
        found = axial_ranges(*outline, np.array(numbers), np.array(origins), np.array(directions))
        for index, (u_low, u_high, v_low, v_high) in zip(numbers, found.tolist(), strict=True):
            along = nothing if isinstance(places[index].surface, Torus) else (v_low, v_high)
            ranges[index] = ((u_low, u_high), along)
    return ranges


Outline = tuple[Array, NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]
"""Points, the first of each face, triangles between them, and the first of each face."""


def _triangles_of(meshes: FaceMeshes) -> Outline:
    return meshes.mesh.points, meshes.row_start, meshes.mesh.triangles, meshes.start


def _sides_of(boundaries: Boundaries) -> Outline:
    """The loops of all faces, with a triangle without height from every point to the next of its loop."""
    start, rows = boundaries.loop_start, np.arange(len(boundaries.points), dtype=np.int32)
    following = rows + 1
    filled = start[:-1] < start[1:]
    following[start[1:][filled] - 1] = start[:-1][filled]
    of_face = start[boundaries.face_start]
    return boundaries.points, of_face, np.stack([rows, following, following], axis=1), of_face


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


def _bodies(
    topology: Topology,
    shells: tuple[Shell, ...],
    areas: Array,
    boxes: Array,
    names: Sequence[SolidName],
    spread_mm3: Array,
) -> tuple[Body, ...]:
    return tuple(
        Body(
            outer_shell=max(members, key=lambda shell: shells[shell].volume_mm3),
            void_shells=tuple(shell for shell in members if shells[shell].volume_mm3 < 0.0),
            volume_mm3=sum(shells[shell].volume_mm3 for shell in members),
            area_mm2=float(sum(areas[list(shells[shell].faces)].sum() for shell in members)),
            box=box,
            name=name.name,
            groups=name.groups,
            volume_uncertainty_mm3=spread,
        )
        for members, box, name, spread in zip(topology.bodies, boxes, names, spread_mm3.tolist(), strict=True)
    )
