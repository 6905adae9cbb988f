"""Hashes of what no row holds, taken apart for a query that gives only some of it."""

from attrs import evolve

from btmodel.codecs.key import HexDigest
from btmodel.design.encodings import sortable_codec
from btmodel.design.keys import fresh, replaced
from btmodel.design.proposal import serves
from btmodel.schema import KeyField, ModelSchema, Query
from btmodel.source_text import names_of, written
from btmodel.words import clauses, quoted


def unhashed(model: ModelSchema, query: Query) -> tuple[str, ModelSchema] | None:
    """The key that hashes apart what the query gives, and holds what it bounds, in words and as a model.

    What is only given stays hashed, as it was declared not to be stored. None where no digest of such values is in the way.
    """
    bounded = query.between or query.starting
    unstored = {part.name for part in model.key.unstored}
    for part in model.key.fields:
        of = () if part.derived is None or not part.derived.of_bytes else part.derived.of
        asked = [name for name in of if name in names_of(query) and name in unstored]
        if not asked or not isinstance(part.codec, HexDigest) or set(of) <= set(query.equal):
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
