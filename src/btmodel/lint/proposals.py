"""The proposed key in words: what a mend says to change, and what that costs."""

from itertools import takewhile

from attrs import evolve

from btmodel.codecs.key import Kind
from btmodel.counted import counted
from btmodel.lint.candidates import promotable, salt_of
from btmodel.lint.design import Design, serves
from btmodel.lint.encodings import backwards
from btmodel.lint.keys import drawn, single
from btmodel.lint.orders import salted
from btmodel.lint.queries import names_of
from btmodel.lint.spread import MANY, timelike
from btmodel.schema import Column, KeyField, ModelSchema, Query, RowKey


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
        steps.append("put a field with many values in front, such as the id of what writes the row")
    else:
        steps += _moved(model, design, moving)
    if design.salt is not None:
        steps.append(f"put `{salt_declaration(design.salt)}` in front")
    if design.finer is not None:
        steps.append(f"tell the time more finely, `{design.finer}`")
    turned = _backwards(model, design)
    if not steps and turned is None:
        return "keep the key"
    if turned is None:
        return ", and ".join(steps)
    name, codec = turned
    if not steps:
        return f"write the digits of `{name}` backwards ({codec})"
    return f"{', and '.join(steps)}, the digits of `{name}` written backwards ({codec})"


def salt_declaration(salt: KeyField) -> str:
    """A salt as it is declared."""
    assert salt.derived is not None
    return f'{salt.name} = bt.salt("{salt.derived.of[0]}", buckets={len(salt.derived.values or ())})'


def told(name: str, cardinality: int | None) -> str:
    """A name, and the values that are declared of it."""
    values = "" if cardinality is None else f" ({counted(cardinality, 'value')})"
    return f"`{name}`{values}"


def _column(model: ModelSchema, column: Column) -> str:
    text = f"{told(column.name, column.expected.cardinality)} a key field"
    asked = {
        name
        for query in model.queries
        for name in (*query.equal, *query.where, query.between, query.starting)
    }
    if column.expected.cardinality is not None or column.name in asked:
        return text
    others = [one.name for one in promotable(model) if one != column][:3]
    more = f" (`{'`, `'.join(others)}` may serve as well)" if others else ""
    return f"{text}, if it has many{more}"


def _moved(model: ModelSchema, design: Design, moving: str | None) -> list[str]:
    """What is to be put in front, where fields change their places."""
    before = [part.name for part in model.key.fields]
    after = [part.name for part in design.key.fields if part.name in before]
    if after == [name for name in before if name in after]:
        return []
    if moving is not None:
        return [moving]
    ahead = {part.name for part in takewhile(lambda part: not timelike(model, part), model.key.fields)}
    new = [
        part
        for part in takewhile(lambda part: part.codec.kind is not Kind.TIME, design.key.fields)
        if part.name not in ahead and not single(part)
    ]
    if not new:
        return ["order the fields anew"]
    return [f"put {', '.join(told(part.name, part.cardinality) for part in new)} in front"]


def _backwards(model: ModelSchema, design: Design) -> tuple[str, str | None] | None:
    """The field in front that needs another codec, and which one."""
    for part in design.key.fields:
        old = next((one for one in model.key.fields if one.name == part.name), None)
        if old is not None and old.codec != part.codec and part.codec.kind is Kind.NUMBER:
            return part.name, backwards(old.codec)
    return None


def price(model: ModelSchema, design: Design) -> str:
    """What the proposed key costs the declared queries, as the end of a sentence; empty where it costs them nothing."""
    text = ""
    scattered = [query for query in model.queries if design.salt is not None and _ranged(query)]
    if scattered:
        text += f" ({_listed(scattered)} {_is(scattered)} then a read for each salt, merged)"
    tenants = [query for query in design.tenants if serves(model.key, query)]
    if tenants:
        names = "`, `".join(part.name for part in design.key.fields if part.tenant and not single(part))
        text += f"; {_listed(tenants)} must then give `{names}`, too"
    for query in design.unserved:
        if serves(model.key, query):
            text += f"; `{query.name}` then needs a second table, whose key is `{second(model, query)}`"
            asked = next((part for part in model.key.fields if part.name in names_of(query)), None)
            text += ", written by a batch job" if asked is not None and timelike(model, asked) else ""
    return text


def _ranged(query: Query) -> bool:
    return bool(query.equal or query.between or query.starting)


def _listed(queries: list[Query]) -> str:
    return f"`{'`, `'.join(query.name for query in queries)}`"


def _is(queries: list[Query]) -> str:
    return "is" if len(queries) == 1 else "are each"


def rearranged(model: ModelSchema, query: Query) -> list[KeyField | str]:
    """The fields for a query alone: leading constants, what is given, what is bounded, then the rest; columns by name.

    Salts stay out: what is asked for spreads the rows.
    """
    known = {part.name: part for part in model.key.fields if not (part.derived and part.derived.values)}
    front = [part.name for part in takewhile(lambda part: part.constant, model.key.fields)]
    asked = (*query.equal, *(name for name in (query.between, query.starting) if name is not None))
    return [known.get(name, name) for name in dict.fromkeys([*front, *asked, *known])]


def second(model: ModelSchema, query: Query) -> str:
    """The key of a second table for a query, drawn."""
    return drawn(model.key, rearranged(model, query))


def failing_that(model: ModelSchema, design: Design) -> str:
    """The salt that does where nothing can be promoted; empty where the proposed key has one, or surely needs none."""
    unsure = design.invented or (design.column and design.column.expected.cardinality is None)
    plain = tuple(part for part in model.key.fields if not (part.derived and part.derived.values))
    salt = salt_of(evolve(model, key=RowKey(plain, model.key.delimiter)), plain)
    if not unsure or salt is None or design.salts:
        return ""
    key = drawn(model.key, salted(plain, salt))
    return f"; or, where there is none, `{salt_declaration(salt)}` in front: `{key}`"


def spreads_surely(model: ModelSchema) -> bool:
    """Whether a field of many declared values stands in front of the time."""
    front = takewhile(lambda part: not timelike(model, part), model.key.fields)
    return any(part.asked and (part.cardinality or 0) >= MANY for part in front)
