"""Names of the solids of a STEP file: the product that each belongs to, and its own where a product has several."""

from __future__ import annotations

from dataclasses import dataclass

from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.StepBasic import StepBasic_ProductDefinition
from OCP.STEPControl import STEPControl_Reader
from OCP.StepRepr import StepRepr_NextAssemblyUsageOccurrence, StepRepr_RepresentationItem
from OCP.TopAbs import TopAbs_SOLID
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape
from OCP.XSControl import XSControl_TransferReader

from fettle.geometry.kernel.topology import children, map_of

_ANY_RESULT = -1
"""Looks a shape up among all results of the transfer, not only those of its roots."""
_SOLID = int(TopAbs_SOLID)
_UNNAMED = "Open CASCADE STEP translator"
"""What the kernel calls a product, with its version and a number, when a program that writes by it gives no name."""


@dataclass(frozen=True, slots=True)
class SolidName:
    """Name of a solid, empty where the file has none, and of the sub-assemblies that hold it, the outermost first."""

    name: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Named:
    """A solid with the products that hold it, its own last (`node`: that one in the tree of shapes), and its own name
    in the file."""

    products: tuple[str, ...]
    node: int
    own: str


def solid_names(reader: STEPControl_Reader, shape: TopoDS_Shape) -> tuple[SolidName, ...]:
    """The name of every solid of the transferred shape, in file order."""
    solids = map_of(shape, TopAbs_SOLID)
    if solids.Extent() <= 1:
        name = _product_name(reader.RootForTransfer(1)) if reader.NbRootsForTransfer() else ""
        return tuple(SolidName(_given(name)) for _ in range(solids.Extent()))
    walk = _Walk(reader.WS().TransferReader(), solids)
    walk.visit(shape, shape, (), 0)
    found = [walk.found.get(number, _Named((), 0, "")) for number in range(1, solids.Extent() + 1)]
    members: dict[int, set[int]] = {}
    for number, one in enumerate(found):
        members.setdefault(one.node, set()).add(number)
    return tuple([_name(one, len(members[one.node]) > 1) for one in found])


def _name(one: _Named, shared: bool) -> SolidName:
    """The product; with several solids in it followed by the solid's own name."""
    product, own = _given(one.products[-1]) if one.products else "", _given(one.own)
    name = f"{product} {own}".strip() if shared and own and own != product else product or own
    return SolidName(name, tuple(filter(_given, one.products[1:-1])))


def _given(name: str) -> str:
    """The name if somebody gave it, empty otherwise."""
    return "" if name.startswith(_UNNAMED) else name


class _Walk:
    """Visits the tree of shapes and asks the transfer which entity of the file each came from.

    An answer takes milliseconds, so it is kept for shapes that are used at several places.
    """

    def __init__(self, transfer: XSControl_TransferReader, solids: ShapeMap) -> None:
        self.found: dict[int, _Named] = {}
        self._transfer = transfer
        self._solids = solids
        self._known = ShapeMap()
        self._names: list[tuple[str | None, str]] = []
        self._nodes = 0

    def visit(self, placed: TopoDS_Shape, filed: TopoDS_Shape, products: tuple[str, ...], node: int) -> None:
        """`placed`: the shape where it is in the file; `filed`: as its assembly holds it, which is how the transfer
        knows it; `products`, `node`: those of that assembly."""
        own_product, own_name = self._look_up(filed)
        if own_product is not None:
            self._nodes += 1
            products, node = (*products, own_product), self._nodes
        if int(placed.ShapeType()) == _SOLID:
            self.found.setdefault(self._solids.FindIndex(placed), _Named(products, node, own_name))
            return
        for child in children(filed.Located(TopLoc_Location()), None):
            if int(child.ShapeType()) <= _SOLID:
                self.visit(child.Moved(placed.Location()), child, products, node)

    def _look_up(self, filed: TopoDS_Shape) -> tuple[str | None, str]:
        """Name of the product that the shape is the whole of, None where it is not; and the name of the solid."""
        unplaced = filed.Located(TopLoc_Location())
        if not self._known.Contains(unplaced):
            self._known.Add(unplaced)
            entities = [self._entity(filed)]
            if not _product_name(entities[0]):
                # a solid that is the whole of a product needs no name of its own; any other is known unplaced
                entities.append(self._entity(unplaced))
            products = [name for name in map(_product_name, entities) if name]
            own = next((one.Name() for one in entities if isinstance(one, StepRepr_RepresentationItem)), None)
            self._names.append((products[0] if products else None, str(own.ToCString()).strip() if own else ""))
        names: tuple[str | None, str] = self._names[self._known.FindIndex(unplaced) - 1]
        return names

    def _entity(self, shape: TopoDS_Shape) -> object:
        return self._transfer.EntityFromShapeResult(shape, _ANY_RESULT)


def _product_name(entity: object) -> str:
    """Name of a product, or of the product that is used at a place in an assembly; empty for any other entity."""
    if isinstance(entity, StepRepr_NextAssemblyUsageOccurrence):
        entity = entity.RelatedProductDefinition()
    if not isinstance(entity, StepBasic_ProductDefinition):
        return ""
    formation = entity.Formation()
    product = formation.OfProduct() if formation is not None else None
    if product is None:
        return ""
    texts = [text.ToCString().strip() for text in (product.Name(), product.Id()) if text is not None]
    return next((text for text in texts if text), "")
