"""A report: one HTML file that needs no network, or a PDF.

The HTML carries the viewer and its data, gzipped and base64-coded; it opens from disk, and its policy lets nothing in
or out. Both say first what the part is made for and how the processes rank, then every cause with a picture of where,
then the price.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from fettle.app.assets import read_asset
from fettle.app.body_lines import body_lines
from fettle.app.causes import MergedCause, merged_causes, summarize_processes
from fettle.app.customer_price import without_margin
from fettle.app.direction import name_direction
from fettle.app.findings import SEVERITIES
from fettle.app.flats.svg import write_svg
from fettle.app.isolation import sandbox
from fettle.app.isolation.limits import Limits
from fettle.app.kernel_tasks.messages import PictureRequest, ReportPictures
from fettle.app.kernel_tasks.tasks import DRAW_PICTURES
from fettle.app.pmi_words import stated
from fettle.app.prices import most_of_one, price_file, summarize_price
from fettle.app.pricing.choices import best_process, choose
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.parts import part_of_result
from fettle.app.pricing.terms import PricingTerms
from fettle.app.reports.models import slim_models
from fettle.app.reports.price_rows import grouped_lines
from fettle.app.reports.process_names import ProcessNames
from fettle.app.reports.typeset import compile_pdf
from fettle.app.wording import amount, counted, deviation
from fettle.errors import BadRequest
from fettle.quote import Catalog
from fettle.results import AnalysisResult, FlatPattern, PartGeometry, encode

CURVE = (1, 10, 100, 1000)
PICTURED = 16
"""Causes with a picture; the others are listed. A report of hundreds of pictures is read by nobody."""

STYLES = ("style.css", "report.css")
STATIC = "/dashboard/static"
"""Where the service has its script and styles."""

_templates = Environment(
    loader=PackageLoader("fettle.app.reports", "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


OTHERS = 5
"""Other processes that are listed beside the price."""


def draw_report(result: AnalysisResult, analysis: bytes, limits: Limits, *, models: bool) -> ReportPictures:
    """Pictures of a result's causes (and models for the viewer), made in a child."""
    marks = [_mark(one) for one in _pictured(merged_causes(result))]
    return sandbox.run(DRAW_PICTURES, (analysis, marks, models), limits)


def quote_table(
    result: AnalysisResult, catalog: Catalog, material: str, quantity: int, finishes: Sequence[str] = ()
) -> dict[str, Any]:
    """The price of a result with its breakdown, and of other quantities beside it; or why there is none."""
    chosen: dict[str, Any] = {
        "material": catalog.material(material).name,
        "quantity": quantity,
        "finishes": list(finishes),
    }
    chosen["process_name"] = "Investment casting"
    try:
        price = price_file(result.geometry, result.bodies, catalog, material, quantity, finishes)
        within = [number for number in CURVE if number * most_of_one(price) <= catalog.rates.quantity.maximum]
        curve = [
            (number, price_file(result.geometry, result.bodies, catalog, material, number, finishes).whole)
            for number in within
        ]
    except BadRequest as refusal:
        return {**chosen, "error": str(refusal)}
    return {
        **chosen,
        **summarize_price(price).to_dict(),
        "curve": [{"quantity": number, "unit_price": float(one.unit_price)} for number, one in curve],
    }


def order_table(result: AnalysisResult, terms: PricingTerms, request: OrderRequest) -> dict[str, Any]:
    """The price of a result by a process, the best one where the request names none, with the other processes beside
    it; or why there is none. The margin is part of every line: a report is handed on."""
    chosen = {"material": request.material or "", "quantity": request.quantity, "finishes": list(request.finishes)}
    try:
        part = part_of_result(result)
        choices = choose(part, request.quantity, terms, request.material)
        best = best_process(choices) if not request.process else request.process
        order = without_margin(price_part(part, replace(request, process=best), terms))
    except BadRequest as refusal:
        return {**chosen, "error": str(refusal)}
    others = [one.to_dict() for one in choices.processes if one.price is not None and one.process != best]
    return {**chosen, **order.to_dict(), "others": others[:OTHERS]}


def html_report(
    title: str,
    result: AnalysisResult,
    drawings: ReportPictures,
    quote: Mapping[str, Any] | None,
    *,
    linked: bool = False,
) -> str:
    """One self-contained page. `quote`: as `quote_table` gives it, None for no price. `linked`: with the script and
    styles of the service instead, whose headers then hold the policy."""
    script = read_asset("viewer.js")
    style = "".join(read_asset(name) for name in STYLES)
    data = {"result": encode(result.to_dict()), **slim_models(drawings.glbs)}
    return _templates.get_template("report.html").render(
        **_content(title, result, quote),
        linked=linked,
        static=[f"{STATIC}/{name}" for name in (*STYLES, "viewer.js", "icon.svg")],
        policy=_policy(script, style),
        script=_inline(script),
        style=style,
        data={name: _packed(content) for name, content in data.items()},
        flat_drawing=None if result.flat is None else _data_url(write_svg(result.flat), "svg+xml"),
        whole=[_data_url(png) for png in drawings.whole],
        details=[_data_url(png) for png in drawings.details],
    )


def pdf_report(title: str, result: AnalysisResult, drawings: ReportPictures, quote: Mapping[str, Any] | None) -> bytes:
    """The same report as PDF."""
    content = _content(title, result, quote)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = files("fettle.app.reports") / "templates" / "report.typ"
        (folder / "report.typ").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
        for kind, pictures in (("whole", drawings.whole), ("detail", drawings.details)):
            for number, png in enumerate(pictures):
                (folder / f"{kind}-{number}.png").write_bytes(png)
        content["n_whole"], content["n_details"] = len(drawings.whole), len(drawings.details)
        (folder / "content.json").write_text(json.dumps(content), encoding="utf-8")
        return compile_pdf(folder / "report.typ")


