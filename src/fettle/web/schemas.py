"""Bodies that callers send, checked by pydantic. What the API answers is typed in `fettle.results`."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from fettle.quote import shipped_catalog

_QUANTITY = shipped_catalog().rates.quantity


def _whole(value: object) -> object:
    """JSON knows one kind of number: 3.0 is the integer 3. True is not 1."""
    if isinstance(value, bool):
        raise PydanticCustomError("int_type", "Input should be a valid integer")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _number(value: object) -> object:
    if isinstance(value, bool):
        raise PydanticCustomError("float_type", "Input should be a valid number")
    return value


def _printable(text: str) -> str:
    if not text.isprintable():
        raise PydanticCustomError("not_printable", "Input should have no control characters")
    return text


Printable = Annotated[str, AfterValidator(_printable)]
Whole = Annotated[int, Field(strict=True), BeforeValidator(_whole)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False), BeforeValidator(_number)]
PositiveNumber = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False), BeforeValidator(_number)]


class BoundingBoxSent(BaseModel):
    x_mm: PositiveNumber
    y_mm: PositiveNumber
    z_mm: PositiveNumber


class GeometrySent(BaseModel):
    """The geometry as convert returned it."""

    volume_cm3: PositiveNumber
    surface_area_cm2: PositiveNumber
    bounding_box: BoundingBoxSent


class QuoteBody(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "file_name": "bracket.step",
                    "geometry": {
                        "volume_cm3": 25.0,
                        "surface_area_cm2": 110.0,
                        "bounding_box": {"x_mm": 60.0, "y_mm": 40.0, "z_mm": 30.0},
                    },
                    "material_id": "the id of a material from /materials",
                    "quantity": 10,
                    "post_processing_option_ids": [],
                }
            ]
        }
    )

    file_name: Printable = Field(min_length=1, max_length=255, description="Name of the part file.")
    geometry: GeometrySent
    material_id: UUID = Field(description="From /materials.")
    quantity: Whole = Field(ge=_QUANTITY.minimum, le=_QUANTITY.maximum)
    post_processing_option_ids: list[UUID] | None = Field(
        default=None, max_length=50, description="From /post-processing; each once. Null is the same as none."
    )


class EvalBody(BaseModel):
    module: dict[str, Any] = Field(description="A module spec, as /dfm/modules shows them.")
    configuration_key: str | None = Field(
        None, description="Which configuration of the module to judge by; all of them where it is left out."
    )
    overrides: dict[str, Number] = Field(default_factory=dict, description="Parameters to set for this evaluation.")
