"""Stored quotes and Idempotency-Key, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from fettle.app import quotes
from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.errors import KeyReused, NotFound
from fettle.app.quotes import PieceRequest, QuoteRequest
from fettle.app.state.store import Store
from fettle.errors import BadRequest
from fettle.quote import shipped_catalog
from fettle.quote.catalog import UnknownFinish, UnknownMaterial

CATALOG = shipped_catalog()
STEEL = str(CATALOG.material("Stainless 316L (CF3M)").id)
PASSIVATION = str(CATALOG.finish("Passivation ASTM A967").id)
BRACKET = QuoteRequest("bracket.step", 25.0, 110.0, (60.0, 40.0, 30.0), STEEL, 10, (PASSIVATION,))


def test_a_quote_is_read_as_it_was_priced(store: Store, account: Account) -> None:
    made = quotes.create(store, CATALOG, account, BRACKET)
    assert quotes.read(store, account, made.id) == made
    assert made.to_dict()["breakdown"] == {
        "metal_cost": 39.36,
        "shell_cost": 112.72,
        "labor_cost": 249.53,
        "post_processing_cost": 22.0,
        "margin": 151.29,
    }
    assert (float(made.unit_price), float(made.total_price), made.lead_time_days) == (57.49, 574.90, 13)
    assert (made.status, made.currency, made.quantity) == ("draft", "USD", 10)
    assert made.geometry.bounding_box.to_dict() == {"x_mm": 60.0, "y_mm": 40.0, "z_mm": 30.0}
    assert made.analyses == ()
    assert made.created_at.tzinfo is not None


def test_a_quote_of_another_account_does_not_exist(store: Store, account: Account) -> None:
    made = quotes.create(store, CATALOG, account, BRACKET)
    eve = accounts.find_or_create(store, "eve@example.com")
    with pytest.raises(NotFound):
        quotes.read(store, eve, made.id)
    assert quotes.read_all(store, eve) == ([], None)
    with store.read() as connection, pytest.raises(BadRequest, match="names no quote"):
        quotes.check_owner(connection, eve, made.id)


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"material_id": "00000000-0000-4000-8000-000000000000"}, UnknownMaterial),
        ({"post_processing_option_ids": ("00000000-0000-4000-8000-000000000000",)}, UnknownFinish),
        ({"post_processing_option_ids": (PASSIVATION, PASSIVATION)}, BadRequest),
        ({"quantity": 10_001}, BadRequest),
    ],
)
def test_what_cannot_be_priced_is_refused_and_nothing_is_kept(
    store: Store, account: Account, change: dict[str, object], refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        quotes.create(store, CATALOG, account, replace(BRACKET, **change))
    assert quotes.read_all(store, account) == ([], None)


def test_pages_go_from_the_newest_to_the_oldest_and_miss_none(store: Store, account: Account) -> None:
    made = [quotes.create(store, CATALOG, account, BRACKET).id for _ in range(7)]
    first, cursor = quotes.read_all(store, account, limit=3)
    # one that comes while somebody turns pages shifts nothing
    quotes.create(store, CATALOG, account, BRACKET)
    second, cursor = quotes.read_all(store, account, limit=3, cursor=cursor)
    third, end = quotes.read_all(store, account, limit=3, cursor=cursor)
    assert [quote.id for quote in first + second + third] == made[::-1]
    assert end is None


@pytest.mark.parametrize("cursor", ["", "nonsense", "!!!", "MjAyNnw", "w6k"])
def test_a_cursor_of_ones_own_is_refused(store: Store, account: Account, cursor: str) -> None:
    with pytest.raises(BadRequest, match="cursor"):
        quotes.read_all(store, account, cursor=cursor)


def test_the_same_key_with_the_same_body_gives_the_same_quote(store: Store, account: Account) -> None:
    first = quotes.create(store, CATALOG, account, BRACKET, "key-1")
    assert quotes.create(store, CATALOG, account, BRACKET, "key-1") == first
    assert quotes.create(store, CATALOG, account, BRACKET, "key-2").id != first.id
    with pytest.raises(KeyReused):
        quotes.create(store, CATALOG, account, replace(BRACKET, quantity=11), "key-1")
    eve = accounts.find_or_create(store, "eve@example.com")
    assert quotes.create(store, CATALOG, eve, BRACKET, "key-1").id != first.id


def test_twenty_requests_with_one_key_at_once_make_one_quote(store: Store, account: Account) -> None:
    with ThreadPoolExecutor(10) as pool:
        made = list(pool.map(lambda _: quotes.create(store, CATALOG, account, BRACKET, "key").id, range(20)))
    assert len(set(made)) == 1
    assert len(quotes.read_all(store, account)[0]) == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "a\nb"])
def test_a_key_of_bad_form_is_refused(store: Store, account: Account, key: str) -> None:
    with pytest.raises(BadRequest, match="Idempotency-Key"):
        quotes.create(store, CATALOG, account, BRACKET, key)


def test_a_quote_of_an_assembly_is_the_sum_of_its_bodies(store: Store, account: Account) -> None:
    bracket = PieceRequest(1, "bracket", 2, 25.0, 110.0, (60.0, 40.0, 30.0))
    pin = PieceRequest(4, "pin", 5, 0.5, 4.0, (10.0, 8.0, 8.0))
    made = quotes.create(store, CATALOG, account, replace(BRACKET, pieces=(bracket, pin)))
    alone = [
        quotes.create(
            store,
            CATALOG,
            account,
            replace(
                BRACKET,
                volume_cm3=one.volume_cm3,
                surface_area_cm2=one.surface_area_cm2,
                box_mm=one.box_mm,
                quantity=10 * one.count,
            ),
        )
        for one in (bracket, pin)
    ]
    assert made.total_price == alone[0].total_price + alone[1].total_price
    assert made.unit_price == 2 * alone[0].unit_price + 5 * alone[1].unit_price
    assert made.total_price == made.unit_price * 10
    assert sum(made.breakdown.to_dict().values()) == pytest.approx(float(made.total_price))
    assert quotes.read(store, account, made.id) == made
    assert made.bodies is not None
    assert [(body.name, body.count, body.total_price) for body in made.bodies] == [
        ("bracket", 2, alone[0].total_price),
        ("pin", 5, alone[1].total_price),
    ]
    assert "bodies" not in alone[0].to_dict()


def test_a_body_that_cannot_be_cast_is_named(store: Store, account: Account) -> None:
    beam = PieceRequest(3, "beam", 1, 900.0, 3000.0, (2000.0, 60.0, 40.0))
    pin = PieceRequest(4, "pin", 5, 0.5, 4.0, (10.0, 8.0, 8.0))
    with pytest.raises(BadRequest, match="Body 3 \\('beam', 1 needed\\)"):
        quotes.create(store, CATALOG, account, replace(BRACKET, pieces=(pin, beam)))
