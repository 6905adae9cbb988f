"""ALW003 needless-allowance: a suppression that suppresses nothing

What it finds
    A rule in a model's `allow` that finds nothing on the model (a warning). A rule about
    several models is judged only if all of them are reviewed.

Why
    A suppression that is no longer needed hides the next mistake of its kind.

Example
    import btmodel as bt


    class Machine(bt.Model, table="MACHINE", allow={"FAM004": "kept by the operators"}):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("state", gc=bt.max_versions(1))
        load: float = bt.column("load", state)

Use instead
    import btmodel as bt


    class Machine(bt.Model, table="MACHINE"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("state", gc=bt.max_versions(1))
        load: float = bt.column("load", state)

Allow
    Findings about suppressions cannot be suppressed.

Source
    This project.
"""

from collections.abc import Iterator

from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule, Suppressions


def check(suppressions: Suppressions) -> Iterator[Finding]:
    """Flag each suppression, with a reason and of a rule that can be allowed, that meets no finding."""
    for id in suppressions.model.allow:
        rule = suppressions.rules.get(id)
        if rule is None or not rule.allowable or not suppressions.reason(id) or id in suppressions.partial:
            continue
        if not suppressions.hit(id):
            yield RULE.finding(
                suppressions.model,
                f"allows {id} {rule.name}, which finds nothing here",
                why="a suppression that is no longer needed hides the next mistake of its kind",
                fix=f"drop {id!r} from `allow`",
                edit=suppressions.without(id),
            )


RULE: Rule[Suppressions] = Rule(
    "ALW003", "needless-allowance", check, page=__doc__, rewrites=None, levels=(Level.WARNING,)
)
