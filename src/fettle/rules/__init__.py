"""Manufacturability rules: declarative rule modules, evaluated on the analysis of a part."""

from fettle.rules.context import RuleContext
from fettle.rules.evaluate import judge, judge_module
from fettle.rules.packs import judge_all, shipped_modules
from fettle.rules.parse import parse_module
from fettle.rules.schema import rule_schema
from fettle.rules.spec import Module

__all__ = [
    "Module",
    "RuleContext",
    "judge",
    "judge_all",
    "judge_module",
    "parse_module",
    "rule_schema",
    "shipped_modules",
]
