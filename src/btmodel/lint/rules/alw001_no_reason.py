"""ALW001 no-reason: a suppression without a reason

What it finds
    A rule in a model's `allow` with an empty reason. Such a suppression does not count.

Why
    The next reader needs the reason to judge whether it still holds.

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
    Findings about suppressions cannot be suppressed.

Source
    This project.
"""

from collections.abc import Iterator

from btmodel.lint.finding import Finding
from btmodel.lint.rule import Rule, Suppressions


def check(suppressions: Suppressions) -> Iterator[Finding]:
    """Flag each suppression with an empty reason."""
    for id in suppressions.model.allow:
        if not suppressions.reason(id):
            yield RULE.finding(
                suppressions.model,
                f"allows {id!r} without a reason",
                why="the reason shows the next reader whether it still applies",
                fix=f'give the reason, `allow={{"{id}": "..."}}`, or drop {id!r}',
            )


RULE: Rule[Suppressions] = Rule("ALW001", "no-reason", check, page=__doc__, rewrites=None)
