"""Second tables: a row written again under another key, for queries that the first key does not serve."""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from itertools import takewhile
from types import MappingProxyType

from attrs import evolve

from btmodel.codecs.cell import Int64
from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import AsInKey, EpochMicros, OrderedInt, PaddedInt, ReversedDigits, Text
from btmodel.design.candidates import adjusted, as_field, salt_of, unhashed_by
from btmodel.design.changes_said import described_assigned
from btmodel.design.copied_rows import as_twin, copied, of_additions, of_files, of_unread
from btmodel.design.covered import as_file, asked, covered
from btmodel.design.hints import called_changing, called_next
from btmodel.design.keys import UNKNOWN_TEXT, drawn, salt_declaration, salted, to_fill_in, written_with_ease
from btmodel.design.personal_names import personal
from btmodel.design.proposal import fitted, serves
from btmodel.design.spread import crowded, leading_time
from btmodel.errors import DeclarationError
from btmodel.estimates import stored_bytes, timed
from btmodel.schema import (
    Column,
    Family,
    KeepAll,
    KeyField,
    ModelSchema,
    Query,
    Rate,
    RowKey,
    TableView,
    View,
    ViewKind,
)
from btmodel.schema.limits import TABLE_ID_LENGTH, VIEW_ROW_BYTES
from btmodel.schema.model import UNSTATED
from btmodel.schema.possible_edits import added_to
from btmodel.schema.view import VIEW_FAMILY, VIEWS
from btmodel.source_text import names_of, written
from btmodel.words import as_text, clauses, quoted, size_text, words


def rearranged(model: ModelSchema, query: Query) -> list[KeyField | str]:
    """The fields for a query alone: leading constants, what is given, what is bounded, then the rest; columns by name.

    Salts stay out, as what is asked for spreads the rows, and so do hashes of what then stands in the key.
    """
    columns = [column.name for column in model.columns if column.name in names_of(query)]
    fields = unhashed_by(model.key.fields, *columns)
    known = {part.name: part for part in fields if not (part.derived and part.derived.values)}
    front = [part.name for part in takewhile(lambda part: part.constant, model.key.fields)]
    asked = (*query.equal, *(name for name in (query.between, query.starting) if name is not None))
    return [known.get(name, name) for name in dict.fromkeys([*front, *asked, *known])]


def second_tables(model: ModelSchema, queries: Iterable[Query]) -> tuple[ModelSchema, ...]:
    """The fewest second tables that serve ``queries``: the key of one that asks for more serves some that ask for less."""
    found: list[ModelSchema] = []
    for query in sorted(queries, key=lambda one: -len(names_of(one))):
        at = next((at for at, made in enumerate(found) if serves(made.key, query)), None)
        if at is None:
            found.append(second_model(model, query))
        else:
            found[at] = second_model(model, *found[at].queries, query)
    return tuple(found)


def second_model(model: ModelSchema, query: Query, *others: Query) -> ModelSchema:
    """The model of a second table for a query, and for ``others`` that the same key serves, under a name of its own.

    Where its key begins with a time, a salt in front spreads the declared rate. A batch job writes it where no rate is declared,
    and where whole days or the like are asked for, as Bigtable's documentation advises.
    """
    columns = {column.name: column for column in model.columns}
    fields = tuple(
        part if isinstance(part, KeyField) else key_of(columns[part])
        for part in rearranged(model, query)
        if isinstance(part, KeyField) or part in columns
    )
    names = {part.name for part in fields}
    key = fitted(evolve(model.key, fields=fields), query)
    left = tuple(column for column in model.columns if column.name not in names)
    made = evolve(as_second(model, key, query), columns=left, queries=(query, *others))
    made = adjusted(evolve(model, queries=()), copied(model, made))
    allow = dict(model.allow)
    time = leading_time(made)
    if crowded(made) and not written_with_ease(model):
        spread = None if time is not None and of_one_period(query, time) else sharded(made)
        if spread is None and time is not None:
            allow["KEY001"] = "a batch job writes it"
        made = spread or made
    if any(part.tenant for part in fields) and not any(part.tenant for part in fields[:1]):
        allow["KEY018"] = "it is asked over all tenants"
    promoted = [columns[name] for name in names & {*columns}]
    owned = any(lasting(model) or moves(model, column) for column in promoted)
    return evolve(made, allow=allow, owned=owned)


def lasting(model: ModelSchema) -> bool:
    """Whether a row is no event, so that its columns may change, whatever they are called."""
    return not timed(model) and model.bucket is None


