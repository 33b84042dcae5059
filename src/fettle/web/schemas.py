"""What goes over the wire, as the API documentation shows it. Requests are checked by these; answers match them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from fettle.quote import shipped_catalog
from fettle.web.examples import EXAMPLES

_QUANTITY = shipped_catalog().rates.quantity
ErrorText = Annotated[str, Field(description="A sentence for a person.")]


def _example(name: str) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [EXAMPLES[name]]})


class Fault(BaseModel):
    loc: list[str | int] | str = Field(description="Where: a path into the body, or a JSON pointer.")
    msg: str


class Error(BaseModel):
    """Every error of every route."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"error": "Invalid API key.", "code": "key_unknown"}]})

    error: ErrorText
    code: str = Field(description="A stable word for machines.", pattern="^[a-z0-9_]+$")
    details: list[Fault] | None = Field(None, description="Every fault of a body or form, where there are several.")


class QuotaError(BaseModel):
    error: ErrorText = Field(examples=["API quota exceeded for this billing period."])
    code: str = Field(examples=["quota_exceeded"])
    upgrade_url: str = Field(description="Where to change the plan.")


class BoundingBox(BaseModel):
    x_mm: float
    y_mm: float
    z_mm: float


class Geometry(BaseModel):
    volume_cm3: float
    surface_area_cm2: float
    bounding_box: BoundingBox


class Converted(BaseModel):
    model_config = _example("Converted")

    geometry: Geometry
    glb_url: str = Field(description="Public address of the preview.")
    glb_base64: str = Field(description="The same preview, as base64.")


class BoxMm(BaseModel):
    x: float
    y: float
    z: float


class QuickGeometry(BaseModel):
    volume_cm3: float
    surface_area_cm2: float
    bounding_box_mm: BoxMm


class Stats(BaseModel):
    n_features: int
    n_vertices: int
    n_triangles: int


class QuickInfo(BaseModel):
    model_config = _example("QuickInfo")

    geometry: QuickGeometry
    glb_url: str
    stats: Stats


class Material(BaseModel):
    id: UUID
    name: str
    description: str
    density_kg_m3: float
    cost_per_kg: float
    currency: str
    maximum_part_size_mm: str = Field(examples=["300mm x 195mm x 290mm"])


class Materials(BaseModel):
    model_config = _example("Materials")

    materials: list[Material]
    currency: str


class PostProcessingOption(BaseModel):
    id: UUID
    name: str
    description: str
    pricing_model: Literal["per_part", "per_kg", "per_cm2", "per_batch", "per_order"]
    cost_per_unit: float
    currency: str
    lead_time_days: int = Field(description="Working days the option adds.")


class PostProcessingOptions(BaseModel):
    model_config = _example("PostProcessingOptions")

    post_processing_options: list[PostProcessingOption]
    currency: str


class Breakdown(BaseModel):
    """For the whole order; the five lines add up to total_price."""

    metal_cost: float
    shell_cost: float
    labor_cost: float
    post_processing_cost: float
    margin: float


class QuoteAnalysis(BaseModel):
    job_id: str
    status: Literal["queued", "running", "done", "error"]


class Quote(BaseModel):
    id: UUID
    status: Literal["draft"]
    unit_price: float
    total_price: float
    currency: str
    breakdown: Breakdown
    lead_time_days: int = Field(description="Working days.")
    file_name: str
    geometry: Geometry
    material_id: UUID
    quantity: int
    post_processing_option_ids: list[UUID]
    rate_card_version: str
    created_at: datetime
    analyses: list[QuoteAnalysis]


class QuoteAnswer(BaseModel):
    model_config = _example("QuoteAnswer")

    quote: Quote


class Quotes(BaseModel):
    quotes: list[Quote]
    cursor: str | None = Field(description="Ask with it for the next page; null on the last.")


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


class JobAccepted(BaseModel):
    model_config = _example("JobAccepted")

    job_id: str
    status: Literal["queued"]


class Job(BaseModel):
    model_config = _example("Job")

    job_id: str
    status: Literal["queued", "running", "done", "error"]
    error: str | None = Field(description="null unless status is error.")
    filename: str
    log: list[str] = Field(description="What happened so far, a line each.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    expires_at: datetime | None = Field(description="When the job and its files are removed.")
    progress: float = Field(ge=0, le=1)
    attempts: int
    quote_id: UUID | None


class Jobs(BaseModel):
    jobs: list[Job]
    cursor: str | None = Field(description="Ask with it for the next page; null on the last.")


class Manufacturability(BaseModel):
    model_config = ConfigDict(extra="allow")

    pull_dir: Annotated[list[float], Field(min_length=3, max_length=3)]
    alpha_min_deg: float
    n_undercuts: int
    n_low_draft: int


class Feature(BaseModel):
    """Its dimensions stand beside, by kind."""

    model_config = ConfigDict(extra="allow")

    fid: str
    kind: str
    related_fids: list[str]


class Features(BaseModel):
    model_config = ConfigDict(extra="allow")

    roles_by_fid: dict[str, int]
    role_names: dict[str, str]
    features: list[Feature]
    manufacturability: Manufacturability


Severity = Literal["pass", "warning", "fail"]


class Summary(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    passed: int = Field(alias="pass")
    warning: int
    fail: int


class Rule(BaseModel):
    model_config = ConfigDict(extra="allow")

    key: str
    name: str
    severity: Severity
    metric: str
    n_inspected: int
    n_not_measured: int
    message: str
    value: float | None
    threshold: float | None
    op: str | None
    fids: list[str]
    findings: list[dict[str, Any]]


class ModuleResult(BaseModel):
    model_config = ConfigDict(extra="allow")

    overall_severity: Severity
    summary: Summary
    rules: list[Rule]


class ConfigurationEntry(BaseModel):
    configuration_key: str
    result: ModuleResult


class ModuleEntry(BaseModel):
    model_config = _example("ModuleEntry")

    module_key: str
    configurations: list[ConfigurationEntry]


class ModuleEntries(BaseModel):
    modules: list[ModuleEntry]


class Artifacts(BaseModel):
    model_config = ConfigDict(extra="allow")

    thickness_glb: str
    clearance_glb: str
    features_glb: str
    draft_glb: str
    features_json: str
    modules_json: str


class Result(BaseModel):
    model_config = ConfigDict(extra="allow")

    job_id: str
    status: Literal["done"]
    features: Features
    modules: ModuleEntries
    artifacts: Artifacts
    input_sha256: str
    engine_version: str
    result_sha256: str


class RhsForm(BaseModel):
    shape: Any
    doc: str


class RuleSchema(BaseModel):
    model_config = ConfigDict(extra="allow")

    selector_sets: list[str]
    metrics_per_feature: list[str]
    metrics_whole_part: list[str]
    comparison_ops: list[str]
    severity_levels: list[str]
    rhs_forms: list[RhsForm]


class Modules(BaseModel):
    modules: list[dict[str, Any]] = Field(description="Module specs; each can be posted back to eval unchanged.")


class EvalBody(BaseModel):
    module: dict[str, Any] = Field(description="A module spec, as /dfm/modules shows them.")
    configuration_key: str | None = Field(
        None, description="Which configuration of the module to judge by; all of them where it is left out."
    )
    overrides: dict[str, Number] = Field(default_factory=dict, description="Parameters to set for this evaluation.")
