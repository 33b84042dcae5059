"""Accounts, which own keys, meters, quotes and jobs, and signing in to them."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from fettle.app.access import audit
from fettle.app.access.audit import Action
from fettle.app.errors import NotFound
from fettle.app.state.store import Store, accounts
from fettle.errors import BadRequest

_EMAIL = re.compile(r"^[^@\s\x00-\x1f]{1,64}@[^@\s\x00-\x1f]+\.[^@\s\x00-\x1f.]+$")
# As OWASP advises for Argon2id. One lane: four would be threads that wait for each other a dozen times per hash, and
# on a busy machine each wait is a turn of the scheduler.
_HASHER = PasswordHasher(time_cost=1, memory_cost=47_104, parallelism=1)
PASSWORD_LENGTH = (10, 1000)
DEFAULT_PLAN = "free"


class EmailTaken(BadRequest):
    code = "email_taken"


class SignInRefused(BadRequest):
    code = "sign_in_refused"

    def __init__(self) -> None:
        super().__init__("E-mail or password is wrong.")


@dataclass(frozen=True, slots=True)
class Account:
    """`overage_enabled`: whether calls beyond the included units are taken, on plans that bill them."""

    id: str
    email: str
    plan: str
    overage_enabled: bool


_COLUMNS = (accounts.c.id, accounts.c.email, accounts.c.plan, accounts.c.overage_enabled)


def check_email(email: str) -> str:
    """Normalize an e-mail address; BadRequest for anything else."""
    kept = email.strip().casefold()
    if len(kept) > 254 or not _EMAIL.match(kept):
        raise BadRequest(f"{email!r} is not an e-mail address; write it as name@example.com.")
    return kept


@cache
def _nobodys_hash() -> str:
    """A hash to check when the account is unknown, so that the answer takes the same time and reveals nothing."""
    return _HASHER.hash(uuid.uuid4().hex)


def sign_up(store: Store, email: str, password: str, plan: str = DEFAULT_PLAN) -> Account:
    """Create an account with a password."""
    return _insert(store, check_email(email), plan, _hashed(password))


def set_password(store: Store, account: Account, password: str) -> None:
    """Replace the password; open sessions stay open until they are closed."""
    hashed = _hashed(password)
    with store.write() as connection:
        connection.execute(accounts.update().where(accounts.c.id == account.id).values(password_hash=hashed))
        audit.record(connection, Action.PASSWORD_CHANGED, account.id)


def _hashed(password: str) -> str:
    least, most = PASSWORD_LENGTH
    if not least <= len(password) <= most:
        raise BadRequest(f"The password has {len(password)} characters; it must have from {least} to {most}.")
    return _HASHER.hash(password)


def sign_in(store: Store, email: str, password: str) -> Account:
    """The account of that e-mail if the password is right; refuses with one text whatever is wrong."""
    query = sa.select(*_COLUMNS, accounts.c.password_hash).where(accounts.c.email == email.strip().casefold())
    with store.read() as connection:
        row = connection.execute(query).one_or_none()
    kept: str | None = row.password_hash if row is not None else None
    try:
        _HASHER.verify(kept or _nobodys_hash(), password[: PASSWORD_LENGTH[1]])
    except VerifyMismatchError as wrong:
        _note(store, Action.SIGN_IN_REFUSED, row.id if row is not None else None)
        raise SignInRefused from wrong
    if row is None or kept is None:
        raise SignInRefused
    _note(store, Action.SIGNED_IN, row.id)
    return Account(row.id, row.email, row.plan, row.overage_enabled)


def _note(store: Store, action: Action, account_id: str | None) -> None:
    with store.write() as connection:
        audit.record(connection, action, account_id)


def find(store: Store, email: str) -> Account:
    """The account of that e-mail; BadRequest if there is none."""
    query = sa.select(*_COLUMNS).where(accounts.c.email == check_email(email))
    with store.read() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(f"No account has the e-mail {email}. Create one with `fettle keys create --account {email}`.")
    return Account(*row)


def any_exists(store: Store) -> bool:
    """Whether anybody has an account yet."""
    with store.read() as connection:
        return connection.execute(sa.select(accounts.c.id).limit(1)).one_or_none() is not None


def find_or_create(store: Store, email: str, plan: str | None = None) -> Account:
    """For operators: the account of that e-mail, created without a password if missing, moved to `plan` if named."""
    try:
        account = find(store, email)
    except NotFound:
        return _insert(store, check_email(email), plan or DEFAULT_PLAN, None)
    if plan is None or plan == account.plan:
        return account
    return set_plan(store, account, plan)


def set_plan(store: Store, account: Account, plan: str) -> Account:
    """Move the account to another plan, from its next call on."""
    with store.write() as connection:
        connection.execute(accounts.update().where(accounts.c.id == account.id).values(plan=plan))
        audit.record(connection, Action.PLAN_CHANGED, account.id, before=account.plan, after=plan)
    return Account(account.id, account.email, plan, account.overage_enabled)


def set_overage(store: Store, account: Account, enabled: bool) -> Account:
    """Set whether calls beyond the included units are accepted."""
    with store.write() as connection:
        connection.execute(accounts.update().where(accounts.c.id == account.id).values(overage_enabled=enabled))
        audit.record(connection, Action.OVERAGE_CHANGED, account.id, enabled=enabled)
    return Account(account.id, account.email, account.plan, enabled)


def _insert(store: Store, email: str, plan: str, password_hash: str | None) -> Account:
    account = Account(str(uuid.uuid4()), email, plan, overage_enabled=True)
    row = {
        "id": account.id,
        "email": email,
        "plan": plan,
        "overage_enabled": True,
        "password_hash": password_hash,
        "created_at": datetime.now(UTC),
    }
    try:
        with store.write() as connection:
            connection.execute(accounts.insert(), row)
            audit.record(connection, Action.ACCOUNT_CREATED, account.id, plan=plan)
    except sa.exc.IntegrityError as taken:
        raise EmailTaken(f"{email} has an account already; sign in instead.") from taken
    return account
