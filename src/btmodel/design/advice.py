"""The proposed key in words: the fix, and its cost."""

from collections.abc import Iterator
from datetime import date
from itertools import takewhile
from uuid import UUID

from attrs import evolve

from btmodel.codecs.key import Kind, PaddedInt, ReversedDigits
from btmodel.design.candidates import as_field, promotable, salt_of, salt_of_field
from btmodel.design.copied_rows import its_cell, kept_cell, rows_left_out
from btmodel.design.digest_tables import by_digest
from btmodel.design.encodings import backwards, sortable
from btmodel.design.event_ids import tells_apart_by_name
from btmodel.design.hints import finding_the_id, surrogate
from btmodel.design.keys import (
    closed,
    closing,
    drawn,
    fresh,
    in_order,
    open_ended,
    salt_declaration,
    salted,
    single,
    written_with_ease,
)
from btmodel.design.machines import perhaps_personal
from btmodel.design.own_ids_said import found_by_own_id
from btmodel.design.personal_names import personal, personal_of
from btmodel.design.personal_said import described_personal
from btmodel.design.proposal import (
    Design,
    fitted,
    out_of_order,
    proposals,
    rows_ranked,
    serves,
    with_tenant,
)
from btmodel.design.second_tables import (
    changed,
    declared_there,
    drawing,
    followed,
    index_instead,
    of_one_period,
    rearranged,
    second_tables,
    written_again,
)
from btmodel.design.series import colliding
from btmodel.design.spread import MANY, hot, leading, leading_time, timelike
from btmodel.design.unhashed import unhashed
from btmodel.schema import Column, KeyField, ModelSchema, Query, RowKey, Unserved, access
from btmodel.schema.model import remembered
from btmodel.schema.possible_edits import added_to
from btmodel.source_text import declaration, names_of, written
from btmodel.words import clauses, counted

# The steps to a key that there is already.
KEEP = "keep the key"


def change(model: ModelSchema, design: Design, moving: str | None = None, aim: str = "") -> str:
    """How to come to the proposed key, drawn, and which queries pay for it.

    ``moving`` says why fields are moved, ``aim`` what a new one is for.
    """
    return f"{steps_to(model, design, moving, aim)}: `{design.shape}`{price(model, design)}"


def steps_to(model: ModelSchema, design: Design, moving: str | None = None, aim: str = "") -> str:
    """How to come to the proposed key alone: ``put `user` (1,000,000 values) in front``."""
    steps: list[str] = []
    if design.dropped:
        steps.append(f"leave out `{'`, `'.join(part.name for part in design.dropped)}`")
    if design.column is not None:
        steps.append(f"make the column {_column(model, design.column)}{aim}")
    elif design.invented is not None:
        place = _where(design, [design.invented])
        apart = place.startswith("behind") and colliding(model) is not None
        steps += _moved(model, design, moving)
        steps.append(
            f"put a field that distinguishes the events {place}, such as an id"
            if apart
            else f"put a field with many values {place}, such as the id of what writes the row"
        )
    else:
        steps += _moved(model, design, moving)
    if design.salt is not None:
        first = design.key.fields[0] == design.salt
        place = (
            "in front"
            if first
            else f"behind `{design.key.fields[design.key.fields.index(design.salt) - 1].name}`"
        )
        known = any(part.name == design.salt.name for part in model.key.fields)
        declared = f"`{salt_declaration(design.salt)}`"
        steps.append(
            f"give `{design.salt.name}` more values, {declared}" if known else f"put {declared} {place}"
        )
    if design.finer is not None:
        steps.append(f"store a more precise time, `{design.finer}`")
    steps += _in_order(model, design)
    turned = _backwards(model, design)
    if not steps and turned is None:
        return KEEP
    if turned is None:
        return clauses(steps)
    name, codec = turned
    if not steps:
        return f"write the digits of `{name}` backwards ({codec})"
    return clauses([*steps, f"write the digits of `{name}` backwards ({codec})"])


def cardinality_text(name: str, cardinality: int | None) -> str:
    """A name, and the values that are declared of it."""
    values = "" if cardinality is None else f" ({counted(cardinality, 'value')})"
    return f"`{name}`{values}"


