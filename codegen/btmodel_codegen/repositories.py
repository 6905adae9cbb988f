"""Typed repositories: a class a model, synchronous and asynchronous from one template."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from btmodel.errors import GenerationError
from btmodel.schema import Access, AccessKind, KeyField, ModelSchema, Query, access
from btmodel_codegen.files import MARK
from btmodel_codegen.python_text import NARROW, docstring, exploded, fitted, imports, snake_case, type_name
from btmodel_codegen.render import render

RUNTIME = frozenset(
    {"AsyncEventRepository", "AsyncIterator", "AsyncRepository", "EventRepository", "Iterator", "Repository"}
)
TAKEN = frozenset(
    {"append", "append_many", "delete", "event", "events", "get", "key", "model", "put", "put_many"}
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


@frozen
class Parameter:
    """A parameter: its name, its type, its default (as source), and the field that it gives."""

    name: str
    type: str
    field: str
    default: str = ""

    @property
    def declared(self) -> str:
        """As it stands in a signature."""
        return f"{self.name}: {self.type}{self.default and f' = {self.default}'}"


@frozen
class Method:
    """The method of a declared query: ``values`` are the lines of the dict that it passes on."""

    name: str
    doc: str
    parameters: tuple[Parameter, ...]
    values: tuple[str, ...]
    limit: str


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
    key = tuple(
        Parameter(part.name, type_name(part.codec.python_type), part.name) for part in model.key.asked
    )
    events = model.holds_events
    methods = tuple(_method(model, query) for query in model.queries)
    return render(
        "repository.py.jinja",
        mark=MARK,
        model=model.name,
        origin=f"{model.module}.{model.name}",
        table=model.table,
        imports=_imports(model, events, bool(methods)),
        flavours=FLAVOURS,
        heads={flavour: _head(model, flavour, events) for flavour in FLAVOURS},
        module_doc=docstring(
            f"Repositories of {model.name}: typed reads and writes of table {model.table}.", 0
        ),
        doc=docstring(_class_doc(model), 4),
        key=_checked(model, key),
        methods=methods,
        event=_event(model) if events else None,
    )


def _head(model: ModelSchema, flavour: Flavour, events: bool) -> str:
    name = f"{flavour.prefix}{model.name}Repository"
    if not events:
        return fitted(f"class {name}(", [f"{flavour.prefix}Repository[{model.name}]"], "):")
    types = [model.name, f"{model.name}Event"]
    base = f"{flavour.prefix}EventRepository["
    line = f"class {name}({base}{', '.join(types)}]):"
    return line if len(line) <= NARROW else fitted(f"class {name}(", [exploded(base, types, "]")], "):")


def _class_doc(model: ModelSchema) -> str:
    return f"{model.doc or model.name}\n\nTable {model.table}, row key ``{model.key.shape}``."


def _imports(model: ModelSchema, events: bool, queries: bool) -> list[list[str]]:
    """Blocks of import lines: the standard library's, and the rest."""
    iterators = {flavour.iterator for flavour in FLAVOURS} if events or queries else set()
    types = {part.codec.python_type for part in model.key.asked}
    runtime = {f"{flavour.prefix}{'Event' if events else ''}Repository" for flavour in FLAVOURS}
    extra: dict[str, Iterable[str]] = {"btmodel.repository": runtime}
    if events:
        types |= {column.codec.python_type for column in model.series}
        extra["datetime"] = {"datetime"}
        extra["attrs"] = {"frozen"}
    if iterators:
        extra["collections.abc"] = iterators
    extra.setdefault(model.module, set())
    extra[model.module] = {*extra[model.module], model.name}
    lines = imports(types, extra)
    first = [
        line
        for line in lines
        if line.split()[1] in ("collections.abc", "datetime", "decimal", "uuid", "enum")
    ]
    return [block for block in (first, [line for line in lines if line not in first]) if block]


def _method(model: ModelSchema, query: Query) -> Method:
    if query.name in TAKEN or query.name.startswith("_"):
        raise GenerationError(
            f"{model.name}.{query.name}: a repository has a method of this name; rename the query"
        )
    found = access(model.key, query)
    if not isinstance(found, Access):
        raise GenerationError(f"{model.name}.{query.name}: no key serves it: {found.why}")
    given = tuple(
        Parameter(part.name, type_name(part.codec.python_type), part.name)
        for part in found.prefix
        if not part.constant
    )
    taken = {parameter.name for parameter in given}
    pairs = tuple(f'"{parameter.field}": {parameter.name}' for parameter in given)
    ends: tuple[Parameter, ...] = ()
    if found.between is not None:
        ends = _ends(found.between, taken)
        pairs += (f'"{found.between.name}": ({ends[0].name}, {ends[1].name})',)
    limit = "limit" if "limit" not in taken else "most_rows"
    values = ("{", *(f"    {pair}," for pair in pairs), "},") if pairs else ("{},",)
    return Method(query.name, docstring(_query_doc(found), 8), _checked(model, given + ends), values, limit)


def _ends(field: KeyField, taken: set[str]) -> tuple[Parameter, ...]:
    """The parameters for the ends of a range: ``start`` and ``end``, unless a field has such a name."""
    clear = not taken & {"start", "end"}
    names = ("start", "end") if clear else (f"{field.name}_start", f"{field.name}_end")
    type_ = f"{type_name(field.codec.python_type)} | None"
    return tuple(Parameter(name, type_, field.name, "None") for name in names)


def _query_doc(found: Access) -> str:
    given = " and ".join(part.name for part in found.prefix if not part.constant)
    match found.kind:
        case AccessKind.POINT:
            return "The row of this key, if it is there."
        case AccessKind.PREFIX:
            return f"The rows of one {given}, in key order."
        case AccessKind.RANGE:
            assert found.between is not None
            of = f" of one {given}" if given else ""
            return f"The rows{of} with ``start <= {found.between.name} < end``, in key order; None leaves an end open."
        case AccessKind.SCAN:
            return "Every row, in key order."


def _refuse_clashes(model: ModelSchema) -> None:
    """Refuse names that would hide, in the generated module, a type or a class that it uses."""
    events = model.holds_events
    types = {part.codec.python_type for part in model.key.asked} | {int}
    types |= {column.codec.python_type for column in model.series} if events else set()
    used = {*map(type_name, types), *RUNTIME, "datetime", "frozen"}
    if model.name in used or f"{model.name}Event" in used:
        raise GenerationError(
            f"{model.name}: generated code needs this name for something else; rename the model"
        )
    inside = [query.name for query in model.queries]
    inside += [column.name for column in model.series] if events else []
    inside += [part.name for part in model.key.asked] if events else []
    for name in inside:
        if name in used | {model.name}:
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
    fields = tuple(
        Parameter(part.name, type_name(part.codec.python_type), part.name)
        for part in model.key.asked
        if part != bucket
    )
    values = tuple(
        Parameter(column.name, f"{type_name(column.codec.python_type)} | None", column.name, "None")
        for column in model.series
    )
    clash = {"at", "start", "end"} & {parameter.name for parameter in (*fields, *values)}
    if clash:
        raise GenerationError(
            f"{model.name}.{min(clash)}: events have a field of this name; rename the attribute"
        )
    doc = docstring(f"One event of {model.name}: what was read at one time. None stands for no reading.", 4)
    return EventView(f"{model.name}Event", doc, _checked(model, fields), values, model.bucket.value)


def _checked(model: ModelSchema, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    for parameter in parameters:
        if parameter.name == "self":
            raise GenerationError(f"{model.name}.self: no parameter can have this name; rename the key field")
    return parameters
