"""A module of models for live tables, with the evidence for each guess as a comment."""

import textwrap
from collections.abc import Iterator, Sequence
from datetime import timedelta

from attrs import frozen

from btmodel.guess import AuthorizedGuess, ModelGuess, TableGuess, ViewGuess
from btmodel.schema import Family, ModelSchema, ViewKind
from btmodel.schema.bucket import FixedBucket
from btmodel.schema.limits import PERIODS
from btmodel.schema.rate import every_text
from btmodel_codegen.attribute_code import (
    column_code,
    family_code,
    key_code,
    taken_code,
    types_of,
    where_code,
)
from btmodel_codegen.literals import length_code, literal, name_literal
from btmodel_codegen.naming import classes, place_of
from btmodel_codegen.python_text import NARROW, docstring, fitted, imports
from btmodel_codegen.render import render

# By this a module is known again, so that it may be written anew; it is not to be taken for one of `generate`.
MARK = "Written by `btmodel inspect`"
_DELIMITER = b"#"


@frozen
class DeclarationLine:
    """A declaration as it is printed, with the comments in front of it."""

    comments: tuple[str, ...]
    code: str


@frozen
class Class:
    """A class as it is printed: its opening line, its docstring, what was read, and groups of declarations with a gap between."""

    opening: str
    doc: str
    evidence: tuple[str, ...]
    groups: tuple[tuple[DeclarationLine, ...], ...]


def inspected(instance: str, guesses: Sequence[TableGuess]) -> str:
    """The text of the module for the tables of ``instance``; the same for the same guesses, to the byte."""
    schemas = [model.schema for guess in guesses for model in guess.models]
    schemas += [view.schema for guess in guesses for view in guess.views]
    return render(
        "inspected.py.jinja",
        doc=docstring(_about(instance, guesses), 0),
        imports=_imports(schemas),
        uses=bool(schemas),
        notes=[_comments(note, 0) for note in _notes(guesses)],
        classes=[made for guess in guesses for made in _classes(guess)],
    )


_NAMES_MADE_UP = "The names of key fields are made up, for a table does not know them."
_NAMES_RECORDED = (
    "What btmodel recorded when it migrated a table is taken as it was declared; where nothing is recorded, "
    "the names of key fields are made up."
)


def _about(instance: str, guesses: Sequence[TableGuess]) -> str:
    recorded = any(model.recorded for guess in guesses for model in guess.models)
    tables = f"{len(guesses):,} table{'s' * (len(guesses) != 1)}"
    text = (
        "Column families and their rules are those of the tables. What keys and cells mean is guessed: a comment "
        "says from how many rows, and what was seen. All of those rows are read by these models; others may "
        f"not be. {_NAMES_RECORDED if recorded else _NAMES_MADE_UP}"
    )
    paragraph = textwrap.fill(text, NARROW)
    return f"Models of {tables} of {instance}.\n\n{MARK}, once, to be edited.\n{paragraph}"


def _imports(schemas: Sequence[ModelSchema]) -> list[str]:
    spelt = [
        type_
        for schema in schemas
        for parts in (schema.key.fields, schema.columns)
        for part in parts
        for type_ in types_of(part)
    ]
    spelt += [timedelta for schema in schemas if isinstance(schema.bucket, FixedBucket)]
    found = {place_of(one) for one in classes(spelt)}
    return imports(place for place in found if place[0] != "builtins")


def _notes(guesses: Sequence[TableGuess]) -> Iterator[str]:
    for guess in guesses:
        for why in guess.undeclared:
            lacks = "left out" if guess.models else "no model"
            yield f"Table {guess.table.id}: {lacks}: {why}."
        for note in guess.notes:
            yield f"Table {guess.table.id}: {note}."


def _classes(guess: TableGuess) -> Iterator[Class]:
    yield from (_class(guess, model) for model in guess.models)
    yield from map(_view, guess.views)


