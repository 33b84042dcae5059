"""STEP files with dimensions and tolerances, written as text around a plate of our own: 40 x 30 x 10 mm with a bore of
8 mm in its middle."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fettle.geometry.csg import build

FIRST = 90001
"""Number of the first instance that is added; the plate's own are far below."""


@dataclass(frozen=True)
class Plate:
    """A plate as STEP text, with the numbers of the instances that PMI refers to."""

    text: str
    bore: int
    bottom: int
    top: int
    sides: tuple[int, ...]
    shape: int
    context: int
    units: int

    def with_pmi(self, lines: str) -> bytes:
        """The file with more instances before the end of its data."""
        head, end, tail = self.text.rpartition("ENDSEC;")
        return f"{head}{lines}\n{end}{tail}".encode("latin-1")

    def toleranced(self, nominal: float = 8.0, flatness: float = 0.05, square: float = 0.1) -> bytes:
        """Bore of a diameter +0.036/0, bottom flat as datum A, bore perpendicular to it, a note."""
        return self.with_pmi(_TOLERANCED.format(plate=self, nominal=nominal, flatness=flatness, square=square))


_TOLERANCED = """
#90001=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));
#90010=SHAPE_ASPECT('','',#{plate.shape},.T.);
#90011=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#90010,#{plate.context},#{plate.bore});
#90012=DIMENSIONAL_SIZE(#90010,'diameter');
#90013=(LENGTH_MEASURE_WITH_UNIT()MEASURE_REPRESENTATION_ITEM()
MEASURE_WITH_UNIT(POSITIVE_LENGTH_MEASURE({nominal}),
#90001)REPRESENTATION_ITEM('nominal value'));
#90014=SHAPE_DIMENSION_REPRESENTATION('',(#90013),#{plate.context});
#90015=DIMENSIONAL_CHARACTERISTIC_REPRESENTATION(#90012,#90014);
#90016=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(0.),#90001);
#90017=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(0.036),#90001);
#90018=TOLERANCE_VALUE(#90016,#90017);
#90019=PLUS_MINUS_TOLERANCE(#90018,#90012);
#90020=DATUM_FEATURE('','',#{plate.shape},.T.);
#90021=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#90020,#{plate.context},#{plate.bottom});
#90022=DATUM('','',#{plate.shape},.F.,'A');
#90023=SHAPE_ASPECT_RELATIONSHIP('','',#90020,#90022);
#90024=DATUM_REFERENCE_COMPARTMENT('','',#{plate.shape},.F.,#90022,$);
#90025=DATUM_SYSTEM('','',#{plate.shape},.F.,(#90024));
#90026=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE({flatness}),#90001);
#90027=FLATNESS_TOLERANCE('','',#90026,#90020);
#90028=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE({square}),#90001);
#90029=(GEOMETRIC_TOLERANCE('','',#90028,#90010)GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((#90025))
GEOMETRIC_TOLERANCE_WITH_MODIFIERS((.MAXIMUM_MATERIAL_REQUIREMENT.))PERPENDICULARITY_TOLERANCE());
#90030=TOLERANCE_ZONE('',$,#{plate.shape},.F.,(#90029),#90031);
#90031=TOLERANCE_ZONE_FORM('cylindrical or circular');
#90040=PROPERTY_DEFINITION('semantic text','',#90010);
#90041=DESCRIPTIVE_REPRESENTATION_ITEM('','\\X2\\00D8\\X0\\8 THRU; ISO 2768-mK, Ra 1.6');
#90042=REPRESENTATION('',(#90041),#{plate.context});
#90043=PROPERTY_DEFINITION_REPRESENTATION(#90040,#90042);
#90050=DRAUGHTING_CALLOUT('drawn by hand',());
"""


def plate() -> Plate:
    """The plate without PMI."""
    text = build(
        {"cut": [{"box": [40, 30, 10]}, {"move": {"of": {"cylinder": {"d": 8, "h": 10}}, "by": [20, 15, 0]}}]}
    ).decode("latin-1")
    bodies = {
        int(number): " ".join(body.split()) for number, body in re.findall(r"#(\d+)\s*=\s*(.*?);", text, re.DOTALL)
    }

    def numbers(kind: str) -> list[int]:
        return [number for number, body in bodies.items() if body.startswith(kind)]

    heights = {number: _height(bodies, number) for number in numbers("ADVANCED_FACE")}
    bore = next(number for number in heights if bodies[_surface(bodies[number])].startswith("CYLINDRICAL"))
    flat = {number: height for number, height in heights.items() if number != bore}
    return Plate(
        text=text,
        bore=bore,
        bottom=next(number for number, height in flat.items() if height == {0.0}),
        top=next(number for number, height in flat.items() if height == {10.0}),
        sides=tuple(number for number, height in flat.items() if height == {0.0, 10.0}),
        shape=numbers("PRODUCT_DEFINITION_SHAPE")[0],
        context=numbers("ADVANCED_BREP_SHAPE_REPRESENTATION")[0],
        units=next(number for number, body in bodies.items() if "GEOMETRIC_REPRESENTATION_CONTEXT" in body),
    )


def _surface(face: str) -> int:
    return int(re.findall(r"#(\d+)", face)[-1])


def _height(bodies: dict[int, str], face: int) -> set[float]:
    """Heights of the corners of a face."""
    waiting, corners = [face], set()
    while waiting:
        body = bodies[waiting.pop()]
        if body.startswith("VERTEX_POINT"):
            point = bodies[int(re.findall(r"#(\d+)", body)[-1])]
            corners.add(round(float(re.findall(r"[-\d.E+]+", point.split("(", 2)[2])[2]), 6))
        elif body.startswith(("ADVANCED_FACE", "FACE_", "EDGE_LOOP", "ORIENTED_EDGE", "EDGE_CURVE")):
            waiting.extend(int(number) for number in re.findall(r"#(\d+)", body))
    return corners
