"""Applying the rules: to one model as its class is made, or to all models of a project."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import frozen

from btmodel.counted import counted
from btmodel.errors import DeclarationError
from btmodel.lint.allowance import Allowances
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.lint.rules import ALLOWANCE_RULES, CHECK_RULES, MODEL_RULES, TOGETHER_RULES
from btmodel.lint.safe import safely_fixed
from btmodel.schema import ModelSchema
from btmodel.schema.remembered import remembered

_OF_ONE: dict[str, Rule[Any]] = {rule.id: rule for rule in MODEL_RULES}
_OF_CHECK: dict[str, Rule[Any]] = {rule.id: rule for rule in CHECK_RULES}
_OF_CHECK |= {rule.id: rule for rule in TOGETHER_RULES}
_RULES = _OF_ONE | _OF_CHECK


@frozen
class Review:
    """What the rules find on models: ``findings``, and those ``allowed``, which the models give reasons for."""

    findings: tuple[Finding, ...]
    allowed: tuple[Finding, ...]


def review(model: ModelSchema) -> tuple[Finding, ...]:
    """What the rules find on ``model`` alone, but for what it allows."""
    return _told(_reviewed((model,), (), partial=frozenset(_OF_CHECK)))


def review_all(models: Iterable[ModelSchema]) -> tuple[Finding, ...]:
    """What the rules find on each of ``models`` and on all of them together, but for what they allow."""
    return whole_review(models).findings


def whole_review(models: Iterable[ModelSchema]) -> Review:
    """The same, and what they allow."""
    models = tuple(models)
    reviewed = tuple(_reviewed(models, CHECK_RULES, partial=frozenset()))
    found = safely_fixed(_told(reviewed), models)
    return Review(_sorted(found), _sorted(finding for finding, allowed in reviewed if allowed))


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that are errors."""
    return tuple(finding for finding in findings if finding.level is Level.ERROR)


def refuse(model: ModelSchema, findings: Sequence[Finding]) -> None:
    """Raise one :class:`DeclarationError` that lists every error of ``findings``, where there is one.

    The error's ``findings`` holds all of ``findings``, warnings included.
    """
    wrong = errors(findings)
    if not wrong:
        return
    count = counted(len(wrong), "error")
    listed = "\n".join(
        f"  {finding.place}: {finding.rule} {finding.name}: {finding.message}\n"
        f"    why:  {finding.why}\n"
        f"    mend: {finding.mend}"
        for finding in wrong
    )
    raise DeclarationError(f"{model.name}: {count} in its declaration\n{listed}", findings)


def _reviewed(
    models: tuple[ModelSchema, ...], rules: Sequence[Rule[ModelSchema]], *, partial: frozenset[str]
) -> Iterator[tuple[Finding, bool]]:
    """Every finding of ``rules`` and of those on a model alone, and whether its model allows it."""
    together: dict[tuple[str, str], list[Finding]] = {}
    for each in TOGETHER_RULES:
        for finding in each.check(models):
            together.setdefault((finding.module, finding.model), []).append(finding)
    for model in models:
        found = [*_alone(model), *(finding for rule in rules for finding in rule.check(model))]
        found += together.pop((model.module, model.name), ())
        allowances = Allowances(model, tuple(found), _RULES, partial)
        yield from ((finding, allowances.cover(finding)) for finding in found)
        if model.allow:
            for allowing in ALLOWANCE_RULES:
                yield from ((finding, False) for finding in allowing.check(allowances))


@remembered
def _alone(model: ModelSchema) -> tuple[Finding, ...]:
    """What a model alone shows: it is reviewed when its class is made, and again with all others."""
    return tuple(finding for rule in MODEL_RULES for finding in rule.check(model))


def _told(reviewed: Iterable[tuple[Finding, bool]]) -> tuple[Finding, ...]:
    return _sorted(finding for finding, allowed in reviewed if not allowed)


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.order))