def _column(model: ModelSchema, column: Column) -> str:
    text = f"{cardinality_text(column.name, column.expected.cardinality)} a key field"
    if len(model.columns) == 1 and not any(part.mirror for part in model.key.fields):
        text += its_cell(column)  # a row has no other
    asked = {
        name
        for query in model.queries
        for name in (*query.equal, *query.where, query.between, query.starting)
    }
    everywhere = "" if column.required else "every row has it"
    if column.expected.cardinality is not None or column.name in asked or tells_apart_by_name(model, column):
        return text + (everywhere and f", if {everywhere}")
    # The id of an event is no other of those that write them.
    alike = [
        other for other in promotable(model) if other != column and not tells_apart_by_name(model, other)
    ]
    others = [other.name for other in alike][:3]
    more = f" (`{'`, `'.join(others)}` may serve as well)" if others else ""
    return f"{text}, if it has many{everywhere and f' and {everywhere}'}{more}"


def _moved(model: ModelSchema, design: Design, moving: str | None) -> list[str]:
    """The fields to put in front, if fields change their places."""
    before = [part.name for part in model.key.fields]
    after = [part.name for part in design.key.fields if part.name in before]
    if after == [name for name in before if name in after]:
        return []
    if moving is not None:
        return [moving]
    ahead = {part.name for part in takewhile(lambda part: not timelike(model, part), model.key.fields)}
    new = [
        part
        for part in takewhile(lambda part: not timelike(design.model, part), design.key.fields)
        if part.name not in (*ahead, design.invented) and not single(part) and part not in design.salts
    ]
    if not new:
        return ["reorder the fields"]
    names = ", ".join(cardinality_text(part.name, part.cardinality) for part in new)
    return [f"put {names} {_where(design, [part.name for part in new])}{_if_many(new)}"]


def _where(design: Design, names: list[str]) -> str:
    """Where these fields are in the proposed key: in front of all that varies, or in front of its time or behind it."""
    fields = [part for part in design.key.fields if not single(part) and part not in design.salts]
    if fields and fields[0].name in names:
        return "in front"
    time = next((part.name for part in fields if timelike(design.model, part)), None)
    if time is None:
        return "in front"
    behind = next(part.name for part in fields if part.name in {time, *names}) == time
    return f"{'behind' if behind else 'in front of'} `{time}`"


def _if_many(new: list[KeyField]) -> str:
    """A condition, where the fields in front have no declared cardinality: those are what spreads the writes."""
    unsaid = [part for part in new if part.cardinality is None and part.codec.python_type is not UUID]
    if any((part.cardinality or 0) >= MANY or part.codec.python_type is UUID for part in new) or not unsaid:
        return ""
    return f", if `{unsaid[0].name}` has many values"


def _in_order(model: ModelSchema, design: Design) -> list[str]:
    """The fields of which a query reads a range, and whose bytes sort in the proposed key alone."""
    known = {part.name: part for part in model.key.fields}
    changed = [(known.get(part.name), part) for part in design.key.fields]
    return [
        f"encode `{part.name}` as `{written(part.codec)}`"
        for old, part in changed
        if old is not None and part.codec.ordered and not old.codec.ordered
    ]


def _backwards(model: ModelSchema, design: Design) -> tuple[str, str | None] | None:
    """The field in front that needs another codec, and which one."""
    for part in design.key.fields:
        old = next((field for field in model.key.fields if field.name == part.name), None)
        if old is not None and old.codec != part.codec and isinstance(part.codec, ReversedDigits):
            return part.name, backwards(old.codec)
    return None


def price(model: ModelSchema, design: Design) -> str:
    """The cost of the proposed key for the declared queries, as the end of a sentence; empty if there is none."""
    text = ""
    of = set(design.salt.derived.of) if design.salt is not None and design.salt.derived is not None else set()
    # A query that gives what the salt is made of gives the salt.
    scattered = [
        query
        for query in model.queries
        if of and _ranged(query) and serves(design.key, query) and not of.issubset(query.equal)
    ]
    if scattered:
        text += f" ({_listed(scattered)} {_is(scattered)} then a read for each salt, merged)"
    turned = [query for query in model.queries if out_of_order(model, design.model, query)]
    if turned:
        order = "now" if rows_ranked(model) else "that of the time"
        text += f"; the rows of {_listed(turned)} then come in another order than {order}"
    tenants = [query for query in design.tenants if serves(model.key, query)]
    if tenants:
        names = "`, `".join(part.name for part in design.key.fields if part.tenant and not single(part))
        text += f"; {_listed(tenants)} must then also give `{names}`"
    made = second_tables(model, [query for query in design.unserved if serves(model.key, query)])
    for schema in made:
        needing = [query for query in model.queries if query in schema.queries]
        verb = "needs" if len(needing) == 1 else "need"
        text += f"; {_listed(needing)} then {verb} a second table, whose key is `{drawing(model, schema)}`"
        text += declared_there(model, schema)
    return text + written_again(model, made)


