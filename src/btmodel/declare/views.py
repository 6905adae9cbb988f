"""Views of a table that the service keeps by itself: indexes and rollups, as declared and as compiled to a schema."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from attrs import evolve, field, frozen

from btmodel.codecs.key import KeyCodec
from btmodel.declare.body import Attribute
from btmodel.declare.build import without_none
from btmodel.declare.declarations import (
    REQUIRED,
    ColumnDeclaration,
    ConstantDeclaration,
    KeyDeclaration,
    TakenDeclaration,
)
from btmodel.declare.keywords import Keywords, parse_keywords
from btmodel.declare.problems import Problems
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.schema import KeyField, Location, ModelSchema, Shape, Stamp, TableView, View, ViewKind
from btmodel.schema.column import Family
from btmodel.schema.gc import KeepAll
from btmodel.schema.limits import TABLE_ID, TABLE_ID_MEANING, VIEW_ROW_BYTES
from btmodel.schema.view import VIEW_FAMILY, VIEWS
from btmodel.value import Value
from btmodel.words import meant

KEYWORDS = ("of", "view", "where", "delimiter", "max_key", "allow", "deletion_protection")


@frozen(eq=False, repr=False)
class DeclaredView(Value):
    """The view that a class declares, before its schema is made: its keywords, and the model that it is of."""

    name: str
    kind: ViewKind
    id: str
    source: ModelSchema
    where: Mapping[str, object]
    protected: bool | None
    location: Location = field(eq=False)


def declared_view(name: str, kind: str, given: Mapping[str, Any], location: Location) -> DeclaredView:
    """The class keywords of a view. Raises :class:`DeclarationError`."""
    for one in given:
        if one not in KEYWORDS:
            raise DeclarationError(f"{name}: unknown class keyword of a view {one!r}{meant(one, KEYWORDS)}")
    source = vars(given["of"]).get("__schema__") if isinstance(given.get("of"), type) else None
    if not isinstance(source, ModelSchema):
        raise DeclarationError(
            f"{name}: of: expected the model of a table, as of=Order, got {shown(given.get('of'))}"
        )
    if source.view is not None:
        raise DeclarationError(
            f"{name}: of: {source.name} is itself a view, and the service has no views of views: name the model of the table, "
            f"{source.view.of}"
        )
    if source.parameters:
        raise DeclarationError(
            f"{name}: of: the table {source.table!r} of {source.name} is named at run time, and a view belongs to one table"
        )
    id, where, protected = given.get("view"), given.get("where", {}), given.get("deletion_protection")
    if not isinstance(id, str) or not TABLE_ID.fullmatch(id):
        raise DeclarationError(f"{name}: view: expected the id of the view ({TABLE_ID_MEANING}), got {id!r}")
    if not isinstance(where, Mapping):
        raise DeclarationError(
            f'{name}: where: expected attributes of {source.name} with values, as {{"status": Status.PAID}}, got {where!r}'
        )
    if protected is not None and type(protected) is not bool:
        raise DeclarationError(f"{name}: deletion_protection: expected True or False, got {protected!r}")
    return DeclaredView(name, ViewKind(kind), id, source, where, protected, location)


def keywords_of(view: DeclaredView, given: Mapping[str, Any], problems: Problems) -> Keywords:
    """The class keywords that it shares with models of tables."""
    plain = {name: given[name] for name in ("delimiter", "max_key", "allow") if name in given}
    made = parse_keywords(view.name, {"table": f"{VIEWS}{view.id}", **plain}, problems)
    return evolve(made, events=view.source.events)


def as_declared(
    view: DeclaredView, declared: Mapping[str, Attribute], problems: Problems
) -> dict[str, Attribute]:
    """The declarations of a class as those of a plain model: what is taken from the other model as key fields and columns."""
    family = Family(VIEW_FAMILY, KeepAll())
    found = {f"{VIEW_FAMILY}_": Attribute(family)}
    for name, attribute in declared.items():
        made = problems.one(partial(_as_declared, view, name, attribute, family), None)
        if made is not None:
            found[name] = made
    return found


def _as_declared(view: DeclaredView, name: str, attribute: Attribute, family: Family) -> Attribute:
    declaration = attribute.declaration
    match declaration:
        case TakenDeclaration(of=of, function=None):
            return attribute._replace(declaration=_copied(view, name, of or name, declaration, family))
        case TakenDeclaration() if view.kind is ViewKind.INDEX:
            raise DeclarationError(
                f"{declaration.location}: {view.name}.{name}: an index has a row for each row of {view.source.name}, and nothing is "
                "counted or summed up: declare it in a bt.Rollup"
            )
        case TakenDeclaration(of=of, function=function):
            _, codec = _aggregate(view, name, declaration)
            why = None if of is None or function in ("count", "distinct") else _why_absent(view, of)
            if why and not without_none(attribute.annotation)[1]:
                shown_type = getattr(attribute.annotation, "__name__", attribute.annotation)
                raise DeclarationError(
                    f"{declaration.location}: {view.name}.{name}: expected the annotation {shown_type} | None, got {shown_type}: {why}"
                )
            made = _column(name, codec, declaration.location, family, optional=why is not None)
            return attribute._replace(declaration=made)
        case KeyDeclaration():
            if (
                declaration.mirror is not None
                or declaration.default is not REQUIRED
                or not declaration.stored
            ):
                raise DeclarationError(
                    f"{declaration.location}: {view.name}.{name}: expected a key field without mirror=, default= and stored=, as no "
                    "program writes the rows of a view"
                )
            known = _figures_of(view, declaration.of or name, declaration.codec)
            return attribute._replace(
                declaration=evolve(declaration, of=None, figures={**known, **declaration.figures})
            )
        case ConstantDeclaration():
            return attribute
        case _ if hasattr(declaration, "query"):
            return attribute
    place = getattr(declaration, "location", view.location)
    raise DeclarationError(
        f"{place}: {view.name}.{name}: expected bt.key(...), bt.constant(...), bt.covered() or bt.query(...), or in a rollup bt.count() "
        "and its like: the rows of a view are made of those of a table"
    )


def _copied(
    view: DeclaredView, name: str, of: str, declaration: TakenDeclaration, family: Family
) -> KeyDeclaration | ColumnDeclaration:
    """The declaration of a copy: of a key field as a key field, of a column as a column."""
    model, place = view.source, f"{declaration.location}: {view.name}.{name}"
    for part in model.key.fields:
        if part.name == of:
            return _key_like(part, declaration.location)
    if view.kind is ViewKind.ROLLUP:
        raise DeclarationError(
            f"{place}: of the rows of a group, each may have another {of!r}: group by it, with bt.key(...), or take bt.min_of({of!r})"
        )
    with _at(place):
        _of(view, of, implied=declaration.of is None)
    column = next(column for column in model.columns if column.name == of)
    lacking = not column.required and not _leaves_out_lacking(view, of)
    sizes = {"size": column.expected.size, "max_size": column.expected.max_size}
    figures = {figure: value for figure, value in sizes.items() if value is not None}
    return evolve(
        _column(name, column.codec, declaration.location, family, optional=lacking), figures=figures
    )


def _key_like(part: KeyField, location: Location) -> KeyDeclaration:
    return KeyDeclaration(part.codec, None, REQUIRED, _figures(part), location)


def _figures_of(view: DeclaredView, of: str, codec: Any) -> dict[str, Any]:
    """What the table declares of the values that become a key field with this codec."""
    for part in view.source.key.fields:
        if part.name == of:
            figures = _figures(part)
            if part.codec != codec:
                figures.pop("size", None)  # of other bytes
            return figures
    for column in view.source.columns:
        values = column.expected.cardinality
        # A condition leaves fewer values, and other types have others, as the days of times.
        if column.name == of and values is not None and of not in view.where:
            return {"cardinality": values} if column.codec.python_type is codec.python_type else {}
    return {}


def _figures(part: KeyField) -> dict[str, Any]:
    """What is declared of the values of a key field, which is as true of its copy."""
    names = ("cardinality", "sequential", "domain", "tenant", "pii", "changes", "size")
    figures = {name: value for name in names if (value := getattr(part, name)) is not None}
    return figures if part.skew is None else {**figures, "skew": part.skew.text}


def _column(
    name: str, codec: Any, location: Location, family: Family, *, optional: bool
) -> ColumnDeclaration:
    default = None if optional else REQUIRED
    return ColumnDeclaration(Shape.VALUE, name.encode(), family, codec, default, {}, location)


def _why_absent(view: DeclaredView, of: str) -> str | None:
    """Why the rows of a group may give a function no value of ``of``; None where they always give one."""
    found = _of(view, of)
    if found.may_lack:
        return f"no row of a group may have {of!r}"
    if found.partial:
        return f"numbers of {view.source.name}.{of} that SQL cannot hold (in {shown(found.codec)}) count as absent"
    return None


class _at:
    """A context that puts the place in front of what is refused in it."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, DeclarationError) and not str(error).startswith(self._place):
            raise DeclarationError(f"{self._place}: {error}") from None


