"""The selector set of what a file asks of the accuracy of its part."""

from __future__ import annotations

from fettle.pmi.requirements import Requirement, requirements_of
from fettle.rules.context import RuleContext, Subject
from fettle.rules.registry import REQUIREMENT, selector


def stated_requirements(context: RuleContext) -> tuple[Requirement, ...]:
    """What the file asks for, read once."""
    return context.keep("requirements", lambda: requirements_of(context.part))


@selector("requirements", "tolerances in the file", [REQUIREMENT])
def requirements(context: RuleContext) -> tuple[Subject, ...]:
    """Sizes with limits, geometric tolerances and surface finishes that the file states, each with its faces."""
    every = tuple(range(len(context.part.faces)))
    return tuple(Subject(one.faces or every, requirement=one) for one in stated_requirements(context))
