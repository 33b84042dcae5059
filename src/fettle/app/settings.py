"""Every setting of the service, read from `FETTLE_*` variables; the documentation is made from these fields."""

from __future__ import annotations

import os
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from fettle.app.command_settings import CommandSettings
from fettle.app.isolation.limits import Limits
from fettle.app.options import Bounds
from fettle.cores import MOST

MEBIBYTE = 1024 * 1024
_COMMAND = CommandSettings()
_LIMITS, _BOUNDS = _COMMAND.kernel_limits, _COMMAND.size_bounds


class LogFormat(StrEnum):
    """How the log is written."""

    TEXT = "text"
    JSON = "json"


def user_data_dir() -> Path:
    """Default folder of the state: `fettle` in the user's data directory."""
    root = os.environ.get("XDG_DATA_HOME")
    return (Path(root) if root else Path.home() / ".local" / "share") / "fettle"


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="FETTLE_", frozen=True, extra="ignore")

    data_dir: Path = Field(
        default_factory=user_data_dir,
        description="Folder of the database and the stored files. Default: `fettle` in the user's data directory.",
    )
    database_url: str = Field(
        default="",
        description="PostgreSQL address (postgresql://...) for several machines. Empty: SQLite in the data folder.",
    )
    storage_url: str = Field(
        default="",
        description="Object store address (s3://bucket/prefix, ...) for several machines. Empty: the data folder.",
    )
    store_plain: bool = Field(
        default=False,
        description="Store files uncompressed, as nodes of version 0.1 read them, while any still run beside this one.",
    )

    catalog_dir: Path | None = Field(
        default=None,
        description="Folder whose materials, finishing, pricing and plans .yaml files replace the shipped ones, and "
        "whose folder packs adds rule modules, or replaces those of the same key.",
    )

    host: str = Field(default="127.0.0.1", description="Address the service listens on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port the service listens on.")
    public_url: str = Field(
        default="",
        description="Address callers reach the service under, put before artifact paths. "
        "Empty: scheme and host of the request.",
    )
    docs_url: str = Field(
        default="", description="Address of the documentation, linked from every page. Empty: no link."
    )
    log_level: str = Field(default="info", description="One of debug, info, warning, error.")

    otlp_endpoint: str = Field(
        default="",
        description="Address of an OpenTelemetry collector (OTLP over HTTP, for example http://localhost:4318) that "
        "takes traces of requests and jobs; needs `fettle[telemetry]`. Empty: none.",
    )
    log_format: LogFormat = Field(
        default=LogFormat.TEXT, description="text for people, or json: one object a line, with request and job ids."
    )

    workers: int = Field(
        default_factory=lambda: max(1, os.cpu_count() or 1),
        ge=0,
        description="Worker processes `fettle serve` starts. Default: one per core.",
    )
    worker_nice: int = Field(
        default=10,
        ge=0,
        le=19,
        description="How much lower the priority of workers is (as `nice` counts), so that the API stays quick.",
    )
    queue_limit: int = Field(default=1000, ge=1, description="Waiting jobs above which analyze answers 503.")
    kernel_slots: int = Field(
        default_factory=lambda: max(2, os.cpu_count() or 1),
        ge=1,
        description="Kernel children that convert and quick-info may run at once in one process. "
        "Default: one per core, at least two.",
    )
    kernel_wall_s: float = Field(
        default=_LIMITS.wall_s, gt=0, description="Wall time after which reading and meshing a part is stopped."
    )
    kernel_cpu_s: float = Field(
        default=_LIMITS.cpu_s, gt=0, description="CPU time after which reading and meshing a part is stopped."
    )
    kernel_memory_bytes: int = Field(
        default=_LIMITS.memory_bytes, ge=512 * MEBIBYTE, description="Memory a kernel child may take."
    )
    kernel_cores: int = Field(
        default=_LIMITS.cores,
        ge=1,
        le=MOST,
        description="Cores that one analysis may use: that of a command on one file, and that of a worker while no "
        "other job waits or runs. Never more than the machine has. The answers are the same.",
    )
    warm_helper: bool = Field(
        default=_COMMAND.warm_helper,
        description="Whether commands on part files use the loaded kernel of a service that the same user runs on the "
        "machine, and whether a service offers it. The answers are the same.",
    )
    job_attempts: int = Field(default=3, ge=1, description="How often a job is tried before it ends in error.")
    job_days: float = Field(
        default=7.0, gt=0, description="Days after its end when a job is removed: its row, result and every file."
    )
    longest_job_days: float = Field(
        default=90.0, gt=0, description="Longest period for which an account may choose to keep its jobs, in days."
    )
    undo_days: float = Field(
        default=3.0, gt=0, description="Days in which an analysis deleted in the dashboard can be brought back."
    )
    upload_days: float | None = Field(
        default=None,
        gt=0,
        description="Days after a job's end when the file that was sent is removed. Unset: with the job.",
    )
    artifact_days: float | None = Field(
        default=None,
        gt=0,
        description="Days after a job's end when maps, flats and reports are removed. Unset: with the job.",
    )
    log_days: float | None = Field(
        default=None, gt=0, description="Days after a job's end when its log lines are removed. Unset: with the job."
    )
    preview_days: float = Field(
        default=7.0, gt=0, description="Days after which a preview is removed; one in use stays."
    )
    derived_days: float = Field(
        default=7.0, gt=0, description="Days after which models and other data that can be computed anew are removed."
    )
    audit_days: float = Field(default=365.0, gt=0, description="Days for which entries of the audit log are kept.")
    idempotency_days: float = Field(default=7.0, gt=0, description="Days for which an Idempotency-Key is remembered.")
    heartbeat_s: float = Field(default=3.0, gt=0, description="Seconds between two heartbeats of a worker.")
    dead_after_s: float = Field(
        default=12.0, gt=0, description="Seconds without a heartbeat after which a worker's jobs go to another."
    )

    upload_limit_bytes: int = Field(default=25 * MEBIBYTE, ge=1, description="Largest part file.")
    batch_limit_bytes: int = Field(default=100 * MEBIBYTE, ge=1, description="Largest sum of the files of one batch.")
    batch_limit_files: int = Field(default=50, ge=1, description="Most files of one batch.")
    json_limit_bytes: int = Field(default=1 * MEBIBYTE, ge=1, description="Largest body that is not a part file.")
    blob_allowed_origins: tuple[str, ...] = Field(
        default=(),
        description='Origins (JSON list, as ["http://10.0.0.5:9000"]) that blob_url may name though they are private.',
    )
    blob_timeout_s: float = Field(default=60.0, gt=0, description="Time to fetch a blob_url, all redirects included.")
    webhook_allowed_origins: tuple[str, ...] = Field(
        default=(), description="Origins (JSON list) that webhooks may name though they are private."
    )
    key_rate_per_minute: int = Field(
        default=0,
        ge=0,
        description="Requests of one key in a minute, in each API process, before 429. 0: no limit. "
        "Set it, and the next, on a service that strangers reach.",
    )
    address_rate_per_minute: int = Field(
        default=0,
        ge=0,
        description="Requests without a valid key of one address in a minute, in each API process, before 429. "
        "0: no limit.",
    )
    envelope_mm: tuple[float, float, float] = Field(
        default=(300.0, 195.0, 290.0), description="Casting envelope that convert holds a part against, as a JSON list."
    )
    dfm_max_side_mm: float = Field(
        default=_BOUNDS.max_side_mm, gt=0, description="Longest side of a part that is analyzed."
    )
    dfm_min_side_mm: float = Field(
        default=_BOUNDS.min_side_mm, gt=0, description="Shortest side of a part that is analyzed."
    )

    key_prefix: str = Field(default="svc_live_", pattern=r"^[a-z]+_live_$", description="What a key begins with.")
    upgrade_url: str = Field(default="", description="Address given with 402. Empty: the dashboard's key page.")
    share_days: float = Field(
        default=30.0, gt=0, le=365, description="Days a share link works unless its owner chooses another number."
    )
    session_days: float = Field(default=14.0, gt=0, description="Days a dashboard session lasts.")
    sign_in_attempts: int = Field(
        default=10,
        ge=1,
        description="Failed sign-ins, or new keys, of one e-mail or address in 15 minutes before 429.",
    )

    @field_validator("public_url", "upgrade_url")
    @classmethod
    def _without_slash(cls, url: str) -> str:
        return url.rstrip("/")

    @property
    def kernel_limits(self) -> Limits:
        """What a kernel child may use beside others."""
        return Limits(self.kernel_wall_s, self.kernel_cpu_s, self.kernel_memory_bytes)

    @property
    def limits_alone(self) -> Limits:
        """What a kernel child may use while it is the only one."""
        return replace(self.kernel_limits, cores=self.kernel_cores)

    @property
    def size_bounds(self) -> Bounds:
        """Sides of a part that is analyzed."""
        return Bounds(self.dfm_min_side_mm, self.dfm_max_side_mm)

    @property
    def upload_limit_text(self) -> str:
        """Largest part file as people write it: `25 MB`."""
        return f"{self.upload_limit_bytes / MEBIBYTE:g} MB"

    @property
    def job_days_text(self) -> str:
        """How long a job is kept, as people write it: `7 days`."""
        return f"{self.job_days:g} day{'' if self.job_days == 1 else 's'}"

    @property
    def undo_days_text(self) -> str:
        """How long a deletion can be undone, as people write it: `3 days`."""
        return f"{self.undo_days:g} day{'' if self.undo_days == 1 else 's'}"

    @property
    def database(self) -> str:
        """The database address as SQLAlchemy takes it."""
        if not self.database_url:
            return f"sqlite:///{self.data_dir.resolve() / 'fettle.sqlite'}"
        for scheme in ("postgresql://", "postgres://"):
            if self.database_url.startswith(scheme):
                return "postgresql+psycopg://" + self.database_url.removeprefix(scheme)
        return self.database_url
