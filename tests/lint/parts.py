"""Parts of schemas that tests of several rules are made of."""

from typing import Any

from btmodel.codecs.cell import Int64
from btmodel.lint import Finding, review
from btmodel.schema import Column, Expected, ModelSchema, Shape


def found(model: ModelSchema, rule: str) -> list[Finding]:
    """What one rule finds on a model."""
    return [finding for finding in review(model) if finding.rule == rule]


def column(name: str, shape: Shape = Shape.VALUE, family: str = "data", **changes: Any) -> Column:
    """A column of numbers that rows may lack, called as its attribute, with the parts given changed."""
    values: dict[str, Any] = {"codec": Int64(), "required": False, "expected": Expected()} | changes
    return Column(name, family, name.encode(), shape=shape, **values)
