"""Typed repositories: a class a model, synchronous and asynchronous from one template."""

import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from btmodel.errors import GenerationError
from btmodel.schema import ModelSchema
from btmodel_codegen.files import MARK
from btmodel_codegen.python_text import (
    NARROW,
    bound_name,
    classes,
    docstring,
    exploded,
    fitted,
    imports,
    snake_case,
    type_name,
)
from btmodel_codegen.render import render
from btmodel_codegen.signatures import Method, Parameter, checked, key_parameters, method

RUNTIME = frozenset(
    {
        "AsyncEventRepository",
        "AsyncIterator",
        "AsyncRepository",
        "AsyncRows",
        "Closed",
        "EventRepository",
        "Iterator",
        "Literal",
        "NamedTuple",
        "OnError",
        "Repository",
        "Rows",
        "Sequence",
        "frozen",
    }
)


@frozen
class Flavour:
    """What sync and async code spell differently."""

    prefix: str
    async_: str
    await_: str
    iterator: str


FLAVOURS = (
    Flavour("", "", "return ", "Iterator"),
    Flavour("Async", "async ", "return await ", "AsyncIterator"),
)


def files(models: Sequence[ModelSchema]) -> dict[str, str]:
    """A module for each model, and the package that holds them."""
    texts = {"__init__.py": f'"""{MARK}: repositories and table definitions."""\n'}
    for model in models:
        name = f"{snake_case(model.name)}_repository.py"
        if name in texts:
            raise GenerationError(
                f"two models would be written to {name}: rename {model.module}.{model.name}"
            )
        texts[name] = _module(model)
    return texts


def _module(model: ModelSchema) -> str:
    _refuse_clashes(model)
    key = key_parameters(model)
    methods = tuple(method(model, query) for query in model.queries)
    return render(
        "repository.py.jinja",
        mark=MARK,
        model=model.name,
        origin=f"{model.module}.{model.name}",
        imports=_imports(model, methods),
        flavours=FLAVOURS,
        heads={flavour: _head(model, flavour) for flavour in FLAVOURS},
        rows={flavour: _rows(model, flavour) for flavour in FLAVOURS},
        module_doc=docstring(
            f"Repositories of {model.name}: typed reads and writes of table {model.table}.", 0
        ),
        doc=docstring(_class_doc(model), 4),
        key_doc=docstring(f"What the row key of {model.name} is made of.", 4),
        key=key,
        columns=_columns(model),
        only="only" if "only" not in {parameter.name for parameter in key} else "only_columns",
        methods=methods,
        event=_event(model) if model.holds_events else None,
    )


def _head(model: ModelSchema, flavour: Flavour) -> str:
    name = f"{flavour.prefix}{model.name}Repository"
    types = [model.name, f"{model.name}Key"] + ([f"{model.name}Event"] if model.holds_events else [])
    base = f"{flavour.prefix}{'Event' if model.holds_events else ''}Repository["
    line = f"class {name}({base}{', '.join(types)}]):"
    return line if len(line) <= NARROW else fitted(f"class {name}(", [exploded(base, types, "]")], "):")


def _rows(model: ModelSchema, flavour: Flavour) -> str:
    """The end of the signature of a query's method."""
    return fitted(f") -> {flavour.prefix}Rows[", [model.name, f"{model.name}Key"], "]:", within=4)


def _columns(model: ModelSchema) -> str | None:
    """The type of the names of the columns, or None where the model has none."""
    names = [f'"{column.name}"' for column in model.columns]
    return fitted(f"{model.name}Column = Literal[", names, "]") if names else None


def _class_doc(model: ModelSchema) -> str:
    return f"{model.doc or model.name}\n\nTable {model.table}, row key ``{model.key.shape}``."


def _types(model: ModelSchema) -> set[Any]:
    """The types that signatures are annotated with."""
    types = {part.codec.python_type for part in model.key.asked}
    types |= {column.codec.python_type for column in model.columns if column.name in model.key.hashed}
    if model.holds_events:
        types |= {datetime, *(column.value_type for column in model.series)}
    return types


def _imports(model: ModelSchema, methods: Sequence[Method]) -> list[list[str]]:
    """Blocks of import lines: the standard library's, and the rest."""
    extra: dict[str, set[str]] = {"typing": {"NamedTuple"}, "collections.abc": set()}
    base = "EventRepository" if model.holds_events else "Repository"
    extra["btmodel.repository"] = {f"{flavour.prefix}{base}" for flavour in FLAVOURS}
    if model.columns:
        extra["typing"] |= {"Literal"}
        extra["collections.abc"] |= {"Sequence"}
    if methods:
        extra["btmodel.repository"] |= {f"{flavour.prefix}Rows" for flavour in FLAVOURS}
    if any(one.keywords for one in methods):
        extra["btmodel.repository"] |= {"Closed"}
    if model.holds_events:
        extra["collections.abc"] |= {flavour.iterator for flavour in FLAVOURS}
        extra["attrs"] = {"frozen"}
        extra["btmodel.repository"] |= {"OnError"}
    extra.setdefault(model.module, set()).add(model.name)
    lines = imports(_types(model), {module: names for module, names in extra.items() if names})
    first = [line for line in lines if line.split()[1].partition(".")[0] in sys.stdlib_module_names]
    return [block for block in (first, [line for line in lines if line not in first]) if block]


def _refuse_clashes(model: ModelSchema) -> None:
    """Refuse names that would hide, in the generated module, a type or a class that it uses."""
    types: dict[str, Any] = {}
    for class_ in sorted(classes(_types(model)), key=lambda one: (one.__module__, one.__qualname__)):
        name = bound_name(class_)
        if types.setdefault(name, class_.__module__) != class_.__module__ or name in RUNTIME:
            raise GenerationError(
                f"{model.name}: generated code needs the name {name} for more than {class_.__module__}.{name}; "
                "rename the class"
            )
    made = {f"{model.name}{end}" for end in ("Column", "Event", "Key", "Repository")}
    made |= {f"Async{model.name}Repository"}
    used = {*types, "int", *RUNTIME, "datetime"}
    if model.name in used or made & used:
        raise GenerationError(
            f"{model.name}: generated code needs this name for something else; rename the model"
        )
    fields = {part.name for part in model.key.asked} | set(model.key.hashed)
    inside = {query.name for query in model.queries}
    if model.holds_events:
        inside |= fields | {column.name for column in model.series}
    for name in sorted(inside | fields):
        if name in made | {model.name} or (name in inside and name in used):
            raise GenerationError(
                f"{model.name}.{name}: generated code needs this name for a type; rename it"
            )


@frozen
class EventView:
    """What the template prints of a model's events."""

    name: str
    doc: str
    fields: tuple[Parameter, ...]
    values: tuple[Parameter, ...]
    bucket: str


def _event(model: ModelSchema) -> EventView:
    bucket = model.bucket_field
    assert bucket is not None
    assert model.bucket is not None
    fields = tuple(one for one in key_parameters(model) if one.field != bucket.name)
    values = tuple(
        Parameter(column.name, f"{type_name(column.value_type)} | None", column.name, "None")
        for column in model.series
    )
    clash = {"at", "start", "end", "on_error"} & {parameter.name for parameter in (*fields, *values)}
    if clash:
        raise GenerationError(
            f"{model.name}.{min(clash)}: events have a field of this name; rename the attribute"
        )
    doc = docstring(f"One event of {model.name}: what was read at one time. None stands for no reading.", 4)
    return EventView(f"{model.name}Event", doc, checked(model, fields), values, model.bucket.value)