def moves(model: ModelSchema, column: Column) -> bool:
    """Whether a row changes the column in its life, by its name; or as what it is at present, of a thing that is no event."""
    if changed(model, column):
        return True
    kind = column.codec.python_type
    return not timed(model) and (kind is bool or is_class(kind, Enum) or called_next(column.name))


def changed(model: ModelSchema, column: Column) -> bool:
    """Whether a row changes the column in its life, by its name or by what the description says of it."""
    named = called_changing(column.name, column.codec.python_type)
    return named or described_assigned(model, column.name)


def declared_there(model: ModelSchema, made: ModelSchema) -> str:
    """How a second table is declared, where that does not follow from its key and from the first one, as a part of a sentence.

    It names each codec, end, salt and suppression that is written for it.
    """
    known = {part.name: part for part in model.key.fields}
    changes: list[str] = []
    for part in made.key.fields:
        old = known.get(part.name)
        if part.derived is not None and old != part and part.derived.values is not None:
            changes.append(f"`{salt_declaration(part)}`, so a read for each salt")
        elif part.asked and (old is None or old.codec != part.codec):
            changes += _codec_there(part)
        if part.ends is not None and (old is None or old.ends != part.ends):
            changes.append(f"`{part.name}` ended by {_end(part.ends)}")
    new = {id: why for id, why in made.allow.items() if id not in model.allow}
    if new:
        changes.append(f"`allow={json.dumps(new, ensure_ascii=False)}`")
    return f", with {clauses(changes)}" if changes else ""


def _codec_there(part: KeyField) -> list[str]:
    """The codec of a field in a second table; of a text, only where it is known how long it is."""
    if part.codec is UNKNOWN_TEXT:
        return []
    if isinstance(part.codec, ReversedDigits):
        return [f"the digits of `{part.name}` written backwards (`{written(part.codec)}`)"]
    return [f"`{part.name}` as `{written(part.codec)}`{to_fill_in(part.codec)}"]


def _end(ends: bytes) -> str:
    return 'a NUL, `ends="\\0"`' if ends == b"\0" else f'`ends="{as_text(ends)}"`'


def followed(model: ModelSchema, made: ModelSchema, names: Iterable[str]) -> str:
    """How the rows of a second table follow what changes in its key, as the end of a sentence; empty where nothing does.

    Without ``names``, those may change that were columns of a row which is no event.
    """
    moving = list(names)
    keyed = {part.name for part in made.key.asked} if made.owned else set()
    held = moving or [
        column.name for column in model.columns if column.name in keyed and not added_to(column)
    ]
    if not held:
        return ""
    when = f"{'when' if moving else 'if'} {quoted(held)} {'may change' if not moving else 'changes' if len(held) == 1 else 'change'}"
    if by_batch(model, made):
        return f"; {when}, let the batch job delete the old row there, too"
    return (
        f"; {when}, replace rows by "
        f"`bt.twins({model.name}, {as_twin(model, made)}, owned=True)`, which deletes the old row there and writes the new one"
    )


def key_of(column: Column) -> KeyField:
    """The key field that a column becomes, with a codec that takes all of its values, where one is known."""
    part = as_field(column)
    most = column.expected.max_size
    if column.codec.python_type is str and most is not None:
        return evolve(part, codec=Text(max_length=most))
    if isinstance(column.codec, Int64):
        return evolve(part, codec=OrderedInt())
    return evolve(part, codec=EpochMicros()) if column.codec.python_type is datetime else part


# Times of which there are few enough for a table each.
_CALENDAR = ("day", "week", "month", "year")


def of_one_period(query: Query, time: KeyField) -> bool:
    """Whether the query asks for all rows of a day, a week, a month or a year."""
    return query.equal == (time.name,) and time.codec.granularity in _CALENDAR


def as_second(model: ModelSchema, key: RowKey, query: Query) -> ModelSchema:
    """The model of a second table with this key, for the query, under a name of its own."""
    return evolve(
        model,
        name=f"{model.name}{''.join(map(_capitalized, words(query.name)))}",
        table=_table(model, query),
        key=key,
        queries=(query,),
        settings=UNSTATED,
        row_key_schema=None,
        renamed_from=None,
        existing=False,
    )


def sharded(made: ModelSchema) -> ModelSchema | None:
    """The model with a salt in front, where that spreads a declared rate; its queries are then a read for each salt."""
    salt = None if made.events is None else salt_of(made, made.key.fields)
    if salt is None:
        return None
    spread = evolve(made, key=evolve(made.key, fields=salted(made.key.fields, salt)))
    served = all(serves(spread.key, query) for query in made.queries)
    return spread if served and not crowded(spread) else None


