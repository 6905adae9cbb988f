"""The schema review: rules that catch a mistake before the data does.

Every rule is a function of schema values, so the same rule serves class creation, a
check of a whole project, and a schema that was read from a live instance.
"""

from typing import TYPE_CHECKING

from btmodel.on_demand import load_on_demand

if not TYPE_CHECKING:
    __getattr__, __dir__, __all__ = load_on_demand(
        __name__,
        {
            "btmodel.lint.catalogue": "RULES",
            "btmodel.lint.finding": "ArgumentEdit Finding Level",
            "btmodel.lint.refusal": "refuse",
            "btmodel.lint.rule": "Rule RulePage",
            "btmodel.lint.run": "Review errors review review_all review_part whole_review",
        },
    )
else:  # written by codegen/public_names.py
    from btmodel.lint.catalogue import RULES as RULES
    from btmodel.lint.finding import ArgumentEdit as ArgumentEdit
    from btmodel.lint.finding import Finding as Finding
    from btmodel.lint.finding import Level as Level
    from btmodel.lint.refusal import refuse as refuse
    from btmodel.lint.rule import Rule as Rule
    from btmodel.lint.rule import RulePage as RulePage
    from btmodel.lint.run import Review as Review
    from btmodel.lint.run import errors as errors
    from btmodel.lint.run import review as review
    from btmodel.lint.run import review_all as review_all
    from btmodel.lint.run import review_part as review_part
    from btmodel.lint.run import whole_review as whole_review