def _ranged(query: Query) -> bool:
    return bool(query.equal or query.between or query.starting)


def _listed(queries: list[Query]) -> str:
    return f"`{'`, `'.join(query.name for query in queries)}`"


def _is(queries: list[Query]) -> str:
    return "is" if len(queries) == 1 else "are each"


@remembered
def led_to(model: ModelSchema) -> tuple[tuple[Design, tuple[ModelSchema, ...]], ...]:
    """The keys that are proposed for ``model``, the best first, each with the models that it leads to.

    The first of these is the model with that key; the others are second tables, for the queries that it does not serve.
    """
    return tuple((each, _led_to(model, each)) for each in proposals(model))


def _led_to(model: ModelSchema, design: Design) -> tuple[ModelSchema, ...]:
    moved = [query for query in design.unserved if serves(model.key, query)]
    queries = tuple(
        with_tenant(design.model, query) if query in design.tenants else query
        for query in model.queries
        if query not in moved
    )
    return (evolve(design.model, queries=queries), *second_tables(model, moved))


def failing_that(model: ModelSchema, design: Design) -> str:
    """The salt that does where nothing can be promoted; empty where the proposed key has one, or surely needs none, and of views."""
    unsure = design.invented or (design.column and design.column.expected.cardinality is None)
    plain = tuple(part for part in model.key.fields if not (part.derived and part.derived.values))
    salt = salt_of(evolve(model, key=RowKey(plain, model.key.delimiter)), plain)
    if not unsure or salt is None or design.salts or model.view is not None:
        return ""
    key = RowKey(salted(plain, salt), model.key.delimiter)
    if hot(evolve(model, key=key)):
        return ""
    return f"; or, if there is none, `{salt_declaration(salt)}` in front: `{key.shape}`"


def spreads_surely(model: ModelSchema) -> bool:
    """Whether a field of many declared values stands in front of the time."""
    front = takewhile(lambda part: not timelike(model, part), model.key.fields)
    return any(part.asked and (part.even or 0) >= MANY for part in front)


Way = tuple[str, tuple[ModelSchema, ...], bool]


def served(model: ModelSchema, query: Query) -> Iterator[Way]:
    """The ways to serve the query, the best first: changes of the key, a second table, or an index, in words and as models.

    Those that only words say have no models. The last of each is whether it is an alternative to the one before it.
    """
    secret = _personal(model, query)
    if secret:
        hashed = by_digest(model, query, secret[0]) if len(secret) == 1 else None
        if hashed is not None:
            rest = evolve(model, queries=tuple(other for other in model.queries if other.name != query.name))
            yield hashed[0], (rest, hashed[1]), False
        else:
            yield _surrogate(model, query, secret), (), False
        return
    hidden = _hidden(model, query)
    if hidden:
        yield (
            f"`{hidden}` identifies a person and is not stored, and what begins with a part of it, or lies in a range, is only found "
            f"among values that are stored: give `{hidden}` as a whole",
            (),
            False,
        )
        return
    apart = unhashed(model, query)
    if apart is not None:
        yield apart[0], (apart[1],), False
    (best, made), *others = led_to(model)
    keep = _keeps(model, best)
    if keep:
        yield from _second(model, query)
    if _answers(best, query):
        yield _by_key(model, query, best), made, False
    if not keep:
        yield from _second(model, query)
    for each, made in others:
        if _answers(each, query):
            yield _by_key(model, query, each), made, False


def _keeps(model: ModelSchema, best: Design) -> bool:
    """Whether the key stays and tables are added: rows exist already, or the best key needs as many second tables."""
    if model.existing:
        return True
    unserved = [
        query for query in model.queries if _names_what_exists(model, query) and not serves(model.key, query)
    ]
    more = len(second_tables(model, best.unserved))
    return bool(best.unserved) and not hot(model) and len(second_tables(model, unserved)) <= more


def _names_what_exists(model: ModelSchema, query: Query) -> bool:
    """Whether the query names what there is."""
    known = {part.name for part in model.key.fields} | {column.name for column in model.columns}
    return known.issuperset(names_of(query))


def _answers(design: Design, query: Query) -> bool:
    return query in design.tenants or (serves(design.key, query) and not design.hot)


