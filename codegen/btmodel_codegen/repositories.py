"""Typed repositories: a class a model, synchronous and asynchronous from one template."""

import unicodedata
from collections.abc import Collection, Sequence
from textwrap import indent

from attrs import frozen

from btmodel.codecs import meaning_of
from btmodel.errors import GenerationError
from btmodel.schema import ModelSchema, ViewKind
from btmodel.schema.checks import in_the_way
from btmodel.schema.layout import outline
from btmodel.schema.names import is_name, is_private
from btmodel.schema.possible_edits import removes
from btmodel_codegen.columns import columns, field_names, types
from btmodel_codegen.events import event_view
from btmodel_codegen.hiding import hiding
from btmodel_codegen.importable import refuse_hidden
from btmodel_codegen.leading import newest, prefix_doc, prefixes
from btmodel_codegen.marks import mark
from btmodel_codegen.naming import Names, Place, free, refuse_parameters
from btmodel_codegen.needs import bases, needs
from btmodel_codegen.python_text import (
    NARROW,
    and_last,
    class_head,
    docstring,
    exploded,
    filled,
    import_blocks,
    snake_case,
    width,
)
from btmodel_codegen.render import render
from btmodel_codegen.signatures import given, key_parameters, method
from btmodel_codegen.sql_queries import row_name, sql_methods, sql_types

PACKAGE = "__init__.py"
# What signatures are annotated with besides, without an import.
BUILT_IN = ("bool", "int", "object")
# What constructors are annotated with, imported for type checkers alone: the client should not be loaded.
DATABASES = ("AsyncDatabase", "Database")

# What every repository has without generated code, and what holds of all that it does.
INHERITED = (
    "put",
    "put_many",
    "put_if_absent",
    "replace",
    "replace_many",
    "delete_many",
    "apply_many",
)
ERRORS = (
    "A value that does not fit is refused before its row is sent: by a :class:`ValueRefused`, or, where many rows are "
    "written, by the :class:`WriteFailed` that lists each row that failed. Bytes that do not decode are an "
    ":class:`UndecodableKey` or an :class:`UndecodableCell`. A server that does not answer, or lacks the table or a "
    "family, is a :class:`ServerError`."
)


@frozen
class Flavour:
    """What sync and async code spell differently."""

    prefix: str
    async_: str
    await_: str
    iterator: str


FLAVOURS = (
    Flavour("", "", "", "Iterable"),
    Flavour("Async", "async ", "await ", "AsyncIterable"),
)


def files(models: Sequence[ModelSchema]) -> dict[str, str]:
    """A module for each model, and the package that holds them."""
    texts = {PACKAGE: f'"""{mark(PACKAGE)}: repositories and table definitions."""\n'}
    taken: set[str] = set()
    for model in models:
        name = f"{snake_case(model.name)}_repository.py"
        # Some disks treat capitals and small letters as equal, and so composed and decomposed letters.
        folded = unicodedata.normalize("NFKC", name).casefold()
        if folded in taken:
            raise GenerationError(
                f"two models would be written to {name}: rename {model.module}.{model.name}"
            )
        taken.add(folded)
        texts[name] = _module(model, name, models)
    return texts


def _module(model: ModelSchema, file: str, models: Sequence[ModelSchema]) -> str:
    needed = set(needs(model))
    _refuse_names(model, needed)
    names = _names(model, needed, models)
    refuse_hidden(model)
    key = key_parameters(model, names)
    fields = [parameter.name for parameter in key]
    leading = () if model.view else prefixes(model)
    progress, on_error = (free(option, fields) for option in ("progress", "on_error"))
    return render(
        "repository.py.jinja",
        file=file,
        model=_model(model, names),
        reads_only=model.view is not None,
        source=_source(model, names),
        through=", ".join(f'"{view.id}"' for view in model.authorized),
        through_doc=_through_doc(model),
        sources_doc=_sources_doc(model),
        name=model.name,
        origin=f"{model.module}.{model.name}",
        outline=outline(model),
        imports=import_blocks(needed, names.imported, f"{model.module}.{model.name}"),
        flavours=FLAVOURS,
        heads={flavour: _head(model, names, flavour) for flavour in FLAVOURS},
        rows_heads={flavour: _rows_head(model, names, flavour) for flavour in FLAVOURS},
        edit_heads={flavour: _edit_head(model, names, flavour) for flavour in FLAVOURS},
        **_docs(model),
        db=free("db", model.parameters),
        parameters=model.parameters,
        text=names.type(str),
        key=key,
        columns=columns(model, names),
        update_rows={flavour: _update_rows(model, flavour) for flavour in FLAVOURS},
        only=free("only", fields),
        times=free("times", fields),
        entries=free("entries", fields),
        versions=free("versions", fields),
        get_doc=_get_doc(model, fields),
        exists_doc=_exists_doc(model, fields),
        progress=progress,
        on_error=on_error,
        prefixes=[given(model, names, one) for one in leading],
        prefix_doc=prefix_doc(leading, progress, on_error),
        methods=tuple(method(model, query, names) for query in model.queries),
        sql_methods=sql_methods(model, names, models),
        newest=newest(model, names),
        event=event_view(model, names) if model.holds_events else None,
    )


