"""The code of a move to another row key: both models, and the function that makes a row of the new one."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from textwrap import indent

from attrs import frozen

from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.bucket import Bucket
from btmodel.schema.key import Derived
from btmodel_codegen.attribute_code import column_code, family_code, key_code
from btmodel_codegen.literals import codec_code, length_code, literal, name_literal
from btmodel_codegen.model_scope import ModelScope, scope_of
from btmodel_codegen.python_text import and_last, docstring, fitted

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
    names = [name for move in moves for name in (move.old.name, f"New{move.new.name}", move.step)]
    scope = scope_of([schema for move in moves for schema in (move.old, move.new)], names)
    doc = (
        f"{id}: {tables}.\n\nBoth models are declared here as they are at this revision, so that this file stays correct when the models of the "
        f"application change.{_imported(scope)} Columns of the same name are copied with their times; the rest follows from what the function returns."
    )
    parts = _beginning(doc, scope, "move")
    for move in moves:
        new = f"New{move.new.name}"
        options = ["shared=True"] * move.shared + ["only_compares=True"] * only_compares
        parts += [
            class_code(move.old, move.old.name, f"A row of {move.old.table}, as it was before.", scope),
            class_code(move.new, new, f"A row of {move.new.table}.", scope),
            fitted("@move(", [move.old.name, new, *options], ")") + "\n" + _function(move, move.step, new),
        ]
    return _module(*parts)


def _beginning(doc: str, scope: ModelScope, function: str) -> list[str]:
    """The docstring, the imports with a ``function`` of btmodel.migrate, and the enums of a revision's file."""
    lines = ["import btmodel as bt", f"from btmodel.migrate import {function}"]
    return [docstring(doc, 0), scope.imports(lines), *scope.enums]


def _imported(scope: ModelScope) -> str:
    """What the file of a revision says of what it imports of the application, behind other sentences."""
    names = scope.of_application
    if not names:
        return ""
    which = "that" if len(names) == 1 else "one"
    return (
        f" The file imports {and_last(names)}: where {which} is renamed or moved, correct its import here, which btmodel accepts also of a revision that is "
        "applied."
    )


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
    own = [
        name for move in moves for name in (move.old.name, move.new.name, f"moved_{_snake(move.new.name)}")
    ]
    scope = scope_of([move.old for move in moves], own, declares_enums=False)
    parts = [docstring(doc, 0), scope.imports(["import btmodel as bt", *sorted(lines)])]
    for move in moves:
        function = f"moved_{_snake(move.new.name)}"
        parts += [
            class_code(move.old, move.old.name, f"A row of {move.old.table}, until it has moved.", scope),
            _function(move, function, move.new.name)
            + f"\n\n\n{_snake(move.new.name).upper()}_MOVE = bt.twins({move.old.name}, ({move.new.name}, {function}), moving=True)",
        ]
    return _module(*parts)


def rewrite_module(
    id: str, models: Sequence[tuple[str, ModelSchema]], to_fill_in: Collection[str] = ()
) -> str:
    """The file beside a revision whose steps, each with its model, rewrite rows in place; those ``to_fill_in`` would change nothing by themselves."""
    tables = " and ".join(dict.fromkeys(model.table for _, model in models))
    scope = scope_of(
        [model for _, model in models], [name for step, model in models for name in (step, model.name)]
    )
    doc = (
        f"{id}: cells of {tables} are rewritten as the models write them.\n\nThe models are declared here as they are at this revision.{_imported(scope)} What a row "
        "lacks can be filled in by the function: return the row with values for optional columns."
    )
    parts = _beginning(doc, scope, "rewrite")
    for step, model in models:
        parts += [
            class_code(model, model.name, f"A row of {model.table}.", scope),
            f"@rewrite({model.name})\ndef {step}(row: {model.name}) -> {model.name}:\n    {_rewriting(step, model, to_fill_in)}",
        ]
    return _module(*parts)


