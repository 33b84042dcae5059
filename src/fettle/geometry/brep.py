"""A kernel shape with its base mesh to a `Part`."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepGProp import BRepGProp, BRepGProp_Domain, BRepGProp_Face, BRepGProp_Vinert
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.TopoDS import TopoDS_Shape

from fettle.geometry.edges import read_edges
from fettle.geometry.loops import read_loops
from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Body, Convexity, Face, Freeform, Part, Plane, Shell, Source, Surface, Vector
from fettle.geometry.surfaces import read_surface
from fettle.geometry.topology import Topology, number


def read_part(shape: TopoDS_Shape, mesh: Mesh, source: Source) -> Part:
    topology = number(shape)
    edges, numbers = read_edges(topology, mesh)
    areas, fluxes = _integrals(topology)
    triangles = mesh.points[mesh.triangles]
    centroids = triangles.mean(axis=1)
    triangle_areas = mesh.triangle_areas_mm2()
    order = np.argsort(mesh.triangle_face, kind="stable")
    starts = np.searchsorted(mesh.triangle_face[order], np.arange(len(topology.faces) + 1))
    faces = []
    for index, kernel_face in enumerate(topology.faces):
        own = order[starts[index] : starts[index + 1]]
        surface = read_surface(kernel_face)
        largest = own[np.argmax(triangle_areas[own])]
        corner = mesh.triangles[largest, 0]
        point, normal = mesh.points[corner], mesh.normals[corner]
        corners = triangles[own].reshape(-1, 3)
        loops = read_loops(topology, numbers, index)
        faces.append(
            Face(
                surface=surface,
                area_mm2=float(areas[index]),
                convex=_convex(surface, point, normal),
                loops=loops,
                shell=topology.face_shell[index],
                body=topology.face_body[index],
                point=point,
                normal=normal,
                centroid=np.average(centroids[own], axis=0, weights=triangle_areas[own]),
                u_range_rad=(math.nan, math.nan),
                v_range_mm=(math.nan, math.nan),
                box=np.array([corners.min(axis=0), corners.max(axis=0)]),
            )
        )
    free = Counter(topology.face_shell[edge.faces[0]] for edge in edges if edge.convexity is Convexity.FREE)
    shells = tuple(
        Shell(tuple(members), not free[index], float(fluxes[members].sum()) if not free[index] else 0.0)
        for index, members in enumerate(topology.shells)
    )
    bodies = tuple(
        Body(
            outer_shell=members[0],
            void_shells=tuple(members[1:]),
            volume_mm3=float(sum(shells[k].volume_mm3 for k in members)),
            area_mm2=float(sum(areas[shells[k].faces,].sum() for k in members)),
        )
        for members in topology.bodies
    )
    return Part(
        faces=tuple(faces),
        edges=tuple(edges),
        shells=shells,
        bodies=bodies,
        volume_mm3=sum(body.volume_mm3 for body in bodies),
        area_mm2=sum(body.area_mm2 for body in bodies),
        box=_box(shape),
        watertight=all(shell.closed for shell in shells),
        source=source,
    )


def _integrals(topology: Topology) -> tuple[np.ndarray, np.ndarray]:
    areas, fluxes = np.empty(len(topology.faces)), np.empty(len(topology.faces))
    for index, face in enumerate(topology.faces):
        properties = GProp_GProps()
        BRepGProp.SurfaceProperties_s(face, properties)
        areas[index] = properties.Mass()
        fluxes[index] = BRepGProp_Vinert(BRepGProp_Face(face), BRepGProp_Domain(face), gp_Pnt(0.0, 0.0, 0.0)).Mass()
    return areas, fluxes


def _box(shape: TopoDS_Shape) -> np.ndarray:
    box = Bnd_Box()
    BRepBndLib.AddOptimal_s(shape, box, False, False)
    low, high = box.CornerMin(), box.CornerMax()
    return np.array([[low.X(), low.Y(), low.Z()], [high.X(), high.Y(), high.Z()]])


def _convex(surface: Surface, point: Vector, normal: Vector) -> bool | None:
    if isinstance(surface, Plane | Freeform):
        return None
    center = surface.center if hasattr(surface, "center") else surface.origin
    return bool(np.dot(point - center, normal) > 0)
