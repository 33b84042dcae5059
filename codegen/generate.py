"""What each generated file should hold."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fettle.web
from codegen.python_models import write_features, write_models
from codegen.python_operations import write_operations
from codegen.typescript import write_types
from codegen.typescript_client import write_client
from fettle.results import AnalysisResult
from fettle.results.json_schema import component_schemas, record_schema
from fettle.web.endpoints import Api, find_apis

ROOT = Path(__file__).parents[1]


def generate_all(apis: Sequence[Api] | None = None) -> dict[str, str]:
    """Text of every generated file by its path below the repository; for these APIs, or for those of the service."""
    document = describe(find_apis(fettle.web) if apis is None else list(apis))
    schemas = document["components"]["schemas"]
    return {
        "docs/openapi.json": _json(document),
        "docs/result.schema.json": _json(record_schema(AnalysisResult)),
        "src/fettle/client/models.py": _formatted(write_models(schemas)),
        "src/fettle/client/features.py": _formatted(write_features(schemas)),
        "src/fettle/client/operations.py": _formatted(write_operations(document)),
        "clients/typescript/src/index.ts": write_client(document),
        "viewer/src/result.generated.ts": write_types(component_schemas([AnalysisResult])),
    }


def describe(apis: list[Api]) -> dict[str, Any]:
    """The OpenAPI document of these APIs."""
    return fettle.web.new_app(apis).openapi()


def _json(data: object) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _formatted(source: str) -> str:
    """As the repository's formatter writes it."""
    command = [sys.executable, "-m", "ruff", "format", "--config", str(ROOT / "pyproject.toml"), "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
