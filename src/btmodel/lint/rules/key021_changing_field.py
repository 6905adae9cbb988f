"""KEY021 changing-field: a key field whose value changes

What it finds
    A key field declared `changes=True` (a warning); and a key field that does not say, and that
    is called like a value that changes: `status`, `state` with an enum, `balance`, `assignee` and `assigned_to`, `progress`,
    `last_seen`, `updated_at`, a time whose name begins with `last`, names that begin with `next`, `current` or `latest`, a bool such as `is_open`; or
    one of which the docstring of the model says that it changes, of a number, that it is raised, updated or recomputed, or that the thing of a row is handed from one of its values to another ("moves tickets between agents", of `agent`; "to another bin", of `bin`). Or it is
    called like what a thing of the model has for a while, as far as the names of both say: the `ward` of a Patient, the `bin` of a StockItem, the `depot` of a Parcel, the `agent` or `stage` of a Ticket, the `tier` of a Customer,
    the `guild` of a Player, or, of nearly any model, its holder (a `driver`, a `reviewer`), its place (a `bin`, a `freezer`), its `price` or its `tier`; not in a key with a time, nor where the docstring says that it stays, that the table is an index, or that a row is it ("A bed of a hospital", of `bed`). A name alone
    finds nothing of a field with a `cardinality` above that of the thing or of the rest of the key, as each of these then has several of its values. These are warnings if another id stands behind it, which the row is
    found by, and information if the row may be an event or a state that was: behind a time, at the end of the key, with
    a bucket, or with nothing but counters. So are names that often stay as they were: `score`, `rank`, `priority`, `stage`, `phase`,
    in which the rule finds nothing behind the time of a moment: they are those of an event.
    In a model that is called like an event, such as StatusChange, with a time in its key, all of this is information.
    `changes=False` says that rows never move: a row is one run, or one state
    that was. Also a salt or another derived field that is made from a column of such a name (a
    warning).

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
    the table that it leads to. Of an owned twin (`bt.twins(Ticket, TicketOfStatus, owned=True)`), whose
    `replace` deletes the old row and writes the new one, the rule finds nothing. Of a twin that is not owned, and of a table that has all its attributes from another model,
    which holds some of its key as columns, the fix is that declaration, and no third table.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys to avoid: frequently updated
    identifiers), https://cloud.google.com/bigtable/docs/writes (a write is atomic in one row).
    The list of names is this project's own choice.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from itertools import pairwise, takewhile
from uuid import UUID

from attrs import evolve

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Kind, Order, UuidText
from btmodel.design.advice import KEEP, change, led_to, price, steps_to
from btmodel.design.changes_said import described_changing
from btmodel.design.copied_rows import copied, kept_cell, of_additions
from btmodel.design.event_ids import names_row, own_id, tells_apart_by_name
from btmodel.design.hints import called_changing, called_last_time, surely_changing
from btmodel.design.keys import as_columns, fresh, merging, single, to_fill_in
from btmodel.design.moving_names import moving, of_event, place_within
from btmodel.design.proposal import Design, fitted, serves
from btmodel.design.second_tables import as_second, declared_there, followed, index_instead, key_of, sharded
from btmodel.design.series import unit
from btmodel.design.spread import crowded
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import (
    Access,
    AccessKind,
    Column,
    KeyField,
    ModelSchema,
    Query,
    RowKey,
    Unserved,
    access,
)
from btmodel.source_text import declaration, names_of, written
from btmodel.words import clauses, one, quoted, words


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each key field that is declared to change; ask about those that are called so.

    Of an owned twin, whose old row is deleted when the value changes, none is flagged.
    """
    if model.owned:
        return
    for part in model.key.fields:
        if _changes(model, part):
            how = (
                "is declared to change"
                if part.changes
                else "is called like a value that changes"
                if _called(part)
                else "changes, as the description of the model says"
                if described_changing(model, part)
                else f"is what {one(words(model.name)[-1].lower())} has for a while, judging by their names"
            )
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` {how}",
                why="a changed value is another row: the old one stays until it is deleted, in a second step",
                fix=partial(_ways, model, part) if model.twins is None else _owned(model, part, model.twins),
                part=part.name,
                at=part.location,
                level=Level.WARNING if part.changes or _moves(model, part) else Level.INFO,
            )
        elif (name := _made_of(model, part)) is not None:
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` is made from `{name}`, a value that changes, judging by its name",
                why="when it changes, the row is another one: the old one stays until it is deleted, in a second step",
                fix=partial(_of_others, model, part)
                if model.twins is None
                else _owned(model, part, model.twins),
                part=part.name,
                at=part.location,
                level=Level.WARNING,
            )


