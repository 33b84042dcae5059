"""Triangles to a `Model`: what an exact file says of its faces and edges, fitted to triangles instead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.model import Model
from fettle.geometry.part import Body, Face, Freeform, Loop, Part, Plane, Shell, Source, Surface
from fettle.geometry.segmentation.base_mesh import build_mesh
from fettle.geometry.segmentation.boundaries import Walk, as_loops, find_edges, find_loops, outer_loop
from fettle.geometry.segmentation.face_measures import FaceMeasures, measure_faces
from fettle.geometry.segmentation.patches import Patches, find_patches
from fettle.geometry.segmentation.shells import ClosedMesh, close_shells
from fettle.geometry.segmentation.triangles import Triangles
from fettle.geometry.surfaces.encoding import FREEFORM, PLANE, from_row

Array = NDArray[np.float64]


def triangles_to_model(triangles: Triangles, format_name: str, options: MeshOptions = MeshOptions()) -> Model:
    """The part that loose triangles enclose, with surfaces fitted to them, and its base mesh."""
    closed = close_shells(triangles.corners)
    patches = find_patches(closed, triangles.grid_mm)
    mesh = build_mesh(patches)
    warnings = (*triangles.warnings, *closed.warnings)
    source = Source(format_name, triangles.schema, triangles.unit, exact=False, warnings=warnings)
    return Model(_part(patches, mesh, closed, source), mesh, options)


def _part(patches: Patches, mesh: Mesh, closed: ClosedMesh, source: Source) -> Part:
    edges, swept = find_edges(patches, mesh)
    figures = measure_faces(patches)
    loops = [
        as_loops(walks, _outer(walks, swept, figures, number))
        for number, walks in enumerate(find_loops(edges, len(patches.kinds)))
    ]
    faces = tuple(_face(patches, closed, figures, number, own) for number, own in enumerate(loops))
    members: list[list[int]] = [[] for _ in closed.volumes_mm3]
    for number, face in enumerate(faces):
        members[face.shell].append(number)
    shells = tuple(
        Shell(tuple(own), True, float(volume)) for own, volume in zip(members, closed.volumes_mm3, strict=True)
    )
    bodies = tuple(_body(shells, faces, own) for own in _shells_by_body(closed))
    return Part(
        faces=faces,
        edges=edges,
        shells=shells,
        bodies=bodies,
        volume_mm3=sum(body.volume_mm3 for body in bodies),
        area_mm2=sum(body.area_mm2 for body in bodies),
        box=_frozen(np.array([closed.points.min(axis=0), closed.points.max(axis=0)])),
        watertight=True,
        source=source,
    )


def _shells_by_body(closed: ClosedMesh) -> list[list[int]]:
    shells: list[list[int]] = [[] for _ in range(int(closed.bodies.max()) + 1)]
    for shell, body in enumerate(closed.bodies.tolist()):
        shells[body].append(shell)
    return shells


def _body(shells: tuple[Shell, ...], faces: tuple[Face, ...], own: list[int]) -> Body:
    outer = next(shell for shell in own if shells[shell].volume_mm3 > 0)
    return Body(
        outer_shell=outer,
        void_shells=tuple(shell for shell in own if shell != outer),
        volume_mm3=sum(shells[shell].volume_mm3 for shell in own),
        area_mm2=sum(faces[face].area_mm2 for shell in own for face in shells[shell].faces),
        box=_frozen(
            np.array(
                [
                    np.min([faces[face].box[0] for face in shells[outer].faces], axis=0),
                    np.max([faces[face].box[1] for face in shells[outer].faces], axis=0),
                ]
            )
        ),
    )


def _outer(walks: list[Walk], swept: Array, figures: FaceMeasures, number: int) -> int:
    """Number of the outer loop, -1 for none: a full cylinder has two borders and neither is around the other."""
    if not walks or (figures.whole[number] and len(walks) > 1):
        return -1
    return outer_loop(walks, swept, figures.area_vectors[number])


def _face(patches: Patches, closed: ClosedMesh, figures: FaceMeasures, number: int, loops: tuple[Loop, ...]) -> Face:
    kind = int(patches.kinds[number])
    shell = int(closed.triangle_shell[figures.first[number]])
    turn, reach = figures.turns[number].tolist(), figures.reaches[number].tolist()
    return Face(
        surface=_surface(kind, patches.primitives[number], figures, number),
        area_mm2=float(figures.areas[number]),
        convex=None if kind in (PLANE, FREEFORM) else bool(figures.sides[number] > 0),
        loops=loops,
        shell=shell,
        body=int(closed.bodies[shell]),
        point=figures.points[number],
        normal=figures.normals[number],
        centroid=figures.centroids[number],
        u_range_rad=(turn[0], turn[1]),
        v_range_mm=(reach[0], reach[1]),
        box=figures.boxes[number],
    )


def _surface(kind: int, row: Array, figures: FaceMeasures, number: int) -> Surface:
    if kind == FREEFORM:
        return Freeform("mesh", *figures.radii[number].tolist())
    surface = from_row(kind, row)
    return replace(surface, normal=figures.normals[number]) if isinstance(surface, Plane) else surface


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array
