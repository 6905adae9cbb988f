"""Second tables in the source: the class of each, the dual writes that fill it, and the queries that move to it."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from uuid import UUID

from attrs import evolve, frozen

from btmodel import declare
from btmodel.cli.source.file import (
    Edit,
    ImportedNames,
    NotWritten,
    Region,
    SourceFile,
    argument,
    bound,
    change,
    edited,
    family_id,
)
from btmodel.codecs.cell import Int64
from btmodel.codecs.key import EnumText
from btmodel.design.copied_rows import as_twin, copyable, lacking, maker
from btmodel.errors import BtmodelError
from btmodel.lint import Level, review_all
from btmodel.lint.finding import literal
from btmodel.schema import Column, KeyField, ModelSchema, Query
from btmodel.source_text import declaration, written
from btmodel.words import quoted

_LINE = 110  # characters of a line of code that is written


@frozen
class DeclaredClass:
    """The class of a model in its source, whose declarations can be copied."""

    source: SourceFile
    node: ast.ClassDef
    statements: Mapping[str, ast.Assign | ast.AnnAssign]
    package: str
    names: ImportedNames

    @classmethod
    def of(cls, source: SourceFile, model: ModelSchema) -> "DeclaredClass":
        """The class. Raises :class:`NotWritten` where it is not sure what its declarations say."""
        found = [
            node for node in source.tree.body if isinstance(node, ast.ClassDef) and node.name == model.name
        ]
        package = source.names.package
        if package is None:
            raise NotWritten("expected `import btmodel as bt`, or under another name, at the top of the file")
        if len(found) != 1 or source.bound[model.name] != 1:
            raise NotWritten(
                f"expected `{model.name}` to be bound just once, by a class statement at the top of the file"
            )
        (node,) = found
        names = source.names.without(frozenset(bound(node.body)))
        plain = all(source.names.meant(base) == "Model" for base in node.bases)
        if (
            not plain
            or node.decorator_list
            or names.package is None
            or any(keyword.arg is None for keyword in node.keywords)
        ):
            raise NotWritten(
                f"expected the class statement of `{model.name}` to have no decorator, no other base than `Model`, and no `**` arguments, "
                "which may change what its declarations say"
            )
        return cls(source, node, dict(_statements(source, node)), package, names)

    def text(self, name: str) -> str | None:
        """The lines of a declaration, with what is behind them."""
        node = self.statements.get(name)
        return None if node is None else "\n".join(self.source.lines[node.lineno - 1 : node.end_lineno])

    def called(self, name: str) -> str | None:
        """The function of btmodel that makes a declaration."""
        node = self.statements.get(name)
        return (
            self.names.meant(node.value.func)
            if node is not None and isinstance(node.value, ast.Call)
            else None
        )


def _statements(source: SourceFile, node: ast.ClassDef) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """The declarations of a class that stand on lines of their own, by name."""
    lines = [statement.lineno for statement in node.body]
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                alone = not source.lines[statement.lineno - 1][: statement.col_offset].strip()
                if alone and lines.count(statement.lineno) == 1:
                    yield name, statement


def second_tables(
    source: SourceFile,
    model: ModelSchema,
    ways: Sequence[Sequence[ModelSchema]],
    models: Sequence[ModelSchema],
) -> tuple[Edit, ...]:
    """The edits of the file of ``model`` that add the second tables of fixes, and move queries to them; those that the model does not declare so are declared there.

    Each of ``ways`` is what a fix leads to: the model, which may have fewer queries, and its second tables. The classes are made on trial: they must have these schemas, and raise nothing in a review with all other models. Raises
    :class:`NotWritten` where they do not, or where the source does not say for sure what would be copied.
    """
    declared = DeclaredClass.of(source, model)
    made = {schema.name: schema for _, *added in ways for schema in added}
    for schema in made.values():
        if schema.view is not None:
            raise NotWritten(
                f"the fix is an index, `{schema.name}`, and only its readers know which columns they want of it"
            )
    gone = [
        {query.name for query in model.queries} - {query.name for query in first.queries}
        for first, *_ in ways
    ]
    moved = [query.name for query in model.queries if any(query.name in names for names in gone)]
    classes = [_class(declared, model, schema) for schema in made.values()]
    taken = (
        {schema.name for schema in models}
        | {schema.table for schema in models}
        | declared.source.bound.keys()
    )
    named = {name for schema in made.values() for name in (schema.name, schema.table, maker(schema))}
    live = {schema.name: as_twin(model, schema) for schema in made.values() if not _by_batch(model, schema)}
    # The key of each with a function has all that the key of the first one is made of, so no two rows share one.
    owned = any(map(_paired, live.values())) or any(schema.owned for schema in made.values())
    twins = _twins(declared, model, live, owned=owned)
    if taken & named:
        names = sorted(taken & named)
        raise NotWritten(
            f"expected {quoted(names)} to be free for what is new, and something is called so already"
        )
    if isinstance(twins, Region) and owned:
        # They may not own their twins: a function would take their deletions away.
        raise NotWritten(
            f"`{model.name}` has dual writes already, which would have to own this table, too (`owned=True`), and then delete rows in all of theirs"
        )
    if unsure := [name for name in moved if declared.called(name) != "query"]:
        raise NotWritten(_elsewhere(unsure))
    left = evolve(model, queries=tuple(query for query in model.queries if query.name not in moved))
    if why := _refused(model, left, classes, list(made.values()), models):
        raise NotWritten(why)
    assert model.location is not None, "its source was found by it"
    file = model.location.file
    end = declared.node.end_lineno or 0
    last = len(declared.source.lines[end - 1])
    new = "".join(f"\n\n\n{text}" for text in classes)
    if twins is not None and not isinstance(twins, Region):
        new += f"\n\n\n{twins}"
    edits = [Edit(file, Region(end, last, end, last), new)]
    if isinstance(twins, Region):
        edits.append(Edit(file, twins, "".join(f", {entry}" for entry in live.values())))
    return (*edits, *(Edit(file, region, "") for region in _removed(declared, moved)))


def _by_batch(model: ModelSchema, made: ModelSchema) -> bool:
    """Whether a batch job is to write the second table, which then says why all its writes may come to one place."""
    return "KEY001" in made.allow and "KEY001" not in model.allow


def _elsewhere(names: Sequence[str]) -> str:
    return f"expected {quoted(names)} to be declared in the class statement, on lines with nothing else"


def _removed(declared: DeclaredClass, queries: Sequence[str]) -> Iterator[Region]:
    """The regions of these declarations, each with the line break in front of it, and with blank lines that nothing needs then."""
    lines, body = declared.source.lines, declared.node.body
    nodes = [declared.statements[name] for name in queries]
    gone = {line for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    last = max(node.end_lineno or node.lineno for node in body if node not in nodes)
    for line in range(declared.node.lineno + 1, declared.node.end_lineno or 0):
        follows = next((other for other in range(line + 1, len(lines) + 1) if other not in gone), 0)
        blank = not lines[line - 1].strip()
        if blank and line + 1 in gone and (line > last or not lines[follows - 1].strip()):
            gone.add(line)
    for line in sorted(gone):
        if line - 1 not in gone:
            end = next(other for other in range(line, len(lines) + 1) if other + 1 not in gone)
            yield Region(line - 1, len(lines[line - 2]), end, len(lines[end - 1]))


def _class(declared: DeclaredClass, model: ModelSchema, made: ModelSchema) -> str:
    """The class of a second table, made of the declarations of the first one. Raises :class:`NotWritten` where one of them is not known."""
    if model.bucket or model.key.unstored:
        raise NotWritten(
            f"expected a row of `{model.name}` to be one object, and to hold all fields of its key: with `bucket=`, or "
            "`stored=False`, one row does not make another one"
        )
    if not copyable(model, made):
        raise NotWritten("its cells are added to, and dual writes copy what is put, and no additions")
    used = {column.family for column in made.columns}
    used |= {part.mirror.family for part in made.key.fields if part.mirror}
    key = [_key(declared, model, part) for part in made.key.fields]
    kept = {column.name for column in made.columns}
    families = {family.id for family in model.families if family.id in used}
    cells: list[str] = []
    found: set[str] = set()
    for name, node in declared.statements.items():
        kind = declared.called(name)
        family = kind == "family" and isinstance(node.value, ast.Call) and str(family_id(node.value))
        if name in kept or kind in ("timestamp", "expires") or family in families:
            cells.append(declared.text(name) or "")
            found |= {family or name}
    stamp = {model.stamp.attribute} if model.stamp.attribute is not None and model.stamp.stored else set()
    if missing := (kept | families | stamp) - found:
        raise NotWritten(_elsewhere(sorted(missing)))
    queries = [
        (declared.text(query.name) if query in model.queries else None) or _query(declared, query)
        for query in made.queries
    ]
    named = " and ".join(query.name for query in made.queries)
    body = "\n\n".join(
        [
            f'    """The rows of {model.name} again, for {named}."""',
            "\n".join(key),
            "\n".join(cells),
            "\n".join(text for text in queries if text),
        ]
    )
    return f"{_opening(declared, made)}\n{body}{_function(model, made) if lacking(model, made) else ''}"


def _query(declared: DeclaredClass, query: Query) -> str:
    """The declaration of a query that only words ask, or of one that asks otherwise than in the first table."""
    text = re.sub("^bt[.]", f"{declared.package}.", declaration(query)).removesuffix(")")
    more = [
        f"{name}={list(names)!r}".replace("'", '"')
        for name in ("where", "only")
        if (names := getattr(query, name))
    ]
    return f"    {query.name} = {', '.join([text, *more])})"


def _function(model: ModelSchema, made: ModelSchema) -> str:
    """The function that makes a row of the second table of each row that has what its key needs."""
    optional = lacking(model, made)
    names = [*(part.name for part in made.key.asked), *(column.name for column in made.columns)]
    names += [made.stamp.attribute] if made.stamp.stored and made.stamp.attribute else []
    given = "".join(f"        {name}=row.{name},\n" for name in names)
    return (
        f"\n\n\ndef {maker(made)}(row: {model.name}) -> {made.name} | None:\n"
        f'    """The row of {made.name}; none of a row without {" or ".join(optional)}."""\n'
        f"    if {' or '.join(f'row.{name} is None' for name in optional)}:\n        return None\n"
        f"    return {made.name}(\n{given}    )"
    )


def _paired(entry: str) -> bool:
    return entry.startswith("(")


def _opening(declared: DeclaredClass, made: ModelSchema) -> str:
    source = declared.source
    base = source.text(declared.node.bases[0])
    parts = [base, f"table={literal(made.table)}"]
    for keyword in declared.node.keywords:
        if keyword.arg not in ("table", "allow", "existing"):
            parts.append(source.text(keyword))
    if made.allow:
        parts.append(f"allow={literal(dict(made.allow))}")
    line = f"class {made.name}({', '.join(parts)}):"
    if len(line) <= _LINE and "\n" not in line:
        return line
    return "\n".join([f"class {made.name}(", *(f"    {part}," for part in parts), "):"])


def _key(declared: DeclaredClass, model: ModelSchema, part: KeyField) -> str:
    """The declaration of a key field: that of the model, maybe with another codec or end, or a new one."""
    old = next((field for field in model.key.fields if field.name == part.name), None)
    if old is not None:
        text = declared.text(part.name) if old == part else _changed(declared, old, part)
        if text is None:
            raise NotWritten(_elsewhere([part.name]))
        return text
    if part.derived is not None:
        values, of = part.derived.values, part.derived.of
        if not values:
            raise NotWritten(
                f"`{part.name}` is computed from other fields by a function, which the source would have to name"
            )
        return f'    {part.name} = {declared.package}.salt("{of[0]}", buckets={len(values)})'
    column = next((column for column in model.columns if column.name == part.name), None)
    if column is not None and column.codec.python_type is str and column.expected.max_size is None:
        raise NotWritten(
            f"expected `max_size=` at the column `{part.name}`, the bytes of its longest value, which its key field has to take"
        )
    if column is None or not (_sayable(column) or isinstance(part.codec, EnumText)):
        raise NotWritten(f"no codec of keys is known to take every value of `{part.name}`")
    return _new(declared, part)


def _sayable(column: Column) -> bool:
    """Whether a column has a codec for keys that takes all of its values."""
    return column.codec.python_type in (UUID, datetime, date, str) or isinstance(column.codec, Int64)


def _new(declared: DeclaredClass, part: KeyField) -> str:
    from btmodel_codegen.attribute_code import key_code  # here: it loads the generators

    text = re.sub(r"\bbt\.", f"{declared.package}.", key_code(part))
    return "\n".join(f"    {line}" for line in text.split("\n"))


def _changed(declared: DeclaredClass, old: KeyField, part: KeyField) -> str | None:
    """The declaration of a field with the codec, the end and the cell of ``part``; None where more than these differ."""
    node = declared.statements.get(part.name)
    if (
        evolve(old, codec=part.codec, ends=part.ends, mirror=part.mirror) != part
        or node is None
        or not isinstance(node.value, ast.Call)
    ):
        return None
    edits: list[tuple[Region, str]] = []
    wanted = {"codec": written(part.codec)} if part.codec != old.codec else {}
    if part.ends != old.ends and part.ends is not None:
        wanted["ends"] = '"\\0"' if part.ends == b"\0" else literal(part.ends.decode())
    if part.mirror != old.mirror and part.mirror is not None:
        if part.mirror.codec != part.codec.mirror():
            return None
        wanted["mirror"] = literal(f"{part.mirror.family}:{part.mirror.qualifier.decode()}")
    for name, text in wanted.items():
        meant, shown = argument(node.value, name, declared.names), declared.names.written(text)
        if meant is None or shown is None:
            return None
        edits.append(change(declared.source, meant, shown))
    return edited(declared.source.lines, edits, node.lineno, node.end_lineno or node.lineno)


def _twins(
    declared: DeclaredClass, model: ModelSchema, made: Mapping[str, str], *, owned: bool
) -> str | Region | None:
    """The declaration of the dual writes, or the place of one that is there, to which they are added; None where a batch job writes."""
    if not made:
        return None
    for node in declared.source.tree.body:
        match node:
            case ast.Assign(value=ast.Call(args=[ast.Name(id=model.name), *_, last]) as call) if (
                declared.source.names.meant(call.func) == "twins"
            ):
                at = declared.source.region(last)
                return Region(at.end_line, at.end_column, at.end_line, at.end_column)
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", model.name).upper()
    name = name if name not in declared.source.bound else f"{name}_TWINS"
    end = ", owned=True" if owned else ""
    return f"{name} = {declared.package}.twins({', '.join([model.name, *made.values()])}{end})"


def _refused(
    model: ModelSchema,
    left: ModelSchema,
    classes: Sequence[str],
    made: Sequence[ModelSchema],
    models: Sequence[ModelSchema],
) -> str:
    """Why the classes cannot be made, have not the schemas that were proved, or what they raise beside all other models; empty if nothing."""
    scope = dict(vars(sys.modules[model.module])) if model.module in sys.modules else {}
    try:
        with declare.collecting() as collected:
            for text in classes:
                exec(compile(text, "<second table>", "exec", dont_inherit=True), scope)
            twinned = [
                (scope[schema.name], scope[maker(schema)]) if lacking(model, schema) else scope[schema.name]
                for schema in made
                if not _by_batch(model, schema)
            ]
            if twinned:
                declare.twins(scope[model.name], *twinned)
    except NameError as error:
        return f"the new class would copy declarations that need `{error.name}`, which is not known outside of `{model.name}`"
    except (BtmodelError, TypeError, ValueError) as error:
        return f"the new class would be refused: {error}"
    if collected.problems:
        return f"the new class would be refused: {collected.problems[0]}"
    for schema, wanted in zip(collected.schemas, made, strict=True):
        if why := _otherwise(schema, wanted):
            return why
    others = [schema for schema in models if schema != model]
    names = {schema.name: model.name for schema in made}
    new = sorted(_graver([*others, left, *made], names) - _graver(models, {}))
    return f"a review of the result would find {new[0][0]} in `{new[0][1]}`" if new else ""


# What a class declares, as a sentence calls it.
_PARTS = {
    "key": "key",
    "families": "families",
    "columns": "columns",
    "queries": "queries",
    "stamp": "timestamps",
    "allow": "suppressions",
    "events": "rate",
}


def _otherwise(schema: ModelSchema, wanted: ModelSchema) -> str:
    """In what a class that was made on trial is another one than the proved table; empty where it is the same."""
    made, proved = _comparable(schema), _comparable(wanted)
    if made == proved:
        return ""
    parts = [said for name, said in _PARTS.items() if getattr(made, name) != getattr(proved, name)]
    return (
        f"a class `{wanted.name}` made of the declarations of the first one would have other {' and '.join(parts) or 'settings'} than the table "
        "that was reviewed, so the source declares them otherwise than it looks"
    )


def _comparable(schema: ModelSchema) -> ModelSchema:
    """The schema without its place, and with the same function in all salts."""
    fields = tuple(
        evolve(part, derived=evolve(part.derived, by=hash, of_bytes=False), cardinality=None)
        if part.derived and part.derived.values
        else part
        for part in schema.key.fields
    )
    used = {column.family for column in schema.columns} | {
        part.mirror.family for part in fields if part.mirror
    }
    families = tuple(family for family in schema.families if family.id in used)
    return evolve(schema, doc="", module="", key=evolve(schema.key, fields=fields), families=families)


def _graver(models: Sequence[ModelSchema], names: Mapping[str, str]) -> set[tuple[str, str, str | None]]:
    """The errors and warnings on models; what has one of these ``names`` counts as what it is a second table of."""
    found = (finding for finding in review_all(models) if finding.level is not Level.INFO)
    return {(finding.rule, names.get(finding.model, finding.model), finding.field) for finding in found}
