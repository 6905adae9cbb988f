"""Attributes that one branch keeps in other columns, while another branch changed how, or where, their cells are written.

Each cell by itself has no conflict then: the one branch adds a column, and the other changes that of before. But an attribute has its
cells in one column, and the step of a branch moves all of them there.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

Cells = Mapping[str, str]  # the codecs of cells, by their families and qualifiers


@frozen
class Contradiction:
    """An ``attribute`` of a ``model`` whose cells two branches keep in different columns."""

    model: str
    attribute: str
    left: Cells
    right: Cells

    @property
    def place(self) -> str:
        """``model Quote, attribute bid``."""
        return f"model {self.model}, attribute {self.attribute}"

    @property
    def sides(self) -> tuple[str, str]:
        """Where each branch has it: ``MD:BID value Int64()``."""
        return _shown(self.left), _shown(self.right)

    def settle(self, joined: dict[str, Any], winner: Mapping[str, Any]) -> None:
        """Give the table ``joined`` the cells of the attribute as those of ``winner`` are."""
        model, of_winner = joined["models"][self.model], winner["models"][self.model]
        for cell in _cells(model, self.attribute):
            del model["cells"][cell], model["attributes"][cell]
        cells = _cells(of_winner, self.attribute)
        model.setdefault("cells", {}).update(cells)
        model.setdefault("attributes", {}).update(dict.fromkeys(cells, self.attribute))


def contradictions(
    base: Mapping[str, Any],
    left: Mapping[str, Any],
    right: Mapping[str, Any],
    former: Mapping[str, str],
) -> Iterator[Contradiction]:
    """The attributes whose cells two branches keep in different columns, or in several in different codecs, though both changed them.

    ``base`` is a table as plain data before both branches, and ``former`` has the names that families had by then: under another
    name of its family, a column is the same.
    """
    tables = [table.get("models", {}) for table in (base, left, right)]
    for name in tables[1].keys() & tables[2].keys():
        before, *sides = (models.get(name, {}) for models in tables)
        if not all(_is_named(model) for model in (before, *sides)):
            continue  # older versions recorded no names of attributes
        attributes = {one for model in sides for one in model.get("attributes", {}).values()}
        for attribute in sorted(attributes):
            was, mine, theirs = (_places(model, attribute, former) for model in (before, *sides))
            # A column alone is a conflict of its cell; several are read by one codec, and not each as one side has it.
            if was not in (mine, theirs) and mine != theirs and len({*mine, *theirs}) > 1:
                yield Contradiction(name, attribute, *(_cells(model, attribute) for model in sides))


def _is_named(model: Mapping[str, Any]) -> bool:
    return not model.get("cells") or bool(model.get("attributes"))


def _cells(model: Mapping[str, Any], attribute: str) -> dict[str, str]:
    cells = model.get("cells", {})
    return {cell: cells[cell] for cell, name in model.get("attributes", {}).items() if name == attribute}


def _places(model: Mapping[str, Any], attribute: str, former: Mapping[str, str]) -> dict[str, str]:
    """The codecs of the cells of an attribute, without whether rows may lack them, by the places that they had at first."""
    found: dict[str, str] = {}
    for cell, codec in _cells(model, attribute).items():
        family, _, qualifier = cell.partition(":")
        found[f"{former.get(family, family)}:{qualifier}"] = codec.removeprefix("required ").removeprefix(
            "optional "
        )
    return found


def _shown(cells: Cells) -> str:
    return " and ".join(f"{cell} {codec}" for cell, codec in sorted(cells.items())) or "gone"
