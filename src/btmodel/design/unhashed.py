"""Queries that give what their readers pick rows by, and hashes in their way.

A query may give all that its readers pick rows by, instead of picking among all that comes. A hash of what no row holds is taken apart for a
query that gives some of it; and for a scan that picks by columns, a key has these in the place of their hash.
"""

from collections.abc import Callable, Iterable
from datetime import datetime

from attrs import evolve

import btmodel.codecs.key as codecs
from btmodel.codecs.key import Kind
from btmodel.design.candidates import adjusted, as_field
from btmodel.design.encodings import sortable_codec
from btmodel.design.keys import fresh, replaced
from btmodel.design.personal_names import personal
from btmodel.design.proposal import serves
from btmodel.design.spread import MANY
from btmodel.schema import KeyField, ModelSchema, Query
from btmodel.source_text import declaration, names_of, written
from btmodel.words import clauses, quoted, words


def given(query: Query, names: Iterable[str]) -> Query:
    """The query that gives ``names`` as well, and no longer picks by them; a scan that gives something is none."""
    names = [name for name in names if name not in query.equal]
    if not names:
        return query
    where = tuple(name for name in query.where if name not in names)
    return evolve(query, scan=None, equal=(*query.equal, *names), where=where)


def bounding(model: ModelSchema, query: Query, names: Iterable[str]) -> Query:
    """The query that gives ``names`` as :func:`given` has it; of a moment by which a scan picks, it asks for a range, as nobody scans for rows whose whole key is known."""
    names = list(names)
    moments = [
        part.name for part in model.key.asked if part.codec.python_type is datetime and part.name in names
    ]
    others = [name for name in names if name not in moments]
    if query.scan is None or len(moments) != 1 or not others or query.between or query.starting:
        return given(query, names)
    (moment,) = moments
    bounded = given(query, others)
    return evolve(bounded, between=moment, where=tuple(name for name in bounded.where if name != moment))


def asking(
    model: ModelSchema, picked: Callable[[Query], Iterable[str]], *, served: bool
) -> tuple[ModelSchema, str]:
    """The model whose queries give what is ``picked`` of each, and how those are then declared; no words where none does.

    With ``served`` only queries change that the key serves then.
    """
    pairs = [(query, bounding(model, query, picked(query))) for query in model.queries]
    queries = [new if not served or serves(model.key, new) else old for old, new in pairs]
    changed = [new for new, old in zip(queries, model.queries, strict=True) if new != old]
    if not changed:
        return model, ""
    declared = ", ".join(f"`{query.name} = {declaration(query)}`" for query in changed)
    return evolve(model, queries=tuple(queries)), declared


def giving(model: ModelSchema) -> tuple[ModelSchema, str]:
    """The model whose queries give the fields of the key, of many values, by which their readers pick rows, and how they are then declared."""
    fields = {part.name for part in model.key.asked if (part.cardinality or MANY) >= MANY}

    def picked(query: Query) -> Iterable[str]:
        if query.scan is not None or query.between in query.where:
            return ()
        return [name for name in query.where if name in fields]

    return asking(model, picked, served=False)


def unhashed(model: ModelSchema, query: Query) -> tuple[str, ModelSchema] | None:
    """The key that hashes apart what the query gives, and holds what it bounds, in words and as a model.

    What is only given stays hashed, as it was declared not to be stored. None where no digest of such values is in the way.
    """
    bounded = query.between or query.starting
    unstored = {part.name for part in model.key.unstored}
    for part in model.key.fields:
        of = () if part.derived is None or not part.derived.of_bytes else part.derived.of
        asked = [name for name in of if name in names_of(query) and name in unstored]
        if not asked or not isinstance(part.codec, codecs.HexDigest) or set(of) <= set(query.equal):
            continue
        made = _apart(model, part, query, bounded if bounded in asked else None)
        return (_words(model, made, part), made) if serves(made.key, query) else None
    return None


def _apart(model: ModelSchema, part: KeyField, query: Query, bounded: str | None) -> ModelSchema:
    """The model with the digest ``part`` as one of what the query gives, then what it bounds, then a digest of the rest."""
    assert part.derived is not None
    given = tuple(name for name in part.derived.of if name in query.equal)
    rest = tuple(name for name in part.derived.of if name not in (*given, bounded))
    names = iter((part.name, fresh(model, f"{part.name}_of_rest")))
    hashes = [
        evolve(part, name=next(names), derived=evolve(part.derived, of=of)) if of else None
        for of in (given, rest)
    ]
    stored = next((field for field in model.key.unstored if field.name == bounded), None)
    fields = (hashes[0], None if stored is None else _in_order(stored, query), hashes[1])
    made = replaced(model, part, *(field for field in fields if field is not None))
    unstored = tuple(field for field in model.key.unstored if field.name != bounded)
    return evolve(made, key=evolve(made.key, unstored=unstored))