def _docs(model: ModelSchema) -> dict[str, str]:
    """The docstrings of the module and of its classes."""
    verbs = "reads" if model.view else "reads and writes"
    return {
        "module_doc": docstring(f"Repositories of {model.name}: typed {verbs} of {model.place}.", 0),
        "doc": _class_doc(model),
        "key_doc": docstring(_key_doc(model), 4),
        "values_doc": docstring(f"Columns of {model.name}, and what is written to them.", 4),
        "edit_doc": docstring(f"An edit of one row of {model.name}, which is sent when it is applied.", 4),
        "rows_doc": docstring(f"Rows of {model.name}, which are read when they are iterated.", 4),
        "entries_doc": docstring(f"Names of entries of {model.name}, to read no others.", 4),
        "expected_doc": docstring(
            f"What columns of {model.name} must hold: a value, what compares with one, or None for no cell.",
            4,
        ),
    }


def _head(model: ModelSchema, names: Names, flavour: Flavour) -> str:
    types = [_model(model, names), f"{model.name}Key", f"{flavour.prefix}{model.name}Rows"]
    types += [f"{model.name}Event"] if model.holds_events else []
    base = f"{flavour.prefix}{bases(model)[0]}["
    return class_head(f"{flavour.prefix}{model.name}Repository", base, types)


def _rows_head(model: ModelSchema, names: Names, flavour: Flavour) -> str:
    types = [
        _model(model, names),
        f"{model.name}Key",
        f"{model.name}Field" if field_names(model) else names.type(str),
    ]
    return class_head(f"{flavour.prefix}{model.name}Rows", f"{flavour.prefix}{bases(model)[1]}[", types)


def _edit_head(model: ModelSchema, names: Names, flavour: Flavour) -> str:
    return class_head(f"{flavour.prefix}{model.name}Edit", f"{flavour.prefix}Edit[", [_model(model, names)])


def _model(model: ModelSchema, names: Names) -> str:
    return names.place((model.module, model.name))


def _source(model: ModelSchema, names: Names) -> str | None:
    """The model whose rows those of an index are made of; None of any other model."""
    view = model.view
    return names.place((view.of_module, view.of)) if view and view.kind is ViewKind.INDEX else None


def _through_doc(model: ModelSchema) -> str:
    """What can be read and written through each authorized view."""
    shown = [f"``{view.id}``: {view}" for view in model.authorized]
    first = "This repository, whose reads and writes go through an authorized view of the table."
    more = (
        "It shows its rows and columns alone; other columns of the rows that are read are not set. Writing what it does not show is a "
        ":class:`NotAllowed`."
    )
    return "\n".join([filled([first, more, *shown], 8)])


def _sources_doc(model: ModelSchema) -> str | None:
    if model.view is None:
        return None
    first = f"The rows of {model.view.of} that these were made of, in their order, with None for one that is gone."
    return filled(
        [first, "A view lags behind its table: what counts is there. They are read by their keys."], 8
    )


def _class_doc(model: ModelSchema) -> str:
    """The docstring of a repository: the model's own, where the rows are, and what holds of every call."""
    if model.view:
        return _view_doc(model)
    inherited = (*INHERITED, "append_many") if model.holds_events else INHERITED
    what = model.doc or f"Reads and writes the rows of {model.name}."
    where = f"Table {model.table}, row key ``{model.key.shape}``."
    inherits = f"{and_last([f'``{name}``' for name in inherited])} are inherited. {ERRORS}"
    return filled([what, where, inherits], 4)


def _view_doc(model: ModelSchema) -> str:
    view = model.view
    assert view is not None
    what = model.doc or f"Reads the rows of {model.name}."
    where = f"View {view.definition.id} of table {view.of_table}, row key ``{model.key.shape}``."
    if view.where:
        where = f"{where} Rows of the table where {view.where}."
    lags = "The service keeps it by itself, some time behind the table. Nothing is written to it."
    return filled([what, where, f"{lags} {ERRORS}"], 4)


def _key_doc(model: ModelSchema) -> str:
    """What the row key is made of, and how each part is written."""
    parts = [f"``{part.name}``: {' '.join(meaning_of(part.codec).split())}" for part in model.key.asked]
    parts += [f"``{name}``: a column, of which the key holds a hash" for name in model.key.hashed]
    return "\n".join([f"What the row key of {model.name} is made of.", "", *parts])