def _content(title: str, result: AnalysisResult, quote: Mapping[str, Any] | None) -> dict[str, Any]:
    """Content of both formats, in their order."""
    found = merged_causes(result)
    names = ProcessNames(result)
    kinds = [feature.kind for feature in result.features.features]
    manufacturability = result.features.manufacturability
    verdicts = result.verdicts()
    return {
        "title": title,
        "headline": result.headline,
        "processes": [
            {
                **asdict(one),
                "module": names.module(one.module),
                "words": {names.configuration(one.module, key): word for key, word in one.words.items()},
                "note": one.note,
            }
            for one in summarize_processes(result)
        ],
        "size": _size(result.geometry),
        "geometry": result.geometry.to_dict(),
        "bodies": [{**asdict(one), "title": one.title} for one in body_lines(result)],
        "kinds": [counted(kinds.count(kind), kind.lower()) for kind in dict.fromkeys(kinds)],
        "pull": name_direction(manufacturability.pull_dir),
        "manufacturability": manufacturability.to_dict(),
        "verdicts": verdicts,
        "worst": max((word for each in verdicts.values() for word in each.values()), key=SEVERITIES.index),
        "pictured": [_shown(one, names) for one in _pictured(found)],
        "others": [_shown(one, names) for one in found[PICTURED:]],
        "not_measured": _not_measured(result, names),
        "warnings": list(result.warnings),
        "flat": None if result.flat is None else _flat(result.flat),
        "tolerances": [[text, ", ".join(fids)] for text, fids in stated(result.pmi)],
        "tolerance_checks": [one.message for one in result.pmi.checks] if result.pmi else [],
        "quote": None if quote is None else _priced(quote),
        "engine_version": result.engine_version,
        "input_sha256": result.input_sha256,
        "mesh": result.mesh.to_dict(),
    }


def _size(geometry: PartGeometry) -> str:
    """Box, volume and area in a line."""
    box = " × ".join(amount(side) for side in geometry.size_mm)
    volume = "volume unknown" if geometry.volume_cm3 is None else f"{amount(geometry.volume_cm3)} cm³"
    area = "area unknown" if geometry.surface_area_cm2 is None else f"{amount(geometry.surface_area_cm2)} cm²"
    return f"{box} mm · {volume} · {area}"


def _priced(quote: Mapping[str, Any]) -> dict[str, Any]:
    """The price with equal lines as one."""
    return {**quote, "rows": grouped_lines(quote.get("lines") or ())}


def _flat(flat: FlatPattern) -> dict[str, Any]:
    """Size, cutting figures and bend table of a flat."""
    long, short = flat.size_mm
    used = flat.allowance
    return {
        "facts": f"{long:.2f} × {short:.2f} mm from sheet of {flat.thickness_mm:g} mm; "
        f"cut {flat.cut_length_mm:.1f} mm, {counted(flat.pierces, 'pierce')}",
        "allowance": f"Allowance: {used.source}" + ("" if used.k_factor is None else f", K {used.k_factor:.3f}"),
        "refold": f"Folded back, it misses the part by {deviation(flat.refold.max_deviation_mm)}.",
        "head": ["Line", "Bend", "Angle", "Inside radius", "Length", "Allowance", "Faces"],
        "bends": [
            [
                str(bend.line),
                f"{bend.kind} {bend.direction}",
                f"{bend.angle_deg:.4g}°",
                f"{bend.inner_radius_mm:.4g} mm",
                f"{bend.length_mm:.2f} mm",
                f"{bend.allowance_mm:.3f} mm",
                ", ".join(bend.fids),
            ]
            for bend in flat.bends
        ],
    }


def _pictured(found: Sequence[MergedCause]) -> Sequence[MergedCause]:
    return found[:PICTURED]


def _mark(one: MergedCause) -> PictureRequest:
    return PictureRequest(tuple(int(fid) - 1 for fid in one.cause.fids), one.cause.severity)


def _shown(one: MergedCause, names: ProcessNames) -> dict[str, Any]:
    configurations = ", ".join(names.configuration(one.module, key) for key in one.configurations)
    return {
        "severity": one.cause.severity,
        "rule": one.rule_name,
        "process": f"{names.module(one.module)}: {configurations}",
        "place": one.place,
        "message": one.text,
        "comparison": one.figures,
        "fids": list(one.cause.fids),
    }


def _not_measured(result: AnalysisResult, names: ProcessNames) -> list[str]:
    """What was not checked in processes that the part is a candidate for, one line per rule."""
    lines: dict[str, None] = {}
    for module in result.modules.modules:
        process = names.module(module.module_key)
        for one in module.configurations:
            for rule in one.rules if one.result.is_candidate else ():
                if rule.n_not_measured > 0:
                    total = rule.n_not_measured + rule.n_inspected
                    lines[f"{process}: {rule.name}: {rule.n_not_measured} of {total} not measured"] = None
                elif rule.n_inspected == 0:
                    lines[f"{process}: {rule.name}: nothing to check"] = None
    return list(lines)


def _policy(script: str, style: str) -> str:
    """Only what is in the file: this script, this style, pictures in data addresses; no connection anywhere."""
    return (
        f"default-src 'none'; script-src {_hashed(_inline(script))}; style-src {_hashed(style)} 'unsafe-hashes'; "
        "img-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'"
    )


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _inline(script: str) -> str:
    """A script as it may stand in HTML: nothing in it closes the element."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def _data_url(picture: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64," + base64.b64encode(picture).decode()
