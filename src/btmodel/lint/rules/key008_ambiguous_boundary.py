"""KEY008 ambiguous-boundary: a key that cannot be decoded unambiguously

What it finds
    A key in which the end of a field of variable width is ambiguous, so two rows with different
    fields can have the same key.

    A key is decoded by position where possible: the fields of fixed width in front of the first
    field of variable width, and those after the last one. The rest is read from the left. A
    field of variable width ends at the next delimiter, and the last one ends where the fields
    after it begin, so it may hold anything. Every other one needs a delimiter after it and must
    never hold it: either the codec's alphabet lacks one of the delimiter's bytes, or btmodel
    refuses values that hold the delimiter, which it does unless the codec says
    `holds_delimiter`. (btmodel also refuses values that form an earlier delimiter together with
    the one after them, as `a#` and `##` do.) A self-ending codec, such as one that writes the
    length in front, needs no delimiter. If the last field is optional, the field in front of it
    needs a fixed width, or a delimiter that it never holds.

    A derived field is tried: its function is given texts and numbers, and if it puts two of them together so that other ones come to the same text, as `f"{owner}-{project}"` does
    with `a-b` and `c`, and with `a` and `b-c`, the rule finds it. It is an error if nothing stands between them, or if the docstring says that they may hold what does ("letters, digits and
    hyphens"), and else a warning; nothing is found if the docstring says that they do not, if one of the two also stands in the key, or if the function escapes them.

Why
    Two events with the same key are one row: the second write silently replaces the first.

Example
    import btmodel as bt


    class Visit(bt.Model, table="VISIT"):
        path: str = bt.key(bt.Text(max_length=60, holds_delimiter=True), cardinality=10_000)
        visitor: str = bt.key(bt.Text(max_length=20), cardinality=100_000)

        data = bt.family("data", gc=bt.max_versions(1))
        count: int = bt.column("count", data)

Use instead
    import btmodel as bt


    class Visit(bt.Model, table="VISIT"):
        visitor: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
        path: str = bt.key(bt.Text(max_length=60, holds_delimiter=True), cardinality=10_000)

        data = bt.family("data", gc=bt.max_versions(1))
        count: int = bt.column("count", data)

Allow
    Hardly ever: a row that you read may not be the row that you wrote. If you know that the
    values have no delimiter in them, leave out `holds_delimiter`, which lets btmodel check
    them.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys of several values,
    separated by a delimiter that no value has).
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from attrs import evolve

from btmodel import design
from btmodel.codecs.key import Text
from btmodel.design.keys import drawn, endings, open_ended, swapped
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rule
from btmodel.schema import KeyField, ModelSchema, RowKey
from btmodel.words import quoted

if TYPE_CHECKING:  # this rule is loaded with every model
    from btmodel.design.trials import Together


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each field of variable width whose end cannot be determined; the last one ends with the key."""
    variable = [part for part in model.key.fields if part.fixed is None]
    # A last field that rows may lack does not show where the one in front of it ends.
    unended = variable if model.key.optional and model.key.optional not in variable else variable[:-1]
    for part in unended:
        if open_ended(model.key, part):
            yield RULE.finding(
                model,
                _message(model.key, part, variable[-1]),
                why="two rows with one key are one row, and the second write silently replaces the first",
                fix=partial(_ways, model, part, variable[-1]),
                part=part.name,
                at=part.location,
            )
    for part in model.key.fields:
        if part.derived is not None:
            yield from _put_together(model, part)


def _put_together(model: ModelSchema, part: KeyField) -> Iterator[Finding]:
    """The finding on a field whose function puts texts together, which may hold what stands between them."""
    from btmodel.design.trials import ambiguous
    from btmodel.design.value_hints import may_hold  # here: this rule is loaded with every model

    found = ambiguous(model, part)
    said = None if found is None else may_hold(model.doc, found.between) if found.between else True
    if found is None or said is False:
        return
    holds = "hold" if said else "may hold"
    between = (
        f"with {found.between!r} between them, which they {holds}"
        if found.between
        else "with nothing between them"
    )
    names = quoted(found.names)
    one, other = (" and ".join(map(repr, pair)) for pair in found.pairs)
    yield RULE.finding(
        model,
        f"`{part.name}` puts {names} together, {between}: {one} come to {found.text!r}, and so do {other}",
        why="two rows with one key are one row, and the second write silently replaces the first",
        fix=partial(_taken_apart, model, part, found),
        part=part.name,
        at=part.location,
        level=Level.ERROR if said else Level.WARNING,
    )


def _taken_apart(model: ModelSchema, part: KeyField, found: "Together") -> Iterator[Fix]:
    """The key with what is put together as fields of their own, which the delimiter ends; by other names, those that stand for a person."""
    from btmodel.design.unhashed import apart  # here: few models have a derived field

    made = apart(model, part)
    if made is not None:
        yield Fix(
            f"make {quoted(part.derived.of if part.derived else ())} fields of the key, which end at a delimiter that btmodel refuses in them: `{made.key.shape}`",
            (made,),
            otherwise="; or, if they may hold any character, write them as `bt.EscapedText`",
        )
    yield Fix(
        f"put {quoted(found.names)} together so that each ends: by their lengths, with what stands between them escaped in them, or with a character that is refused in them"
    )


def _message(key: RowKey, part: KeyField, last: KeyField) -> str:
    behind = key.behind(part)
    shown = behind.decode(errors="backslashreplace")
    if part == last and key.optional:
        holds = f", may hold the delimiter {shown!r}," if behind else ""
        trouble = f"`{part.name}` has no fixed width{holds} and stands in front of `{key.optional.name}`, which rows may lack"
    elif not behind:
        trouble = f"`{part.name}` and `{last.name}` have no fixed width, and in the key `{key.shape}` no delimiter stands between them"
    else:
        trouble = (
            f"`{part.name}` has no fixed width, may hold the delimiter {shown!r}, and is not the last such field "
            f"of the key `{key.shape}`"
        )
    return f"{trouble}: where `{part.name}` ends cannot be determined"


def _ways(model: ModelSchema, part: KeyField, last: KeyField) -> Iterator[Fix]:
    """Ends for ``part``; or, if that serves the same queries, its place behind ``last``."""
    moved = _moved(model, part, last)
    for text, key in endings(model.key, part):
        models = () if key is None else (evolve(model, key=key),)
        yield Fix(text, models, otherwise=moved, alternative=True)


def _moved(model: ModelSchema, part: KeyField, last: KeyField) -> str:
    """The key with ``part`` behind ``last``, where that helps and serves all that is served once ``part`` has an end."""
    if part == last:
        return ""
    key = model.key
    fields = [other for other in key.fields if other != part]
    fields.insert(fields.index(last) + 1, part)
    moved = evolve(key, fields=tuple(fields))
    ended = swapped(key, part, evolve(part, codec=Text(width=9)))
    if open_ended(key, last) or any(
        design.serves(ended, query) and not design.serves(moved, query) for query in model.queries
    ):
        return ""
    return f"; or move it after `{last.name}`: `{drawn(key, fields)}`"


RULE: Rule[ModelSchema] = Rule(
    "KEY008",
    "ambiguous-boundary",
    check,
    page=__doc__,
    rewrites=None,
    levels=(Level.ERROR, Level.WARNING),
)
