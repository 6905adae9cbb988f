"""KEY004 hashed-field: a hash in the row key

What it finds
    A key field that is a hash of other attributes, made with `bt.digest` or with `bt.derived`
    without `values`. The rule finds nothing

    - if the hashed columns are too long for a key by their declared `size` or `max_size`,
      because KEY009 would find a key with those columns, or if their longest values would take
      more than a quarter of the 4 KiB of a key: text that people or programs write at any length;
    - if the key also holds what is hashed, which is no time, and has a hotspot without the hash
      and none with it: a hash of ids in sequence in front of the id;
    - if what is hashed identifies a person, by its name, so that no key should hold it, and a query
      gives all that is hashed: rows are found by an e-mail address that stands in no key;
    - if every query gives all that is hashed, or reads all rows, the values are stored in columns, and the longest has more than 48 bytes, as an
      identifier of 64 characters has: nobody reads a range of such values;
    - if the field climbs with a time from which it is made, which is no hash (see KEY001), or with a number or a text, as its first letters do (see KEY002), or if it
      shows all texts and numbers from which it is made, one behind the other (see KEY008): its function is tried.

    It is information where every query gives all that is hashed, no longest value of it is declared, and the docstring does not say that rows are read by its beginning ("whose geohash begins with"); and where the hash
    only distinguishes rows: at the end of the key, behind what is given by queries, of which none gives, bounds or picks by anything that is hashed. The
    rule finds nothing in such a hash if the longest value would take more than a sixteenth of a key, as a path does.

    A field that is called like a hash of a URL, a domain, an e-mail address or another name of
    a person, as `url_md5` or `email_hash`, is information: it was made outside of the model. So is a
    `hash` beside a column with such a value, and such a field with the codec `bt.HexDigest`. A hash of content, as `file_sha256`, is not meant.

Why
    Hashed rows are in no order that a query can use, so rows can only be read one by one, and
    the Key Visualizer shows unreadable keys.

Example
    import btmodel as bt


    class Visit(bt.Model, table="VISIT"):
        site_hash = bt.digest("site", size=8)
        day: str = bt.key(bt.Text(width=10), cardinality=365)

        data = bt.family("data", gc=bt.max_versions(1))
        site: str = bt.column("site", data)
        count: int = bt.column("count", data)

Use instead
    import btmodel as bt


    class Visit(bt.Model, table="VISIT"):
        site: str = bt.key(bt.Text(max_length=60), cardinality=100_000)
        day: str = bt.key(bt.Text(width=10), cardinality=365)

        data = bt.family("data", gc=bt.max_versions(1))
        count: int = bt.column("count", data)

Allow
    Suppress it if the value in the key must stay secret; queries must then give the whole value. If the value does not fit into a key, as with a URL of any
    length, declare its `max_size` instead.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys to avoid: hashed values). The
    quarter and the sixteenth of a key, and the 48 bytes, are this project's own choice.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from attrs import evolve

from btmodel.codecs.key import Text, UuidText
from btmodel.design.advice import change, led_to
from btmodel.design.candidates import adjusted, as_field, in_reverse
from btmodel.design.denials import denied
from btmodel.design.hints import hashed_outside, sentences, surrogate
from btmodel.design.keys import TYPICAL_BYTES, UNKNOWN_TEXT, replaced, single, tenant_first, written_with_ease
from btmodel.design.personal_names import personal
from btmodel.design.proposal import proposed, serves
from btmodel.design.question_words import SHOWS
from btmodel.design.spread import climbing, crowded, timelike
from btmodel.design.trials import keeps_order, put_together
from btmodel.design.unhashed import asking
from btmodel.estimates import key_size, value_size
from btmodel.lint.finding import Finding, Fix, Level, literal
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, Derived, KeyField, ModelSchema, RowKey
from btmodel.schema.limits import KEY_BYTES
from btmodel.source_text import names_of
from btmodel.words import words

# The share of a key beyond which a value is too long for it, though it fits (this project's own figure).
_LONG = 0.25
# And that beyond which a hash is worth its while that no query needs, as it only makes the keys shorter (this project's own figure).
_SHORTER = 1 / 16


# Bytes of an identifier beyond which its hash is as good a key, where queries give all of it: a UUID and a usual digest are shorter (this project's own figure).
_LONG_ID = 48


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each derived field that has no list of values."""
    # What no row is to hold can stand in no key.
    unstored = {part.name for part in model.key.unstored}
    for part in model.key.fields:
        if (of := hashed_outside(model, part)) is not None:
            yield _made_outside(model, part, of)
        if part.derived is None or part.derived.values is not None or _too_long(model, part):
            continue
        if climbing(model, part) or keeps_order(model, part) or put_together(model, part):
            continue
        if _spreads(model, part, part.derived) or _found_whole(model, part.derived):
            continue
        distinguishing = _distinguishes(model, part, part.derived)
        if distinguishing and _bytes_hashed(model, part) > KEY_BYTES * _SHORTER:
            continue
        whole = _by_whole(model, part.derived)
        if whole and _shortens(model, part, part.derived):
            continue
        part_asked = _asked_in_part(model, part.derived)
        fine = whole and bool(_boundless(model, part)) and not part_asked
        if not unstored.intersection(part.derived.of):
            of = "`, `".join(part.derived.of)
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` is a hash of `{of}`"
                + (f", of which the description says {part_asked!r}" if part_asked else ""),
                why="hashed rows are in no order that a query could use, and their keys are unreadable",
                fix=partial(_ways, model, part, part.derived),
                part=part.name,
                at=part.location,
                level=Level.INFO if distinguishing or fine else Level.WARNING,
            )


def _distinguishes(model: ModelSchema, part: KeyField, derived: Derived) -> bool:
    """Whether the hash stands last, behind what queries ask by, and none of them asks by what is hashed: it only makes the keys unique.

    What is hashed is read in the row, where it is stored, and no query has to scan.
    """
    stored = {column.name for column in model.columns}
    behind = model.key.fields[-1] == part and bool(model.key.asked)
    asked = {name for query in model.queries for name in names_of(query)}
    served = all(serves(model.key, query) and not (query.where or query.scan) for query in model.queries)
    return (
        behind
        and bool(model.queries)
        and served
        and stored.issuperset(derived.of)
        and asked.isdisjoint(derived.of)
    )


def _by_whole(model: ModelSchema, derived: Derived) -> bool:
    """Whether there are queries, and each gives all that is hashed, or reads every row: none of them needs an order of what is hashed."""
    wanted = {*derived.of}
    return bool(model.queries) and all(query.scan or wanted.issubset(query.equal) for query in model.queries)


_IN_PART = pattern(
    r"(?i)\b(?:begins?|beginning|starts?|starting) with\b|\b(?:by|of|with) (?:its|a|the|their) (?:common )?prefix(?:es)?\b|\bprefix(?:es)? of\b"
)


def _asked_in_part(model: ModelSchema, derived: Derived) -> str | None:
    """What the description says of rows that are read by the beginning of what is hashed; None where it says no such thing."""
    called = "|".join(re.escape(words(name)[-1]) for name in derived.of)
    for sentence in sentences(model.doc):
        found = _IN_PART.search(sentence) if re.search(rf"(?i)\b(?:{called})(?:e?s)?\b", sentence) else None
        if (
            found is not None
            and not denied(sentence[: found.start()])
            and not SHOWS.isdisjoint(map(str.lower, words(sentence)))
        ):
            return found[0]
    return None


def _shortens(model: ModelSchema, part: KeyField, derived: Derived) -> bool:
    """Whether some query asks by what is hashed, and it is stored in columns, whose longest values are those of a long identifier, and longer than the hash."""
    stored = {column.name for column in model.columns}
    most = _bytes_hashed(model, part)
    asked = any(not query.scan for query in model.queries)
    return asked and stored.issuperset(derived.of) and most > max(_LONG_ID, part.codec.length.most)


def _boundless(model: ModelSchema, part: KeyField) -> list[Column]:
    """The columns that are hashed, and whose longest value is not declared."""
    return [
        column for column in _hashed(model, part) if column.codec.max_size is column.expected.max_size is None
    ]


def _made_outside(model: ModelSchema, part: KeyField, of: str) -> Finding:
    secret = personal(of) is not None
    private = "; it is no secret either, as anybody who has the value can compute it" if secret else ""
    return RULE.finding(
        model,
        f"`{part.name}` of the key `{model.key.shape}` is a hash{f' of `{of}`' if of != part.name else ''}, made outside of the model, judging by its {'name' if of != part.name else 'codec'}",
        why=f"hashed rows are in no order that a query could use, and their keys are unreadable{private}",
        fix=_instead(model, part, of, secret=secret),
        part=part.name,
        at=part.location,
        level=Level.INFO,
    )


def _instead(model: ModelSchema, part: KeyField, of: str, *, secret: bool) -> Fix:
    """The key with what is hashed, or with an id that stands for a person; none of it where the key holds that already."""
    column = next((column for column in model.columns if column.name == of), None)
    name = surrogate(of) if secret else of
    held = next((field for field in model.key.fields if field != part and field.name in (of, name)), None)
    name = name if held is None else held.name
    plain = KeyField(name, Text(max_length=300), part.cardinality)
    own = plain if column is None or secret else as_field(column)
    new = KeyField(name, UuidText(), part.cardinality) if secret else own
    made = replaced(model, part) if held is not None else replaced(model, part, evolve(new, ends=part.ends))
    queries = (
        evolve(query, equal=tuple(dict.fromkeys(name if one == part.name else one for one in query.equal)))
        for query in model.queries
    )
    made = evolve(made, key=_made_from(made.key, part.name, name))
    left = tuple(other for other in model.columns if other != column or secret)
    made = evolve(made, queries=tuple(queries), columns=left or model.columns)
    if held is not None:
        text = f"leave it out: `{made.key.shape}`"
    elif secret:
        text = f"use an id that stands for it, `{name}: UUID = bt.key(bt.UuidText())`: `{made.key.shape}`"
    else:
        text = f"keep the readable value in the key: `{made.key.shape}`"
    otherwise = "; or, if it is another hash, or the value is too long for a key, say so in `allow`"
    return Fix(text, (made,), otherwise=otherwise, instead=((part.name, name),))


def _made_from(key: RowKey, old: str, new: str) -> RowKey:
    """The key whose derived fields are made from ``new`` instead of ``old``."""
    fields = []
    for part in key.fields:
        of = tuple(new if name == old else name for name in part.derived.of) if part.derived else ()
        fields.append(evolve(part, derived=evolve(part.derived, of=of)) if part.derived else part)
    return evolve(key, fields=tuple(fields))


def _ways(model: ModelSchema, part: KeyField, derived: Derived) -> Iterator[Fix]:
    """The key with what is hashed in the place of the hash, or a proposed one where it holds that already."""
    rest = tuple(field for field in model.key.fields if field != part)
    without = _with(model, rest)
    leave = f"leave out `{part.name}`"
    from btmodel.design.unhashed import narrowed, unspread  # here: few models have a hash

    if _within(model, derived):
        ranged = unspread(model, part)
        if ranged is not None:
            yield Fix(ranged[0], (ranged[1],))
        if part not in proposed(model).dropped:
            yield Fix(leave, (without,))
        for each, models in led_to(model):
            if part in each.dropped:
                yield Fix(change(model, each), models)
        return
    names = [_readable(model, name) for name in derived.of]
    at = model.key.fields.index(part)
    front = [field for field in model.key.fields[:at] if field not in names]
    behind = [field for field in model.key.fields[at + 1 :] if field not in names]
    fields = tuple(one for one in tenant_first([*front, *names, *behind]) if isinstance(one, KeyField))
    secret = [name for name in derived.of if _is_personal(model, name)]
    surrogates = "`, `".join(surrogate(name) for name in secret)
    note = f", with a surrogate id `{surrogates}` for `{'`, `'.join(secret)}`" if secret else ""
    bounded = "".join(
        f"; or, if `{column.name}` may be too long for a key, declare its `max_size`"
        for column in (() if _asked_in_part(model, derived) else _boundless(model, part))
        if column.name not in secret
    )
    # A scan may give what it picks by, where the key serves that.
    made, declared = asking(
        adjusted(model, _readably(model, fields, secret)),
        lambda query: query.where if query.scan else (),
        served=True,
    )
    asked = f", with {declared}" if declared else ""
    if _asked_in_part(model, derived) and made.key.asked and not secret:
        asked += f", and ask by its beginning: `bt.query(starting={literal(made.key.asked[0].name)})`"
    for query in model.queries:
        found = narrowed(model, query) if query.scan and not secret else None
        if found is not None and found[2]:
            text, unhashed, _ = found
            yield Fix(f"keep the readable value in the key: {text}", (unhashed,), otherwise=bounded)
    first = next((field for field in fields if not single(field)), None)
    if first is None or not timelike(made, first) or written_with_ease(model):
        backwards = in_reverse(model, first) if first is not None else ""
        text = f"keep the readable value in the key{note}{backwards}: `{made.key.shape}`{asked}"
        yield Fix(text, (made,), otherwise=bounded)
    if without.key.asked:
        for each, models in led_to(without):
            steps = "" if each.key == without.key else f", and {change(without, each)}"
            yield Fix(f"{leave}{steps}", models)


def _readably(model: ModelSchema, fields: tuple[KeyField, ...], secret: Sequence[str]) -> ModelSchema:
    """The model with these fields in its key, and by what stands for a person its queries ask."""
    names = {part.name for part in fields}
    instead = {name: surrogate(name) for name in secret}
    queries = (
        evolve(query, equal=tuple(instead.get(name, name) for name in query.equal)) for query in model.queries
    )
    columns = tuple(column for column in model.columns if column.name not in names)
    return evolve(_with(model, fields), columns=columns, queries=tuple(queries))


def _within(model: ModelSchema, derived: Derived) -> bool:
    """Whether the key holds all that is hashed."""
    return {field.name for field in model.key.fields}.issuperset(derived.of)


def _spreads(model: ModelSchema, part: KeyField, derived: Derived) -> bool:
    """Whether ``part`` spreads the rows of what is hashed, no times, which stands in the key too, and nothing else would."""
    if any(timelike(model, field) for field in model.key.fields if field.name in derived.of):
        return False
    rest = _with(model, tuple(field for field in model.key.fields if field != part))
    return _within(model, derived) and crowded(rest) and not crowded(model)


def _found_whole(model: ModelSchema, derived: Derived) -> bool:
    """Whether what identifies a person is hashed, so that the key does not show it, and a query gives all that is hashed."""
    is_personal = any(_is_personal(model, name) for name in derived.of)
    return is_personal and any({*derived.of}.issubset(query.equal) for query in model.queries)


def _too_long(model: ModelSchema, part: KeyField) -> bool:
    """Whether the key would be too long with the columns that are hashed in the place of the hash."""
    columns = _hashed(model, part)
    if not columns:
        return False
    rest = key_size(RowKey(tuple(field for field in model.key.fields if field != part), model.key.delimiter))
    delimiters = len(columns) * len(model.key.behind(part))
    usual = rest.usual.least + delimiters + sum(_bytes_in_key(column)[0] for column in columns)
    most = rest.largest.least + delimiters + sum(_bytes_in_key(column)[1] for column in columns)
    return usual > TYPICAL_BYTES or most > KEY_BYTES or _bytes_hashed(model, part) > KEY_BYTES * _LONG


def _bytes_hashed(model: ModelSchema, part: KeyField) -> int:
    """The most bytes that the columns which are hashed would take in a key, as far as they are declared."""
    return sum(_bytes_in_key(column)[1] for column in _hashed(model, part))


def _hashed(model: ModelSchema, part: KeyField) -> list[Column]:
    of = part.derived.of if part.derived else ()
    return [column for column in model.columns if column.name in of]


def _bytes_in_key(column: Column) -> tuple[int, int]:
    """The typical and the most bytes of a value, as far as they are declared; of a bounded one the middle is typical."""
    value = value_size(column.codec, column.name, column.expected)
    most = max(value.largest.least, value.usual.least)
    return column.expected.size or (most + 1) // 2, most


def _readable(model: ModelSchema, name: str) -> KeyField:
    """The key field of what is hashed; for what identifies a person, that of an id."""
    field = next((part for part in model.key.fields if part.name == name), None)
    if field is not None:
        return field
    if _is_personal(model, name):
        return KeyField(surrogate(name), UuidText())
    column = next((column for column in model.columns if column.name == name), None)
    return KeyField(name, UNKNOWN_TEXT) if column is None else as_field(column)


def _is_personal(model: ModelSchema, name: str) -> bool:
    return all(part.name != name for part in model.key.fields) and personal(name) is not None


def _with(model: ModelSchema, fields: tuple[KeyField, ...]) -> ModelSchema:
    return evolve(model, key=RowKey(fields, model.key.delimiter))


RULE: Rule[ModelSchema] = Rule(
    "KEY004", "hashed-field", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.WARNING, Level.INFO)
)