def _rewriting(step: str, model: ModelSchema, to_fill_in: Collection[str]) -> str:
    """The body of the function of a step that rewrites rows."""
    if step not in to_fill_in:
        return '"""The row, with what it lacks."""\n    return row'
    lacking = next(
        (column.name for column in model.columns if column.shape.plain and not column.required), None
    )
    values = "" if lacking is None else f": bt.replace(row, {lacking}=row.{lacking} or ...)"
    doc = docstring(
        f"Return the row with values for what it lacks{values}.\n\nReturn it as it is where only the bytes of its cells are to be written again.",
        4,
    )
    return f'{doc}\n    raise NotImplementedError("fill in {step}")'


def data_module(id: str, steps: Sequence[tuple[str, ModelSchema]]) -> str:
    """The file beside a revision with a step to be filled in for each model, as it was recorded."""
    scope = scope_of(
        [model for _, model in steps], [name for step, model in steps for name in (step, model.name)]
    )
    doc = (
        f"Data steps of {id}: they run once its tables are there, in the order of data_steps.\n\nThe models are as they were recorded before this revision.{_imported(scope)} A "
        "step may see some rows again after an interruption, and must then return the same: a row of a model, which is put, a mutation, a list of "
        "these, or None."
    )
    parts = _beginning(doc, scope, "data_step")
    for step, model in steps:
        parts += [
            class_code(model, model.name, f"A row of {model.table}, as it was before.", scope),
            f"@data_step({model.name})\ndef {step}(row: {model.name}) -> {model.name} | None:\n"
            f'    """Return what to write for a row of {model.table}."""\n    raise NotImplementedError("fill in {step}")',
        ]
    return _module(*parts)


def class_code(schema: ModelSchema, name: str, doc: str, scope: ModelScope) -> str:
    """The declaration of a model in a module of ``scope``, without its queries and workload estimates."""
    families = _family_names(schema)
    groups = [[_key_code(field, scope) for field in schema.key.fields]]
    for family in schema.families:
        columns = [column for column in schema.columns if column.family == family.id]
        groups.append([family_code(families[family.id], family)])
        groups[-1] += [column_code(column, families[family.id], scope.spell) for column in columns]
    stamp = schema.stamp
    if stamp.stored and stamp.attribute:
        function = "expires" if stamp.expires else "timestamp"
        options = [] if stamp.required or stamp.expires else ["default=None"]
        options += ["round=True"] * stamp.round
        optional = " | None" * ("default=None" in options)
        groups.append(
            [f"{stamp.attribute}: {scope.spell(datetime)}{optional} = bt.{function}({', '.join(options)})"]
        )
    body = "\n\n".join("\n".join(lines) for lines in groups if lines)
    opening = fitted(f"class {name}(", ["bt.Model", *_keywords(schema, scope)], "):")
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


def _key_code(field: KeyField, scope: ModelScope) -> str:
    if field.derived is None:
        return key_code(field, spell=scope.spell)
    ends = [] if field.ends is None else [f"ends={name_literal(field.ends)}"]
    return f"{field.name} = {_derived(field.derived, field, ends, scope)}"


def _derived(derived: Derived, field: KeyField, ends: list[str], scope: ModelScope) -> str:
    of = [literal(name) for name in derived.of]
    made = getattr(derived.by, "func", None)
    if derived.of_bytes and made is not None:
        argument = derived.by.args[0]  # type: ignore[attr-defined]
        if derived.values is not None:
            return fitted("bt.salt(", [*of, f"buckets={argument}", *ends], ")", within=4)
        return fitted("bt.digest(", [*of, f"size={argument}", *ends], ")", within=4)
    values = [] if derived.values is None else [f"values={derived.values!r}"]
    name = scope.spell(derived.by)
    return fitted(
        "bt.derived(",
        [codec_code(field.codec, scope.spell), *of, f"by={name}", *values, *ends],
        ")",
        within=4,
    )


def _keywords(schema: ModelSchema, scope: ModelScope) -> Iterator[str]:
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
        yield f"bucket={length_code(schema.bucket.longest, scope.spell)}"
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


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
