"""Renamings that cannot be: of what is still declared, or of one thing into two."""

from collections.abc import Mapping, Sequence

from btmodel.errors import DeclarationError
from btmodel.schema.family import Family
from btmodel.schema.model import ModelSchema


def table_renamed_from(id: str, models: Sequence[ModelSchema]) -> str | None:
    """The id of the table whose rows the table called ``id`` takes over, as its ``models`` state it.

    Raises :class:`DeclarationError` where they state different ones.
    """
    renamed = {model.renamed_from: model for model in models if model.renamed_from is not None}
    if len(renamed) > 1:
        stated = " and ".join(f"{one.name} renames it from {old!r}" for old, one in renamed.items())
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
                f"table {id!r}: renamed_from: {old!r} is declared, too, so it was not renamed: "
                "leave out the models of one of them, or the renaming"
            )
        if old in taken:
            raise DeclarationError(f"table {id!r}: renamed_from: {taken[old]!r} takes over {old!r} already")
        taken[old] = id


def refuse_families(table: str, families: Sequence[Family]) -> None:
    """Refuse renamings of ``families``, all those of a table, that cannot have been."""
    ids = {family.id for family in families}
    taken: dict[str, str] = {}
    for family in families:
        old = family.renamed_from
        if old is None:
            continue
        what = f"table {table!r}, family {family.id!r}: renamed_from"
        if old in ids:
            raise DeclarationError(f"{what}: {old!r} is declared, too, so it was not renamed")
        if old in taken:
            raise DeclarationError(f"{what}: {taken[old]!r} takes over {old!r} already")
        taken[old] = family.id
