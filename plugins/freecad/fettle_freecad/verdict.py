"""What an analysis says about each face of the shape, independent of FreeCAD's user interface."""

from __future__ import annotations

COLORS = {"fail": (0.84, 0.19, 0.15), "warning": (0.95, 0.69, 0.23), "pass": (0.62, 0.70, 0.74)}
WORST_FIRST = ("fail", "warning", "pass")


def configuration_result(result: dict, process: str) -> dict:
    """`process` is written module:configuration, for example cnc:3-axis."""
    module_key, _, configuration_key = process.partition(":")
    for module in result["modules"]["modules"]:
        for configuration in module["configurations"]:
            if (module["module_key"], configuration["configuration_key"]) == (module_key, configuration_key):
                return configuration["result"]
    raise KeyError(f"no process {process!r} in the result")


def processes(result: dict) -> list[str]:
    return [
        f"{module['module_key']}:{one['configuration_key']}"
        for module in result["modules"]["modules"]
        for one in module["configurations"]
    ]


def findings(result: dict, process: str) -> list[dict]:
    """Failures and warnings, worst first, each with its rule's name."""
    rows = [
        {**finding, "rule": rule["name"]}
        for rule in configuration_result(result, process)["rules"]
        for finding in rule["findings"]
        if finding["severity"] != "pass"
    ]
    return sorted(rows, key=lambda row: WORST_FIRST.index(row["severity"]))


def face_colors(result: dict, process: str, face_count: int) -> list[tuple[float, float, float]]:
    """One color per face: the worst verdict that names it. Face ids count from 1 in the order of the shape's faces."""
    worst = ["pass"] * face_count
    for row in findings(result, process):
        for fid in row["related_fids"]:
            face = int(fid) - 1
            if face < face_count and WORST_FIRST.index(row["severity"]) < WORST_FIRST.index(worst[face]):
                worst[face] = row["severity"]
    return [COLORS[severity] for severity in worst]