def _changes(model: ModelSchema, part: KeyField) -> bool:
    if part.changes is not None or not part.asked:
        return bool(part.changes)
    if _identified(model, part) and described_changing(model, part):
        return True
    return _named(model, part) and not _of_several(model, part)


def _named(model: ModelSchema, part: KeyField) -> bool:
    """Whether a field is called like what changes, or like what the thing of the model has for a while."""
    perhaps = not surely_changing(part.name, part.codec.python_type)
    called = _called(part) and not (perhaps and _of_moment(model, part))
    return part.asked and (called or (_identified(model, part) and moving(model, part)))


def _of_several(model: ModelSchema, part: KeyField) -> bool:
    """Whether each row of the rest of the key has several values of ``part``, as far as declared numbers prove it: 90,000 beds are in 300 hospitals."""
    rest = [
        other for other in model.key.fields if other != part and not (other.changes or _named(model, other))
    ]
    return any(other.asked for other in rest) and merging(rest, [part]) is not None


def _of_moment(model: ModelSchema, part: KeyField) -> bool:
    """Whether the time of an event stands in front of ``part``, which is then what it was at that moment, or a kind of event."""
    front = takewhile(lambda other: other != part, model.key.fields)
    units = [
        unit(other) for other in front if other.codec.kind is Kind.TIME and other.sequential is not False
    ]
    return any(found is not None and found < _DAY for found in units)


_DAY = timedelta(days=1)


# How people call a reversed time: by the way it sorts.
_SORTED = frozenset({"newest", "latest", "newest_first", "latest_first", "most_recent"})


def _called(part: KeyField) -> bool:
    if part.name in _SORTED and part.codec.kind is Kind.TIME:
        return False  # also where KEY014 has it written upward, under its old name
    return called_changing(part.name, part.codec.python_type)


def _moves(model: ModelSchema, part: KeyField) -> bool:
    """Whether a row is a thing that stays when ``part`` changes, as far as names show."""
    if of_event(model):
        return False
    sure = (
        surely_changing(part.name, part.codec.python_type)
        or not _called(part)
        or _since(model, part)
        or moving(model, part)
    )
    return (sure or described_changing(model, part)) and _identified(model, part)


def _since(model: ModelSchema, part: KeyField) -> bool:
    """Whether a column is the time since which the row has its value, as ``entered_stage`` of ``stage``."""
    own = words(part.name)[-1].lower()
    times = (column.name for column in model.columns if is_class(column.codec.python_type, date))
    return any(own in [word.lower() for word in words(name)] for name in times)


def _identified(model: ModelSchema, part: KeyField) -> bool:
    """Whether another id stands behind ``part``, and no time in front of it: the row is no event, and no count."""
    at = model.key.fields.index(part)
    # No event has the time of what happened last, so that one moves the row of the id in front of it, too.
    last = called_last_time(part.name, part.codec.python_type)
    ids = model.key.fields[0 if last else at + 1 :]
    found = (field for field in ids if field.asked and field.codec.kind is not Kind.TIME)
    return not (_timed(model.key.fields[:at]) or _counted(model)) and any(
        not single(field) and not _called(field) for field in found
    )


def _timed(fields: Iterable[KeyField]) -> bool:
    return any(field.codec.kind is Kind.TIME for field in fields)


