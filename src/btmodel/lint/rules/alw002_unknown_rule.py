"""ALW002 unknown-rule: an allowance of a rule that there is not

What it finds
    An id in a model's `allow` that no rule has which could be allowed. The findings
    about allowances themselves are not among these.

Why
    A misspelt id allows nothing, while the model looks as if it did.

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
    Findings about allowances cannot be allowed.

Source
    This project.
"""

from collections.abc import Iterator

from btmodel.lint.finding import ArgumentEdit, Finding
from btmodel.lint.rule import Allowances, Rule, allowing, near_ids
from btmodel.words import did_you_mean


def check(allowances: Allowances) -> Iterator[Finding]:
    """Flag each id that is no rule's."""
    for id in allowances.model.allow:
        if id not in allowances.rules:
            near = near_ids(str(id), allowances.rules)
            yield RULE.finding(
                allowances.model,
                f"allows {id!r}, which is no rule that can be allowed" + did_you_mean(near),
                why="a wrong id allows nothing, while the model looks as if it did",
                fix=f'write `"{near[0]}"` for {id!r}' if near else f"drop {id!r} from `allow`",
                edit=_edit(allowances, id, near[0]) if near else allowances.without(id),
            )


def _edit(allowances: Allowances, id: str, meant: str) -> ArgumentEdit | None:
    allow = allowances.model.allow
    if meant in allow:
        return None
    return allowing({meant if each == id else each: why for each, why in allow.items()})


RULE: Rule[Allowances] = Rule("ALW002", "unknown-rule", check, page=__doc__)