def _of(view: DeclaredView, name: str, *, implied: bool = False) -> Any:
    """The attribute of the table's model that is called ``name``; ``implied`` where no ``of=`` names it."""
    from btmodel.sql.views import source  # here: models of tables need no SQL

    known = {*view.source.attributes, *(part.name for part in view.source.key.fields)}
    try:
        return source(view.source, name)
    except DeclarationError as error:
        if not implied or name in known:
            raise
        raise DeclarationError(f"{error}: name the attribute that it is made of with of=") from None


def _aggregate(view: DeclaredView, name: str, declaration: TakenDeclaration) -> tuple[str, Any]:
    from btmodel.sql.views import aggregate

    with _at(f"{declaration.location}: {view.name}.{name}"):
        of = None if declaration.of is None else _of(view, declaration.of)
        assert declaration.function is not None
        return aggregate(declaration.function, of)


def with_view(
    view: DeclaredView, schema: ModelSchema, declared: Mapping[str, Attribute], problems: Problems
) -> ModelSchema:
    """The schema of the view's model with the view itself: its query, once it is known that the service can keep it.

    ``declared`` is the class as written. Raises :class:`DeclarationError` with all that is among ``problems``.
    """
    for part in schema.key.fields:
        if part.derived is not None:
            problems.one(partial(_refuse_derived, view, part), None)
    problems.one(partial(_refuse_key, view, schema, declared), None)
    problems.one(partial(_refuse_large, view, schema), None)
    for name in schema.attributes:
        problems.one(partial(_refuse_personal, view, declared, name), None)
    definition = problems.one(partial(_definition, view, schema, declared), None)
    problems.refuse()
    assert definition is not None
    made = View(
        view.kind,
        view.source.name,
        view.source.module,
        view.source.table,
        definition,
        tuple(_copies(schema, declared)),
        ", ".join(f"{name} = {shown(value)}" for name, value in view.where.items()),
        view.location,
        view.source,
        tuple(
            (column.name, _taken(declared, column.name))
            for column in schema.columns
            if view.kind is ViewKind.ROLLUP
        ),
        tuple(
            (name, attribute.declaration.function)
            for name, attribute in declared.items()
            if isinstance(attribute.declaration, TakenDeclaration) and attribute.declaration.function
        ),
    )
    return evolve(schema, view=made, stamp=Stamp(fixed=0))


