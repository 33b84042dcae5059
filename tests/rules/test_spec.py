"""Parsing of rule modules: what is refused, with which JSON pointer, and how fast."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable

import jsonschema
import pytest

from fettle.errors import BadRequest, InvalidModule
from fettle.rules import parse_module, rule_schema, shipped_modules
from fettle.rules.registry import METRICS, SELECTORS
from fettle.rules.spec import Module
from fettle.rules.yaml_document import read_document
from tests.patience import slowness

Spec = dict[str, object]


def small() -> Spec:
    return {
        "key": "mine",
        "name": "My shop",
        "configurations": {"usual": {"name": "Usual", "parameters": {"min_wall_mm": 2.0}}},
        "rules": [
            {
                "key": "walls",
                "name": "Walls",
                "scope": "per_feature",
                "selector": {"set": "walls"},
                "metric": "thickness.min",
                "tiers": [{"level": "fail", "op": "lt", "rhs": {"param": "min_wall_mm"}}, {"level": "pass"}],
                "messages": {"fail": "Face {fid}: {metric:.2f} mm, below {threshold:.2f} mm."},
            }
        ],
    }


def rule(**changes: object) -> Spec:
    spec = small()
    spec["rules"][0] |= changes
    return spec


def tier(**changes: object) -> Spec:
    return rule(tiers=[{"level": "fail", "op": "lt", "rhs": 1} | changes, {"level": "pass"}])


def without(field: str) -> Spec:
    spec = small()
    del spec[field]
    return spec


def configuration(parameters: object) -> Spec:
    return small() | {"configurations": {"usual": {"name": "Usual", "parameters": parameters}}}


def test_a_plain_spec_is_read_and_given_back() -> None:
    assert parse_module(small()).spec() == small()


FAULTS: list[tuple[Spec, str, str]] = [
    ({}, "", "field 'key' is missing"),
    (without("rules"), "", "field 'rules' is missing"),
    (small() | {"color": 1}, "/color", "no field 'color'"),
    (small() | {"nmae": "x"}, "/nmae", "nearest is 'name'"),
    (small() | {"key": ""}, "/key", "0 characters"),
    (small() | {"key": 7}, "/key", "expected text, found 7"),
    (small() | {"configurations": {}}, "/configurations", "at least one configuration"),
    (small() | {"configurations": []}, "/configurations", "expected an object, found a list of 0"),
    (configuration({"min_wall_mm": "2"}), "/configurations/usual/parameters/min_wall_mm", "expected a number"),
    (configuration({"min_wall_mm": True}), "/configurations/usual/parameters/min_wall_mm", "found true"),
    (configuration({"min_wal_mm": 2}), "/configurations/usual/parameters", "nearest is 'min_wal_mm'"),
    (configuration({}), "/configurations/usual/parameters", "'min_wall_mm', which rule 'walls' reads, is missing"),
    (small() | {"rules": []}, "/rules", "0 entries"),
    (small() | {"rules": {"key": 1}}, "/rules", "expected a list"),
    (rule(scope="per_fature"), "/rules/0/scope", "nearest is 'per_feature'"),
    (rule(scope="whole_part", metric="part.undercut_count"), "/rules/0/selector", "no selector"),
    (rule(selector={"set": "wals"}), "/rules/0/selector/set", "no selector set 'wals'; the nearest is 'walls'"),
    (rule(selector={"set": "walls", "min": 1}), "/rules/0/selector/min", "no field 'min'"),
    (rule(metric="thicknes.min"), "/rules/0/metric", "the nearest is 'thickness.min'"),
    (rule(metric="part.undercut_count"), "/rules/0/metric", "part.undercut_count is a whole_part metric"),
    (rule(metric="hole.diameter"), "/rules/0/metric", "hole.diameter reads HOLE, but the set 'walls' has none"),
    (rule(tiers=[]), "/rules/0/tiers", "0 entries"),
    (rule(tiers=[{"level": "pass"}, {"level": "fail"}]), "/rules/0/tiers/0", "always holds"),
    (tier(level="warn"), "/rules/0/tiers/0/level", "nearest is 'warning'"),
    (tier(op="<"), "/rules/0/tiers/0/op", "there are lt, le, gt, ge, eq, ne"),
    (tier(rhs=None), "/rules/0/tiers/0/rhs", "expected a number, found null"),
    (tier(rhs={"param": "min_wall"}), "/configurations/usual/parameters", "nearest is 'min_wall_mm'"),
    (tier(rhs={"param": "min_wall_mm", "factor": "2"}), "/rules/0/tiers/0/rhs/factor", "expected a number"),
    (tier(rhs={"parm": "min_wall_mm"}), "/rules/0/tiers/0/rhs/parm", "nearest is 'param'"),
    (tier(metric="part.thickness.cv"), "/rules/0/tiers/0/metric", "whole_part metric"),
    (tier(message="{fid"), "/rules/0/tiers/0/message", "a brace has no partner"),
    (rule(messages={"fail": "{value}"}), "/rules/0/messages/fail", "{value} is no placeholder"),
    (rule(messages={"fial": "x"}), "/rules/0/messages/fial", "nearest is 'fail'"),
    (rule(metric="access.unreached", selector={"set": "faces"}), "/configurations/usual/parameters", "'axes'"),
]


@pytest.mark.parametrize(("spec", "pointer", "message"), FAULTS, ids=[f"{p or '/'} {m}" for _, p, m in FAULTS])
def test_a_fault_is_reported_with_its_json_pointer(spec: Spec, pointer: str, message: str) -> None:
    with pytest.raises(InvalidModule) as refused:
        parse_module(spec)
    assert any(fault.pointer == pointer and message in fault.message for fault in refused.value.faults), (
        refused.value.faults
    )


def test_every_fault_is_reported_at_once() -> None:
    spec = rule(scope="all", metric="x", selector={"set": "y"}, messages={"fail": "{z}"})
    spec["extra"] = 1
    with pytest.raises(InvalidModule) as refused:
        parse_module(spec)
    assert {fault.pointer for fault in refused.value.faults} == {
        "/extra",
        "/rules/0/scope",
        "/rules/0/metric",
        "/rules/0/selector/set",
        "/rules/0/messages/fail",
    }


def test_two_rules_of_one_name_are_refused() -> None:
    spec = small()
    spec["rules"] *= 2
    with pytest.raises(InvalidModule, match="two rules are called 'walls'"):
        parse_module(spec)


def deep(levels: int = 100_000) -> object:
    nested: object = []
    for _ in range(levels):
        nested = [nested]
    return nested


HOSTILE: dict[str, Callable[[], object]] = {
    "attribute access": lambda: rule(messages={"fail": "{fid.__class__.__mro__}"}),
    "item access": lambda: rule(messages={"fail": "{metric[0]}"}),
    "giant width": lambda: rule(messages={"fail": "{metric:999999999.2f}"}),
    "giant precision": lambda: rule(messages={"fail": "{metric:.99999999f}"}),
    "nested field": lambda: rule(messages={"fail": "{metric:{threshold}}"}),
    "conversion": lambda: rule(messages={"fail": "{fid!r}"}),
    "width on a word": lambda: rule(messages={"fail": "{fid:.2f}"}),
    "format characters": lambda: rule(messages={"fail": "{metric:,}"}),
    "escaped braces": lambda: rule(messages={"fail": "{{fid}}"}),
    "million braces": lambda: rule(messages={"fail": "{" * 1_000_000}),
    "nan": lambda: configuration({"min_wall_mm": float("nan")}),
    "infinity": lambda: tier(rhs=float("-inf")),
    "1e999": lambda: tier(rhs=1e999),
    "giant integer": lambda: tier(rhs=10**5000),
    "10,000 rules": lambda: small() | {"rules": [copy.copy(small()["rules"][0]) for _ in range(10_000)]},
    "201 rules full of faults": lambda: small() | {"rules": [{"x": 1}] * 201},
    "200 rules full of odd names": lambda: (
        small()
        | {"rules": [{f"name{i}": 1, "metric": f"thickness{i}", "selector": {"set": f"wall{i}"}} for i in range(200)]}
    ),
    "4,000 tiers": lambda: (
        small()
        | {"rules": [rule(key=f"r{i}", tiers=[{"level": f"l{k}"} for k in range(20)])["rules"][0] for i in range(200)]}
    ),
    "21 tiers": lambda: rule(tiers=[{"level": "fail", "op": "lt", "rhs": k} for k in range(21)]),
    "65 configurations": lambda: small() | {"configurations": {str(i): {"name": "x"} for i in range(65)}},
    "257 parameters": lambda: configuration({f"p{i}": i for i in range(257)}),
    "deep rules": lambda: small() | {"rules": deep()},
    "deep metric": lambda: rule(metric=deep()),
    "deep message": lambda: rule(messages={"fail": deep()}),
    "deep rhs": lambda: tier(rhs=deep()),
    "deep module": deep,
    "1 MB key": lambda: small() | {"key": "x" * 1_000_000},
    "1 MB field": lambda: small() | {"x" * 1_000_000: 1},
    "1 MB metric": lambda: rule(metric="x" * 1_000_000),
    "1 MB parameter": lambda: configuration({"x" * 1_000_000: 1}),
    "1 MB message": lambda: rule(messages={"fail": "x" * 1_000_000}),
    "control characters": lambda: small() | {"name": "a\x1b[31m"},
    "keys that are no text": lambda: {1: 2, None: 3},
    "a number": lambda: 7,
    "nothing": lambda: None,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_spec_is_refused_at_once(name: str) -> None:
    spec = HOSTILE[name]()
    start = time.process_time()
    with pytest.raises(InvalidModule) as refused:
        parse_module(spec)
    spent_s = time.process_time() - start
    # how slow the machine is takes longer to find out than most refusals: it is asked where it matters
    assert spent_s < 0.1 or spent_s < 0.1 * slowness()
    assert sum(len(fault.message) + len(fault.pointer) for fault in refused.value.faults) < 50_000
    assert len(str(refused.value)) < 2_000


@pytest.mark.parametrize(
    "text",
    [b"a: [", b"a: 1\na: 2", b"- " * 5000 + b"x", b"!!python/object:os.system {}", b"\xff\xfe\x00", b"x" * 2_000_000],
)
def test_a_bad_document_is_refused(text: bytes) -> None:
    with pytest.raises(BadRequest):
        parse_module(read_document(text, "mine.yaml"))


def test_the_fault_list_survives_pickling() -> None:
    import pickle

    with pytest.raises(InvalidModule) as refused:
        parse_module({})
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.faults == refused.value.faults
    assert str(again) == str(refused.value)


@pytest.mark.parametrize("module", shipped_modules(), ids=lambda module: module.key)
def test_a_shipped_module_satisfies_the_json_schema(module: Module) -> None:
    jsonschema.Draft202012Validator(rule_schema()["json_schema"]).validate(module.spec())
    assert parse_module(module.spec()) == module


@pytest.mark.parametrize("spec", [s for s, p, _ in FAULTS if "/parameters" not in p or "parameters/" in p])
def test_the_json_schema_refuses_what_the_parser_refuses(spec: Spec) -> None:
    beyond_a_schema = {"reads HOLE", "always holds"}
    with pytest.raises(InvalidModule) as refused:
        parse_module(spec)
    if not any(text in fault.message for text in beyond_a_schema for fault in refused.value.faults):
        assert not jsonschema.Draft202012Validator(rule_schema()["json_schema"]).is_valid(spec)


def test_the_catalog_lists_what_the_contract_names() -> None:
    schema = rule_schema()
    assert {"walls", "holes", "bosses", "fillets", "rounds", "pockets", "slots", "fins", "all_features"} <= set(
        schema["selector_sets"]
    )
    assert {"slabs", "protrusions", "bends", "chamfers", "wall_pairs"} <= set(SELECTORS)
    assert {
        "thickness.min",
        "thickness.mean",
        "draft.min",
        "hole.diameter",
        "boss.height_over_diameter",
        "axis_angle_to_pull",
        "area_mm2",
    } <= set(schema["metrics_per_feature"])
    assert {"part.thickness.cv", "part.undercut_count"} <= set(schema["metrics_whole_part"])
    assert schema["comparison_ops"] == ["lt", "le", "gt", "ge", "eq", "ne"]
    assert schema["severity_levels"] == ["pass", "warning", "fail"]
    assert [set(form) for form in schema["rhs_forms"]] == [{"shape", "doc"}] * 3
    assert set(schema["metrics"]) == set(METRICS)


def test_the_packs_have_the_rules_and_configurations_of_the_contract() -> None:
    expected = {
        "cnc": (
            "3-axis 5-axis",
            """solid_body setup_count min_wall_thickness min_internal_radius tool_clearance undercut_access
               tool_inaccessible thread_candidates hole_depth_to_diameter pocket_aspect corner_radius_to_depth
               standard_drill drill_entry engraving_width""",
        ),
        "casting": (
            "sand investment",
            "solid_body min_wall_thickness thickness_uniformity internal_fillet sharp_internal_corner pattern_draft",
        ),
        "injection": (
            "standard side-action",
            """solid_body applicability wall_thickness draft_required no_undercuts boss_proportions rib_thickness
               unscrewing""",
        ),
        "additive": ("fdm sla dmls", "min_wall_thickness overhang_angle trapped_volume min_feature_size"),
        "sheet-metal": (
            "mild-steel-1.5mm stainless-1.0mm",
            """solid_body applicability uniform_thickness bend_radius hole_diameter hole_to_edge stock_gauge
               hole_to_bend flange_length bend_relief one_bend_radius cutout_distance lies_flat flat_size
               press_force""",
        ),
        "turning": (
            "bar mill-turn",
            """solid_body slenderness corner_radius groove_width groove_depth profile_angle bore_depth tube_wall
               thread_runout bar_size live_tooling size""",
        ),
    }
    found = {
        m.key: (list(m.configurations), [r.key for r in m.rules if r.key != "tolerances"]) for m in shipped_modules()
    }
    assert {m.rules[-1].key for m in shipped_modules()} == {"tolerances"}, "shared by all"
    assert found == {key: (configurations.split(), rules.split()) for key, (configurations, rules) in expected.items()}


def test_every_parameter_of_a_pack_is_documented_with_a_source() -> None:
    for module in shipped_modules():
        for configuration_ in module.configurations.values():
            assert set(configuration_.parameters) == set(module.parameters or {})
        assert all(one.source and one.meaning for one in (module.parameters or {}).values())