def _by_key(model: ModelSchema, query: Query, design: Design) -> str:
    """How the key of the design serves the query."""
    if query in design.tenants:
        key = "" if design.shape == model.key.shape else f", of the key `{design.shape}`"
        whole = with_tenant(design.model, query)
        names = [name for name in whole.equal if name not in query.equal]
        return f"also give `{'`, `'.join(names)}`: `{declaration(whole)}`{key}"
    if design.shape == model.key.shape and not design.salt:  # other codecs alone
        return f"{steps_to(model, design)}{price(model, design)}"
    kept = "" if hot(model) or design.column or design.salt else _kept(design.shape)
    steps = steps_to(model, design, "order the fields by what queries give")
    return f"{steps}: `{design.shape}`, which serves it{price(model, design)}{kept}"


def _kept(shape: str) -> str:
    return f"; or, if the key has to stay as it is, also write the rows to a second table, whose key `{shape}` serves it"


def _second(model: ModelSchema, query: Query) -> Iterator[Way]:
    """The second table that would serve the query, or the change of a field in this one; and an index in its place."""
    fields = rearranged(model, query)
    columns = [part for part in fields if isinstance(part, str)]
    known = {part.name for part in model.key.fields} | {column.name for column in model.columns}
    if not known.issuperset(columns):
        drawn_ = drawn(model.key, fields)
        yield (
            f"make `{'`, `'.join(columns)}` part of the key of a second table: `{drawn_}` serves it",
            (),
            False,
        )
        return
    made = _shared(model, query)
    change = _change(model, made.key, query)
    rest = evolve(model, queries=tuple(other for other in model.queries if other not in made.queries))
    there = f"{declared_there(model, made)}{change and f' ({change} there)'}"
    if fields == list(model.key.fields):
        here = _change(model, model.key, query)
        key = _closed(model.key, query) if change else fitted(model.key, query)
        yield here, () if key is None else (evolve(model, key=key),), False
        return
    # Of a model without other queries, a second table would be the only one that is read.
    only = not change and not rest.queries and made.allow == model.allow and not model.existing
    only = only and found_by_own_id(model) is None
    shape = drawing(model, made)
    twice = written_again(model, (made,))
    if columns:
        moving = [
            column.name
            for column in model.columns
            if column.name in columns and changed(model, column) and not added_to(column)
        ]
        added = any(added_to(column) for column in model.columns if column.name in columns)
        only = only and not (moving or added)
        place = "the key" if only else "the key of a second table"
        text = f"make `{'`, `'.join(columns)}` part of {place}{kept_cell(model, made)}: `{shape}` serves it{there}"
        text += "" if only else twice
        if not only:
            text += followed(model, made, moving)
        text += rows_left_out(model, made)
    elif only:
        text = f"order the fields as `{shape}`{there}, which serves it"
    else:
        text = f"also write the rows to a second table, whose key `{shape}` serves it{kept_cell(model, made)}{there}{twice}"
        text += _caution(model, query, made.key)
    yield text, () if change else (_in_its_place(model, made),) if only else (rest, made), False
    index = None if only or change else index_instead(model, made)
    if index is not None:
        yield index[0], (rest, index[1]), True


def _shared(model: ModelSchema, query: Query) -> ModelSchema:
    """The second table for the query, and for others that the key does not serve, where one serves them together."""
    unserved = [one for one in model.queries if _names_what_exists(model, one) and not serves(model.key, one)]
    return next(made for made in second_tables(model, unserved or [query]) if query in made.queries)


def _in_its_place(model: ModelSchema, made: ModelSchema) -> ModelSchema:
    """The model with the key of a second table, for the only queries that there are; what is added to stays in its rows."""
    names = {part.name for part in made.key.fields}
    columns = tuple(column for column in model.columns if column.name not in names)
    return evolve(model, key=made.key, columns=columns, queries=made.queries, allow=made.allow)


def _personal(model: ModelSchema, query: Query) -> list[str]:
    """The columns that the query gives, and that no key should hold."""
    known = {column.name for column in model.columns if _identifies(model, column)}
    return [name for name in names_of(query) if name in known]


def _identifies(model: ModelSchema, column: Column) -> bool:
    """Whether a column identifies a person, by its name or by what the description says that it is."""
    name = column.name
    by_name = personal(name) or personal_of(model, name) or perhaps_personal(model, name)
    return by_name is not None or described_personal(model, as_field(column)) is not None