def _capitalized(word: str) -> str:
    return word[:1].upper() + word[1:]


def _table(model: ModelSchema, query: Query) -> str:
    """The id of the table: that of the first one and the name of the query, written alike."""
    parts = words(query.name)
    fixed = re.sub(r"\{.*?\}", "", model.table)  # names that are filled in at run time say nothing of it
    if fixed.isupper():
        id = "_".join([model.table, *(part.upper() for part in parts)])
    elif any(one.isupper() for one in fixed) and "_" not in fixed:
        id = "".join([model.table, *map(_capitalized, parts)])
    else:
        id = ("-" if "-" in fixed and "_" not in fixed else "_").join([model.table, *map(str.lower, parts)])
    return id if len(id) <= TABLE_ID_LENGTH else f"{model.table[: TABLE_ID_LENGTH - 2]}_2"


def by_batch(model: ModelSchema, made: ModelSchema) -> bool:
    """Whether a batch job is to write the second table, as its key begins with a time."""
    return "KEY001" in made.allow and "KEY001" not in model.allow


def drawing(model: ModelSchema, made: ModelSchema) -> str:
    """The key of a second table, drawn with the fields that the model has already as they are there."""
    known = {part.name: part for part in model.key.fields}
    return drawn(model.key, [known.get(part.name, part) for part in made.key.fields])


def written_again(model: ModelSchema, made: Sequence[ModelSchema]) -> str:
    """What the second tables add to the writes and to what is stored, and what no dual writes copy, as the end of a sentence."""
    left = dict.fromkeys(
        said(model, schema) for said in (of_additions, of_unread, of_files) for schema in made
    )
    there = (
        "; rows that are there already are in it once a data step has copied them, after all writers write both"
        if made and model.existing
        else ""
    )
    return "".join((*left, _written_more(model, made), there))


def _written_more(model: ModelSchema, made: Sequence[ModelSchema]) -> str:
    """What the second tables add to the writes and to what is stored; empty if a batch job writes them."""
    live = [schema for schema in made if not by_batch(model, schema)]
    if not live:
        return ""
    if model.events is None:
        times = "twice" if len(live) == 1 else f"{len(live) + 1} times"
        return f"; each row is then written {times}"
    rate = Rate(model.events.per_second * (len(live) + 1), model.events.unit)
    sizes = [stored_bytes(schema) for schema in live]
    size = None if None in sizes else sum(size for size in sizes if size is not None)
    stored = "" if size is None else f", and {size_text(size)} more are stored"
    return f"; {rate} are then written instead of {model.events}{stored}"


def index_instead(
    model: ModelSchema, made: ModelSchema, of_rows: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, ModelSchema] | None:
    """An index in the place of a second table, in words and as a model; None where the service can keep none.

    It is offered where its query may be behind the table for a while. It has the rows alone whose columns are as ``of_rows`` says in
    source text, such as ``bt.absent()``. Numbers are written there as SQL can write them.
    """
    made, numbers = _in_sql(model, _as_in_view(model, made))
    lacking = _lacking(model, made)
    if lacking is None or any(map(as_file, made.columns)) or (model.columns and not made.columns):
        return None
    conditions = dict.fromkeys(lacking, "bt.present()") | dict(of_rows)
    wanted = ", ".join(f'"{name}": {condition}' for name, condition in conditions.items())
    where = f", where={{{wanted}}}" if wanted else ""
    text = (
        f"if the query may be behind the table for a while, let the service keep it: `class {made.name}(bt.Index, of={model.name}, "
        f'view="{made.table}"{where})` with the key `{made.key.shape}`{numbers}{_covered(made)}'
    )
    bounded, columns_said = _bounded(model, made)
    text += columns_said
    names = (*(part.name for part in made.key.asked), *(column.name for column in made.columns))
    view = View(
        ViewKind.INDEX,
        model.name,
        model.module,
        model.table,
        TableView(made.table, f"SELECT ... FROM `{model.table}`"),
        tuple((name, name) for name in names),
        wanted,
        source=bounded,
    )
    family = Family(VIEW_FAMILY, KeepAll())
    columns = tuple(
        evolve(
            column,
            family=family.id,
            qualifier=column.name.encode(),
            also=(),
            required=False,
        )
        for column in made.columns
    )
    index = evolve(
        made, table=f"{VIEWS}{made.table}", families=(family,), columns=columns, view=view, bucket=None
    )
    return None if unkept(index) else (text, index)


