"""Tells errors of a database or a store that is away or full from errors of the program.

The first kind passes by itself once the disk has room or the machine is back: callers are asked to come again, and a
worker waits. Drivers raise many classes for it; this is the one list of them.
"""

from __future__ import annotations

import errno
import sqlite3

import sqlalchemy as sa
from obstore.exceptions import GenericError, PermissionDeniedError, UnauthenticatedError

from fettle.app.errors import NotFound, Unavailable

_SQLITE = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_READONLY,
}
_FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}
PASSING = (sa.exc.OperationalError, sa.exc.TimeoutError, sa.exc.InternalError, OSError, GenericError,
           PermissionDeniedError, UnauthenticatedError)  # fmt: skip
"""Classes that `unavailable` looks at; not every error of theirs is of that kind."""


def unavailable(error: BaseException) -> Unavailable | None:
    """What to tell a caller where the database or the store is away or full; None for any other error."""
    if isinstance(error, Unavailable):
        return error
    if isinstance(error, sa.exc.TimeoutError):
        return Unavailable("The database has no free connection.")
    if isinstance(error, sa.exc.OperationalError | sa.exc.InternalError):
        return _database(error.orig)
    if isinstance(error, NotFound):
        return None
    if isinstance(error, GenericError | PermissionDeniedError | UnauthenticatedError):
        return Unavailable("The file store cannot be reached or is full.")
    if isinstance(error, OSError) and error.errno in _FULL_DISK:
        return Unavailable("The disk of the service is full or fails.")
    return None


def _database(cause: BaseException | None) -> Unavailable | None:
    if isinstance(cause, sqlite3.Error):
        # the low byte is the kind of the error, the others its detail
        if getattr(cause, "sqlite_errorcode", 0) & 0xFF not in _SQLITE:
            return None
        return Unavailable("The database is full or cannot be written.")
    return Unavailable("The database cannot be reached or is full.")
