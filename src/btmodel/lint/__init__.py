"""The schema review: rules that catch a mistake before the data does.

Every rule is a function of schema values, so the same rule serves class creation, a
check of a whole project, and a schema that was read from a live instance.
"""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

_HOMES = {
    "btmodel.lint.catalogue": "RULES",
    "btmodel.lint.finding": "ArgumentEdit Finding Level",
    "btmodel.lint.refusal": "refuse",
    "btmodel.lint.rule": "Page Rule",
    "btmodel.lint.run": "Review errors review review_all whole_review",
}

if TYPE_CHECKING:
    from btmodel.lint.catalogue import RULES
    from btmodel.lint.finding import ArgumentEdit, Finding, Level
    from btmodel.lint.refusal import refuse
    from btmodel.lint.rule import Page, Rule
    from btmodel.lint.run import Review, errors, review, review_all, whole_review
else:
    __getattr__, __dir__ = load_on_demand(__name__, _HOMES)

__all__ = [
    "RULES",
    "ArgumentEdit",
    "Finding",
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
