"""The rule editor: clone a shipped module, edit it as YAML, see every fault at its line, try it on an analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import yaml
from anyio import to_thread
from fastapi import APIRouter, Form, Request, Response

from fettle.app import account_packs
from fettle.app.errors import NotFound
from fettle.errors import BadRequest, Fault, FettleError, InvalidModule
from fettle.rules import modules_in_force, parse_module
from fettle.rules.yaml_document import line_of, read_document
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of
from fettle.web.jobs import evaluate_job
from fettle.web.kernel_threads import in_kernel

router = APIRouter(prefix="/dashboard/rules", route_class=AccountRoute)


@dataclass(frozen=True, slots=True)
class ShownFault:
    """`line` counts from 1; 0 where the fault has no line of its own."""

    line: int
    text: str

    @classmethod
    def at(cls, text: str, fault: Fault) -> ShownFault:
        """A fault of a module at its line of the text."""
        return cls(line_of(text, fault.pointer), f"{fault.pointer or '/'}: {fault.message}")


@router.get("")
def show_modules(request: Request) -> Response:
    own = account_packs.read_all(service_of(request).store, account_of(request))
    return page(request, "rules.html", modules=modules_in_force(), own=own)


@router.get("/edit")
def show_editor(request: Request, module: str = "", own: str = "") -> Response:
    """The editor with a copy of a shipped module, or with a pack of the account's."""
    if own:
        return show_editor_with(
            request, account_packs.find(service_of(request).store, account_of(request), own).text, []
        )
    found = [one for one in modules_in_force() if one.key == module]
    if not found:
        raise NotFound(f"There is no shipped module {module[:60]!r}.")
    spec = found[0].spec() | {"key": f"my-{module}", "name": f"My {found[0].name}"}
    text = yaml.safe_dump(spec, sort_keys=False, allow_unicode=True, width=100)
    return show_editor_with(request, text, [])


@router.post("/edit")
async def check(
    request: Request,
    text: Annotated[str, Form(max_length=1_000_000)],
    job: Annotated[str, Form()] = "",
    configuration: Annotated[str, Form()] = "",
) -> Response:
    """Every fault with its line; with an analysis chosen and no fault, the verdict."""
    text = text.replace("\r\n", "\n")
    faults, data = await to_thread.run_sync(_faults, text)
    judged: Any = None
    if not faults and job:
        try:
            who = (service_of(request), account_of(request), job)
            judged = await in_kernel(request, evaluate_job, *who, data, configuration or None, {})
        except FettleError as error:
            faults = [ShownFault(0, str(error))]
    return await to_thread.run_sync(
        lambda: show_editor_with(request, text, faults, job, configuration, judged, checked=True)
    )


def _faults(text: str) -> tuple[list[ShownFault], object]:
    try:
        data = read_document(text.encode(), "the module")
        parse_module(data)
    except InvalidModule as error:
        return [ShownFault.at(text, fault) for fault in error.faults], None
    except BadRequest as error:
        return [ShownFault(0, str(error))], None
    return [], data


def show_editor_with(
    request: Request,
    text: str,
    faults: list[ShownFault],
    job: str = "",
    configuration: str = "",
    judged: Any = None,
    checked: bool = False,
) -> Response:
    jobs, _ = service_of(request).jobs.read_all(account_of(request), limit=50)
    done = [one for one in jobs if one.status == "done"]
    lines = {fault.line for fault in faults}
    return page(
        request,
        "rule-editor.html",
        422 if faults else 200,
        text=text,
        faults=faults,
        numbered=[(number, line) for number, line in enumerate(text.splitlines(), 1) if number in lines],
        jobs=done,
        job=job,
        configuration=configuration,
        judged=judged,
        checked=checked,
    )
