"""Pictures of a part without a graphics card: one ray a pixel, shaded by the mesh's own normals, written as PNG.

For reports: views of the whole part painted by face, and a close look at the faces of a finding.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.measure.rays import Scene

ISO = (1.0, -1.3, 0.9)
"""Towards the camera, part axes, Z up."""

_KEY_LIGHT = np.array([-0.45, 0.65, 0.62]) / np.linalg.norm([-0.45, 0.65, 0.62])
_GLIMPSE = 0.7
_SAMPLES = 2
"""Rays a pixel along each side, averaged: smooth outlines."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Orthographic. `towards`: direction from the part to the camera; `center` (mm) and `radius_mm`: what to show."""

    towards: tuple[float, float, float]
    center: tuple[float, float, float]
    radius_mm: float


def frame(mesh: Mesh, faces: tuple[int, ...] = (), towards: tuple[float, float, float] = ISO) -> Camera:
    """A camera that shows the given faces (none: all) with some air around them."""
    chosen = np.isin(mesh.point_face, faces) if faces else np.ones(len(mesh.points), np.bool_)
    whole = _extent(mesh.points)
    center, radius = _extent(mesh.points[chosen]) if chosen.any() else whole
    # A lone small face tells nothing: keep at least an eighth of the part in view, and never more than all of it.
    radius = min(max(radius * 1.6, whole[1] / 8.0), whole[1]) if faces else radius
    return Camera(towards, (float(center[0]), float(center[1]), float(center[2])), radius)


def facing(mesh: Mesh, faces: tuple[int, ...]) -> tuple[float, float, float]:
    """A direction from which those faces are seen: their mean normal, turned a little towards the usual view."""
    chosen = np.isin(mesh.triangle_face, faces)
    a, b, c = (mesh.points[mesh.triangles[chosen, k]] for k in range(3))
    normal = np.cross(b - a, c - a).sum(axis=0)
    length = float(np.linalg.norm(normal))
    usual = np.array(ISO) / np.linalg.norm(ISO)
    view = usual if length == 0.0 else normal / length + 0.45 * usual
    view = usual if np.linalg.norm(view) < 0.2 else view
    return float(view[0]), float(view[1]), float(view[2])


def draw(
    mesh: Mesh,
    scene: Scene,
    camera: Camera,
    face_colors: NDArray[np.float64],
    size: tuple[int, int],
    shown_through: tuple[int, ...] = (),
) -> bytes:
    """PNG of `size` (width, height) pixels; `face_colors` (faces, 3) sRGB 0..1; the ground is transparent.

    `shown_through`: faces that are seen, paler, through whatever stands before them, as the wall of a bore must be.
    """
    width, height = size[0] * _SAMPLES, size[1] * _SAMPLES
    towards = np.array(camera.towards) / np.linalg.norm(camera.towards)
    right, up = _screen_axes(towards)
    scale = camera.radius_mm * 1.05 / (min(width, height) / 2.0)
    columns = (np.arange(width) - (width - 1) / 2.0) * scale
    rows = ((height - 1) / 2.0 - np.arange(height)) * scale
    start = np.array(camera.center) + towards * (scene.diagonal_mm * 2.0)
    origins = start + rows[:, None, None] * up + columns[None, :, None] * right
    origins = origins.reshape(-1, 3)
    triangle, _ = scene.first_hit(origins, np.broadcast_to(-towards, origins.shape))
    pixels = np.zeros((len(origins), 4))
    hit = np.flatnonzero(triangle >= 0)
    met = triangle[hit]
    normal = mesh.normals[mesh.triangles[met]].mean(axis=1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    screen = np.column_stack([normal @ right, normal @ up, normal @ towards])
    # The viewer's light: a sky, a key from over the left shoulder, a lamp at the eye.
    light = 0.57 + 0.07 * screen[:, 1] + 0.28 * np.maximum(screen @ _KEY_LIGHT, 0.0) + 0.16 * screen[:, 2]
    pixels[hit, :3] = np.clip(face_colors[mesh.triangle_face[met]] * light[:, None], 0.0, 1.0)
    pixels[hit, 3] = 1.0
    if shown_through:
        kept = np.isin(mesh.triangle_face, shown_through)
        alone = replace(
            mesh, triangles=mesh.triangles[kept], triangle_face=mesh.triangle_face[kept], coarse_planes=None
        )
        behind, _ = Scene(alone).first_hit(origins, np.broadcast_to(-towards, origins.shape))
        glimpse = np.flatnonzero(behind >= 0)
        paint = face_colors[alone.triangle_face[behind[glimpse]]]
        pixels[glimpse, :3] = (1.0 - _GLIMPSE) * pixels[glimpse, :3] + _GLIMPSE * paint
    pixels = _outline(pixels.reshape(height, width, 4), mesh.triangle_face, triangle.reshape(height, width))
    blocks = pixels.reshape(size[1], _SAMPLES, size[0], _SAMPLES, 4)
    alpha = blocks[..., 3:].mean(axis=(1, 3))
    color = (blocks[..., :3] * blocks[..., 3:]).mean(axis=(1, 3)) / np.maximum(alpha, 1e-9)
    return png(np.concatenate([color, alpha], axis=2))


def png(pixels: NDArray[np.float64]) -> bytes:
    """PNG of RGBA pixels (height, width, 4), 0..1."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + width * 4), np.uint8)
    rows[:, 1:] = np.rint(np.clip(pixels, 0.0, 1.0) * 255).astype(np.uint8).reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


def _extent(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    center = (points.min(axis=0) + points.max(axis=0)) / 2.0
    return center, max(float(np.linalg.norm(points - center, axis=1).max()), 1e-6)


def _screen_axes(towards: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    upright = np.array([0.0, 1.0, 0.0]) if abs(towards[2]) > 0.999 else np.array([0.0, 0.0, 1.0])
    right = np.cross(upright, towards)
    right /= np.linalg.norm(right)
    return right, np.cross(towards, right)


def _outline(
    pixels: NDArray[np.float64], triangle_face: NDArray[np.int32], triangle: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Darkens pixels where the face changes: the part's edges."""
    face = np.where(triangle >= 0, triangle_face[triangle], -1)
    border = np.zeros(face.shape, np.bool_)
    border[:, 1:] |= face[:, 1:] != face[:, :-1]
    border[1:, :] |= face[1:, :] != face[:-1, :]
    pixels[border] = (0.12, 0.16, 0.2, 1.0)
    return pixels