def _taken(declared: Mapping[str, Attribute], name: str) -> str | None:
    """The attribute of the other model that ``name`` is made of; None of a constant, and of a count of rows."""
    match declared[name].declaration:
        case TakenDeclaration(of=of, function=None):
            return of or name
        case TakenDeclaration(of=of):
            return of
        case KeyDeclaration(of=of):
            return of or name
    return None


def _copies(schema: ModelSchema, declared: Mapping[str, Attribute]) -> Iterator[tuple[str, str]]:
    """The attributes that are just what those of the other model are."""
    for name in schema.attributes:
        declaration = declared[name].declaration
        of = _taken(declared, name)
        if of is not None and (
            isinstance(declaration, KeyDeclaration) or getattr(declaration, "function", None) is None
        ):
            yield name, of


def _refuse_derived(view: DeclaredView, part: KeyField) -> None:
    raise DeclarationError(
        f"{part.location}: {view.name}.{part.name}: SQL cannot compute a salt or a hash as btmodel does"
    )


def _refuse_key(view: DeclaredView, schema: ModelSchema, declared: Mapping[str, Attribute]) -> None:
    """Refuse an index whose keys do not distinguish the rows of the table: two rows would be one, with the values of either."""
    if view.kind is not ViewKind.INDEX:
        return
    model = view.source
    if model.key.sources or model.key.optional:
        why = "is made from what it does not hold" if model.key.sources else "may end before its last field"
        raise DeclarationError(
            f"{view.location}: {view.name}: the key of {model.name} {why}, so no index of it has every row by its key"
        )
    taken = {_taken(declared, part.name): part.codec for part in schema.key.fields}
    for part in model.key.asked:
        if taken.get(part.name) != part.codec:
            names = ", ".join(f"{key_field.name}" for key_field in model.key.asked)
            raise DeclarationError(
                f"{view.location}: {view.name}: expected the whole key of {model.name} ({names}) among its key fields, each as it is written "
                f"there, or two rows would be one: declare `{part.name}: {part.codec.python_type.__name__} = bt.covered()` behind the others"
            )


