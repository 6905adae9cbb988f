"""Signatures: the parameters that generated methods take, and what they hand on."""

from collections.abc import Collection, Iterable, Sequence

from attrs import evolve, frozen

from btmodel.errors import GenerationError
from btmodel.schema import Access, AccessKind, KeyField, ModelSchema, Query, access
from btmodel.schema.checks import Arguments, arguments
from btmodel_codegen.naming import Names, spelt
from btmodel_codegen.python_text import and_last, docstring

# Methods of tuples: type checkers refuse fields of these names, Python does not. A key is a tuple, to be made fast, compared
# with others and taken apart, and never counted with. The second comment is for those that have pyright ignore the first.
OF_TUPLES = ("count", "index")
AS_FIELD = "  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleMethodOverride]"


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

    @property
    def as_field(self) -> str:
        """As it stands in the body of a named tuple."""
        return f"{self.declared}{AS_FIELD if self.name in OF_TUPLES else ''}"


@frozen
class QueryMethod:
    """The method of a declared query: ``values`` are the lines of the dict that it passes on."""

    name: str
    doc: str
    parameters: tuple[Parameter, ...]
    keywords: tuple[Parameter, ...]
    values: tuple[str, ...]


def key_parameters(model: ModelSchema, names: Names) -> tuple[Parameter, ...]:
    """What a row key is made of: the fields that a row must give, and the columns that a field is made from."""
    fields = tuple(_key_parameter(part, names, default=not model.key.hashed) for part in model.key.asked)
    return fields + tuple(_hashed(model, name, names) for name in model.key.hashed)


def given(model: ModelSchema, names: Names, chosen: Collection[str]) -> tuple[Parameter, ...]:
    """The parameters for some of what a row key is made of, which must be given."""
    fields = tuple(
        _key_parameter(part, names, default=False) for part in model.key.asked if part.name in chosen
    )
    return fields + tuple(_hashed(model, name, names) for name in model.key.hashed if name in chosen)


def several(parameters: Iterable[Parameter]) -> tuple[Parameter, ...]:
    """The same parameters, each of which also takes a list of values."""
    return tuple(evolve(parameter, type=f"OneOrMany[{parameter.type}]") for parameter in parameters)


def method(model: ModelSchema, query: Query, types: Names) -> QueryMethod:
    """The method of a declared query."""
    found = access(model.key, query)
    if not isinstance(found, Access):
        raise GenerationError(f"{model.name}.{query.name}: the key does not serve it: {found.why}")
    named = arguments(query, found)
    asked = several(given(model, types, query.equal))
    pairs = list(map(handed_on, asked))
    keywords: tuple[Parameter, ...] = ()
    if found.between is not None and named.closed is not None:
        field = found.between
        ends = _ends(field, named.ends, types)
        pairs.append(f'"{field.name}": ({", ".join((*named.ends, named.closed))})')
        asked, keywords = asked + ends, (Parameter(named.closed, "Closed", field.name, '"[)"'),)
    if found.starting is not None and named.starting is not None:
        field = found.starting
        start = Parameter(named.starting, types.type(field.codec.python_type), field.name)
        pairs.append(handed_on(start))
        asked += (start,)
    return QueryMethod(query.name, docstring(_doc(found, named, query), 8), asked, keywords, lines_of(pairs))


def handed_on(parameter: Parameter) -> str:
    """A parameter as an item of the dict that a method passes on."""
    return f'"{parameter.field}": {parameter.name}'


def lines_of(pairs: Sequence[str]) -> tuple[str, ...]:
    """A dict as the last argument of a call, an item a line."""
    return ("{", *(f"    {pair}," for pair in pairs), "},") if pairs else ("{},",)


def _key_parameter(part: KeyField, names: Names, *, default: bool) -> Parameter:
    type_ = names.type(part.codec.python_type)
    if not part.optional:
        return Parameter(part.name, type_, part.name)
    return Parameter(part.name, f"{type_} | None", part.name, "None" if default else "")


def _hashed(model: ModelSchema, name: str, names: Names) -> Parameter:
    column = next(column for column in model.columns if column.name == name)
    return Parameter(name, names.type(spelt(column.codec.annotation)), name)


def _ends(field: KeyField, names: tuple[str, ...], types: Names) -> tuple[Parameter, ...]:
    """The parameters for the ends of a range."""
    type_ = f"{types.type(field.codec.python_type)} | None"
    return tuple(Parameter(name, type_, field.name, "None") for name in names)


def _doc(found: Access, named: Arguments, query: Query) -> str:
    of = f" of one {and_last(named.equal)}" if named.equal else ""
    order = "the newest first" if query.newest else "in key order"
    if found.scattered is not None:
        order += f" but for {found.scattered.name}"
    doc = _rows_of(found, named, of, order)
    if query.equal:
        doc += "\n\nA list in the place of a value asks for the rows of several values in one read."
    return f"{doc}\n\nReads {', '.join(query.only)} alone." if query.only else doc


def _rows_of(found: Access, named: Arguments, of: str, order: str) -> str:
    if found.between is not None:
        start, end = named.ends
        return (
            f"The rows{of} with ``{start} <= {found.between.name} < {end}``, {order}.\n\n"
            f"None leaves an end open. ``{named.closed}`` says which ends belong to the range, as in mathematics."
        )
    if found.starting is not None:
        return f"The rows{of} whose {found.starting.name} begins with ``{named.starting}``, {order}."
    match found.kind:
        case AccessKind.POINT if found.scattered is None:
            return "The row of this key, if it is there."
        case AccessKind.SCAN:
            return "Every row, in key order."
        case _:
            return f"The rows{of}, {order}."