def _view(view: ViewGuess) -> Class:
    """An index or a rollup, whose declaration follows from its query, and needs no evidence."""
    schema = view.schema
    made = schema.view
    assert made is not None
    id = made.definition.id
    keywords = [f"of={made.of}", f"view={literal(id)}"]
    keywords += [f"where={where_code(view.where)}"] if view.where else []
    keywords += [f"deletion_protection={view.deletion_protection}"] if view.deletion_protection else []
    keywords += _shared_keywords(schema)
    kind = "Index" if made.kind is ViewKind.INDEX else "Rollup"
    opening = fitted(f"class {schema.name}(", [f"bt.{kind}", *keywords], "):")
    doc = docstring(
        "\n".join(textwrap.wrap(f"The rows of the view {id} of {made.of_table}.", NARROW - 10)), 4
    )
    key = tuple(DeclarationLine((), key_code(field, view.made_of(field.name))) for field in schema.key.fields)
    columns = tuple(
        DeclarationLine((), taken_code(column, *view.of[column.name])) for column in schema.columns
    )
    return Class(opening, doc, (), tuple(filter(None, (key, columns))))


def _class(guess: TableGuess, model: ModelGuess) -> Class:
    schema = model.schema
    opening = fitted(f"class {schema.name}(", ["bt.Model", *_keywords(model)], "):")
    key = tuple(
        DeclarationLine(_comments(model.evidence.get(field.name, _UNKNOWN), 4), key_code(field))
        for field in schema.key.fields
    )
    families = (_family(model, family) for family in schema.families)
    which = f"{guess.table.id} {model.description}".strip()
    doc = docstring("\n".join(textwrap.wrap(f"The rows of the table {which}.", NARROW - 10)), 4)
    # What was read is evidence, as in the comments below: the docstring stays when those go.
    return Class(opening, doc, _comments(guess.said, 4), (key, *families))


_UNKNOWN = "nothing could be inferred about it"


def _family(model: ModelGuess, family: Family) -> tuple[DeclarationLine, ...]:
    name = model.families[family.id]
    columns = [column for column in model.schema.columns if column.family == family.id]
    mirrored = any(field.mirror and field.mirror.family == family.id for field in model.schema.key.fields)
    bare = () if columns or mirrored else _comments("no column of it could be inferred", 4)
    lines = [DeclarationLine(bare, family_code(name, family))]
    for column in columns:
        evidence = model.evidence.get(column.name, _UNKNOWN)
        lines.append(DeclarationLine(_comments(evidence, 4), column_code(column, name)))
    return tuple(lines)


def _keywords(model: ModelGuess) -> Iterator[str]:
    yield f"table={_table(model)}"
    yield from _shared_keywords(model.schema)


def _shared_keywords(schema: ModelSchema) -> Iterator[str]:
    """The keywords that models of tables and of views have alike."""
    if schema.key.delimiter != _DELIMITER:
        yield f"delimiter={name_literal(schema.key.delimiter)}"
    if schema.bucket is not None:
        length = schema.bucket.granularity
        yield f"bucket={literal(length) if isinstance(length, str) else length_code(length)}"
    if schema.existing:
        yield "existing=True"
    if schema.allow:
        pairs = [f"{literal(rule)}: {literal(reason)}" for rule, reason in sorted(schema.allow.items())]
        yield fitted("allow={", pairs, "}", within=4)


def _table(model: ModelGuess) -> str:
    """The id of the table, with its settings and authorized views, where the model states some."""
    schema = model.schema
    settings = schema.settings
    periods = {name: getattr(settings, name) for name in PERIODS}
    stated = ["deletion_protection=True"] * bool(settings.deletion_protection)
    stated += [f"{name}={literal(every_text(period))}" for name, period in periods.items() if period]
    stated += ["row_key_schema=True"] * bool(schema.row_key_schema)
    if model.authorized:
        views = [
            fitted("bt.authorized_view(", list(_authorized(guess)), ")", within=8)
            for guess in model.authorized
        ]
        stated.append(fitted("authorized_views=[", views, "]", within=8))
    id = literal(schema.table)
    return fitted("bt.table(", [id, *stated], ")", within=10) if stated else id


def _authorized(guess: AuthorizedGuess) -> Iterator[str]:
    yield literal(guess.view.id)
    if guess.where:
        yield f"where={where_code(guess.where)}"
    if guess.only is not None:
        yield f"only=[{', '.join(map(literal, guess.only))}]"
    if guess.view.deletion_protection:
        yield "deletion_protection=True"


def _comments(text: str, indent: int) -> tuple[str, ...]:
    """Comment lines; control characters and letters beyond ASCII by their escapes, so that none ends a line."""
    safe = "".join(one if " " <= one <= "~" else ascii(one)[1:-1] for one in text)
    return tuple(f"# {line}" for line in textwrap.wrap(safe, NARROW - 2 - indent))
