"""Manufacturability rules: modules of declarative rules, judged against an analysis."""

from fettle.rules.catalog import rule_schema
from fettle.rules.evaluate import judge, judge_module
from fettle.rules.packs import judge_all, shipped_modules
from fettle.rules.parse import parse_module
from fettle.rules.spec import Module
from fettle.rules.view import View

__all__ = ["Module", "View", "judge", "judge_all", "judge_module", "parse_module", "rule_schema", "shipped_modules"]
