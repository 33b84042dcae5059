"""The list of an account's analyses: searched, sorted, by tag, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy import Connection

from fettle.app.access.accounts import Account
from fettle.app.errors import NotFound
from fettle.app.state.dashboard_tables import job_summaries, job_tags
from fettle.app.state.store import Store, jobs, quotes
from fettle.errors import BadRequest

PAGE_SIZE = 20
LONGEST_TAG = 40
MOST_TAGS = 10
SEARCHED_WORDS = 8


class Sort(StrEnum):
    """Orders of the list."""

    NEWEST = "newest"
    OLDEST = "oldest"
    NAME = "name"
    LARGEST = "largest"
    SMALLEST = "smallest"
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class ListedJob:
    """A row of the list. What the analysis found is empty until it is done; `price`: of one piece in the last quote."""

    job_id: str
    filename: str
    status: str
    error: str | None
    created_at: datetime
    expires_at: datetime | None
    headline: str
    size_mm: tuple[float, ...]
    verdicts: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    price: Decimal | None
    currency: str


def read_page(
    store: Store, account: Account, search: str = "", tag: str = "", sort: Sort = Sort.NEWEST, page: int = 1
) -> tuple[list[ListedJob], bool]:
    """A page of the list (from 1), and whether another follows. Every word of `search` is in the name, the headline or
    a tag."""
    alive = sa.or_(jobs.c.expires_at.is_(None), jobs.c.expires_at > datetime.now(UTC))
    found = jobs.outerjoin(job_summaries, job_summaries.c.job_id == jobs.c.id)
    query = sa.select(jobs, job_summaries.c.headline, job_summaries.c.size_mm, job_summaries.c.verdicts).select_from(
        found
    )
    query = query.where(jobs.c.account_id == account.id, jobs.c.deleted_at.is_(None), alive)
    for word in search.split()[:SEARCHED_WORDS]:
        tagged = sa.exists().where(job_tags.c.job_id == jobs.c.id, job_tags.c.tag.icontains(word, autoescape=True))
        texts = (jobs.c.filename, job_summaries.c.headline)
        query = query.where(sa.or_(tagged, *(text.icontains(word, autoescape=True) for text in texts)))
    if tag:
        query = query.where(sa.exists().where(job_tags.c.job_id == jobs.c.id, job_tags.c.tag == tag))
    query = query.order_by(*_order(sort), jobs.c.id).limit(PAGE_SIZE + 1).offset(PAGE_SIZE * (max(page, 1) - 1))
    with store.read() as connection:
        rows = connection.execute(query).all()
        ids = [row.id for row in rows[:PAGE_SIZE]]
        tags, prices = _tags(connection, ids), _prices(connection, ids)
    listed = [
        ListedJob(
            job_id=row.id,
            filename=row.filename,
            status=row.status,
            error=row.error,
            created_at=row.created_at,
            expires_at=row.expires_at,
            headline=row.headline or "",
            size_mm=tuple(row.size_mm or ()),
            verdicts=tuple((name, word) for name, word in row.verdicts or ()),
            tags=tuple(tags.get(row.id, ())),
            price=prices[row.id][0] if row.id in prices else None,
            currency=prices[row.id][1] if row.id in prices else "",
        )
        for row in rows[:PAGE_SIZE]
    ]
    return listed, len(rows) > PAGE_SIZE


def all_tags(store: Store, account: Account) -> list[str]:
    """Tags in use, in the order of the alphabet."""
    query = (
        sa.select(job_tags.c.tag)
        .join(jobs, jobs.c.id == job_tags.c.job_id)
        .where(jobs.c.account_id == account.id, jobs.c.deleted_at.is_(None))
        .distinct()
        .order_by(job_tags.c.tag)
    )
    with store.read() as connection:
        return list(connection.scalars(query))


def set_tags(store: Store, account: Account, job_id: str, text: str) -> tuple[str, ...]:
    """Replace the tags of a job by those in the text, which commas divide."""
    tags = tuple(dict.fromkeys(" ".join(one.split()) for one in text.split(",") if one.strip()))
    for tag in tags:
        if len(tag) > LONGEST_TAG or not tag.isprintable():
            raise BadRequest(
                f"The tag {tag[:60]!r} has {len(tag)} characters; it may have {LONGEST_TAG} printable ones."
            )
    if len(tags) > MOST_TAGS:
        raise BadRequest(f"{len(tags)} tags are given; an analysis may have {MOST_TAGS}.")
    with store.write() as connection:
        mine = sa.select(jobs.c.id).where(jobs.c.id == job_id, jobs.c.account_id == account.id)
        if connection.execute(mine).one_or_none() is None:
            raise NotFound("No such job: it is unknown, or has expired.")
        connection.execute(job_tags.delete().where(job_tags.c.job_id == job_id))
        if tags:
            connection.execute(job_tags.insert(), [{"job_id": job_id, "tag": tag} for tag in tags])
    return tags


def _order(sort: Sort) -> list[sa.ColumnElement[object]]:
    newest: sa.ColumnElement[object] = jobs.c.created_at.desc()
    largest = sa.func.coalesce(job_summaries.c.largest_mm, 0.0)
    worst = sa.case((job_summaries.c.severity == "fail", 0), (job_summaries.c.severity == "warning", 1), else_=2)
    orders: dict[Sort, list[sa.ColumnElement[object]]] = {
        Sort.NEWEST: [newest],
        Sort.OLDEST: [jobs.c.created_at.asc()],
        Sort.NAME: [sa.func.lower(jobs.c.filename), newest],
        Sort.LARGEST: [largest.desc(), newest],
        Sort.SMALLEST: [largest.asc(), newest],
        Sort.WORST: [worst, newest],
    }
    return orders[sort]


def _tags(connection: Connection, ids: list[str]) -> dict[str, list[str]]:
    query = sa.select(job_tags).where(job_tags.c.job_id.in_(ids)).order_by(job_tags.c.tag)
    found: dict[str, list[str]] = {}
    for row in connection.execute(query):
        found.setdefault(row.job_id, []).append(row.tag)
    return found


def _prices(connection: Connection, ids: list[str]) -> dict[str, tuple[Decimal, str]]:
    """Unit price and currency of the last quote of each job."""
    query = (
        sa.select(quotes.c.job_id, quotes.c.unit_price, quotes.c.currency)
        .where(quotes.c.job_id.in_(ids))
        .order_by(quotes.c.created_at)
    )
    return {row.job_id: (row.unit_price, row.currency) for row in connection.execute(query)}
