"""Tables: what the models of one table ask of it together."""

from collections.abc import Iterable, Sequence

import attrs
from attrs import frozen

from btmodel.errors import DeclarationError
from btmodel.schema.family import Family
from btmodel.schema.layout import Layout, layout_of
from btmodel.schema.model import ModelSchema
from btmodel.schema.settings import UNSTATED, TableSettings


@frozen
class Table:
    """A table: its id, its column families in the order of their ids, its settings, and what lies in it.

    ``layouts`` are those of its models, in the order of their names; of a live table, those that were
    recorded when it was migrated last. ``renamed_from`` is the id of the table whose rows it takes over.
    """

    id: str
    families: tuple[Family, ...]
    settings: TableSettings = UNSTATED
    layouts: tuple[Layout, ...] = ()
    renamed_from: str | None = attrs.field(default=None, eq=False)

    def family(self, id: str) -> Family | None:
        """The family called ``id``, or None."""
        return next((family for family in self.families if family.id == id), None)


def tables(models: Iterable[ModelSchema]) -> tuple[Table, ...]:
    """The tables that ``models`` need, in the order of their ids.

    A model whose table is named at run time (``SENSOR_{day}``) needs none before it is bound.

    Raises :class:`DeclarationError` where two models of one table state different GC
    rules for one family, different aggregates, or different settings of the table.
    """
    groups: dict[str, list[ModelSchema]] = {}
    for model in models:
        if not model.parameters:
            groups.setdefault(model.table, []).append(model)
    return tuple(_table(id, group) for id, group in sorted(groups.items()))


def _table(id: str, models: Sequence[ModelSchema]) -> Table:
    renamed = {model.renamed_from: model for model in models if model.renamed_from is not None}
    if len(renamed) > 1:
        raise DeclarationError(
            f"table {id!r}: {' and '.join(f'{one.name} renames it from {old!r}' for old, one in renamed.items())}"
            "; it takes over the rows of one table, so state the same in all"
        )
    layouts = sorted(
        (layout_of(model) for model in models if not model.live), key=lambda layout: layout.model
    )
    return Table(id, _families(id, models), _settings(id, models), tuple(layouts), next(iter(renamed), None))


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
            if declared.renamed_from is None:
                known[family.id] = (other, attrs.evolve(declared, renamed_from=family.renamed_from))
    return tuple(known[name][1] for name in sorted(known))


def _settings(id: str, models: Sequence[ModelSchema]) -> TableSettings:
    """What the models state of their table together."""
    stated: dict[str, tuple[ModelSchema, object]] = {}
    for model in models:
        for name, value in attrs.asdict(model.settings).items():
            if value is None:
                continue
            other, known = stated.setdefault(name, (model, value))
            if known != value:
                raise DeclarationError(
                    f"table {id!r}, {name}: {other.name} states {known}, {model.name} states {value}; "
                    "it is a setting of the table, so state the same in both, or in one alone"
                )
    return TableSettings(**{name: value for name, (_, value) in stated.items()})  # type: ignore[arg-type]


def _cells(model: ModelSchema, family: Family) -> str:
    what = "plain cells" if family.aggregate is None else f"aggregates ({family.aggregate.value})"
    return f"{model.name} declares {what}"
