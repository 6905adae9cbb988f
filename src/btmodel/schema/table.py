"""Tables: what the models of one table ask of it together."""

from collections.abc import Iterable

from attrs import frozen

from btmodel.errors import DeclarationError
from btmodel.schema.family import Family
from btmodel.schema.model import ModelSchema


@frozen
class Table:
    """A table: its id, and its column families in the order of their ids."""

    id: str
    families: tuple[Family, ...]

    def family(self, id: str) -> Family | None:
        """The family called ``id``, or None."""
        return next((family for family in self.families if family.id == id), None)


def tables(models: Iterable[ModelSchema]) -> tuple[Table, ...]:
    """The tables that ``models`` need, in the order of their ids.

    A model whose table is named at run time (``SENSOR_{day}``) needs none before it is bound.

    Raises :class:`DeclarationError` where two models of one table state different GC
    rules for one family, or different aggregates.
    """
    families: dict[str, dict[str, tuple[ModelSchema, Family]]] = {}
    for model in models:
        if model.parameters:
            continue
        known = families.setdefault(model.table, {})
        for family in model.families:
            other, declared = known.setdefault(family.id, (model, family))
            if declared.gc != family.gc:
                raise DeclarationError(
                    f"table {model.table!r}, family {family.id!r}: {other.name} keeps {declared.gc}, "
                    f"{model.name} keeps {family.gc}; a family has one GC rule, so state the same in both"
                )
            if declared.aggregate is not family.aggregate:
                raise DeclarationError(
                    f"table {model.table!r}, family {family.id!r}: {_cells(other, declared)}, "
                    f"{_cells(model, family)}; a family aggregates in one way, so state the same in both"
                )
    return tuple(
        Table(id, tuple(known[name][1] for name in sorted(known))) for id, known in sorted(families.items())
    )


def _cells(model: ModelSchema, family: Family) -> str:
    what = "plain cells" if family.aggregate is None else f"aggregates ({family.aggregate.value})"
    return f"{model.name} declares {what}"
