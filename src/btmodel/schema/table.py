"""A table: what all its models declare together."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from attrs import asdict, evolve, field, frozen

from btmodel.errors import DeclarationError, QueryRefused
from btmodel.schema.column import Family, refuse_families
from btmodel.schema.layout import Layout, layout_of
from btmodel.schema.model import UNSTATED, ModelSchema, TableSettings
from btmodel.schema.names import are_alike, placeholders
from btmodel.schema.view import AuthorizedView, SchemaBundle, TableView, bundle_of, views_of
from btmodel.value import Value


def table_renamed_from(id: str, models: Sequence[ModelSchema]) -> str | None:
    """The id of the table whose rows the table called ``id`` takes over, as its ``models`` state it.

    Raises :class:`DeclarationError` where they state different ones.
    """
    renamed = {model.renamed_from: model for model in models if model.renamed_from is not None}
    if len(renamed) > 1:
        stated = " and ".join(f"{model.name} renames it from {old!r}" for old, model in renamed.items())
        raise DeclarationError(
            f"table {id!r}: {stated}; it takes over the rows of one table, so state the same in all"
        )
    return next(iter(renamed), None)


def refuse_tables(former: Mapping[str, str | None]) -> None:
    """Refuse ``former``, the former id of each table that is declared, where it cannot have been like that."""
    taken: dict[str, str] = {}
    for id, old in former.items():
        if old is None:
            continue
        if old in former:
            raise DeclarationError(
                f"table {id!r}: renamed_from: {old!r} is also declared, so it was not renamed: "
                "leave out the models of one of them, or the renaming"
            )
        if old in taken:
            raise DeclarationError(f"table {id!r}: renamed_from: {taken[old]!r} takes over {old!r} already")
        taken[old] = id


@frozen(eq=False, repr=False)
class Table(Value):
    """A table: its id, its column families in the order of their ids, its settings, and what lies in it.

    One whose id has names in braces (``SENSOR_{day}``) is a template: it stands for every table whose id it can become.
    ``layouts`` are those of its models, in the order of their names; of a live table, those that were
    recorded when it was migrated last. ``renamed_from`` is the id of the table whose rows it takes over, ``existing``
    whether a model declares that it has rows already, ``moved_from`` the id of the table whose rows get other keys in it.
    ``views`` are those that the service keeps of it, ``authorized`` its authorized views, and ``bundles`` the schemas that SQL reads its
    cells by, each in the order of their ids.
    """

    id: str
    families: tuple[Family, ...]
    settings: TableSettings = UNSTATED
    layouts: tuple[Layout, ...] = ()
    renamed_from: str | None = field(default=None, eq=False)
    existing: bool = field(default=False, eq=False)
    moved_from: str | None = field(default=None, eq=False)
    views: tuple[TableView, ...] = ()
    authorized: tuple[AuthorizedView, ...] = ()
    bundles: tuple[SchemaBundle, ...] = ()

    def family(self, id: str) -> Family | None:
        """The family called ``id``, or None."""
        return next((family for family in self.families if family.id == id), None)


def tables(models: Iterable[ModelSchema]) -> tuple[Table, ...]:
    """The tables that ``models`` need, in the order of their ids.

    A model whose table, or a family of it, is named at run time (``SENSOR_{day}``) needs none before it is bound.

    Raises :class:`DeclarationError` where two models of one table state different GC
    rules for one family, different aggregates, or different settings of the table; where a row key schema is
    asked for that Bigtable's encodings cannot express; and for renamings of what is still declared.
    """
    return tables_and_templates(model for model in models if not model.parameters)


def named_tables(models: Sequence[ModelSchema], parameters: Mapping[str, str]) -> tuple[Table, ...]:
    """The tables of ``models``, their names completed: each model takes those of ``parameters`` that it has.

    Raises :class:`QueryRefused` where a model lacks a parameter, and for one that no model has.
    """
    known = {name for model in models for name in model.parameters}
    if not parameters.keys() <= known:
        raise QueryRefused(
            f"{', '.join(model.name for model in models)}: expected the parameters {', '.join(sorted(known)) or 'none'}, "
            f"got {', '.join(parameters)}"
        )
    return tables(
        model.bound({name: value for name, value in parameters.items() if name in model.parameters})
        for model in models
    )


def tables_and_templates(models: Iterable[ModelSchema]) -> tuple[Table, ...]:
    """The tables that ``models`` need, and those that they name at run time, with the braces in the ids of tables and families.

    In the order of their ids, each with the views that ``models`` declare of it. Raises what :func:`tables` does, and
    :class:`DeclarationError` for two templates that name the same tables, for a view of a table that none of ``models`` has, and for
    more views of one than the service keeps.
    """
    models = tuple(models)
    groups = by_table(models)
    views = [model.view for model in models if model.view]
    for view in views:
        if view.of_table not in groups:
            raise DeclarationError(
                f"view {view.definition.id!r}: it is of table {view.of_table!r}, which no model here declares: name {view.of} as well"
            )
    found = tuple(
        evolve(table, views=views_of(id, [view.definition for view in views if view.of_table == id]))
        for id, group in groups.items()
        for table in (_table(id, group),)
    )
    refuse_tables({table.id: table.renamed_from for table in found})
    _refuse_alike(groups)
    return found


def settled_tables(models: Iterable[ModelSchema]) -> tuple[Table, ...]:
    """The tables that ``models`` declare, but for those whose rows move to others: these belong to revisions alone."""
    return tables_and_templates(model for model in models if model.moved_to is None)


def by_table(models: Iterable[ModelSchema]) -> dict[str, list[ModelSchema]]:
    """The models of each table, in the order of the ids of tables; those of views are left out."""
    groups: dict[str, list[ModelSchema]] = {}
    for model in models:
        if model.view is None:
            groups.setdefault(model.table, []).append(model)
    return dict(sorted(groups.items()))


def refuse_renamings(declared: Sequence[Table]) -> None:
    """Raise :class:`DeclarationError` where tables, or families of one, of ``declared`` are renamed as cannot have been."""
    refuse_tables({table.id: table.renamed_from for table in declared})
    for table in declared:
        refuse_families(table.id, table.families)


def _refuse_alike(groups: Mapping[str, Sequence[ModelSchema]]) -> None:
    templates = [id for id in groups if placeholders(id)]
    for one, other in combinations(templates, 2):
        if are_alike(one, other):
            raise DeclarationError(
                f"{groups[one][0].name} is in the tables {one!r}, {groups[other][0].name} in {other!r}, which are the "
                "same tables: use the same names in braces in both"
            )


def _table(id: str, models: Sequence[ModelSchema]) -> Table:
    layouts = sorted(
        (layout_of(model) for model in models if not model.undeclared), key=lambda layout: layout.model
    )
    settings = evolve(_settings(id, models), row_key_schema=_key_schema(id, models))
    existing = any(model.existing for model in models)
    former = table_renamed_from(id, models)
    moved = _moved_from(id, models)
    return Table(
        id,
        _families(id, models),
        settings,
        tuple(layouts),
        former,
        existing,
        moved,
        authorized=_authorized(id, models),
        bundles=_bundles(id, models),
    )


def _authorized(id: str, models: Sequence[ModelSchema]) -> tuple[AuthorizedView, ...]:
    known: dict[str, tuple[ModelSchema, AuthorizedView]] = {}
    for model in models:
        for view in model.authorized:
            other, declared = known.setdefault(view.id, (model, view))
            if declared != view:
                raise DeclarationError(
                    f"table {id!r}: {other.name} declares the authorized view {view.id!r} as {declared}, {model.name} as {view}: state "
                    "the same in both, or in one alone"
                )
    return tuple(known[name][1] for name in sorted(known))


def _bundles(id: str, models: Sequence[ModelSchema]) -> tuple[SchemaBundle, ...]:
    """The schema bundle that a model of the table states, with the messages of all models of the table."""
    stated = {model.schema_bundle: model.name for model in models if model.schema_bundle is not None}
    if len(stated) > 1:
        said = " and ".join(f"{name} states {bundle!r}" for bundle, name in stated.items())
        raise DeclarationError(
            f"table {id!r}, schema_bundle: {said}: state the same in both, or in one alone"
        )
    messages = [message for model in models for column in model.columns for message in column.messages]
    return tuple(bundle_of(bundle, messages) for bundle in stated)


def _moved_from(id: str, models: Sequence[ModelSchema]) -> str | None:
    """The id of the table whose rows move to this one, as one of its models states it."""
    moved = sorted({model.moved_from for model in models if model.moved_from is not None})
    if len(moved) > 1:
        raise DeclarationError(f"table {id!r}: moved_from: expected one table, got {' and '.join(moved)}")
    return next(iter(moved), None)


def _families(id: str, models: Sequence[ModelSchema]) -> tuple[Family, ...]:
    known: dict[str, tuple[ModelSchema, Family]] = {}
    for model in models:
        for family in model.families:
            other, declared = known.setdefault(family.id, (model, family))
            if declared.gc != family.gc:
                raise DeclarationError(
                    f"table {id!r}, family {family.id!r}: {other.name} keeps {declared.gc}, "
                    f"{model.name} keeps {family.gc}; a family has one GC rule, so state the same in both"
                )
            if declared.aggregate is not family.aggregate:
                raise DeclarationError(
                    f"table {id!r}, family {family.id!r}: {_cells(other, declared)}, "
                    f"{_cells(model, family)}; a family aggregates in one way, so state the same in both"
                )
            if None not in (declared.renamed_from, family.renamed_from) and (
                declared.renamed_from != family.renamed_from
            ):
                raise DeclarationError(
                    f"table {id!r}, family {family.id!r}: {other.name} renames it from "
                    f"{declared.renamed_from!r}, {model.name} from {family.renamed_from!r}; "
                    "it takes over the cells of one family, so state the same in both"
                )
            if declared.renamed_from is None:
                known[family.id] = (other, evolve(declared, renamed_from=family.renamed_from))
    families = tuple(known[name][1] for name in sorted(known))
    refuse_families(id, families)
    return families


def _settings(id: str, models: Sequence[ModelSchema]) -> TableSettings:
    """What the models state of their table together."""
    stated: dict[str, tuple[ModelSchema, object]] = {}
    for model in models:
        for name, value in asdict(model.settings).items():
            if value is None:
                continue
            other, known = stated.setdefault(name, (model, value))
            if known != value:
                raise DeclarationError(
                    f"table {id!r}, {name}: {other.name} states {known}, {model.name} states {value}; "
                    "it is a setting of the table, so state the same in both, or in one alone"
                )
    return TableSettings(**{name: value for name, (_, value) in stated.items()})  # type: ignore[arg-type]


def _key_schema(id: str, models: Sequence[ModelSchema]) -> str | None:
    """The row key schema of the table as text, empty where it is stated that there is none; None where nothing is."""
    stated = {model.row_key_schema: model for model in models if model.row_key_schema is not None}
    if len(stated) > 1:
        raise DeclarationError(
            f"table {id!r}, row_key_schema: {stated[True].name} states one, {stated[False].name} states none; "
            "it is a setting of the table, so state the same in both, or in one alone"
        )
    if True not in stated:
        return "" if stated else None
    # Few tables have one, and it knows many codecs, which would be loaded with every model.
    from btmodel.schema.key_schema import key_schema_text, row_key_schema

    schema, reasons = row_key_schema(models)
    if schema is None:
        raise DeclarationError(
            f"table {id!r}, row_key_schema: Bigtable's encodings cannot express its key: {'; '.join(reasons)}"
        )
    return key_schema_text(schema)


def _cells(model: ModelSchema, family: Family) -> str:
    what = "plain cells" if family.aggregate is None else f"aggregates ({family.aggregate.value})"
    return f"{model.name} declares {what}"
