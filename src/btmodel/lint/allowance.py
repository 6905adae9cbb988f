"""The allowances of a model: the rules that it breaks on purpose, each with its reason."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from btmodel.lint.finding import Finding
from btmodel.lint.fix import Fix, literal
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema


@frozen
class Allowances:
    """A model's allowances, and what the rules found on it before any of them counted.

    ``rules`` holds the rules that were applied in full, or in part where a model is
    looked at without the others of its project: ``partial`` holds the ids of those.
    """

    model: ModelSchema
    found: tuple[Finding, ...]
    rules: Mapping[str, Rule[Any]]
    partial: frozenset[str] = frozenset()

    def reason(self, id: str) -> str:
        """The reason given for ``id``, without blanks around it; empty where none is."""
        return str(self.model.allow.get(id) or "").strip()

    def cover(self, finding: Finding) -> bool:
        """Whether the model allows ``finding``: with a reason, and where it is no hard limit."""
        return not finding.limit and bool(self.reason(finding.rule))

    def without(self, id: str) -> Fix | None:
        """The change of the class that drops ``id`` from its allowances."""
        return allowing({each: why for each, why in self.model.allow.items() if each != id})

    def hit(self, id: str) -> tuple[Finding, ...]:
        """What the rule ``id`` found, allowed or not."""
        return tuple(finding for finding in self.found if finding.rule == id)


def allowing(allow: Mapping[str, str]) -> Fix | None:
    """The change of a class after which it allows just that; None for what is no text, and cannot be shown as such."""
    if not all(isinstance(each, str) for item in allow.items() for each in item):
        return None
    return Fix("allow", literal(dict(allow)))
