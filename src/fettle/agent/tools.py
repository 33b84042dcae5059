"""The tools themselves: what an agent may call, and how answers are kept short."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from anyio import to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from pydantic import Field

from fettle import __version__
from fettle.agent.backend import Backend
from fettle.agent.price_summaries import brief_choices, brief_order
from fettle.agent.summaries import brief_change, brief_feature, brief_finding, brief_flat, brief_part, explain_finding
from fettle.app.findings import at_least, findings
from fettle.app.flats.request import FlatRequest
from fettle.app.prices import price_file, summarize_price
from fettle.app.pricing.choices import choose
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.parts import part_of_result
from fettle.errors import BadRequest, FettleError, InvalidModule
from fettle.quote.investment import PROCESS as INVESTMENT
from fettle.results import ModuleResults, encode
from fettle.rules import parse_module, rule_schema
from fettle.rules.yaml_document import read_document

T = TypeVar("T")
Json = dict[str, Any]
PAGE = 20
INSTRUCTIONS = (
    "Fettle says what a part file (STEP, glTF) is, whether it can be made, and what it costs. Start with analyze: it "
    "answers with a handle that every other tool takes. Findings are numbered, worst first. Units are mm, degrees, USD."
)

Handle = Annotated[str, Field(description="What analyze answered.")]
Offset = Annotated[int, Field(ge=0, description="Skip so many; answers say how many there are.")]
Module = Annotated[
    str, Field(description="A rule module, YAML or JSON; rule_vocabulary tells the words.", max_length=10**6)
]


def create_server(backend_of: Backend | Callable[[Context], Backend]) -> MCPServer[Any]:
    """A server whose tools work on one bench, or on the bench of each request."""
    server: MCPServer[Any] = MCPServer("fettle", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")

    async def on_bench(ctx: Context, work: Callable[[Backend], T]) -> T:
        """Run the work in a thread; a refusal becomes text that the agent reads."""

        def do() -> T:
            return work(backend_of(ctx) if callable(backend_of) else backend_of)

        try:
            return await to_thread.run_sync(do)
        except FettleError as refusal:
            raise ToolError(str(refusal)) from refusal

    @server.tool()
    async def analyze(
        ctx: Context,
        file: Annotated[str, Field(description="Path of a part file; over HTTP a job id or an http(s) address.")],
        pull: Annotated[str, Field(description="cardinal, hemisphere, or a direction x,y,z.")] = "cardinal",
    ) -> Json:
        """Analyze a part: size, features, verdict of every process, the worst findings, and a handle for more."""

        def work(bench: Backend) -> Json:
            handle = bench.analyze(file, pull)
            return {"handle": handle, **brief_part(bench.inspection(handle).result)}

        return await on_bench(ctx, work)

    @server.tool()
    async def list_findings(
        ctx: Context,
        handle: Handle,
        process: Annotated[str, Field(description="module or module:configuration; empty for all.")] = "",
        severity: Annotated[str, Field(description="warning (and worse) or fail.")] = "warning",
        offset: Offset = 0,
    ) -> Json:
        """Warnings and failures, worst first, twenty at a time. Numbers are for explain."""

        def work(bench: Backend) -> Json:
            module, _, configuration = process.partition(":")
            found = [
                (number, one)
                for number, one in enumerate(findings(bench.inspection(handle).result.modules))
                if at_least(one.severity, severity)
                and module in ("", one.module)
                and (not configuration or configuration in one.configurations)
            ]
            page = [brief_finding(number, one) for number, one in found[offset : offset + PAGE]]
            return {"total": len(found), "offset": offset, "findings": page}

        return await on_bench(ctx, work)

    @server.tool()
    async def explain(ctx: Context, handle: Handle, number: Annotated[int, Field(ge=0)]) -> Json:
        """One finding in full: where it is, which feature, how the rule reads, and what would satisfy it."""
        return await on_bench(ctx, lambda bench: explain_finding(bench.inspection(handle).result, number))

    @server.tool()
    async def get_features(
        ctx: Context,
        handle: Handle,
        kind: Annotated[str, Field(description="For example HOLE or POCKET; empty for all.")] = "",
        fid: Annotated[str, Field(description="Features that own this face; empty for all.")] = "",
        offset: Offset = 0,
    ) -> Json:
        """Recognized features with their dimensions, twenty at a time."""

        def work(bench: Backend) -> Json:
            every = bench.inspection(handle).result.features.features
            chosen = [one for one in every if kind.upper() in ("", one.kind) and (not fid or fid in one.related_fids)]
            page = [brief_feature(one) for one in chosen[offset : offset + PAGE]]
            return {"total": len(chosen), "offset": offset, "features": page}

        return await on_bench(ctx, work)

    @server.tool()
    async def try_pull(ctx: Context, handle: Handle, pull: str) -> Json:
        """What another pull direction would mean: undercuts, low draft, and which verdicts change."""

        def work(bench: Backend) -> Json:
            turned = bench.turn(handle, pull)
            return brief_change(bench.inspection(handle).result, turned)

        return await on_bench(ctx, work)

    @server.tool()
    async def rule_vocabulary() -> Json:
        """The words of a rule module: selectors, metrics with units and meaning, comparisons, and the JSON schema."""
        return rule_schema()

    @server.tool()
    async def lint_rules(module: Module) -> Json:
        """Check a rule module: every fault with its place, or none."""
        try:
            spec = parse_module(read_document(module.encode(), "the module"))
        except InvalidModule as invalid:
            return {"valid": False, "faults": [f"{one.pointer or '/'}: {one.message}" for one in invalid.faults]}
        except BadRequest as refusal:
            return {"valid": False, "faults": [str(refusal)]}
        return {"valid": True, "rules": len(spec.rules), "configurations": list(spec.configurations)}

    @server.tool()
    async def evaluate_rules(
        ctx: Context,
        handle: Handle,
        module: Module,
        configuration: Annotated[str, Field(description="One of the module's; empty for all.")] = "",
        overrides: Annotated[dict[str, float] | None, Field(description="Parameters to change.")] = None,
    ) -> Json:
        """Judge an analyzed part by a rule module of your own."""

        def work(bench: Backend) -> Json:
            spec = read_document(module.encode(), "the module")
            entry = bench.evaluate(handle, spec, configuration or None, overrides or {})
            found = findings(ModuleResults((entry,)))
            words = {one.configuration_key: one.severity for one in entry.configurations}
            shown = [brief_finding(number, one) for number, one in enumerate(found[:PAGE])]
            return {"verdicts": words, "total": len(found), "findings": shown}

        return await on_bench(ctx, work)

    @server.tool()
    async def list_processes(
        ctx: Context,
        handle: Handle,
        quantity: Annotated[int, Field(ge=1)] = 100,
        material: Annotated[str, Field(description="Only processes with it, by a part of its name; empty: any.")] = "",
    ) -> Json:
        """Every process with its verdict and unit price, the one to choose first, and where another is cheaper."""

        def work(bench: Backend) -> Json:
            part = part_of_result(bench.inspection(handle).result)
            return brief_choices(choose(part, quantity, bench.terms(), material or None))

        return await on_bench(ctx, work)

    @server.tool()
    async def price(
        ctx: Context,
        handle: Handle,
        quantity: Annotated[int, Field(ge=1)],
        process: Annotated[str, Field(description="module:configuration; empty for investment casting.")] = "",
        material: Annotated[str, Field(description="Name, id or part of a name; a wrong one answers with all.")] = "",
        finishes: Annotated[list[str] | None, Field(description="Names or ids.")] = None,
    ) -> Json:
        """What so many parts cost by a process: lines, features, band, savings, assumptions. Without a process: as
        investment castings, body by body of an assembly."""

        def work(bench: Backend) -> Json:
            result, terms = bench.inspection(handle).result, bench.terms()
            if process:
                asked = OrderRequest(process, quantity, material or None, tuple(finishes or ()))
                return brief_order(price_part(part_of_result(result), asked, terms))
            given = (terms.catalog, material, quantity, finishes or ())
            priced = price_file(result.geometry, result.bodies, *given)
            return {"process": INVESTMENT, **summarize_price(priced).to_dict()}

        return await on_bench(ctx, work)

    @server.tool()
    async def unfold(
        ctx: Context,
        handle: Handle,
        k_factor: Annotated[float | None, Field(gt=0, le=1, description="K factor of every bend.")] = None,
        din_6935: Annotated[bool, Field(description="Allowances by DIN 6935.")] = False,
        material: Annotated[str, Field(description="Sheet material by any part of its name; empty for none.")] = "",
    ) -> Json:
        """Lay a sheet part flat: size, cut length, bend table, blanks per sheet, and how well it folds back."""
        request = FlatRequest(k_factor, din_6935, material=material or None)
        return await on_bench(ctx, lambda bench: brief_flat(bench.unfold(handle, request)))

    @server.tool()
    async def compare(ctx: Context, old: Handle, new: Handle) -> Json:
        """What changed between two revisions: faces, features, findings new and fixed, verdicts."""

        def work(bench: Backend) -> Json:
            change = bench.compare(old, new)
            found = change["findings"]
            counts = {name: len(found[name]) for name in found}
            shown = {name: found[name][:PAGE] for name in ("new", "fixed")}
            return {**change, "findings": {"counts": counts, **shown}}

        return await on_bench(ctx, work)

    @server.resource("fettle://results/{handle}", mime_type="application/json")
    async def whole_result(ctx: Context, handle: str) -> str:
        """The whole result behind a handle, as the HTTP API answers it (ids and addresses aside). It is long."""
        try:
            return await on_bench(ctx, lambda bench: encode(bench.inspection(handle).result.to_dict()).decode())
        except ToolError as refusal:
            raise ResourceError(str(refusal)) from refusal

    return server