def _narrowing(model: ModelSchema, fields: Collection[str], entries: str) -> str:
    """What the parameters of a read of a row do that narrow it; ``entries`` is what that one does."""
    times = free("times", fields)
    phrases = [f"``{free('only', fields)}`` names the columns to read"] if model.columns else []
    phrases.append(
        f"``{times}`` is a pair of times, ``(start, end)``, between which its cells were written, None for an open end"
    )
    if any(map(removes, model.columns)):
        phrases.append(f"``{free('entries', fields)}`` {entries}")
    return "; ".join(phrases)


def _get_doc(model: ModelSchema, fields: Collection[str]) -> str:
    first = "The row of this key, or None where there is none."
    versions = f"; ``{free('versions', fields)}`` is how many of the newest versions of each history"
    has = any(column.versioned for column in model.columns)
    only = free("only", fields)
    entries = f"names the entries to read of mappings and sets, beside the other columns, or those that ``{only}`` names"
    more = (
        f"{_narrowing(model, fields, entries)}{versions if has else ''}. A row that has no such cell is also None: the server does not send it. With "
        f"times, a plain column has the newest value between them."
    )
    return filled([first, more], 8)


def _exists_doc(model: ModelSchema, fields: Collection[str]) -> str:
    first = "Whether there is a row of this key; its values are not sent."
    entries = "names entries of mappings and sets to look for"
    return filled([first, f"{_narrowing(model, fields, entries)}: whether it has such a cell."], 8)


def _names(model: ModelSchema, needed: Collection[Place], models: Sequence[ModelSchema]) -> Names:
    """The names for the types of a model, none of which hides another, or is hidden within a class."""
    used = {name: (module, name) for module, name in needed}
    used |= {name: ("builtins", name) for name in (*BUILT_IN, "super")}
    used |= {name: ("btmodel", name) for name in DATABASES}
    used |= {name: ("", name) for name in _declared_names(model)}
    places = [(model.module, model.name)]
    places += (
        [(model.view.of_module, model.view.of)] if model.view and model.view.kind is ViewKind.INDEX else []
    )
    return Names.of({*types(model), *sql_types(model, models), str}, places, hiding(model), used)


def _update_rows(model: ModelSchema, flavour: Flavour) -> str:
    """The parameter of ``update_many``; where it is too long, an item a line, which formatters leave alone."""
    types = [f"{model.name}Key", f"{model.name}Values"]
    kind = "AnyIterable" if flavour.async_ else "Iterable"
    line = f"rows: {kind}[tuple[{', '.join(types)}]],"
    if 8 + width(line) <= NARROW:
        return line
    return "\n".join([f"rows: {kind}[", indent(exploded("tuple[", types, "]"), "    "), "],"])


def _declared_names(model: ModelSchema) -> set[str]:
    """The names of what the module declares."""
    made = {
        f"{model.name}{end}" for end in ("Column", "Entries", "Event", "Expected", "Field", "Key", "Values")
    }
    made |= {row_name(model, query) for query in model.sql_queries}
    return made | {
        f"{prefix}{model.name}{end}" for prefix in ("", "Async") for end in ("Edit", "Repository", "Rows")
    }


def _refuse_names(model: ModelSchema, needed: Collection[Place]) -> None:
    """Refuse names that Python does not take, and those that would hide what the generated module uses."""
    fields = [part.name for part in model.key.asked]
    columns = [column.name for column in model.columns]
    queries = [*(query.name for query in model.queries), *(query.name for query in model.sql_queries)]
    for name in [model.name, *fields, *columns, *queries]:
        if not is_name(name):
            raise GenerationError(f"{model.name}: {name!r} is not a valid Python name; rename it")
    if is_private(model.name):
        raise GenerationError(
            f"{model.name}: Python changes names that begin with two underscores inside classes, "
            "and generated classes would have such names; rename the model"
        )
    for one in in_the_way(model):
        raise GenerationError(f"{model.name}.{one.name}: {one.why}")
    refuse_parameters(f"{model.module}.{model.name}", model)
    made, used = _declared_names(model), {*DATABASES, *(name for _, name in needed)}
    if made & used:
        raise GenerationError(
            f"{model.name}: generated code needs the name {min(made & used)} for something else; rename the model"
        )
    hidden = [name for name in [*fields, *columns] if name in made]
    hidden += [name for name in queries if name in {*made, *used, *BUILT_IN}]
    for name in hidden:
        raise GenerationError(f"{model.name}.{name}: generated code needs this name for a type; rename it")