def _hidden(model: ModelSchema, query: Query) -> str | None:
    """The field that the query bounds and that only a digest holds, since it identifies a person."""
    bounded = (part for part in model.key.unstored if part.name in (query.between, query.starting))
    return next((part.name for part in bounded if part.pii or personal(part.name) is not None), None)


def _surrogate(model: ModelSchema, query: Query, secret: list[str]) -> str:
    """How to ask by what identifies a person: by an id that stands for it."""
    names = {name: fresh(model, surrogate(name), "person_id") for name in secret}
    asked = evolve(
        query,
        equal=tuple(names.get(name, name) for name in query.equal),
        between=names.get(query.between, query.between) if query.between else None,
        starting=names.get(query.starting, query.starting) if query.starting else None,
    )
    declared = "`, `".join(f"{name}: UUID = bt.key(bt.UuidText())" for name in names.values())
    return (
        f"`{'`, `'.join(secret)}` identifies a person, and belongs in no key: query by a surrogate id, "
        f"`{declared}`, in a second table with the key `{drawn(model.key, rearranged(model, asked))}`"
        f"{finding_the_id(_together(model, query, secret))}"
    )


def _together(model: ModelSchema, query: Query, secret: list[str]) -> list[str]:
    """What the query gives along with what identifies a person: one may identify only together with the other."""
    times = {part.name for part in model.key.fields if part.codec.kind is Kind.TIME}
    times |= {column.name for column in model.columns if issubclass(column.value_type, date)}
    return [name for name in dict.fromkeys((*query.equal, *secret)) if name not in times]


def _change(model: ModelSchema, key: RowKey, query: Query) -> str:
    """The change of a field that lets ``key`` serve the query; empty if none is needed."""
    if not isinstance(access(key, query), Unserved):
        return ""
    unended = _unended(key, query)
    if unended is not None:
        return closing(key, unended)
    if query.starting is not None:
        return f"encode `{query.starting}` so that its bytes begin as its value does, as `bt.Text` does"
    if query.between is None:
        return ""
    between = key.field(query.between)
    if isinstance(between.codec, ReversedDigits):
        return _in_sequence(model, key, between)
    if not between.codec.ordered:
        return f"encode `{between.name}` as {sortable(between.codec)}"
    return in_order(between)


def _closed(key: RowKey, query: Query) -> RowKey | None:
    """``key`` with an end for the field at whose end the query fails; None where no such field is in its way."""
    part = _unended(key, query)
    made = None if part is None else closed(key, part)
    return made if made is not None and serves(made, query) else None


def _unended(key: RowKey, query: Query) -> KeyField | None:
    """The first field that the query gives, wholly or by its beginning, of which nothing says where it ends; None without one."""
    begun = () if query.starting is None else (query.starting,)
    return next(
        (key.field(name) for name in (*query.equal, *begun) if open_ended(key, key.field(name))), None
    )


def _in_sequence(model: ModelSchema, key: RowKey, part: KeyField) -> str:
    """The fix for a query of a range of ids: plain digits instead of reversed ones, and a salt in front of the key."""
    digits = part.codec.length.most
    plain = evolve(part, codec=PaddedInt(digits))
    text = f"encode `{part.name}` as `{written(plain.codec)}`"
    made = evolve(
        model, key=evolve(key, fields=tuple(plain if field == part else field for field in key.fields))
    )
    if leading(made) != plain or part.sequential is False:
        return text
    salt = salt_of_field(model, part)
    salted_key = drawn(key, salted(made.key.fields, salt))
    return f"{text}, and put `{salt_declaration(salt)}` in front: `{salted_key}`"


def _caution(model: ModelSchema, query: Query, key: RowKey) -> str:
    """A word on a second table whose key begins with a time; of a whole day or the like, a table of its own is better."""
    time = leading_time(evolve(model, key=key))
    if time is None or written_with_ease(model):
        return ""
    said = f"it begins with the time `{time.name}`: let a batch job write it, not every writer"
    if of_one_period(query, time):
        dated = (
            f'`table="{model.table}_{{{time.name}}}"` and `allow={{"TAB002": "a batch job writes it once"}}`'
        )
        said += (
            f", or copy the rows of each {time.codec.granularity} to a table of its own, {dated}, with the key "
            f'that there is, and ask it there, `{query.name} = bt.query(scan="every row of the {time.codec.granularity}")`'
        )
    return f" ({said})"