def _as_in_view(model: ModelSchema, made: ModelSchema) -> ModelSchema:
    """The model of a second table as the service keeps it in an index: a cell of its key is none that the table has for itself alone."""
    known = {part.name: part.mirror for part in model.key.fields}
    fields = tuple(evolve(part, mirror=known.get(part.name)) for part in made.key.fields)
    columns = covered(made)
    return evolve(made, columns=columns, key=evolve(made.key, fields=fields)) if columns else made


def _bounded(model: ModelSchema, made: ModelSchema) -> tuple[ModelSchema, str]:
    """The model with text columns that are no longer than the key of an index can hold, and their codecs, as a part of a sentence.

    An index leaves out, without an error, rows whose values are longer: the column has to refuse them.
    """
    keys = {part.name: part.codec for part in made.key.fields if isinstance(part.codec, Text)}
    bounded = {
        column.name: evolve(column, codec=AsInKey(keys[column.name]))
        for column in model.columns
        if column.name in keys
        and column.codec.python_type is str
        and (column.expected.max_size or column.codec.max_size or sys.maxsize) > keys[column.name].length.most
    }
    if not bounded:
        return model, ""
    codecs = " and ".join(
        f"`{column.name}` with `codec={written(column.codec)}`{to_fill_in(keys[column.name])}"
        for column in bounded.values()
    )
    columns = tuple(bounded.get(column.name, column) for column in model.columns)
    return evolve(
        model, columns=columns
    ), f", and in `{model.name}` {codecs}, which refuses values that an index would leave out"


# Digits of the largest number of 64 bits.
_DIGITS = 19


def _in_sql(model: ModelSchema, made: ModelSchema) -> tuple[ModelSchema, str]:
    """The model of a second table with the numbers of columns as SQL makes their bytes, and their declarations, as a part of a sentence.

    As many digits as a number may have: an index leaves out, without an error, what its key cannot take.
    """
    columns = {column.name for column in model.columns}
    padded = {
        part: evolve(part, codec=PaddedInt(_DIGITS))
        for part in made.key.fields
        if part.name in columns and isinstance(part.codec, OrderedInt)
    }
    if not padded:
        return made, ""
    fields = tuple(padded.get(part, part) for part in made.key.fields)
    declared = ", ".join(f"`{part.name}: int = bt.key(bt.PaddedInt({_DIGITS}))`" for part in padded)
    return evolve(made, key=evolve(made.key, fields=fields)), f", {declared} (numbers from 0 on)"


def _covered(made: ModelSchema) -> str:
    """A word on what an index covers, with one that it may begin with: those that each row has, that its queries want, then small ones; a row without any has none in the index."""
    only = asked(made.queries)
    columns = sorted(
        (column for column in made.columns if column.shape.plain),
        key=lambda column: (not column.required, column.name not in only, column.expected.size or 0),
    )
    if not columns:
        return " and a covered column"
    first = columns[0]
    kind = f"{first.codec.python_type.__name__}{'' if first.required else ' | None'}"
    return f" and what its readers want, at least one column such as `{first.name}: {kind} = bt.covered()`"


def _lacking(model: ModelSchema, made: ModelSchema) -> list[str] | None:
    """What rows may lack of the key of an index, and are then not in it; None where there can be no such index."""
    from btmodel.sql.views import source  # here: rules are loaded with every model

    key = made.key
    codecs = {part.name: part.codec for part in key.asked}
    if (
        model.parameters
        or model.key.sources
        or model.key.optional
        or made.allow != model.allow
        or any(part.derived for part in model.key.fields)
        or any(part.pii or personal(part.name) for part in key.asked)
        or any(codecs.get(part.name) != part.codec for part in model.key.asked)
        or not all(column.shape.plain for column in made.columns)
        or any(column.shape.summed for column in model.columns)
        or sum(column.expected.max_size or column.codec.max_size or 0 for column in made.columns)
        > VIEW_ROW_BYTES
    ):
        return None
    try:
        return [part.name for part in key.asked if source(model, part.name).may_lack]
    except DeclarationError:
        return None


def unkept(view: ModelSchema) -> str:
    """Why the service can keep no view with the key of this one; empty where it can, and of tables."""
    from btmodel.sql.views import source, written  # here: rules are loaded with every model

    if view.view is None or view.view.source is None:
        return ""
    of = dict(view.view.fields)
    for part in view.key.fields:
        if part.constant is not None:
            continue
        if part.derived is not None or part.name not in of:
            return f"SQL makes no `{part.name}` of the rows of `{view.view.of}`"
        try:
            written(view.key, part, source(view.view.source, of[part.name]))
        except DeclarationError as error:
            return str(error)
    return ""
