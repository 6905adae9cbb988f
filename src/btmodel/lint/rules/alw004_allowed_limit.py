"""ALW004 allowed-limit: a suppression of a limit of the service

What it finds
    A rule in a model's `allow` that stands for a hard limit of the service. If a rule knows
    both a recommendation and a limit, it finds the suppression of a model that is over the
    limit.

Why
    No reason makes the service accept what it refuses. The finding stays, and the suppression
    only looks as if somebody had dealt with it.

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
    Findings about suppressions cannot be suppressed.

Source
    https://cloud.google.com/bigtable/quotas.
"""

from collections.abc import Iterator

from btmodel.lint.finding import Finding
from btmodel.lint.rule import Rule, Suppressions


def check(suppressions: Suppressions) -> Iterator[Finding]:
    """Flag each suppression that meets a hard limit, or could meet nothing else."""
    for id in suppressions.model.allow:
        rule = suppressions.rules.get(id)
        if rule is not None and (not rule.allowable or any(each.limit for each in suppressions.hit(id))):
            yield RULE.finding(
                suppressions.model,
                f"allows {id} {rule.name}, which is a hard limit of the service",
                why="no reason makes the service accept what it refuses",
                fix=f"drop {id!r} from `allow`, and fix what the rule finds",
                edit=suppressions.without(id),
            )


RULE: Rule[Suppressions] = Rule("ALW004", "allowed-limit", check, page=__doc__, rewrites=None)
