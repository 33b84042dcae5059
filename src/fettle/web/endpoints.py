"""The registry of the API: an endpoint is declared where its handler is, and everything else is derived from that.

    api = Api("/api/v1", "Quoting")

    @api.endpoint("GET", "/materials", MaterialList)
    def list_materials(service: ServiceDep, caller: Caller) -> JSONResponse: ...

A module of `fettle.web` with an `api` is found by `find_apis`. From the declarations follow the routes, the OpenAPI
document with its examples, the limit of the body, the reference page, and the client's operations and models
(`make generate`).
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

from fastapi import APIRouter

from fettle.results import Record
from fettle.web.auth import KeyedRoute
from fettle.web.forms import FILES
from fettle.web.responses import answers, form

Handler = TypeVar("Handler", bound=Callable[..., Any])
FormFields = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One operation. `answer`: None where it has no JSON body; `upload`: it takes a part file, `batch`: several."""

    name: str
    method: str
    path: str
    answer: type[Record] | None
    upload: bool
    batch: bool


class Api:
    """Endpoints under one tag, with keys checked."""

    def __init__(self, prefix: str, tag: str) -> None:
        self.tag = tag
        self.router = APIRouter(prefix=prefix, tags=[tag], route_class=KeyedRoute)
        self.endpoints: list[Endpoint] = []

    def endpoint(
        self,
        method: str,
        path: str,
        answer: type[Record] | None,
        *errors: int,
        status: int = 200,
        metered: bool = False,
        fields: FormFields | None = None,
        required: tuple[str, ...] = (),
        urlencoded: bool = False,
        content: dict[str, Any] | None = None,
    ) -> Callable[[Handler], Handler]:
        """Declares the handler below it.

        `errors`: statuses beside 401, 413, 429, 500 and 503; `metered`: counts a unit and says so in headers; `fields`,
        `required`: the form it reads, also as application/x-www-form-urlencoded where `urlencoded`; `content`: how
        OpenAPI describes a success that is not JSON.
        """

        def register(handler: Handler) -> Handler:
            described = answers(status, answer, *errors, metered=metered)
            if content is not None:
                described[status] |= content
            name = str(handler.__name__)
            upload, batch = ("file" in (fields or {}), FILES in (fields or {}))
            self.endpoints.append(Endpoint(name, method, self.router.prefix + path, answer, upload, batch))
            self.router.add_api_route(
                path,
                handler,
                methods=[method],
                status_code=status,
                responses=described,
                openapi_extra=form(fields, required, urlencoded=urlencoded) if fields else None,
            )
            return handler

        return register


def find_apis(package: ModuleType) -> list[Api]:
    """Every `api` of the modules of a package, by tag."""
    modules = (import_module(f"{package.__name__}.{one.name}") for one in pkgutil.iter_modules(package.__path__))
    found = [module.api for module in modules if isinstance(getattr(module, "api", None), Api)]
    return sorted(found, key=lambda api: api.tag)


def upload_paths(apis: list[Api]) -> frozenset[str]:
    """Paths that take a part file and so a larger body than JSON."""
    return frozenset(one.path for api in apis for one in api.endpoints if one.upload)


def batch_paths(apis: list[Api]) -> frozenset[str]:
    """Paths that take several part files."""
    return frozenset(one.path for api in apis for one in api.endpoints if one.batch)


def records(apis: list[Api]) -> list[type[Record]]:
    """Every record that an endpoint answers with."""
    return [one.answer for api in apis for one in api.endpoints if one.answer is not None]
