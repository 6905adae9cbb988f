"""ALW002 unknown-rule: a suppression of an unknown rule

What it finds
    An id in a model's `allow` that is not the id of a rule that can be suppressed. The rules
    about suppressions themselves cannot be.

Why
    A misspelt id suppresses nothing, while the model looks as if it did.

Example
    from datetime import date

    import btmodel as bt


    class Report(bt.Model, table="REPORT", events="1/day", allow={"KEY1": "one row a night"}):
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        text: str = bt.column("text", data)

Use instead
    from datetime import date

    import btmodel as bt


    class Report(bt.Model, table="REPORT", allow={"KEY001": "one row a night"}):
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        text: str = bt.column("text", data)

Allow
    Findings about suppressions cannot be suppressed.

Source
    This project.
"""

from collections.abc import Iterator

from btmodel.lint.finding import ArgumentEdit, Finding
from btmodel.lint.rule import Rule, Suppressions, allowing, near_ids
from btmodel.words import did_you_mean


def check(suppressions: Suppressions) -> Iterator[Finding]:
    """Flag each id that is no rule's."""
    for id in suppressions.model.allow:
        if id not in suppressions.rules:
            near = near_ids(str(id), suppressions.rules)
            yield RULE.finding(
                suppressions.model,
                f"allows {id!r}, which is not a rule that can be suppressed" + did_you_mean(near),
                why="an unknown id suppresses nothing, while the model looks as if it did",
                fix=f'write `"{near[0]}"` for {id!r}' if near else f"drop {id!r} from `allow`",
                edit=_edit(suppressions, id, near[0]) if near else suppressions.without(id),
            )


def _edit(suppressions: Suppressions, id: str, meant: str) -> ArgumentEdit | None:
    allow = suppressions.model.allow
    if meant in allow:
        return None
    return allowing({meant if each == id else each: why for each, why in allow.items()})


RULE: Rule[Suppressions] = Rule("ALW002", "unknown-rule", check, page=__doc__, rewrites=None)
