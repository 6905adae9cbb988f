"""Where the cells of a backup come from: the file names its table and how its rows are written, so that none is put into another table by mistake."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from attrs import frozen

from btmodel.declare import Model, schema_of
from btmodel.errors import SettingsError
from btmodel.repository.any_repository import AnyRepository
from btmodel.schema.layout import CellLayout, KeyPart, Layout, layout_of

_NAME = b"btmodel.cells"  # in the metadata of a Parquet file
NO_LAYOUTS: Mapping[str, Layout] = {}


@frozen
class CellsOrigin:
    """A table by its id, and as the model names it, with ``{env}`` for what is known at run time, and the layout of the model's rows."""

    table: str
    named: str
    layout: Layout

    @classmethod
    def of(cls, repository: AnyRepository) -> "CellsOrigin":
        """The table of a repository."""
        schema = schema_of(repository.model)
        return cls(repository.table, schema.table, layout_of(schema))

    @staticmethod
    def layouts(models: Iterable[type[Model]], table: str) -> dict[str, Layout]:
        """How each of the ``models`` of a table, as models name it, writes its rows, by the name of the model."""
        schemas = (schema_of(model) for model in models)
        found = (layout_of(schema) for schema in schemas if schema.table == table and schema.view is None)
        return {layout.model: layout for layout in found}

    @classmethod
    def in_(cls, metadata: Mapping[bytes, bytes] | None) -> "CellsOrigin | None":
        """What a file says; None where it says nothing, as one that another program wrote, or that is older."""
        try:
            given = json.loads((metadata or {})[_NAME])
            key = tuple(KeyPart(*part) for part in given["key"])
            cells = tuple(CellLayout(*cell) for cell in given["cells"])
            return cls(given["table"], given["named"], Layout(given["model"], key, cells))
        except (KeyError, TypeError, ValueError):
            return None

    @property
    def metadata(self) -> dict[bytes, bytes]:
        """What a file says. A contract on disk."""
        layout = self.layout
        said = {
            "table": self.table,
            "named": self.named,
            "model": layout.model,
            "key": [[part.codec, part.behind, part.name] for part in layout.key],
            "cells": [[cell.cell, cell.codec] for cell in layout.cells],
        }
        return {_NAME: json.dumps(said).encode()}

    def check(self, path: Path, into: "CellsOrigin", declared: Mapping[str, Layout] = NO_LAYOUTS) -> None:
        """Raise :class:`SettingsError` unless cells from here can be read by the model that wrote them.

        Models of one table write their keys and cells in their own ways, so that is the model of this name among those that are ``declared`` for the
        table. Where none has it, the model was renamed, and is that of ``into``.
        """
        # Here, as few commands need that.
        from btmodel.migrate.tables.layouts import reads_all, takes_all_keys

        if self.table != into.table and self.named != into.named:
            raise SettingsError(
                f"{path}: expected a backup of table {into.table}, got one of table {self.table}{_FIX}"
            )
        layout = {**declared, into.layout.model: into.layout}.get(self.layout.model, into.layout)
        if not takes_all_keys(layout.key, self.layout.key):
            raise SettingsError(
                f"{path}: expected a backup of rows with the keys {layout.key_text}, got one with the keys {self.layout.key_text}{_FIX}"
            )
        now = {cell.cell: cell.codec for cell in layout.cells}
        for cell in self.layout.cells:
            codec = now.get(cell.cell, cell.codec)
            if not reads_all(codec, cell.codec):
                raise SettingsError(
                    f"{path}: expected a backup with {cell.cell} as {codec}, got one with {cell.codec}{_FIX}"
                )


_FIX = ": --any-table writes it all the same"
