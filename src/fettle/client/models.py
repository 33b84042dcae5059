"""Answers of the service as typed objects. Fields the service adds later are kept, not refused."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Severity = Literal["pass", "warning", "fail"]
Status = Literal["queued", "running", "done", "error"]


class Answer(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class BoundingBox(Answer):
    x_mm: float
    y_mm: float
    z_mm: float


class Geometry(Answer):
    volume_cm3: float
    surface_area_cm2: float
    bounding_box: BoundingBox


class Conversion(Answer):
    geometry: Geometry
    glb_url: str
    glb_base64: str


class QuickInfo(Answer):
    geometry: dict[str, Any]
    glb_url: str
    stats: dict[str, int]


class Material(Answer):
    id: str
    name: str
    description: str
    density_kg_m3: float
    cost_per_kg: Decimal
    maximum_part_size_mm: str


class Finish(Answer):
    """A post-processing option."""

    id: str
    name: str
    description: str
    pricing_model: str
    cost_per_unit: Decimal


class Quote(Answer):
    """Prices are for the whole order; the breakdown's lines add up to `total_price`."""

    id: str
    status: str
    unit_price: Decimal
    total_price: Decimal
    breakdown: dict[str, Decimal]
    lead_time_days: int


class Job(Answer):
    job_id: str
    status: Status
    error: str | None = None
    filename: str | None = None
    log: list[str] = []
    progress: float | None = None
    attempts: int | None = None
    created_at: datetime | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    expires_at: datetime | None = None


class Finding(Answer):
    fid: str | None
    related_fids: list[str]
    severity: Severity
    value: float | None
    threshold: float | None
    op: str | None
    message: str
    position: tuple[float, float, float] | None = None
    borderline: bool = False


class Rule(Answer):
    key: str
    name: str
    severity: Severity
    metric: str
    n_inspected: int
    n_not_measured: int
    message: str
    findings: list[Finding]


class Judgment(Answer):
    overall_severity: Severity
    summary: dict[Severity, int]
    rules: list[Rule]


class Configuration(Answer):
    configuration_key: str
    result: Judgment


class ModuleEntry(Answer):
    module_key: str
    configurations: list[Configuration]


class Modules(Answer):
    modules: list[ModuleEntry]


class Result(Answer):
    """A finished analysis; `features` is the JSON object of the API."""

    job_id: str
    status: Status
    features: dict[str, Any]
    modules: Modules
    artifacts: dict[str, str]

    def verdicts(self) -> dict[str, Severity]:
        """Overall severity by `module:configuration`."""
        return {
            f"{entry.module_key}:{one.configuration_key}": one.result.overall_severity
            for entry in self.modules.modules
            for one in entry.configurations
        }