def _in_order(part: KeyField, query: Query) -> KeyField:
    """A field whose bytes sort as its values do, where the query reads a range of it."""
    codec = None if part.codec.ordered or query.between != part.name else sortable_codec(part.codec)
    return part if codec is None else evolve(part, codec=codec)


def _words(model: ModelSchema, made: ModelSchema, part: KeyField) -> str:
    known = {field.name: field for field in model.key.fields}
    steps = []
    for field in made.key.fields:
        if field.derived is not None and field != known.get(field.name):
            given = '", "'.join(field.derived.of)
            size = field.codec.length.most // 2
            steps.append(f'`{field.name} = bt.digest("{given}"{"" if size == 16 else f", size={size}"})`')
        elif field.name not in known:
            steps.append(
                f"`{field.name}` stored in the key as `{written(field.codec)}`, without `stored=False`"
            )
    of = quoted(part.derived.of if part.derived else ())
    return f"a hash of {of} together finds a row only where all of them are given, so divide it, with {clauses(steps)}: `{made.key.shape}`"


def readable(model: ModelSchema) -> ModelSchema:
    """The model whose key has columns in the place of a hash of them, what is no time in front; itself where it has no such hash, or one of what identifies a person."""
    columns = {column.name: column for column in model.columns if column.shape.plain}
    for part in model.key.fields:
        of = () if part.derived is None or part.derived.values is not None else part.derived.of
        if not of or not columns.keys() >= {*of} or any(map(personal, of)) or part.codec.kind is Kind.TIME:
            continue
        fields = sorted((as_field(columns[name]) for name in of), key=lambda one: one.codec.kind is Kind.TIME)
        at = model.key.fields.index(part)
        key = evolve(model.key, fields=(*model.key.fields[:at], *fields, *model.key.fields[at + 1 :]))
        left = tuple(column for column in model.columns if column.name not in of)
        return adjusted(model, evolve(model, key=key, columns=left or model.columns))
    return model


def apart(model: ModelSchema, part: KeyField) -> ModelSchema | None:
    """The model whose key has, in the place of the derived ``part``, what it is made from; None where that is no plain column, or of what identifies a person."""
    columns = {column.name: column for column in model.columns if column.shape.plain}
    of = () if part.derived is None else part.derived.of
    if not columns.keys() >= {*of} or any(map(personal, of)):
        return None
    left = tuple(column for column in model.columns if column.name not in of)
    made = replaced(model, part, *(as_field(columns[name]) for name in of))
    return adjusted(model, evolve(made, columns=left or model.columns))


def unspread(model: ModelSchema, part: KeyField) -> tuple[str, ModelSchema] | None:
    """The model without the hash ``part`` of fields of its key, and with ranges in the place of the scans that pick by these, in words; None where it is no such hash, or no scan becomes one."""
    of = () if part.derived is None or part.derived.values is not None else part.derived.of
    fields = {field.name for field in model.key.asked}
    if not of or not fields.issuperset(of):
        return None
    made, declared = asking(
        replaced(model, part),
        lambda query: [name for name in query.where if query.scan and name in fields],
        served=True,
    )
    return (f"leave out `{part.name}`: `{made.key.shape}`, with {declared}", made) if declared else None


def narrowed(model: ModelSchema, query: Query) -> tuple[str, ModelSchema, bool] | None:
    """What a scan reads as a range of the readable key: in words, the model, and whether the scan says itself that it picks so; None where no hash is in the way."""
    made = readable(model)
    if made == model:
        return None
    hashed = [part for part in made.key.fields if part not in model.key.fields]
    said = {word.lower().removesuffix("s") for word in words(f"{query.scan} {query.name}")}
    things = [part for part in hashed if part.codec.kind is not Kind.TIME]
    picked = [part for part in things if part.name in query.where]
    named = picked or [part for part in things if said.issuperset(_stems(part.name))]
    given = named or things
    if not given:
        return None
    rest = [part for part in hashed if part not in given]
    at = made.key.fields.index(hashed[0])
    front = made.key.fields[:at]
    behind = made.key.fields[at + len(hashed) :]
    key = evolve(made.key, fields=(*front, *given, *rest, *behind))
    bound = rest[0].name if rest and rest[0].codec.kind is Kind.TIME else None
    equal = tuple(part.name for part in (*front, *given) if part.asked)
    left = tuple(name for name in query.where if name not in (*equal, bound))
    asked = evolve(query, scan=None, equal=equal, between=bound, where=left)
    if not serves(key, asked):
        return None
    queries = tuple(asked if other == query else other for other in model.queries)
    text = f"`{key.shape}`, with `{query.name} = {declaration(asked)}`"
    return text, evolve(made, key=key, queries=queries), bool(named)


def _stems(name: str) -> list[str]:
    return [word.lower().removesuffix("s") for word in words(name)]
