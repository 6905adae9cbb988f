"""One row: its values, and every cell of it as it is stored; and rows of tables that no model describes."""

import hashlib
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime

from attrs import frozen

from btmodel.codecs import meaning_of
from btmodel.declare import Model, schema_of
from btmodel.errors import QueryRefused, UndecodableCell, UndecodableKey
from btmodel.repository.terms import AnyRepository, texts_of, time_text
from btmodel.rows import Cell, Families, FirstCells, Qualifiers, ReadPlan, RowRange, Times, WithoutFirst
from btmodel.rows.filters import Filter, chain
from btmodel.studio.state import Studio
from btmodel.words import as_text, one_line

PAGE = 500  # cells of one row at once
SHOWN = 256  # bytes of one value
_TEXT = 80  # of these as text
_NAMED = 4_096  # bytes of a qualifier that is asked for by its name
_ROWS = 25  # of a table without a model
_KEPT = 8 * 1024 * 1024  # bytes of a page of such rows


@frozen
class ShownKeyPart:
    """A field of a row key: its number from 1 on, its bytes, and what they mean."""

    number: int
    name: str
    raw: bytes
    value: str
    meaning: str


@frozen
class SeenCell:
    """A cell: where it is, what it means if a model knows it, and its bytes as far as they are shown."""

    cell: Cell
    column: str
    value: str
    problem: str
    repeats: str = ""  # the field of the key that it holds once more

    @property
    def text(self) -> bytes:
        """The bytes that are shown as text."""
        return self.cell.value[:_TEXT]

    @property
    def shown(self) -> bytes:
        """The first bytes of the value."""
        return self.cell.value[:SHOWN]

    @property
    def cut(self) -> bool:
        """Whether there are more."""
        return len(self.cell.value) > SHOWN

    @property
    def address(self) -> list[tuple[str, object]]:
        """What names it in an address."""
        return [
            ("family", self.cell.family),
            ("qualifier", as_text(self.cell.qualifier)),
            ("time", self.cell.timestamp),
        ]


@frozen
class SeenWhole:
    """A row: the parts of its key, its attributes as text, its cells from ``begin`` on, and what is wrong with it."""

    key: bytes
    parts: tuple[ShownKeyPart, ...]
    values: tuple[tuple[str, str, str], ...]
    cells: tuple[SeenCell, ...]
    begin: int
    more: bool
    problem: str = ""

    @property
    def whole(self) -> bool:
        """Whether all of its cells are here."""
        return not self.begin and not self.more


def cells_of(studio: Studio, table: str, key: bytes, begin: int = 0) -> tuple[list[Cell], bool]:
    """The cells of a row from the one of that number on, all versions of them, and whether more follow.

    Raises :class:`MissingTable` and :class:`ServerError`.
    """
    skipped: list[Filter | None] = [WithoutFirst(begin)] if begin else []
    plan = ReadPlan(table, (RowRange.of_key(key),), chain([*skipped, FirstCells(PAGE + 1)]), limit=1)
    with closing(studio.db.read(plan)) as rows:
        for _, cells in rows:
            found = list(cells)
            return found[:PAGE], len(found) > PAGE
    return [], False


def digest(cells: Sequence[Cell]) -> str:
    """What identifies these cells: a form that was shown of them is refused once they have changed."""
    return hashlib.sha256(repr([tuple(cell) for cell in cells]).encode()).hexdigest()


def whole_of(studio: Studio, rows: AnyRepository, key: bytes, begin: int) -> SeenWhole:
    """A row of a model. Raises :class:`MissingTable` and :class:`ServerError`."""
    cells, more = cells_of(studio, rows.table, key, begin)
    values: tuple[tuple[str, str, str], ...] = ()
    problem = ""
    if cells and not begin and not more:
        try:
            values = tuple(_values(rows, key))
        except (UndecodableKey, UndecodableCell) as error:
            problem = str(error)
    elif more and not begin:
        problem = f"more than {PAGE:,} cells: they are shown in parts, and not as attributes"
    parts, why = _parts(rows, key)
    return SeenWhole(
        key, parts, values, tuple(_seen(rows, key, cell) for cell in cells), begin, more, problem or why
    )


