"""Records as JSON: names, order and what comes back."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated

import pytest

from fettle.results import (
    ConfigurationVerdict,
    EncodedResult,
    FeatureEntry,
    Finding,
    ModuleResult,
    ModuleResults,
    Record,
    RuleResult,
    SeverityCounts,
    Verdict,
)
from fettle.results.json_text import encode
from fettle.results.record import JsonName, reading, rounded
from tests.small_result import result_with


@dataclass(frozen=True, slots=True)
class Order(Record):
    """One of everything that a record may hold."""

    passed: Annotated[int, "A count.", JsonName("pass")]
    price: Annotated[Decimal, "Money."]
    made_at: Annotated[datetime | None, "A moment."]
    sides_mm: Annotated[tuple[float, float, float], "Three sides."]
    counts: Annotated[SeverityCounts | None, "A record inside."]
    note: Annotated[str | None, "Left out where there is none."] = None


def test_keys_keep_their_order_and_values_become_plain_json() -> None:
    order = Order(2, Decimal("57.49"), datetime(2026, 11, 15, 12, tzinfo=UTC), (1.0, 2.0, 3.0), SeverityCounts(1, 0, 2))
    text = (
        '{"pass": 2, "price": 57.49, "made_at": "2026-11-15T12:00:00+00:00", "sides_mm": [1.0, 2.0, 3.0], '
        '"counts": {"pass": 1, "warning": 0, "fail": 2}}'
    )
    assert json.dumps(order.to_dict()) == text
    assert json.loads(encode(order)) == json.loads(text)
    assert Order.from_dict(json.loads(text)) == order
    assert Order.from_dict({**json.loads(text), "added_later": 1}) == order
    assert Order(0, Decimal(1), None, (0.0, 0.0, 0.0), None, "x").to_dict()["note"] == "x"


def test_a_whole_result_comes_back_from_json_and_from_a_pickle() -> None:
    hole = FeatureEntry("3", "HOLE", ("3", "5"), {"diameter_mm": 6.0, "floor_fid": None}, 1.0, 2.0, None, 0.0, 40.0)
    found = Finding("3", ("3", "5"), "fail", "hole.diameter", 6.0, 8.0, "lt", "Too small.", (1.0, 2.0, 3.0), False)
    rule = RuleResult("r", "R", "fail", "hole.diameter", "mm", 1, 0, "Too small.", 6.0, 8.0, "lt", ("3",), (found,))
    verdict = ConfigurationVerdict("a", Verdict("fail", SeverityCounts(0, 0, 1), (rule,), ()))
    result = result_with(ModuleResults((ModuleResult("m", (verdict,)),)), (hole,))
    shown = result.to_dict()
    assert list(shown["features"]["features"][0])[:5] == ["fid", "kind", "related_fids", "diameter_mm", "floor_fid"]
    assert type(result).from_dict(json.loads(json.dumps(shown))) == result
    assert pickle.loads(pickle.dumps(result)) == result
    assert result.verdicts() == {"m": {"a": "fail"}}


def test_the_hash_covers_everything_else() -> None:
    """SHA-256 of the compact JSON without the hash itself, computed here by other means."""
    import hashlib

    shown = result_with(ModuleResults(())).to_dict()
    kept = shown.pop("result_sha256")
    assert hashlib.sha256(json.dumps(shown, separators=(",", ":")).encode()).hexdigest() == kept


def test_numbers_have_nine_significant_digits_and_no_minus_zero() -> None:
    assert rounded(1234.56789012) == 1234.56789
    assert str(rounded(-0.0)) == "0.0"
    assert reading(float("nan")) is None


def test_the_types_need_neither_numpy_nor_the_kernel() -> None:
    code = (
        "import fettle.results, fettle.client, fettle.app.kernel_tasks.tasks, sys; "
        "print(sorted({'numpy', 'OCP', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_json_of_a_result_is_that_of_its_dict() -> None:
    """Encoded field by field from the records, it has the bytes that the standard encoder gives for `to_dict`."""
    hole = FeatureEntry("3", "HOLE", ("3", "5"), {"diameter_mm": 6.0, "floor_fid": None}, 1.0, 2.0, None, 0.0, 40.0)
    found = Finding("3", ("3", "5"), "fail", "hole.diameter", 6.0, 8.0, "lt", "Ø too small.", (1.0, 2.0, 3.0), False)
    rule = RuleResult("r", "R", "fail", "hole.diameter", "mm", 1, 0, "Too small.", 6.0, 8.0, "lt", ("3",), (found,))
    verdict = ConfigurationVerdict("a", Verdict("fail", SeverityCounts(0, 0, 1), (rule,), ()))
    result = result_with(ModuleResults((ModuleResult("m", (verdict,)),)), (hole,))
    encoded = EncodedResult.hashed(result)
    plain = json.dumps(result.to_dict(), separators=(",", ":"), ensure_ascii=False).encode()
    assert encoded.to_json() == plain
    assert encoded.result == result
    assert json.dumps(encoded.shown) == json.dumps(result.to_dict())
    assert json.loads(encoded.fields["modules"]) == result.modules.to_dict()


def test_a_value_without_json_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no JSON"):
        encode({"what": object()})