def _counted(model: ModelSchema) -> bool:
    """Whether a row is a bucket of events, or has nothing but counters."""
    summed = model.columns and all(column.shape.summed for column in model.columns)
    return model.bucket is not None or bool(summed)


def _made_of(model: ModelSchema, part: KeyField) -> str | None:
    """The column that changes, by its name, from which ``part`` is made."""
    columns = {column.name: column for column in model.columns}
    of = part.derived.of if part.derived else ()
    return next(
        (name for name in of if name in columns and called_changing(name, columns[name].codec.python_type)),
        None,
    )


def _owned(model: ModelSchema, part: KeyField, twins: str) -> Fix:
    """The dual writes that own the rows of this table, which has those of another one already."""
    text = f"declare that their dual writes own these rows, `{twins}`, and change rows by `replace`, which deletes the old row here and writes the new one"
    return Fix(text, (evolve(model, owned=True),), otherwise=_unsaid(part))


def _unsaid(part: KeyField) -> str:
    """What to declare of a value that never changes, where the field does not say that it does; nothing of a derived one."""
    return "" if part.changes or part.derived else "; or, if a row never changes it, declare `changes=False`"


def _of_others(model: ModelSchema, part: KeyField) -> Iterator[Fix]:
    """Another key: a salt that is made from a field of the key, which no row ever changes, or one of those proposed."""
    made = part.derived
    of = next(
        (
            field
            for field in model.key.asked
            if not single(field) and not field.changes and field.codec.kind is not Kind.TIME
        ),
        None,
    )
    if made is not None and made.values is not None and of is not None:
        salt = evolve(part, derived=evolve(made, of=(of.name,), by=hash, of_bytes=False))
        fields = tuple(salt if other == part else other for other in model.key.fields)
        text = f'make it from `{of.name}`, which stays: `{part.name} = bt.salt("{of.name}", buckets={len(made.values)})`'
        yield Fix(text, (evolve(model, key=evolve(model.key, fields=fields)),))
    for each, models in led_to(model):
        if part in each.dropped:
            yield Fix(change(model, each), models)


def _ways(model: ModelSchema, part: KeyField) -> Iterator[Fix]:
    """The values that change in columns, each proposed key of what is left first; and a second table for queries that need them."""
    changing = _with_places(model, [other for other in model.key.fields if _changes(model, other)])
    rest = tuple(other for other in model.key.fields if other not in changing)
    id, given = _id_of_rows(model) if _merges(model, rest, changing) else (None, "")
    rest += () if id is None else (id,)
    found = {query.name: _of_one_row(model, query, rest, changing) for query in model.queries}
    needing = [
        query
        for query in model.queries
        if not found[query.name] and serves(model.key, query) and _needs(model, query, changing)
    ]  # what no row answers now is another finding
    keep = f"{given}keep {quoted(other.name for other in changing)} in {'a column' if changing == [part] else 'columns'}"
    columns = as_columns(model, changing)
    kept = _kept(model, needing, columns or (), () if id is None else (id,))
    names = [part.name] if changing == [part] else [other.name for other in changing]
    unsaid = _unsaid(part)
    queries = tuple(found[query.name] or query for query in model.queries if query not in needing)
    left = evolve(
        model,
        key=RowKey(rest, model.key.delimiter),
        columns=tuple(column for column in model.columns if id is None or column.name != id.name),
        queries=queries,
        bucket=None,
    )
    for each, made in led_to(left):
        steps = steps_to(left, each)
        key = f": `{each.shape}`" if steps == KEEP else f", and {steps}: `{each.shape}`"
        second = kept and _told_apart(kept, each)
        more = _found_without(found.values()) + _moving(model, second, needing, names)
        models = () if columns is None else _with_columns(made, columns, second)
        yield Fix(f"{keep}{key}{price(left, each)}{more}", models, otherwise=unsaid, together=True)
        index = index_instead(models[0], second) if second and models else None
        if index is not None:
            yield Fix(
                index[0],
                (*models[:-1], index[1]),
                alternative=True,
                together=True,
                head=f"{keep}{key}{price(left, each)}; ",
            )


