"""Bodies that callers send, checked by pydantic. What the API answers is typed in `fettle.results`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from fettle.app.quote_letters import LIMITS, LetterRequest
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


class PieceSent(BaseModel):
    """A body of an assembly that is made, as convert listed it."""

    body: Whole = Field(ge=1, description="Number of the body in the file's order.")
    name: Printable = Field(min_length=1, max_length=255, description="Name of the body.")
    count: Whole = Field(ge=1, le=_QUANTITY.maximum, description="Pieces in one assembly.")
    geometry: GeometrySent


class LetterSent(BaseModel):
    """What a quote says to a customer, beside the price; all of it may be left out."""

    customer: Printable | None = Field(default=None, max_length=LIMITS["customer"], description="Whom it is for.")
    reference: Printable | None = Field(
        default=None, max_length=LIMITS["reference"], description="The customer's reference."
    )
    valid_until: date | None = Field(default=None, description="Last day on which it holds; null for 30 days.")
    notes: str | None = Field(default=None, max_length=LIMITS["notes"], description="Notes to the customer.")

    def letter(self) -> LetterRequest | None:
        """The letter, None where nothing was said."""
        if self.customer is None and self.reference is None and self.valid_until is None and self.notes is None:
            return None
        return LetterRequest(self.customer or "", self.reference or "", self.valid_until, self.notes or "")


class QuoteBody(LetterSent):
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
    bodies: list[PieceSent] | None = Field(
        default=None,
        max_length=1000,
        description="Bodies of an assembly that are made, from convert; the price is their sum. None: the geometry is "
        "one part.",
    )


class ProcessQuoteBody(LetterSent):
    """A quote by a process: the part is that of a finished analysis."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"job_id": "the id of a finished analysis", "process": "cnc:3-axis", "quantity": 100}]
        }
    )

    job_id: Printable = Field(max_length=100, description="The finished analysis that is priced.")
    process: Printable = Field(
        max_length=100, description="module:configuration, as /dfm/jobs/{job_id}/processes lists them."
    )
    quantity: Whole = Field(ge=_QUANTITY.minimum, le=_QUANTITY.maximum)
    material: Printable | None = Field(
        default=None,
        max_length=100,
        description="By any part of its name that only one material of the process has; null for the usual one.",
    )
    file_name: Printable | None = Field(
        default=None, min_length=1, max_length=255, description="Name to keep; null for that of the analysis."
    )
    post_processing_option_ids: list[UUID] | None = Field(
        default=None, max_length=50, description="From /post-processing, of those that suit material and process."
    )


def _quote_kind(body: object) -> str:
    """Which body it is: a process makes it the one of an analysis."""
    named = body.get("process") if isinstance(body, dict) else getattr(body, "process", None)
    return CASTING_ORDER if named is None else PROCESS_ORDER


CASTING_ORDER, PROCESS_ORDER = "casting order", "process order"
"""Tags of the two bodies of a quote, which errors leave out of their places."""
AnyQuoteBody = Annotated[
    Annotated[QuoteBody, Tag(CASTING_ORDER)] | Annotated[ProcessQuoteBody, Tag(PROCESS_ORDER)],
    Discriminator(_quote_kind),
]


class WebhookBody(BaseModel):
    url: Printable = Field(min_length=1, max_length=2000, description="A public http or https address of yours.")


class EvalBody(BaseModel):
    module: dict[str, Any] = Field(description="A module spec, as /dfm/modules shows them.")
    configuration_key: str | None = Field(
        None, description="Which configuration of the module to judge by; all of them where it is left out."
    )
    overrides: dict[str, Number] = Field(default_factory=dict, description="Parameters to set for this evaluation.")
