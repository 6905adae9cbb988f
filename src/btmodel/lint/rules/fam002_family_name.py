"""FAM002 family-name: a family id that the service refuses

What it finds
    A column family whose id is empty, longer than 64 characters, or has characters
    other than letters, digits, `-`, `_` and `.`.

Why
    The service refuses to create such a family. A local emulator may accept it, so the mistake
    appears first in production.

Example
    import btmodel as bt


    class Player(bt.Model, table="PLAYER"):
        name: str = bt.key(bt.Text(width=12), cardinality=100_000)

        scores = bt.family("game scores", gc=bt.max_versions(1))
        wins: int = bt.column("wins", scores)

Use instead
    import btmodel as bt


    class Player(bt.Model, table="PLAYER"):
        name: str = bt.key(bt.Text(width=12), cardinality=100_000)

        scores = bt.family("game_scores", gc=bt.max_versions(1))
        wins: int = bt.column("wins", scores)

Allow
    This is a hard limit of the service and cannot be suppressed.

Source
    google/bigtable/v2/data.proto (Family.name).
"""

import re
from collections.abc import Iterator

from btmodel.lint.finding import Finding, family_renamed
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema
from btmodel.schema.limits import FAMILY_ID, FAMILY_ID_LENGTH, FAMILY_ID_MEANING
from btmodel.schema.names import sample


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each family with an illegal id."""
    for family in model.families:
        if not FAMILY_ID.fullmatch(sample(family.id)):
            legal = re.sub("[^-_.a-zA-Z0-9]", "_", family.id)[:FAMILY_ID_LENGTH] or "f"
            yield RULE.finding(
                model,
                f"{family.id!r} is not a valid family id: expected {FAMILY_ID_MEANING}",
                why="the service refuses to create such a family",
                fix=f'call it `bt.family("{legal}", ...)`',
                part=family.id,
                at=family.location,
                edit=family_renamed(model, family, legal),
            )


RULE: Rule[ModelSchema] = Rule("FAM002", "family-name", check, page=__doc__, rewrites=None, limit=True)
