"""KEY021 changing-field: a key field whose value changes

What it finds
    A key field declared `changes=True` (a warning); and a key field that does not say, and that
    is called like a value that changes (info): `status`, `state` with an enum, `score`, `rank`,
    `balance`, `priority`, `next_run` and others that begin with `next`, `last_seen`,
    `updated_at`. `changes=False` says that rows never move: a row is one run, or one state
    that was.

Why
    A row is found by its key. When a value in the key changes, the row has to be written again
    under the new key, with all of its cells, and deleted under the old one. Bigtable does not
    do both at once, so readers see the row twice or not at all, and a writer that dies in
    between leaves both.

Example
    from enum import StrEnum

    import btmodel as bt


    class Status(StrEnum):
        OPEN = "open"
        DONE = "done"


    class Ticket(bt.Model, table="TICKET"):
        team: str = bt.key(bt.Text(max_length=20), cardinality=300)
        status: Status = bt.key(bt.EnumText(Status), changes=True)
        ticket: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        title: str = bt.column("title", data)

        of_team = bt.query("team", "status")

Use instead
    from enum import StrEnum

    import btmodel as bt


    class Status(StrEnum):
        OPEN = "open"
        DONE = "done"


    class Ticket(bt.Model, table="TICKET"):
        team: str = bt.key(bt.Text(max_length=20), cardinality=300)
        ticket: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        status: Status = bt.column("status", data)
        title: str = bt.column("title", data)

        of_team = bt.query("team", where=["status"])

Allow
    Suppress it for a table that only finds rows, as an index does, if the writer moves its rows:
    it writes the new row first, then deletes the old one, and readers check each row against
    the table that it leads to.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys to avoid: frequently updated
    identifiers), https://cloud.google.com/bigtable/docs/writes (a write is atomic in one row).
    The list of names is this project's own choice.
"""

from collections.abc import Iterator

from attrs import evolve

from btmodel.codecs.key import EnumText
from btmodel.design.advice import KEEP, steps_to
from btmodel.design.proposal import proposed
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import KeyField, ModelSchema, RowKey
from btmodel.source_text import names_of
from btmodel.words import quoted, words

_CHANGING = frozenset(words("status score rank ranking balance priority"))
_AFTER_LAST = frozenset(words("seen active activity login access change modified updated update used run"))
_EDITED = frozenset(words("updated modified"))


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each key field that is declared to change; ask about those that are called so."""
    for part in model.key.fields:
        if _changes(part):
            how = "is declared to change" if part.changes else "is called like a value that changes"
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` {how}",
                why="a changed value is another row: the old one stays until it is deleted, in a second step",
                fix=_fix(model, part),
                part=part.name,
                at=part.location,
                level=Level.WARNING if part.changes else Level.INFO,
            )


def _changes(part: KeyField) -> bool:
    return part.changes or (part.changes is None and part.asked and _called_so(part))


def _called_so(part: KeyField) -> bool:
    parts = [word.lower() for word in words(part.name)]
    if _CHANGING.intersection(parts[-1:]) or parts[0] == "next":
        return True
    if "state" in parts[-1:]:  # one of a country is none
        return isinstance(part.codec, EnumText)
    return bool(_EDITED.intersection(parts)) or (parts[0] == "last" and bool(_AFTER_LAST.intersection(parts)))


def _fix(model: ModelSchema, part: KeyField) -> str:
    changing = [other for other in model.key.fields if _changes(other)]
    rest = tuple(other for other in model.key.fields if other not in changing)
    asking = [query.name for query in model.queries if part.name in names_of(query)]
    key = _without(model, rest, changing) if any(other.asked for other in rest) else ""
    text = f"keep {quoted(other.name for other in changing)} in {'a column' if changing == [part] else 'columns'}{key}"
    if asking:
        needing = "needs" if len(asking) == 1 else "need"
        text += (
            f"; {quoted(asking)} {needing} it in a key: keep `{model.key.shape}` as a second table that only finds rows, and "
            "when the value changes, write the new row there first, then delete the old one"
        )
    return text if part.changes else f"{text}; or, where a row never changes it, say `changes=False`"


def _without(model: ModelSchema, rest: tuple[KeyField, ...], changing: list[KeyField]) -> str:
    """How to come to the proposed key of a model that has no field that changes, as the end of a sentence."""
    names = {part.name for part in changing}
    queries = tuple(query for query in model.queries if names.isdisjoint(names_of(query)))
    without = evolve(model, key=RowKey(rest, model.key.delimiter), queries=queries, bucket=None)
    design = proposed(without)
    steps = steps_to(without, design)
    return f": `{design.shape}`" if steps == KEEP else f", and {steps}: `{design.shape}`"


RULE: Rule[ModelSchema] = Rule(
    "KEY021", "changing-field", check, page=__doc__, levels=(Level.WARNING, Level.INFO)
)
