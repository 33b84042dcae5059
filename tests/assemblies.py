"""STEP files of several named bodies, built by code: a product for each kind of body, used at several places."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.IFSelect import IFSelect_RetDone
from OCP.Interface import Interface_Static
from OCP.Message import Message
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Reader
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_DocumentTool

from fettle.geometry.csg import CsgNode, build

Point = tuple[float, float, float]
UNITS = {"mm": "MM", "in": "INCH"}


@dataclass(frozen=True, slots=True)
class Placed:
    """A product at a place: turned about an axis through the origin by an angle, then moved."""

    product: str
    axis: Point = (0.0, 0.0, 1.0)
    angle_deg: float = 0.0
    move_mm: Point = (0.0, 0.0, 0.0)


def write_assembly(products: Mapping[str, CsgNode], placed: Sequence[Placed], unit: str = "mm") -> bytes:
    """STEP bytes of an assembly; bodies are in the order of `placed`."""
    document = TDocStd_Document(TCollection_ExtendedString("MDTV-XCAF"))
    XCAFApp_Application.GetApplication_s().NewDocument(TCollection_ExtendedString("MDTV-XCAF"), document)
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    whole = shapes.NewShape()
    TDataStd_Name.Set_s(whole, TCollection_ExtendedString("assembly"))
    labels = {}
    for name, recipe in products.items():
        labels[name] = shapes.AddShape(_shape(recipe), False)
        TDataStd_Name.Set_s(labels[name], TCollection_ExtendedString(name, True))
    for one in placed:
        shapes.AddComponent(whole, labels[one.product], TopLoc_Location(_motion(one)))
    shapes.UpdateAssemblies()
    Message.DefaultMessenger_s().ChangePrinters().Clear()
    writer = STEPCAFControl_Writer()
    Interface_Static.SetCVal_s("write.step.unit", UNITS[unit])
    assert writer.Transfer(document, STEPControl_AsIs)
    stream = io.BytesIO()
    assert writer.WriteStream(stream) == IFSelect_RetDone
    return stream.getvalue()


def place_at_random(products: Mapping[str, int], seed: int) -> list[Placed]:
    """So many of each product, shuffled, turned at random, far enough apart that none touches another."""
    chance = random.Random(seed)
    names = [name for name, count in products.items() for _ in range(count)]
    chance.shuffle(names)
    side = math.ceil(len(names) ** (1 / 3))
    return [
        Placed(
            name,
            (chance.gauss(0, 1), chance.gauss(0, 1), chance.gauss(0, 1)),
            chance.uniform(0, 360),
            (120.0 * (place % side), 120.0 * (place // side % side), 120.0 * (place // side**2)),
        )
        for place, name in enumerate(names)
    ]


def _shape(recipe: CsgNode) -> TopoDS_Shape:
    reader = STEPControl_Reader()
    assert reader.ReadStream("product", io.BytesIO(build(recipe))) == IFSelect_RetDone
    reader.TransferRoots()
    return reader.OneShape()


def _motion(one: Placed) -> gp_Trsf:
    turn, move = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(*one.axis)), math.radians(one.angle_deg))
    move.SetTranslation(gp_Vec(*one.move_mm))
    return move.Multiplied(turn)


def hexagon(across_flats: float) -> list[list[float]]:
    radius = across_flats / math.sqrt(3)
    return [[radius * math.cos(math.radians(60 * k)), radius * math.sin(math.radians(60 * k))] for k in range(6)]


def moved(recipe: CsgNode, x: float, y: float, z: float) -> CsgNode:
    return {"move": {"of": recipe, "by": [x, y, z]}}


BRACKET: CsgNode = {
    "cut": [
        {"union": [{"box": [60, 40, 5]}, {"box": [5, 40, 50]}]},
        moved({"cylinder": {"d": 8, "h": 5}}, 40, 12, 0),
        moved({"cylinder": {"d": 5, "h": 5}}, 20, 30, 0),
    ]
}
"""An L of 60 x 40 x 50, 5 thick, with two holes that no mirror plane maps to each other."""
PLATE: CsgNode = {
    "cut": [
        {"box": [80, 60, 6]},
        *(moved({"cylinder": {"d": 5.5, "h": 6}}, x, y, 0) for x in (10, 70) for y in (10, 50)),
    ]
}
SPACER: CsgNode = {"cut": [{"cylinder": {"d": 14, "h": 20}}, {"cylinder": {"d": 6, "h": 20}}]}
HEX_BOLT: CsgNode = {"union": [{"prism": {"points": hexagon(8), "h": 3.5}}, {"cylinder": {"d": 5, "h": 23.5}}]}
"""M5 x 20: ISO 4017 gives 8 across flats and a head of 3.5."""
HEX_NUT: CsgNode = {"cut": [{"prism": {"points": hexagon(8), "h": 4.7}}, {"cylinder": {"d": 4.2, "h": 4.7}}]}
"""M5: ISO 4032 gives 8 across flats and a height of 4.7; the hole is the core of the thread."""
WASHER: CsgNode = {"cut": [{"cylinder": {"d": 10, "h": 1}}, {"cylinder": {"d": 5.3, "h": 1}}]}
"""M5: ISO 7089 gives 5.3 x 10 x 1."""
CAP_SCREW: CsgNode = {
    "cut": [
        {"union": [{"cylinder": {"d": 5.5, "h": 3}}, {"cylinder": {"d": 3, "h": 11}}]},
        {"prism": {"points": hexagon(2.5), "h": 1.5}},
    ]
}
"""M3 x 8: ISO 4762 gives a head of 5.5 x 3 and a socket of 2.5."""
PIN: CsgNode = {"cylinder": {"d": 4, "h": 20}}

PRODUCTS: dict[str, CsgNode] = {
    "bracket": BRACKET,
    "bracket mirrored": {"mirror": {"of": BRACKET, "normal": [0, 1, 0]}},
    "base plate": PLATE,
    "spacer": SPACER,
    "fixing": HEX_BOLT,
    "fixing 2": HEX_NUT,
    "ring": WASHER,
    "M3x8 SHCS": CAP_SCREW,
    "dowel pin 4x20": PIN,
}
COUNTS = {
    "bracket": 2,
    "bracket mirrored": 1,
    "base plate": 1,
    "spacer": 3,
    "fixing": 4,
    "fixing 2": 4,
    "ring": 8,
    "M3x8 SHCS": 2,
    "dowel pin 4x20": 2,
}
"""27 bodies of nine kinds; 7 of four kinds are made."""
MADE = ("bracket", "bracket mirrored", "base plate", "spacer")
