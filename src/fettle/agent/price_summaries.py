"""Prices made short for agents."""

from __future__ import annotations

from typing import Any

from fettle.results.order_prices import OrderPrice
from fettle.results.process_choices import ProcessChoices

Json = dict[str, Any]
LINES = 20
"""Lines and features that are shown, the dearest first; the rest is summed up."""


def brief_order(order: OrderPrice) -> Json:
    """A price with its dearest lines and features."""
    lines = sorted(order.lines, key=lambda line: -line.amount)
    shown = [
        {"what": line.what, "kind": line.kind, "fid": line.fid, "minutes": line.minutes, "amount": float(line.amount)}
        for line in lines[:LINES]
    ]
    whole = order.to_dict()
    rest = sum(float(line.amount) for line in lines[LINES:])
    left_out = ("lines", "by_feature", "breakdown", "ordered_bodies")
    return {
        **{key: value for key, value in whole.items() if key not in left_out},
        "lines": shown,
        "other_lines": {"count": max(len(lines) - LINES, 0), "amount": round(rest, 2)},
        "by_feature": whole["by_feature"][:LINES],
    }


def brief_choices(choices: ProcessChoices) -> Json:
    """The ranking with the first cause of each verdict."""
    kept = ("process", "name", "severity", "fit", "price", "lead_time_days", "material", "refusal")
    processes = []
    for one in choices.processes:
        whole = one.to_dict()
        cause = one.causes[0].message if one.causes else None
        processes.append({**{key: whole[key] for key in kept}, "first_cause": cause})
    whole = choices.to_dict()
    return {**whole, "processes": processes}
