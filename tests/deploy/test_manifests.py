"""Manifests of Kubernetes, compose and systemd: what a reviewer would look for, in each of them."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from fettle.app.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
KUBERNETES = "1.30"
"""Version whose API the manifest is held against: the oldest that clusters are likely to run."""


@pytest.fixture(scope="module")
def items() -> list[dict[str, Any]]:
    return list(yaml.safe_load((DEPLOY / "kubernetes" / "fettle.yaml").read_text())["items"])


def pods(items: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Name -> the pods of whatever makes some."""
    made = {one["metadata"]["name"]: one["spec"]["template"] for one in items if "template" in one.get("spec", {})}
    return {name: template["spec"] for name, template in made.items()}


def test_every_pod_runs_without_rights_on_a_read_only_root_within_limits(items: list[dict[str, Any]]) -> None:
    found = pods(items)
    assert set(found) == {"fettle-migrate", "fettle-door", "fettle-worker"}
    for name, pod in found.items():
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        for container in pod["containers"]:
            context = container["securityContext"]
            assert context["readOnlyRootFilesystem"] is True
            assert context["allowPrivilegeEscalation"] is False
            assert context["capabilities"] == {"drop": ["ALL"]}
            assert container["resources"]["limits"]["memory"]
            written = {mount["mountPath"] for mount in container["volumeMounts"]}
            assert {"/tmp", "/var/lib/fettle/data"} <= written
            assert {mount["name"] for mount in container["volumeMounts"]} == {one["name"] for one in pod["volumes"]}


def test_the_door_is_probed_and_workers_follow_the_queue(items: list[dict[str, Any]]) -> None:
    (door,) = pods(items)["fettle-door"]["containers"]
    assert door["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert door["livenessProbe"]["httpGet"]["path"] == "/healthz"
    (scaler,) = [one for one in items if one["kind"] == "HorizontalPodAutoscaler"]
    assert scaler["spec"]["scaleTargetRef"]["name"] == "fettle-worker"
    metric = scaler["spec"]["metrics"][0]["external"]["metric"]
    assert (metric["name"], metric["selector"]["matchLabels"]) == ("fettle_jobs", {"status": "queued"})
    (service,) = [one for one in items if one["kind"] == "Service"]
    (deployment,) = [one for one in items if one["metadata"]["name"] == "fettle-door" and one["kind"] == "Deployment"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"].items() <= labels.items()
    assert deployment["spec"]["selector"]["matchLabels"].items() <= labels.items()


def test_every_setting_in_a_manifest_exists(items: list[dict[str, Any]]) -> None:
    (config,) = [one for one in items if one["kind"] == "ConfigMap"]
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    named = set(config["data"]) | {name for one in compose["services"].values() for name in one.get("environment", {})}
    unit = (DEPLOY / "systemd" / "fettle.service").read_text()
    named |= {word.split("=")[0] for word in unit.split() if word.startswith("FETTLE_")}
    known = {f"FETTLE_{name.upper()}" for name in Settings.model_fields}
    assert {name for name in named if name.startswith("FETTLE_")} - known == set()


def test_compose_gives_our_containers_no_rights_and_waits_for_what_they_need() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    for name in ("api", "worker"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
        for needed, condition in services[name]["depends_on"].items():
            assert needed in services
            has_check = condition["condition"] != "service_healthy" or "healthcheck" in services[needed]
            assert has_check, f"{name} waits for {needed}, which nobody checks"


def check_kubernetes(item: dict[str, Any]) -> None:
    """Against the schema of its kind, with every field known."""
    kubernetes_validate.validate(item, KUBERNETES, strict=True)


def check_compose(document: dict[str, Any]) -> None:
    """Against the schema of the compose specification."""
    schema = files("check_jsonschema.builtin_schemas.vendor").joinpath("compose-spec.json").read_text(encoding="utf-8")
    jsonschema.validate(document, json.loads(schema))


def test_the_kubernetes_manifest_keeps_to_the_schemas_of_the_api(items: list[dict[str, Any]]) -> None:
    for item in items:
        check_kubernetes(item)
    door = next(one for one in items if one["kind"] == "Deployment")
    for name, value in (("replica", 1), ("replicas", "one")):
        with pytest.raises(kubernetes_validate.ValidationError, match=f"{name}|{value}"):
            check_kubernetes(door | {"spec": door["spec"] | {name: value}})


def test_the_compose_file_keeps_to_its_schema() -> None:
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    check_compose(document)
    for name, value in (("read-only", True), ("read_only", [])):
        wrong = document["services"] | {"api": document["services"]["api"] | {name: value}}
        with pytest.raises(jsonschema.ValidationError, match=name if name == "read-only" else "boolean"):
            check_compose(document | {"services": wrong})
