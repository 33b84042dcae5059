"""Analysis of a file with several bodies: every different body as a part of its own, equal ones once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from fettle.analysis import Analysis, BodyAnalysis, Options, analyze, analyze_fields
from fettle.geometry.bodies import BodyModel, split_bodies
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from fettle.geometry.model import Model
from fettle.geometry.part import Part
from fettle.measure.contacts import find_contacts
from fettle.measure.own_box import own_size_mm
from fettle.recognize.bought import find_bought
from fettle.recognize.congruence import group_equal

MAX_ANALYZED = 60
"""Most different bodies of a file that are analyzed, the largest first: each takes a second or less, and a job
has five minutes for everything."""

Say = Callable[[str], None]


def analyze_model(
    model: Model,
    refined: Mesh,
    mesh_options: MeshOptions,
    options: Options = Options(),
    say: Say = lambda line: None,
) -> Analysis:
    """Analyze a part on its refined mesh; a file of several bodies also body by body, each refined for itself."""
    if len(model.part.bodies) < 2:
        return analyze(model.part, refined, options)
    whole = analyze_fields(model.part, refined, options)
    return replace(whole, bodies=analyze_bodies(model, mesh_options, options, say))


def analyze_bodies(
    model: Model, mesh_options: MeshOptions, options: Options = Options(), say: Say = lambda line: None
) -> tuple[BodyAnalysis, ...]:
    """The different bodies in the order of their first members. Bought parts are named and not analyzed."""
    bodies = split_bodies(model)
    listed = _identify(model, bodies)
    contacts = find_contacts(model.part, model.mesh)
    made = [place for place, body in enumerate(listed) if body.bought is None]
    chosen = sorted(made, key=lambda place: (-_volume_or_zero(listed[place].part), place))[:MAX_ANALYZED]
    say(f"{len(bodies)} bodies, {len(listed)} different, {len(made)} of them made.")
    return tuple(
        replace(
            body,
            contacts=contacts.get(body.members[0], {}),
            analysis=_analyze_body(bodies[body.members[0]], mesh_options, options) if place in chosen else None,
            not_analyzed=_why_not(body, place in chosen),
        )
        for place, body in enumerate(listed)
    )


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


def _analyze_body(body: BodyModel, mesh_options: MeshOptions, options: Options) -> Analysis:
    return analyze(body.part, refine(body.model.mesh, body.part, mesh_options), options)


def _why_not(body: BodyAnalysis, analyzed: bool) -> str:
    if body.bought is not None:
        return "It is a bought part."
    return "" if analyzed else f"The file has more than {MAX_ANALYZED} different bodies; this is none of the largest."
