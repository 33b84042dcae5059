"""The pages of the rule packs are those the generator writes today."""

from __future__ import annotations

from docs.generate_rules import FOLDER, pages

from fettle.rules import shipped_modules
from fettle.rules.spec import Level


def test_the_pages_are_not_stale() -> None:
    on_disk = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert on_disk == pages(), "run `python -m docs.generate_rules`"


def test_every_rule_has_metric_threshold_source_and_an_example_of_its_worst_verdict() -> None:
    for module in shipped_modules():
        page = pages()[f"{module.key}.md"]
        for rule in module.rules:
            section = page.split(f"(`{rule.key}`)")[1].split("\n## ")[0]
            assert f"`{rule.metric}`" in section
            assert "| verdict | when |" in section
            levels = {tier.level for tier in rule.tiers}
            assert "- Fails: " in section or Level.FAIL not in levels
            assert "- Warns: " in section or Level.WARNING not in levels or Level.FAIL in levels
            if any(tier.rhs and tier.rhs.param for tier in rule.tiers):
                assert "Source: " in section
