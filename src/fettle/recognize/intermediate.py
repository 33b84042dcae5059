"""Intermediate results of recognition: what several kinds of features are found by, and no feature of its own."""

from __future__ import annotations

from fettle.recognize.declarations import Recognizer

INTERMEDIATE = (
    Recognizer(
        # Shares of the area that are of revolution, about each of the main axes.
        name="revolutions",
        function="fettle.recognize.turning.profile:measure_revolutions",
        needs=("graph",),
    ),
    Recognizer(
        # Axis and profile of a part that is turned, None for others.
        name="turned",
        function="fettle.recognize.turning.profile:find_turned",
        needs=("graph", "revolutions", "holes", "toothed", "helices"),
    ),
    Recognizer(
        # Rings of teeth about the main axis: gears, splines and knurls.
        name="toothed",
        function="fettle.recognize.turning.gears:find_toothed",
        needs=("graph", "revolutions", "holes"),
    ),
    Recognizer(
        # Modeled threads: flanks and crests that wind around an axis.
        name="helices",
        function="fettle.recognize.modeled_threads:find_helices",
        needs=("graph",),
    ),
    Recognizer(
        # Blends by region, each with the two supports that it joins.
        name="blends",
        function="fettle.recognize.blends:find_blends",
        needs=("graph", "helices", "taken"),
        yields_to=("bends",),
    ),
    Recognizer(
        # Chamfers by region, which the contracted graph looks across like blends.
        name="chamfer_strips",
        function="fettle.recognize.chamfers:find_chamfers",
        needs=("graph", "blends", "taken", "confidence"),
        yields_to=("holes",),
    ),
    Recognizer(
        # The face graph seen across blends and chamfers.
        name="contracted",
        function="fettle.recognize.contracted_graph:contract",
        needs=("graph", "blends", "chamfer_strips", "confidence"),
    ),
    Recognizer(
        # Depressions, fins still counted among their walls: the web between two slots is no fin.
        name="recesses_with_fins",
        function="fettle.recognize.recesses:find_recesses",
        needs=("contracted", "holes", "taken"),
        yields_to=("chamfers",),
    ),
    Recognizer(
        # Depressions without the fins that stand in them.
        name="recesses",
        function="fettle.recognize.recesses:find_recesses_without_fins",
        needs=("contracted", "holes", "recesses_with_fins", "fins", "taken"),
        yields_to=("fins",),
    ),
)
