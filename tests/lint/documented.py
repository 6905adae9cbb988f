"""What Bigtable's documentation calls bad, as models, each with the fix that it gives: a table for tests."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import btmodel as bt
from btmodel.lint import Finding, review_all


@dataclass
class Case:
    """One thing that the documentation says: the bad model, the rule that finds it, the fix, and the fixed models."""

    says: str
    bad: Callable[[], object]
    rule: str
    fix: str
    fixed: Callable[[], object]


CASES: list[Case] = []
Models = Callable[[], object]


def case(says: str, rule: str, fix: str, *, fixed: Models) -> Callable[[Models], Models]:
    """Add a case of the decorated function, which declares the bad model."""

    def add(bad: Models) -> Models:
        CASES.append(Case(says, bad, rule, fix, fixed))
        return bad

    return add


@dataclass(frozen=True)
class Reviewed:
    """What became of the models that a function declares: the findings, and what refused them, if anything did."""

    findings: tuple[Finding, ...]
    refusal: str | None = None


@cache
def reviewed(declare: Models) -> Reviewed:
    """Declare and review the models of a function, once in a process: several tests look at them."""
    try:
        made = declare()
    except bt.DeclarationError as error:
        return Reviewed(tuple(each for each in error.findings if isinstance(each, Finding)), str(error))
    models = made if isinstance(made, tuple) else (made,)
    return Reviewed(review_all([bt.schema_of(model) for model in models]))


def findings(declare: Models) -> tuple[Finding, ...]:
    """What the review finds on the models that a function declares, whether or not one is refused."""
    return reviewed(declare).findings
