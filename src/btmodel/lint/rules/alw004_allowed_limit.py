"""ALW004 allowed-limit: an allowance of what the service refuses

What it finds
    A rule in a model's `allow` that stands for a hard limit of the service; or, of a
    rule that knows both an advice and a limit, where it is the limit that the model is over.

Why
    No reason makes the service accept what it refuses. The finding stays, and the
    allowance hides only that nobody has dealt with it.

Example
    import btmodel as bt


    class Player(bt.Model, table="PLAYER", allow={"FAM002": "the emulator takes it"}):
        name: str = bt.key(bt.Text(width=12), cardinality=100_000)

        scores = bt.family("scores", gc=bt.max_versions(1))
        wins: int = bt.column("wins", scores)

Use instead
    import btmodel as bt


    class Player(bt.Model, table="PLAYER"):
        name: str = bt.key(bt.Text(width=12), cardinality=100_000)

        scores = bt.family("scores", gc=bt.max_versions(1))
        wins: int = bt.column("wins", scores)

Allow
    Findings about allowances cannot be allowed.

Source
    https://cloud.google.com/bigtable/quotas.
"""

from collections.abc import Iterator

from btmodel.lint.finding import Finding
from btmodel.lint.rule import Allowances, Rule


def check(allowances: Allowances) -> Iterator[Finding]:
    """Flag each allowance that meets a hard limit, or could meet nothing else."""
    for id in allowances.model.allow:
        rule = allowances.rules.get(id)
        if rule is not None and (not rule.allowable or any(each.limit for each in allowances.hit(id))):
            yield RULE.finding(
                allowances.model,
                f"allows {id} {rule.name}, which is a hard limit of the service",
                why="no reason makes the service accept what it refuses",
                fix=f"drop {id!r} from `allow`, and fix what the rule finds",
                edit=allowances.without(id),
            )


RULE: Rule[Allowances] = Rule("ALW004", "allowed-limit", check, page=__doc__)
