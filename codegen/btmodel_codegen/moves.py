"""The code of a move to another row key: both models, and the function that makes a row of the new one."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent

from attrs import frozen

from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.bucket import Bucket
from btmodel.schema.key import Derived
from btmodel_codegen.attribute_code import column_code, family_code, key_code, types_of
from btmodel_codegen.literals import length_code, literal, name_literal
from btmodel_codegen.naming import classes
from btmodel_codegen.python_text import docstring, fitted, imports

_DELIMITER = b"#"


@frozen
class MoveCode:
    """A move as code needs it: the ``step`` that does it, both models, and the attribute of the old row that each of the new one takes.

    An attribute of ``given`` with None has to be filled in. ``shared`` says whether other models have rows in these tables.
    """

    step: str
    old: ModelSchema
    new: ModelSchema
    given: Mapping[str, str | None]
    shared: bool = False


def step_module(id: str, moves: Sequence[MoveCode], *, only_compares: bool) -> str:
    """The file beside a revision whose steps move rows, or compare what was moved."""
    what = "compared with" if only_compares else "moved to"
    tables = " and ".join(f"{move.old.table} is {what} {move.new.table}" for move in moves)
    doc = (
        f"{id}: {tables}.\n\nBoth models are declared here as they are at this revision, so that this file stays correct when the models of the "
        "application change. Columns of the same name are copied with their times; the rest follows from what the function returns."
    )
    schemas = [schema for move in moves for schema in (move.old, move.new)]
    parts = [
        docstring(doc, 0),
        _imports(schemas, ["import btmodel as bt", "from btmodel.migrate import move"]),
    ]
    for move in moves:
        new = f"New{move.new.name}"
        options = ["shared=True"] * move.shared + ["only_compares=True"] * only_compares
        parts += [
            class_code(move.old, move.old.name, f"A row of {move.old.table}, as it was before."),
            class_code(move.new, new, f"A row of {move.new.table}."),
            fitted("@move(", [move.old.name, new, *options], ")") + "\n" + _function(move, move.step, new),
        ]
    return _module(*parts)


def _module(doc: str, imports: str, *parts: str) -> str:
    """The text of a module, with the blank lines of ruff."""
    return f"{doc}\n\n{imports}\n\n\n" + "\n\n\n".join(parts) + "\n"


def dual_writes_module(moves: Sequence[MoveCode]) -> str:
    """A module for the application: the old models beside its new ones, and the twins that write both."""
    names = " and ".join(f"{move.old.table} to {move.new.table}" for move in moves)
    doc = (
        f"Both sides of the move of {names}, for as long as the application needs both.\n\nWhile rows move, write them with "
        f"these twins alone, which write and delete the old row first, and read {' and '.join(move.old.name for move in moves)} until "
        "the reads are switched: give it the queries that the application reads it by. Delete this module when nothing reads or writes the old table any more."
    )
    lines = [f"from {move.new.module} import {move.new.name}" for move in moves]
    parts = [
        docstring(doc, 0),
        _imports([move.old for move in moves], ["import btmodel as bt", *sorted(lines)]),
    ]
    for move in moves:
        function = f"moved_{_snake(move.new.name)}"
        parts += [
            class_code(move.old, move.old.name, f"A row of {move.old.table}, until it has moved."),
            _function(move, function, move.new.name)
            + f"\n\n\n{_snake(move.new.name).upper()}_MOVE = bt.twins({move.old.name}, ({move.new.name}, {function}), moving=True)",
        ]
    return _module(*parts)


def rewrite_module(id: str, models: Sequence[tuple[str, ModelSchema]]) -> str:
    """The file beside a revision whose steps, each with its model, rewrite rows in place."""
    tables = " and ".join(dict.fromkeys(model.table for _, model in models))
    doc = (
        f"{id}: cells of {tables} are rewritten as the models write them.\n\nThe models are declared here as they are at this revision. What a row "
        "lacks can be filled in by the function: return the row with values for optional columns."
    )
    schemas = [model for _, model in models]
    parts = [
        docstring(doc, 0),
        _imports(schemas, ["import btmodel as bt", "from btmodel.migrate import rewrite"]),
    ]
    for step, model in models:
        parts += [
            class_code(model, model.name, f"A row of {model.table}."),
            f"@rewrite({model.name})\ndef {step}(row: {model.name}) -> {model.name}:\n"
            f'    """The row, with what it lacks."""\n    return row',
        ]
    return _module(*parts)


def data_module(id: str, steps: Sequence[tuple[str, ModelSchema]]) -> str:
    """The file beside a revision with a step to be filled in for each model, as it was recorded."""
    doc = (
        f"Data steps of {id}: they run once its tables are there, in the order of data_steps.\n\nThe models are as they were recorded before this revision. A "
        "step may see some rows again after an interruption, and must then return the same: a row of a model, which is put, a mutation, a list of "
        "these, or None."
    )
    schemas = [model for _, model in steps]
    parts = [
        docstring(doc, 0),
        _imports(schemas, ["import btmodel as bt", "from btmodel.migrate import data_step"]),
    ]
    for step, model in steps:
        parts += [
            class_code(model, model.name, f"A row of {model.table}, as it was before."),
            f"@data_step({model.name})\ndef {step}(row: {model.name}) -> {model.name} | None:\n"
            f'    """Return what to write for a row of {model.table}."""\n    raise NotImplementedError("fill in {step}")',
        ]
    return _module(*parts)


def class_code(schema: ModelSchema, name: str, doc: str) -> str:
    """The declaration of a model, without its queries and workload estimates."""
    families = _family_names(schema)
    groups = [[_key_code(field) for field in schema.key.fields]]
    for family in schema.families:
        columns = [column for column in schema.columns if column.family == family.id]
        groups.append([family_code(families[family.id], family)])
        groups[-1] += [column_code(column, families[family.id]) for column in columns]
    stamp = schema.stamp
    if stamp.stored and stamp.attribute:
        function = "expires" if stamp.expires else "timestamp"
        options = [] if stamp.required or stamp.expires else ["default=None"]
        options += ["round=True"] * stamp.round
        optional = " | None" * ("default=None" in options)
        groups.append([f"{stamp.attribute}: datetime{optional} = bt.{function}({', '.join(options)})"])
    body = "\n\n".join("\n".join(lines) for lines in groups if lines)
    opening = fitted(f"class {name}(", ["bt.Model", *_keywords(schema)], "):")
    return f"{opening}\n    {docstring(doc, 4)}\n\n{indent(body, '    ')}"


def _family_names(schema: ModelSchema) -> dict[str, str]:
    taken = {field.name for field in schema.key.fields} | {column.name for column in schema.columns}
    found: dict[str, str] = {}
    for family in schema.families:
        name = re.sub("[^0-9a-z]+", "_", family.id.lower()).strip("_") or "family"
        name = name if name.isidentifier() else f"family_{name}"
        while name in taken:
            name += "_family"
        taken.add(name)
        found[family.id] = name
    return found


def _key_code(field: KeyField) -> str:
    if field.derived is None:
        return key_code(field)
    ends = [] if field.ends is None else [f"ends={name_literal(field.ends)}"]
    return f"{field.name} = {_derived(field.derived, field, ends)}"


def _derived(derived: Derived, field: KeyField, ends: list[str]) -> str:
    of = [literal(name) for name in derived.of]
    made = getattr(derived.by, "func", None)
    if derived.of_bytes and made is not None:
        argument = derived.by.args[0]  # type: ignore[attr-defined]
        if derived.values is not None:
            return fitted("bt.salt(", [*of, f"buckets={argument}", *ends], ")", within=4)
        return fitted("bt.digest(", [*of, f"size={argument}", *ends], ")", within=4)
    from btmodel_codegen.literals import codec_code

    values = [] if derived.values is None else [f"values={derived.values!r}"]
    name = derived.by.__name__
    return fitted("bt.derived(", [codec_code(field.codec), *of, f"by={name}", *values, *ends], ")", within=4)


def _keywords(schema: ModelSchema) -> Iterator[str]:
    table = literal(schema.table)
    yield (
        f"table={table}"
        if schema.moved_to is None
        else f"table=bt.table({table}, moved_to={literal(schema.moved_to)})"
    )
    if schema.key.delimiter != _DELIMITER:
        yield f"delimiter={name_literal(schema.key.delimiter)}"
    if isinstance(schema.bucket, Bucket):
        yield f"bucket={literal(schema.bucket.value)}"
    elif schema.bucket is not None:
        yield f"bucket={length_code(schema.bucket.longest)}"
    if schema.stamp.fixed is not None:
        yield f"timestamp={schema.stamp.fixed}"
    elif schema.stamp.attribute is not None and not schema.stamp.stored:
        yield f"timestamp={literal(schema.stamp.attribute)}"
    if schema.allow:
        pairs = [f"{literal(rule)}: {literal(reason)}" for rule, reason in sorted(schema.allow.items())]
        yield fitted("allow={", pairs, "}", within=4)


def _function(one: MoveCode, name: str, new: str) -> str:
    head = f"def {name}(row: {one.old.name}) -> {new}:"
    doc = f'    """The row of {one.new.table} for a row of {one.old.table}."""'
    missing = [attribute for attribute, value in one.given.items() if value is None]
    items = [
        f"{attribute}=row.{value}" if value else f"{attribute}=..." for attribute, value in one.given.items()
    ]
    made = fitted(f"return {new}(", items, ")", within=4)
    if not missing:
        return f"{head}\n{doc}\n{indent(made, '    ')}"
    comment = indent(made, "    # ")
    why = f"{', '.join(missing)}: {one.old.name} has no attribute of this name and type"
    return f"{head}\n{doc}\n{comment}\n    raise NotImplementedError({literal(f'fill in {why}')})"


def _imports(schemas: Sequence[ModelSchema], always: Sequence[str]) -> str:
    types = [
        type_
        for schema in schemas
        for parts in (schema.key.fields, schema.columns)
        for part in parts
        for type_ in types_of(part)
    ]
    places = {(class_.__module__, class_.__name__) for class_ in classes(types)}
    places |= {("datetime", "datetime") for schema in schemas if schema.stamp.stored}
    places |= {
        (field.derived.by.__module__, field.derived.by.__name__)
        for schema in schemas
        for field in schema.key.fields
        if field.derived and not hasattr(field.derived.by, "func")
    }
    found = imports(place for place in places if place[0] != "builtins")
    standard = [line for line in found if line.split()[1].partition(".")[0] in sys.stdlib_module_names]
    others = sorted({*always, *found} - set(standard), key=lambda line: (not line.startswith("import"), line))
    blocks = ["\n".join(lines) for lines in (standard, others) if lines]
    return "\n\n".join(blocks)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
