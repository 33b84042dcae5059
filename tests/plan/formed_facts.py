"""Facts of made-up bodies for the planners of formed parts."""

from __future__ import annotations

from fettle.results.making import CastingFacts, MakingFacts, MoldingFacts, PrintingFacts, SheetFacts
from fettle.results.making.casting import SandCore
from fettle.results.making.molding import MoldUndercut
from fettle.results.making.printing import PrintOrientation
from fettle.results.making.sheet import SheetBend, SheetForm, SheetLoop

UP = (0.0, 0.0, 1.0)


def sheet(
    blank_mm: tuple[float, float] = (200.0, 100.0),
    thickness_mm: float = 1.5,
    holes: int = 4,
    bends: int = 2,
    hardware: int = 0,
    forms: int = 0,
) -> SheetFacts:
    """A rectangular blank with holes of 8 mm and right-angled bends across it."""
    long, short = blank_mm
    return SheetFacts(
        thickness_mm=thickness_mm,
        blank_mm=blank_mm,
        blank_area_mm2=long * short - holes * 50.265,
        loops=(SheetLoop(None, 2 * (long + short)), *(SheetLoop(str(10 + n), 25.133) for n in range(holes))),
        bends=tuple(SheetBend(str(30 + n), "bend", short, 90.0, thickness_mm) for n in range(bends)),
        forms=tuple(SheetForm(str(50 + n), "countersink", 30.0) for n in range(forms)),
        threads=(),
        hardware=hardware,
    )


def molding(
    side_mm: float = 60.0,
    depth_mm: float = 20.0,
    wall_mm: float = 2.0,
    patches: int = 30,
    slides: int = 0,
    lifters: int = 0,
    threads: int = 0,
) -> MoldingFacts:
    """A square part; each slide has one undercut."""
    undercuts = [MoldUndercut(str(70 + n), n + 1, 4) for n in range(slides)]
    undercuts += [MoldUndercut(str(80 + n), None, 4) for n in range(lifters)]
    return MoldingFacts(
        projected_mm2=side_mm**2,
        footprint_mm=(side_mm, side_mm),
        depth_mm=depth_mm,
        wall_mm=wall_mm,
        patches=patches,
        undercuts=tuple(undercuts),
        threads=tuple(str(90 + n) for n in range(threads)),
    )


def printing(
    height_mm: float = 20.0, support_mm3: float = 0.0, footprint_mm: tuple[float, float] = (45.0, 35.0)
) -> PrintingFacts:
    return PrintingFacts(
        tuple(
            PrintOrientation(kind, UP, height_mm, footprint_mm, 500.0, support_mm3, support_mm3 / 10, ("3", "5"))
            for kind in ("fdm", "sla", "dmls")
        )
    )


def casting(
    side_mm: float = 120.0, depth_mm: float = 50.0, cores_mm3: tuple[float, ...] = (), patches: int = 30
) -> CastingFacts:
    return CastingFacts(
        footprint_mm=(side_mm, side_mm),
        depth_mm=depth_mm,
        wall_mm=8.0,
        patches=patches,
        cores=tuple(SandCore(str(60 + n), volume) for n, volume in enumerate(cores_mm3)),
    )


def body(
    volume_mm3: float = 12_000.0,
    area_mm2: float = 9_000.0,
    sheet: SheetFacts | None = None,
    molding: MoldingFacts | None = None,
    printing: PrintingFacts | None = None,
    casting: CastingFacts | None = None,
) -> MakingFacts:
    """A body of which only the given families are known."""
    return MakingFacts(
        body=1,
        count=1,
        volume_mm3=volume_mm3,
        area_mm2=area_mm2,
        box_mm=(60.0, 60.0, 20.0),
        machining=None,
        sheet=sheet,
        molding=molding,
        printing=printing,
        casting=casting,
    )
