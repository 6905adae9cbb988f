"""What would serve a query that the key does not serve: the proposed key, a second table, or another encoding."""

from attrs import evolve

from btmodel.codecs.key import PaddedInt, ReversedDigits
from btmodel.lint.candidates import buckets_of
from btmodel.lint.design import proposed, serves, with_tenant
from btmodel.lint.encodings import sortable
from btmodel.lint.keys import closing, drawn, fresh, in_order, open_ended, written_with_ease
from btmodel.lint.orders import salted
from btmodel.lint.personal import personal, surrogate
from btmodel.lint.proposals import change, rearranged, salt_declaration
from btmodel.lint.queries import declaration, names_of
from btmodel.lint.spread import hot, leading, leading_time
from btmodel.lint.written import written
from btmodel.schema import Derived, KeyField, ModelSchema, Query, RowKey, Unserved, access

# Times of which there are few enough for a table each.
_CALENDAR = ("day", "week", "month", "year")


def served(model: ModelSchema, query: Query) -> str:
    """The change of the key, or the second table, that would serve the query."""
    secret = _personal(model, query)
    if secret:
        return _surrogate(model, query, secret)
    design = proposed(model)
    if query in design.tenants:
        key = "" if design.shape == model.key.shape else f", of the key `{design.shape}`"
        whole = with_tenant(design.model, query)
        names = [name for name in whole.equal if name not in query.equal]
        return f"give `{'`, `'.join(names)}`, too: `{declaration(whole)}`{key}"
    if serves(design.key, query) and not design.hot:
        kept = "" if hot(model) or design.column or design.salt else _kept(design.shape)
        return f"{change(model, design, 'order the fields by what queries give')}, which serves it{kept}"
    return _second(model, query)


def _kept(shape: str) -> str:
    return f"; or, where the key is needed as it is, write the rows to a second table, too, whose key `{shape}` serves it"


def _second(model: ModelSchema, query: Query) -> str:
    """The second table that would serve the query, or the change of a field in this one."""
    fields = rearranged(model, query)
    drawing = drawn(model.key, fields)
    columns = [part for part in fields if isinstance(part, str)]
    if columns:
        return f"make `{'`, `'.join(columns)}` part of the key of a second table: `{drawing}` serves it"
    second = f"write the rows to a second table, too, whose key `{drawing}` serves it"
    key = RowKey(tuple(part for part in fields if isinstance(part, KeyField)), model.key.delimiter)
    change = _change(model, key, query)
    if key == model.key:
        return change or second
    return f"{second}{change and f' ({change} there)'}{_caution(model, query, key)}"


def _personal(model: ModelSchema, query: Query) -> list[str]:
    """The columns that the query gives, and that no key should hold."""
    columns = [column.name for column in model.columns]
    return [name for name in names_of(query) if name in columns and personal(name) is not None]


def _surrogate(model: ModelSchema, query: Query, secret: list[str]) -> str:
    """How to ask by what tells who a person is: by an id that stands for it."""
    names = {name: fresh(model, surrogate(name), "person_id") for name in secret}
    asked = evolve(
        query,
        equal=tuple(names.get(name, name) for name in query.equal),
        between=names.get(query.between, query.between) if query.between else None,
        starting=names.get(query.starting, query.starting) if query.starting else None,
    )
    declared = "`, `".join(f"{name}: UUID = bt.key(bt.UuidText())" for name in names.values())
    return (
        f"`{'`, `'.join(secret)}` tells who a person is, and belongs in no key: ask by a surrogate id, "
        f"`{declared}`, in a second table with the key `{drawn(model.key, rearranged(model, asked))}`; what knows "
        f'nothing but `{secret[0]}` finds the id by `bt.digest("{secret[0]}")`, with KEY004 allowed'
    )


def _change(model: ModelSchema, key: RowKey, query: Query) -> str:
    """What must change in a field for ``key`` to serve the query; empty where nothing must."""
    if not isinstance(access(key, query), Unserved):
        return ""
    for name in query.equal:
        if open_ended(key, key.field(name)):
            return closing(key, key.field(name))
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


def _in_sequence(model: ModelSchema, key: RowKey, part: KeyField) -> str:
    """What serves a range of ids whose digits are written backwards: plain digits, and in front of the key a salt."""
    digits = part.codec.length.most
    plain = evolve(part, codec=PaddedInt(digits))
    text = f"encode `{part.name}` as `{written(plain.codec)}`"
    made = evolve(model, key=evolve(key, fields=tuple(plain if one == part else one for one in key.fields)))
    if leading(made) != plain or part.sequential is False:
        return text
    salt = KeyField(
        "salt", PaddedInt(1), derived=Derived((part.name,), hash, tuple(range(buckets_of(model))))
    )
    salted_key = drawn(key, salted(made.key.fields, salt))
    return f"{text}, and put `{salt_declaration(salt)}` in front: `{salted_key}`"


def _caution(model: ModelSchema, query: Query, key: RowKey) -> str:
    """A word on a second table whose key begins with a time; of a whole day or the like, a table of its own is better."""
    time = leading_time(evolve(model, key=key))
    if time is None or written_with_ease(model):
        return ""
    said = f"it begins with the time `{time.name}`: let a batch job write it, not every writer"
    if query.equal == (time.name,) and time.codec.granularity in _CALENDAR:
        dated = (
            f'`table="{model.table}_{{{time.name}}}"` and `allow={{"TAB002": "a batch job writes it once"}}`'
        )
        said += (
            f", or copy the rows of each {time.codec.granularity} to a table of its own, {dated}, with the key "
            f'that there is, and ask it there, `{query.name} = bt.query(scan="every row of the {time.codec.granularity}")`'
        )
    return f" ({said})"
