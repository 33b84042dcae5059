"""A made-up endpoint: a route, a record and this test are all it takes; the rest follows from the registry."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import jsonschema
import pytest
from codegen.generate import describe, generate_all
from fastapi.responses import JSONResponse

import fettle.web
from fettle.results import Record
from fettle.results.json_schema import record_schema
from fettle.results.record import JsonObject
from fettle.web.endpoints import Api, find_apis, upload_paths
from fettle.web.responses import FILE, send

# file 1, the type of the answer: fettle/results/stock.py


@dataclass(frozen=True, slots=True)
class StockBar(Record):
    """The bar that a part is turned from."""

    EXAMPLE: ClassVar[JsonObject] = {"diameter_mm": 20.0, "length_mm": 55.0, "material_id": None}

    diameter_mm: Annotated[float, "Diameter of the bar."]
    length_mm: Annotated[float, "Length that is cut off."]
    material_id: Annotated[str | None, "Material it is in stock for."]


# file 2, the route: fettle/web/stock.py

api = Api("/api/v1", "Stock")


@api.endpoint("GET", "/stock/{bar_id}", StockBar, 404)
def read_stock_bar(bar_id: str) -> JSONResponse:
    """A bar in stock."""
    return send(StockBar(20.0, 55.0, None if bar_id == "any" else bar_id))


@api.endpoint("POST", "/stock", StockBar, 422, fields={"file": FILE}, required=("file",))
async def fit_stock_bar() -> JSONResponse:
    """The smallest bar that a part fits into."""
    return send(StockBar(20.0, 55.0, None))


# file 3, the test


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return describe([api])


def test_the_openapi_document_shows_it_with_schema_example_and_errors(document: dict[str, Any]) -> None:
    operation = document["paths"]["/api/v1/stock/{bar_id}"]["get"]
    assert (operation["operationId"], operation["tags"]) == ("read_stock_bar", ["Stock"])
    assert set(operation["responses"]) == {"200", "401", "404", "413", "429", "500", "503"}
    shown = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert shown == {"$ref": "#/components/schemas/StockBar"}
    schema = document["components"]["schemas"]["StockBar"]
    assert schema["properties"]["diameter_mm"] == {
        "type": "number",
        "description": "Diameter of the bar.",
        "x-unit": "mm",
    }
    assert schema["examples"] == [StockBar.EXAMPLE]


def test_it_answers_what_its_schema_says() -> None:
    answer = json.loads(bytes(read_stock_bar("any").body))
    jsonschema.validate(answer, record_schema(StockBar))
    assert answer == StockBar.EXAMPLE


def test_the_client_gets_an_operation_and_a_model() -> None:
    generated = generate_all([*find_apis(fettle.web), api])
    operations = ast.parse(generated["src/fettle/client/operations.py"])
    (read,) = (node for node in operations.body if isinstance(node, ast.FunctionDef) and node.name == "read_stock_bar")
    assert [argument.arg for argument in read.args.args] == ["bar_id"]
    assert ast.unparse(read.returns or ast.Constant(None)) == "Flow[models.StockBar]"
    models = ast.parse(generated["src/fettle/client/models.py"])
    (bar,) = (node for node in models.body if isinstance(node, ast.ClassDef) and node.name == "StockBar")
    fields = [
        node.target.id for node in bar.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    assert fields == ["diameter_mm", "length_mm", "material_id"]


def test_an_endpoint_that_takes_a_file_may_have_a_large_body() -> None:
    assert upload_paths([api]) == {"/api/v1/stock"}


def test_the_service_finds_the_apis_of_its_modules() -> None:
    found = [one.tag for one in find_apis(fettle.web)]
    assert found == ["DFM", "DFM batches", "DFM jobs", "Flat patterns", "Processes", "Quoting", "Webhooks"]
