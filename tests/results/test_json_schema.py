"""The schema of a result against results, closed: a field that it does not name is a fault."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

import fettle
from fettle import results
from fettle.geometry.csg import build
from fettle.recognize.kinds import feature_classes
from fettle.results import AnalysisResult, Record
from fettle.results.feature_kinds import dimension_fields
from fettle.results.json_schema import component_schemas, record_schema
from fettle.results.record import record_fields
from tests.parts import BLOCK, DRILLED

ROUNDED = {"fillet": {"of": {"box": [30, 20, 10]}, "r": 2, "edges": "z"}}


def records() -> list[type[Record]]:
    found = (getattr(results, name) for name in results.__all__)
    return [one for one in found if inspect.isclass(one) and issubclass(one, Record) and one is not Record]


def closed(schema: Any) -> Any:
    """The schema with no room for properties that it does not name."""
    if isinstance(schema, dict):
        shown = {key: closed(value) for key, value in schema.items()}
        return {**shown, "additionalProperties": False} if "properties" in schema and "type" in schema else shown
    return [closed(value) for value in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("recipe", [BLOCK, DRILLED, ROUNDED], ids=["block", "drilled", "rounded"])
def test_the_schema_names_every_field_of_a_result(recipe: dict[str, Any]) -> None:
    shown = fettle.result(fettle.analyze(fettle.read(build(recipe), "part.step"))).to_dict()
    assert shown["features"]["features"], "a result that shows dimensions"
    validator = jsonschema.Draft202012Validator(closed(record_schema(AnalysisResult)))
    assert [fault.message for fault in validator.iter_errors(shown)] == []
    shown["features"]["features"][0]["surprise_mm"] = 1.0
    assert list(validator.iter_errors(shown)), "a dimension that no kind declares is found"


def test_every_field_of_every_record_has_a_meaning() -> None:
    silent = [f"{one.__name__}.{field.name}" for one in records() for field in record_fields(one) if not field.meaning]
    assert silent == []


def test_every_kind_is_told_apart_by_its_name() -> None:
    schemas = component_schemas([AnalysisResult])
    assert set(schemas["Feature"]["discriminator"]["mapping"]) == set(feature_classes())
    hole = schemas["HoleFeature"]["properties"]
    assert hole["kind"]["const"] == "HOLE"
    assert (hole["diameter_mm"]["type"], hole["diameter_mm"]["x-unit"]) == ("number", "mm")
    assert schemas["SlotFeature"]["properties"]["floor_fid"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert not [name for name, schema in schemas.items() if schema.get("additionalProperties") is True]


def dimensions() -> Iterator[tuple[str, str, str]]:
    for kind, shape in feature_classes().items():
        for key, field in dimension_fields(shape):
            yield kind, key, field.meaning


def test_every_dimension_of_every_kind_has_a_meaning() -> None:
    assert [(kind, key) for kind, key, meaning in dimensions() if not meaning] == []
