"""TAB006 table-name: a table id that the service refuses

What it finds
    A table whose id is empty, longer than 50 characters, begins with `-` or `.`, or has
    characters other than letters, digits, `-`, `_` and `.`.

Why
    The service refuses to create such a table. A local emulator may accept it, so the mistake
    appears first in production.

Example
    import btmodel as bt


    class Player(bt.Model, table="game players"):
        name: str = bt.key(bt.Text(width=12), cardinality=100_000)

        scores = bt.family("scores", gc=bt.max_versions(1))
        wins: int = bt.column("wins", scores)

Use instead
    import btmodel as bt


    class Player(bt.Model, table="game_players"):
        name: str = bt.key(bt.Text(width=12), cardinality=100_000)

        scores = bt.family("scores", gc=bt.max_versions(1))
        wins: int = bt.column("wins", scores)

Allow
    This is a hard limit of the service and cannot be suppressed.

Source
    google/bigtable/admin/v2/table.proto (Table.name) and
    google/bigtable/admin/v2/bigtable_table_admin.proto (CreateTableRequest.table_id).
"""

import re
from collections.abc import Iterator

from btmodel.lint.finding import ArgumentEdit, Finding, literal
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema
from btmodel.schema.limits import TABLE_ID, TABLE_ID_LENGTH, TABLE_ID_MEANING
from btmodel.schema.names import placeholders, sample


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag an illegal table id."""
    if not TABLE_ID.fullmatch(sample(model.table)):
        legal = re.sub("[^-_.a-zA-Z0-9]", "_", model.table).lstrip("-.")[:TABLE_ID_LENGTH] or "t"
        yield RULE.finding(
            model,
            f"{model.table!r} is not a valid table id: expected {TABLE_ID_MEANING}",
            why="the service refuses to create such a table",
            fix=f'call it `table="{legal}"`',
            edit=None if placeholders(model.table) else ArgumentEdit("table", literal(legal)),
        )


RULE: Rule[ModelSchema] = Rule("TAB006", "table-name", check, page=__doc__, rewrites=None, limit=True)