def _refuse_large(view: DeclaredView, schema: ModelSchema) -> None:
    sizes = {column.name: column.expected.max_size or column.codec.max_size for column in view.source.columns}
    of = {column.name: sizes.get(column.name) or 0 for column in schema.columns}
    if sum(of.values()) > VIEW_ROW_BYTES:
        largest = max(of, key=lambda name: of[name])
        raise DeclarationError(
            f"{view.location}: {view.name}: a row may have {sum(of.values()):,} bytes of values ({largest}: {of[largest]:,}), and the service "
            f"drops what is over {VIEW_ROW_BYTES:,} from a view: cover less, or state a smaller max_size="
        )


def _refuse_personal(view: DeclaredView, declared: Mapping[str, Attribute], name: str) -> None:
    of = _taken(declared, name)
    part = next((key_field for key_field in view.source.key.fields if key_field.name == of), None)
    if part is not None and part.pii:
        raise DeclarationError(
            f"{view.location}: {view.name}.{name}: {view.source.name}.{of} identifies a person (pii=True), and the service treats the "
            "values of views as service data, not as customer data: declare a second table, filled by bt.twins, instead"
        )


def _definition(view: DeclaredView, schema: ModelSchema, declared: Mapping[str, Attribute]) -> TableView:
    from btmodel.sql.views import Written, definition, written

    model = view.source
    parts: list[tuple[KeyField, Any]] = []
    for part in schema.key.fields:
        of = _taken(declared, part.name)
        if of is None:
            parts.append((part, Written("")))
            continue
        with _at(f"{part.location}: {view.name}.{part.name}"):
            found = _of(view, of, implied=of == part.name)
            if found.may_lack and not _leaves_out_lacking(view, of):
                raise DeclarationError(
                    f"a row of {model.name} may lack {of!r}, and would be in no row of the view: if that is meant, say so with "
                    f'where={{"{of}": bt.present()}}'
                )
            parts.append((part, written(schema.key, part, found)))
    taken = {part.name: _taken(declared, part.name) for part in schema.key.fields}
    cells = [(column.name, _expression(view, column.name, declared)) for column in schema.columns]
    where = [_condition(view, name, value) for name, value in view.where.items()]
    return TableView(view.id, definition(model, schema.key, parts, taken, cells, where), view.protected)


def _expression(view: DeclaredView, name: str, declared: Mapping[str, Attribute]) -> str:
    declaration = declared[name].declaration
    assert isinstance(declaration, TakenDeclaration)
    if declaration.function is None:
        return f"ANY_VALUE({_of(view, declaration.of or name).raw})"
    return _aggregate(view, name, declaration)[0]


def _leaves_out_lacking(view: DeclaredView, of: str) -> bool:
    """Whether the condition of the view leaves out the rows that lack an attribute: it has a value, or is there."""
    from btmodel.rows.comparisons import IsAbsent

    return of in view.where and not isinstance(view.where[of], IsAbsent)


def _condition(view: DeclaredView, name: str, value: object) -> str:
    from btmodel.rows.comparisons import IsAbsent, IsPresent
    from btmodel.sql import bytes_

    with _at(f"{view.location}: {view.name}: where: {name}"):
        found = _of(view, name)
        if isinstance(value, IsAbsent) and value.family is None:
            if not found.may_lack:
                raise DeclarationError(
                    f"every row of {view.source.name} has {name!r}, so the view would have no row"
                )
            return f"{found.raw} IS NULL"
        if isinstance(value, IsPresent) and value.family is None:
            return f"{found.raw} IS NOT NULL"
        codec: Any = found.codec
        encode: Callable[[object], bytes] = codec.encode
        try:
            raw = encode(value)
        except ValueRefused as error:
            raise DeclarationError(f"expected a value of it, bt.present() or bt.absent(): {error}") from None
        if not isinstance(codec, KeyCodec) and codec.decode(raw) != value:
            raise DeclarationError(f"expected a value that is stored as one row of bytes, got {shown(value)}")
        return f"{found.raw} = {bytes_(raw)}"