def _values(rows: AnyRepository, key: bytes) -> list[tuple[str, str, str]]:
    """The attributes of the row beside those of its key, as a repository reads it; each with how it is stored."""
    model: type[Model] = rows.model
    schema = schema_of(model)
    row = rows.of_key(key)
    if row is None:
        return []
    of_key = {part.name for part in schema.key.asked}
    stored = {
        column.name: f"{column.family}:{as_text(column.qualifier)}, {meaning_of(column.codec)}"
        for column in schema.columns
    }
    return [(name, text, stored.get(name, "")) for name, text in texts_of(row).items() if name not in of_key]


def _field_text(value: object) -> str:
    return time_text(value) if isinstance(value, datetime) and value.tzinfo else one_line(str(value))


def _parts(rows: AnyRepository, key: bytes) -> tuple[tuple[ShownKeyPart, ...], str]:
    """The fields of a key, or why it is none of the model."""
    found = []
    try:
        for number, (part, raw) in enumerate(rows.codec.keys.split(key), 1):
            found.append(
                ShownKeyPart(
                    number, part.name, raw, _field_text(part.codec.decode(raw)), meaning_of(part.codec)
                )
            )
    except Exception as error:  # a codec of the user's may raise anything
        return (), str(error)
    return tuple(found), ""


def _seen(rows: AnyRepository, key: bytes, cell: Cell) -> SeenCell:
    column = rows.codec.column_of(cell)
    if column is None:
        return SeenCell(cell, "", "", "", repeats=_repeated(rows, cell))
    try:
        value = column.value(key, cell)
    except UndecodableCell as error:
        return SeenCell(cell, column.column.name, "", str(error))
    shown = one_line(str(value)[: SHOWN + 1])
    return SeenCell(cell, column.column.name, shown[:SHOWN] + "…" * (len(shown) > SHOWN), "")


def _repeated(rows: AnyRepository, cell: Cell) -> str:
    """The field of the key that a cell holds once more."""
    mirrors = ((part.name, part.mirror) for part in schema_of(rows.model).key.fields if part.mirror)
    return next(
        (
            name
            for name, mirror in mirrors
            if (mirror.family, mirror.qualifier) == (cell.family, cell.qualifier)
        ),
        "",
    )


@frozen
class RawPage:
    """Rows of a table as they are stored: keys with their first cells, and where the next page begins."""

    rows: tuple[tuple[bytes, tuple[Cell, ...]], ...]
    after: bytes | None


def raw_rows(studio: Studio, table: str, prefix: bytes, after: bytes) -> RawPage:
    """Rows whose keys begin with ``prefix``, behind the key ``after``. Raises :class:`MissingTable` and :class:`ServerError`."""
    span = RowRange.of_prefix(prefix)
    if after and not span.holds(after):
        raise QueryRefused(f"expected a key that begins with {as_text(prefix)}, got {as_text(after)}")
    if after:
        span = span.since(after + b"\0")
    plan = ReadPlan(table, (span,), FirstCells(8), limit=_ROWS + 1)
    found: list[tuple[bytes, tuple[Cell, ...]]] = []
    size = 0
    with closing(studio.db.read(plan)) as rows:
        for key, cells in rows:
            found.append((key, tuple(cells)))
            size += sum(len(cell.value) for cell in found[-1][1])
            if size > _KEPT:
                break
    more = len(found) > _ROWS or size > _KEPT
    shown = found[:_ROWS]
    return RawPage(tuple(shown), shown[-1][0] if more else None)


def value_of(
    studio: Studio, table: str, key: bytes, family: str, qualifier: bytes, timestamp: int
) -> bytes | None:
    """The bytes of one cell, or None where there is none."""
    # A filter may have 20 KB, in which a byte of a name takes up to four.
    named = Qualifiers(family, (qualifier,)) if len(qualifier) <= _NAMED else None
    one = chain([Families((family,)), named, Times(timestamp, timestamp + 1_000)])
    plan = ReadPlan(table, (RowRange.of_key(key),), one, limit=1)
    with closing(studio.db.read(plan)) as rows:
        for _, cells in rows:
            return next((cell.value for cell in cells if cell.qualifier == qualifier), None)
    return None