def _merges(model: ModelSchema, rest: Sequence[KeyField], changing: Sequence[KeyField]) -> bool:
    """Whether what changes is what distinguishes rows: nothing that is left names a row, there are more names than rows without it, or a query reads a range of it within one such row.

    So does the time of what comes again under one name, such as a flight of each day, though it may be put off.
    Where an id stands behind it, that one distinguishes them: scooters stand in more places, over time, than there are scooters.
    """
    left = {other.name for other in rest if other.asked}
    last = [part for part in changing if not _identified(model, part)]
    named = [part for part in last if part.codec.python_type in (str, UUID)]
    moved = {part.name for part in changing}
    ranged = any(query.between in moved and left <= {*query.equal} for query in model.queries)
    again = any(part.codec.kind is Kind.TIME and not _called(part) for part in changing)
    unnamed = (again or last == [*changing]) and not (
        _counted(model) or _timed(rest) or _names_rows(model, rest, moved, once=again)
    )
    return not left or ranged or unnamed or merging(rest, named) is not None


def _names_rows(model: ModelSchema, rest: Iterable[KeyField], moved: Iterable[str], *, once: bool) -> bool:
    """Whether what is left of the key names what a row is: a Ticket by `ticket`; and a SensorState, whose state moves, by `sensor`.

    A number, such as that of a flight, may come again another day: where it is to be there ``once``, it names none.
    """
    name = words(model.name)
    while len(name) > 1 and any(name[-1].lower() == words(one)[-1].lower() for one in moved):
        name.pop()
    called = evolve(model, name="".join(map(str.capitalize, name)))
    return any(
        names_row(called, part.name) and not (once and _NUMBERS.intersection(words(part.name)[-1:]))
        for part in rest
        if part.asked
    )


_NUMBERS = frozenset(words("no nr number"))


def _with_places(model: ModelSchema, changing: Sequence[KeyField]) -> list[KeyField]:
    """The fields that change, and the places within them that stand behind, in front of the id that stays."""
    fields = model.key.fields
    within = list(changing)
    for at, (front, part) in enumerate(pairwise(fields), 2):
        inside = front in within and front.codec.kind is not Kind.TIME and place_within(part)
        if inside and any(other.asked for other in fields[at:]):
            within.append(part)
    return [part for part in fields if part in within]


def _id_of_rows(model: ModelSchema) -> tuple[KeyField, str]:
    """The field of the key that names a row, and how to come by it: the column that is the id of a row, or else a new one."""
    column = own_id(model)
    if column is None:
        id = KeyField(fresh(model, "id"), UuidText())
        return id, f"give each row an id of its own, `{id.name}: UUID = bt.key(bt.UuidText())`, "
    id = key_of(column)
    return (
        id,
        f"make the column `{id.name}`, the id of a row, a key field (`{written(id.codec)}`{to_fill_in(id.codec)}), ",
    )


def _of_one_row(
    model: ModelSchema, query: Query, rest: tuple[KeyField, ...], changing: Sequence[KeyField]
) -> Query | None:
    """The query without what changes, where it gives this and all that is left of the key, so that it still finds one row.

    What is left then says which row it is, and the program compares the column.
    """
    given = [part.name for part in changing if part.name in query.equal]
    if not given:
        return None
    equal = tuple(name for name in query.equal if name not in given)
    made = evolve(query, equal=equal, where=(*query.where, *given))
    reached = access(RowKey(rest, model.key.delimiter), made) if rest else None
    return made if isinstance(reached, Access) and reached.kind is AccessKind.POINT else None


def _found_without(found: Iterable[Query | None]) -> str:
    """How the queries of one row are then declared, as the end of a sentence."""
    made = [f"`{query.name} = {declaration(query)}`" for query in found if query is not None]
    return f"; {clauses(made)} then {'finds' if len(made) == 1 else 'find'} the row" if made else ""


