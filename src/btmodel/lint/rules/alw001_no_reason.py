"""ALW001 no-reason: an allowance that does not say why

What it finds
    A rule in a model's `allow` whose reason is empty. The allowance does not count.

Why
    The reason is what the next reader has to judge whether it still holds.

Example
    from datetime import date

    import btmodel as bt


    class Report(bt.Model, table="REPORT", events="1/day", allow={"KEY001": ""}):
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        text: str = bt.column("text", data)

Use instead
    from datetime import date

    import btmodel as bt


    class Report(bt.Model, table="REPORT", allow={"KEY001": "one row a night, by one job"}):
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        text: str = bt.column("text", data)

Allow
    Findings about allowances cannot be allowed.

Source
    This project.
"""

from collections.abc import Iterator

from btmodel.lint.finding import Finding
from btmodel.lint.rule import Allowances, Rule


def check(allowances: Allowances) -> Iterator[Finding]:
    """Flag each allowance with an empty reason."""
    for id in allowances.model.allow:
        if not allowances.reason(id):
            yield RULE.finding(
                allowances.model,
                f"allows {id!r} without a reason",
                why="the reason shows the next reader whether it still applies",
                fix=f'give the reason, `allow={{"{id}": "..."}}`, or drop {id!r}',
            )


RULE: Rule[Allowances] = Rule("ALW001", "no-reason", check, page=__doc__)
