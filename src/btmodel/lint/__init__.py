"""The schema review: rules that catch a mistake before the data does.

Every rule is a function of schema values, so the same rule serves class creation, a
check of a whole project, and a schema that was read from a live instance.
"""

from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Page, Rule
from btmodel.lint.rules import RULES
from btmodel.lint.run import Review, errors, refuse, review, review_all, whole_review

__all__ = [
    "RULES",
    "Finding",
    "Fix",
    "Level",
    "Page",
    "Review",
    "Rule",
    "errors",
    "refuse",
    "review",
    "review_all",
    "whole_review",
]