def _needs(model: ModelSchema, query: Query, changing: Sequence[KeyField]) -> bool:
    """Whether the query gives or bounds one of these fields, or reads rows in the order of a number or a time among them."""
    names = {part.name for part in changing}
    if not names.isdisjoint(names_of(query)):
        return True
    found = access(model.key, query)
    if isinstance(found, Unserved):
        return False
    following = model.key.fields[len(found.prefix) :][:1]
    return any(
        part.name in names
        and (
            query.newest
            or part.codec.order is Order.DESCENDING
            or part.codec.kind in (Kind.NUMBER, Kind.TIME)  # why else would it stand there
        )
        for part in following
    )


def _kept(
    model: ModelSchema, needing: Sequence[Query], columns: Sequence[Column], ids: Sequence[KeyField]
) -> ModelSchema | None:
    """The model as it was, in a second table for the queries that need its key, with new ids of rows; with a salt where its rows would come to one place."""
    if not needing:
        return None
    kept = evolve(as_second(model, model.key, needing[0]), queries=tuple(needing), owned=True)
    kept = (crowded(kept) and sharded(kept)) or kept
    whole = {other.name for other in model.key.asked}
    if all(whole <= {*query.equal} for query in needing):  # each finds one row, which has the id
        kept = evolve(kept, columns=(*kept.columns, *(as_columns(kept, ids) or ())))
    else:
        kept = _with_fields(kept, ids)
    return copied(evolve(model, columns=(*model.columns, *columns)), kept)


def _told_apart(kept: ModelSchema, design: Design) -> ModelSchema:
    """The second table with the field at its end by which the proposed key newly tells events apart: those would share a key there, too."""
    column = design.column
    new = design.invented
    if column is not None:
        new = column.name if tells_apart_by_name(kept, column) else None
    known = {part.name for part in kept.key.fields}
    fields = tuple(part for part in design.key.fields if part.name == new and new not in known)
    return (
        _with_fields(kept, fields) if fields and any(column.name != new for column in kept.columns) else kept
    )


def _with_fields(kept: ModelSchema, fields: Iterable[KeyField]) -> ModelSchema:
    """The second table with more fields at the end of its key: a value in front of which a range is read is then ended so that it sorts."""
    added = tuple(fields)
    names = {part.name for part in added}
    key = evolve(kept.key, fields=(*kept.key.fields, *added))
    for query in kept.queries:
        key = fitted(key, query)
    return evolve(kept, key=key, columns=tuple(column for column in kept.columns if column.name not in names))


def _moving(
    model: ModelSchema, kept: ModelSchema | None, needing: Sequence[Query], names: Sequence[str]
) -> str:
    """What the queries that need what changes come to, as the end of a sentence."""
    if kept is None:
        return ""
    needs, them = "needs" if len(needing) == 1 else "need", "it" if len(names) == 1 else "them"
    old = {part.name for part in model.key.fields}
    ids = (
        part for part in kept.key.fields if part.asked and part.name not in old
    )  # the first table has them, too
    there = declared_there(evolve(model, key=evolve(model.key, fields=(*model.key.fields, *ids))), kept)
    return (
        f"; {quoted(query.name for query in needing)} {needs} {them} in a key: keep `{kept.key.shape}`{there and f'{there},'} as a second table{kept_cell(model, kept)}"
        f"{followed(model, kept, names)}{of_additions(model, kept)}"
    )


def _with_columns(
    made: tuple[ModelSchema, ...], columns: tuple[Column, ...], kept: ModelSchema | None
) -> tuple[ModelSchema, ...]:
    """The models with the columns, and behind them the second table of the queries that need the key as it was."""
    known = tuple(evolve(model, columns=(*model.columns, *columns)) for model in made)
    return known if kept is None else (*known, kept)


RULE: Rule[ModelSchema] = Rule(
    "KEY021",
    "changing-field",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.INFO),
)
