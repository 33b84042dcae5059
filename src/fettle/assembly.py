"""Analysis of a file with several bodies: every different body as a part of its own, equal ones once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from fettle.analysis import Analysis, BodyAnalysis, Options, analyze, analyze_file, begin_recognition, is_shown
from fettle.geometry.bodies import BodyModel, join_meshes, select_faces, split_bodies
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import fewest_triangles, refine, refuse_beyond_cap
from fettle.geometry.model import Model
from fettle.geometry.part import Part
from fettle.measure.contacts import find_contacts
from fettle.measure.own_box import own_size_mm
from fettle.recognize.bought import find_bought
from fettle.recognize.congruence import group_equal
from fettle.recognize.feature import Recognition

MAX_ANALYZED = 60
"""Most different bodies of a file that are analyzed, the largest first: each takes a second or less, and a job
has five minutes for everything."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class RefinedBody:
    """One of the different bodies of a file. `model`: None where it is not to be analyzed; its mesh is refined."""

    listed: BodyAnalysis
    model: Model | None


@dataclass(frozen=True, slots=True, eq=False)
class RefinedModel:
    """A part with its refined mesh. `recognition`: of its features, begun while the mesh was refined. `bodies`: of a
    file with several, each also refined for itself."""

    part: Part
    mesh: Mesh
    recognition: Callable[[], Recognition]
    bodies: tuple[RefinedBody, ...] = ()


def refine_model(model: Model, mesh_options: MeshOptions, say: Say = lambda line: None) -> RefinedModel:
    """Refine the mesh of a part. Of several bodies those that are to be analyzed are refined for themselves; the file's
    mesh has them as they are where that is not much finer than the rest of it."""
    part = model.part
    recognition = begin_recognition(part)
    if len(part.bodies) < 2:
        return RefinedModel(part, refine(model.mesh, part, mesh_options), recognition)
    max_edge_mm = mesh_options.max_edge_used_mm(part.diagonal_mm, part.area_mm2)
    refuse_beyond_cap(fewest_triangles(model.mesh, max_edge_mm), max_edge_mm)
    bodies = _refine_bodies(model, mesh_options, say)
    pieces, others = [], np.ones(len(part.faces), np.bool_)
    for body in bodies:
        if body.model is not None and is_shown(body.model.mesh, max_edge_mm):
            faces = np.array(body.listed.faces, np.int32)
            pieces.append((faces, body.model.mesh))
            others[faces] = False
    rest = select_faces(model.mesh, others)
    if len(rest.triangles):
        every = np.arange(len(part.faces), dtype=np.int32)
        pieces.append((every, refine(rest, part, mesh_options)))
    joined = join_meshes(pieces, max_edge_mm)
    refuse_beyond_cap(float(len(joined.triangles)), max_edge_mm)
    return RefinedModel(part, joined, recognition, bodies)


def analyze_model(refined: RefinedModel, options: Options = Options()) -> Analysis:
    """Analyze a part; a file of several bodies body by body, equal ones once."""
    if not refined.bodies:
        return analyze(refined.part, refined.mesh, options, refined.recognition)
    analyzed = tuple(
        body.listed
        if body.model is None
        else replace(body.listed, analysis=analyze(body.model.part, body.model.mesh, options))
        for body in refined.bodies
    )
    return analyze_file(refined.part, refined.mesh, analyzed, options, refined.recognition)


def _refine_bodies(model: Model, mesh_options: MeshOptions, say: Say) -> tuple[RefinedBody, ...]:
    """The different bodies in the order of their first members. Bought parts are named and not to be analyzed."""
    bodies = split_bodies(model)
    listed = _identify(model, bodies)
    contacts = find_contacts(model.part, model.mesh)
    made = [place for place, body in enumerate(listed) if body.bought is None]
    chosen = sorted(made, key=lambda place: (-_volume_or_zero(listed[place].part), place))[:MAX_ANALYZED]
    say(f"{len(bodies)} bodies, {len(listed)} different, {len(made)} of them made.")
    return tuple(
        RefinedBody(
            replace(
                body,
                contacts=contacts.get(body.members[0], {}),
                not_analyzed=_why_not(body, place in chosen),
            ),
            _refined(bodies[body.members[0]].model, mesh_options) if place in chosen else None,
        )
        for place, body in enumerate(listed)
    )


def _refined(model: Model, mesh_options: MeshOptions) -> Model:
    return replace(model, mesh=refine(model.mesh, model.part, mesh_options))


def _volume_or_zero(part: Part) -> float:
    """mm3; bodies of unknown volume come last."""
    return 0.0 if math.isnan(part.volume_mm3) else part.volume_mm3


def identify_bodies(model: Model) -> tuple[BodyAnalysis, ...]:
    """The different bodies of a file, made or bought, without an analysis. A file of one body has it made."""
    return _identify(model, split_bodies(model))


def _identify(model: Model, bodies: tuple[BodyModel, ...]) -> tuple[BodyAnalysis, ...]:
    groups = group_equal([body.part for body in bodies])
    firsts = [bodies[group.members[0]] for group in groups]
    named = [model.part.bodies[body.number] for body in firsts]
    bought = [find_bought(body.part, own.name, own.groups) for body, own in zip(firsts, named, strict=True)]
    if all(bought):
        bought = [None] * len(firsts)  # a file of fasteners alone is asked about because they are to be made
    return tuple(
        BodyAnalysis(
            part=body.part,
            name=model.part.bodies[body.number].name or f"body {body.number + 1}",
            members=tuple(group.members),
            faces=body.faces,
            size_mm=own_size_mm(body.part, body.model.mesh) if len(bodies) > 1 else body.part.size_mm,
            bought=found,
            contacts={},
            analysis=None,
        )
        for body, group, found in zip(firsts, groups, bought, strict=True)
    )


def _why_not(body: BodyAnalysis, analyzed: bool) -> str:
    if body.bought is not None:
        return "It is a bought part."
    return "" if analyzed else f"The file has more than {MAX_ANALYZED} different bodies; this is none of the largest."
