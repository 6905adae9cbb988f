"""Schema files: the tables of an instance, or those that models declare, as JSON or TOML."""

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path

from btmodel.errors import DeclarationError, MigrationError
from btmodel.schema import Table
from btmodel.schema.recorded import as_data, from_data
from btmodel.schema.table import refuse_renamings

SUFFIXES = (".json", ".toml")


def schema_text(tables: Iterable[Table]) -> str:
    """``tables`` as the text of a schema file, in JSON."""
    return json.dumps({"tables": as_data(tables)}, indent=2, ensure_ascii=False) + "\n"


def read_schema(path: Path) -> tuple[Table, ...]:
    """The tables of a schema file, JSON or TOML, in the order of their ids.

    Raises :class:`MigrationError` where it cannot be read, and :class:`DeclarationError`, with the place, for
    what is no table, or a renaming that cannot have been.
    """
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise MigrationError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise MigrationError(f"{path} is no schema file: {error}") from error
    if not isinstance(data, dict) or "tables" not in data:
        raise MigrationError(
            f'{path} is no schema file: wanted "tables", and under it the tables by their ids'
        )
    tables = from_data(data["tables"], str(path))
    try:
        refuse_renamings(tables)
    except DeclarationError as error:
        raise DeclarationError(f"{path}: {error}") from None
    return tables
