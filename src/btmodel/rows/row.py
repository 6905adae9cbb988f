"""The row codec: a model object to cells and back."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from attrs import evolve

from btmodel.codecs.inline import Memo
from btmodel.errors import UndecodableCell, ValueRefused
from btmodel.rows.cells import Cell, Fast, RowDecoder, Stored, cell_timestamp
from btmodel.rows.collections import BucketSpan, History
from btmodel.rows.columns import ColumnCodec, column_codecs
from btmodel.rows.compiled import RowWriter, SpanReader, key_rows_reader, row_reader, row_writer, span_reader
from btmodel.rows.key_codec import RowKeyCodec
from btmodel.rows.mutations import Delete, Mutation
from btmodel.schema import ModelSchema
from btmodel.schema.model import WRITTEN

M = TypeVar("M")
T = TypeVar("T")


# Builds an instance from its fields, by name, and the cells that the model does not know. Fields
# may be missing where not all columns were asked for.
Make = Callable[[dict[str, Any], tuple[Cell, ...]], M]


class RowCodec(Generic[M]):
    """Encodes and decodes the rows of one model.

    ``construct`` is the class that makes a whole row of all its fields, given by name; without it, ``make`` does.
    """

    def __init__(self, model: ModelSchema, make: Make[M], construct: type[M] | None = None) -> None:
        self._model = model
        self.make = make
        self.construct = construct
        self.keys = RowKeyCodec(model)
        self.columns = {codec.column.name: codec for codec in column_codecs(model)}
        self._mirrors = [(field.name, field.mirror) for field in model.key.fields if field.mirror]
        self._mirrored = {(mirror.family, mirror.qualifier) for _, mirror in self._mirrors}
        self._single = {
            (place.family, place.qualifier): codec
            for codec in self.columns.values()
            if not codec.column.open
            for place in codec.column.places
        }
        # The places of columns that are read from several, by those that count less.
        self._preferred = {
            (column.family, one): [(column.family, other) for other in (column.qualifier, *column.also[:at])]
            for column in model.columns
            for at, one in enumerate(column.also)
        }
        self._open = _by_family(codec for codec in self.columns.values() if codec.column.open)
        self._absent = [column.name for column in model.columns if not column.required]
        self._marked = {column.name for column in model.columns if column.shape.marked}
        self._series = [column.name for column in model.series]
        self._span = BucketSpan(model) if model.bucket_field else None
        self._stamp = model.stamp
        way_out = f"round it yourself{', or declare it with round=True' if model.stamp.stored else ''}"
        self._timestamp = partial(cell_timestamp, cut=model.stamp.round, way_out=way_out)

    @cached_property
    def stamped(self) -> bool:
        """Whether all cells that are written have the time of writing: no column has times of its own, nor the row one."""
        return self._stamp == WRITTEN and all(
            column.stamped or column.shape.summed for column in self._model.columns
        )

    @cached_property
    def replaced(self) -> tuple[Delete, ...]:
        """What goes before a row takes the place of the one that is there: every cell, or every family of the model that sums nothing.

        A row is put without its counters, so a replacement that deleted them would lose what nothing writes again.
        """
        families = self._model.families
        if all(family.aggregate is None for family in families):
            return (Delete(),)
        return tuple(Delete(family.id) for family in families if family.aggregate is None)

    @cached_property
    def compiled_writer(self) -> RowWriter | None:
        """The fast way from a row to the bytes of its write, where there is one."""
        return row_writer(self._model)

    def compiled_reader(self, only: frozenset[str] | None = None) -> Fast[M] | None:
        """The fast way from the bytes of an answer to rows, where there is one: whole ones, or of columns alone."""
        return self._readers[only]

    def stored_rows(self, only: frozenset[str] | None = None, *, whole: bool = True) -> RowDecoder[Stored[M]]:
        """Makes stored rows; ``only`` and ``whole`` as for :meth:`decode`."""
        fast = self._stored_readers[only] if whole else None
        return RowDecoder(partial(self._decode_stored, only=only, whole=whole), fast)

    @cached_property
    def _stored_readers(self) -> Memo[frozenset[str] | None, Fast[Stored[M]] | None]:
        return Memo(partial(self._compile, stored=True))

    def _decode_stored(
        self, key: bytes, cells: Iterable[Cell], only: frozenset[str] | None, *, whole: bool
    ) -> Stored[M]:
        found = list(cells)
        row, unknown = self._decoded(key, found, only, whole=whole)
        read = set(found).difference(unknown) if unknown else found
        return Stored(key, row, max((cell.timestamp for cell in read or found), default=0))

    @cached_property
    def _readers(self) -> Memo[frozenset[str] | None, Fast[M] | None]:
        return Memo(self._compile)

    def _compile(self, only: frozenset[str] | None, *, stored: bool = False) -> Fast[Any] | None:
        if only is None:
            return row_reader(self._model, self.construct or self._made, stored=stored)
        return row_reader(self._model, self._made, only, self.construct, stored=stored)

    def compiled_keys(self, make: Callable[[tuple[Any, ...]], T] | None = None) -> Fast[T] | None:
        """The fast way from the bytes of an answer to the keys of rows, where there is one; as :func:`key_rows_reader`.

        The model's rows must be known by their keys alone.
        """
        return None if self._model.key.hashed else self._key_readers[make]

    @cached_property
    def _key_readers(self) -> Memo[Callable[[tuple[Any, ...]], Any] | None, Fast[Any] | None]:
        return Memo(partial(key_rows_reader, self._model))

    def compiled_spans(self, only: frozenset[str] | None = None) -> SpanReader | None:
        """The fast way from the bytes of an answer to where values lie in it, where there is one."""
        return self._spans[only]

    @cached_property
    def _spans(self) -> Memo[frozenset[str] | None, SpanReader | None]:
        return Memo(partial(span_reader, self._model))

    def _made(self, **values: Any) -> M:
        return self.make(values, ())

    def encode(self, values: Mapping[str, Any], now: int, key: bytes | None = None) -> Mutation:
        """The mutation that writes ``values``, with ``now`` (microseconds) as the time of writing.

        ``key`` is the row key of these values, where it is known already. None leaves the cell as it is in the table. Raises
        :class:`ValueRefused`.
        """
        stamp = self.stamp(values, now)
        cells = self.mirrors(values, stamp)
        stamped = len(cells)
        for name, codec in self.columns.items():
            found = list(codec.cells(self._given(values, name), stamp))
            stamped += len(found) if codec.column.stamped else 0
            cells += found
        if self._stamp.required and not stamped:
            wanted = "at least one plain cell, in whose timestamp it lies"
            raise ValueRefused(wanted, None, where=f"{self._model.name}.{self._stamp.attribute}")
        if key is None:
            key = self.keys.key(values)
        if self._span:
            self._span.refuse_outside(values, self._series)
        if not cells:
            wanted = "at least one value beside the key (a row without cells does not exist)"
            raise ValueRefused(wanted, key, where=self._model.name)
        # Every cell has the end of the row's life as its timestamp. So a row with an end is written whole: a cell that stayed
        # would keep the old end, live longer or shorter than the others, or lie over a new one that ends sooner.
        return Mutation(self._model.table, key, cells, (Delete(),) if self._stamp.expires else ())

    def stamp(self, values: Mapping[str, Any], now: int) -> int:
        """The timestamp of plain cells, in microseconds, of a row that is written at ``now``."""
        if self._stamp.fixed is not None:
            return self._stamp.fixed
        name = self._stamp.attribute
        if name is None or (values.get(name) is None and not self._stamp.required):
            return now
        try:
            return self._timestamp(values[name])
        except ValueRefused as error:
            raise error.at(f"{self._model.name}.{name}") from None

    def own_time(self, values: Mapping[str, Any]) -> int | None:
        """The time that orders a row among others of its key, in microseconds; None where the time of writing does, or none.

        The end of a row's life orders nothing: a row that ends sooner may be the later one.
        """
        own = (
            not self._stamp.expires
            and self._stamp.stored
            and self._stamp.attribute
            and values[self._stamp.attribute] is not None
        )
        return self.stamp(values, 0) if own else None

    def uncovered(self, mutation: Mutation) -> Mutation:
        """The mutation that also deletes what would lie over its cells, with the later time of a clock that is ahead.

        The versions of a history, and marks, have times of their own, and cover nothing.
        """
        if self._stamp.expires:
            return mutation  # which is of the whole row
        cells = [change for change in (*mutation.cells, *mutation.then) if isinstance(change, Cell)]
        over = [cell for cell in cells if not self._is_version(cell)]
        deletes = [Delete(cell.family, cell.qualifier, start=cell.timestamp) for cell in over]
        return evolve(mutation, deletes=(*mutation.deletes, *deletes))

    def _is_version(self, cell: Cell) -> bool:
        codec = self.column_of(cell)
        return codec is not None and codec.column.shape.versioned

    def _given(self, values: Mapping[str, Any], name: str) -> Any:
        try:
            return values[name]
        except KeyError:
            wanted = "a value (this row was read without it, so it cannot be written as a whole: read it whole, or use update)"
            raise ValueRefused(wanted, None, where=f"{self._model.name}.{name}") from None

    def mirrors(self, values: Mapping[str, Any], stamp: int) -> list[Cell]:
        """The cells that repeat key fields."""
        cells: list[Cell] = []
        for name, mirror in self._mirrors:
            try:
                raw = mirror.codec.encode(values[name])
            except ValueRefused as error:
                raise error.at(f"{self._model.name}.{name}") from None
            cells.append(Cell(mirror.family, mirror.qualifier, stamp, raw))
        return cells

    def decode(
        self, key: bytes, cells: Iterable[Cell], only: frozenset[str] | None = None, *, whole: bool = True
    ) -> M:
        """The instance of a row as it was read: cells of a column from the newest to the oldest.

        Where ``only`` names columns, those alone are read, and the others are left unset; so
        are required ones without a cell, where the cells are not the ``whole`` of the row.
        Raises :class:`UndecodableKey` and :class:`UndecodableCell`. Cells that the model
        does not know are kept.
        """
        return self._decoded(key, cells, only, whole=whole)[0]

    def _decoded(
        self, key: bytes, cells: Iterable[Cell], only: frozenset[str] | None, *, whole: bool
    ) -> tuple[M, list[Cell]]:
        """The instance, and the cells that it does not know."""
        values = self.keys.decode(key)
        start = self._span.span(values)[0] if self._span else None
        for name in self._absent if only is None else only.intersection(self._absent):
            values[name] = self.columns[name].empty()
        if self._stamp.stored and self._stamp.attribute:
            cells = tuple(cells)
            stamped = self._stamped(key, cells)
            if stamped is not None or (whole and only is None):
                values[self._stamp.attribute] = stamped
        unknown = self._read(values, key, cells, start, only)
        for name in self._marked & values.keys():
            # They come by qualifier; a history goes from the newest to the oldest.
            values[name] = History(sorted(values[name].items(), reverse=True))
        if whole:
            self._complete(key, values, only)
        if self._model.key.hashed:
            self.keys.check_derived(key, values)
        return self.make(values, tuple(unknown)), unknown

    def _read(
        self,
        values: dict[str, Any],
        key: bytes,
        cells: Iterable[Cell],
        start: datetime | None,
        only: frozenset[str] | None,
    ) -> list[Cell]:
        """Put the cells into ``values``; give those that belong to no attribute."""
        unknown: list[Cell] = []
        previous = None
        single, opened = self._single, self._open
        for cell in self._counting(cells) if self._preferred else cells:
            place = cell[:2]
            codec = single.get(place) or (self._opened(cell) if opened else None)
            if codec is None:
                # An interleave may give a cell twice.
                if place not in self._mirrored and not (unknown and unknown[-1] == cell):
                    unknown.append(cell)
            # Of a plain column the newest cell is the value.
            elif (place != previous or not codec.newest_only) and (only is None or codec.column.name in only):
                try:
                    codec.read(values, cell, key, start)
                except UndecodableCell:
                    if not codec.column.keep_undecoded:
                        raise
                    unknown.append(cell)
            previous = place
        return unknown

    def _counting(self, cells: Iterable[Cell]) -> list[Cell]:
        """The cells without those of columns that have another one that counts more."""
        found = list(cells)
        there = {cell[:2] for cell in found}
        return [cell for cell in found if there.isdisjoint(self._preferred.get(cell[:2], ()))]

    def _stamped(self, key: bytes, cells: Iterable[Cell]) -> datetime | None:
        """The newest timestamp of plain cells, mirrors among them, or None where there is none."""
        newest = max(filter(self._is_plain, cells), key=lambda cell: cell.timestamp, default=None)
        if newest is None:
            return None
        try:
            return newest.time
        except OverflowError:
            wanted = f"a timestamp up to the year 9999, not {newest.timestamp} us,"
            name = f"{newest.family}:{newest.qualifier.decode(errors='backslashreplace')}"
            raise UndecodableCell(self._model.table, key, name, newest.value, wanted) from None

    def _is_plain(self, cell: Cell) -> bool:
        codec = self.column_of(cell)
        return codec.column.stamped if codec else cell[:2] in self._mirrored

    @property
    def model(self) -> ModelSchema:
        """The schema of the model."""
        return self._model

    def read_cells(
        self, key: bytes, cells: Iterable[Cell]
    ) -> tuple[dict[str, Any], list[Cell], list[UndecodableCell]]:
        """The values of some cells of a row, by attribute; the cells that belong to none, and the errors of those that cannot be decoded.

        The cells of a column come from the newest to the oldest. Raises :class:`UndecodableKey`.
        """
        start = self._span.span(self.keys.decode(key))[0] if self._span else None
        values: dict[str, Any] = {}
        unknown: list[Cell] = []
        undecoded: list[UndecodableCell] = []
        previous = None
        for cell in cells:
            codec = self.column_of(cell)
            if codec is None:
                if cell[:2] not in self._mirrored:
                    unknown.append(cell)
            elif cell[:2] != previous or not codec.newest_only:
                name = codec.column.name
                if name not in values and (empty := codec.empty()) is not None:
                    values[name] = empty
                try:
                    codec.read(values, cell, key, start)
                except UndecodableCell as error:
                    undecoded.append(error)
            previous = cell[:2]
        return values, unknown, undecoded

    def deleted(self, deletion: Delete) -> dict[str, frozenset[Any]]:
        """The attributes that a deletion is of, each with the entries of a mapping or set: none where it is of all."""
        if deletion.qualifier is None:
            names = (
                name for name, codec in self.columns.items() if deletion.family in (None, codec.column.family)
            )
            return dict.fromkeys(names, frozenset())
        codec = self.column_of(Cell(deletion.family or "", deletion.qualifier, 0, b""))
        if codec is None:
            return {}
        names_of = codec.column.names
        if names_of is None:
            return {codec.column.name: frozenset()}
        try:
            entry = names_of.decode(deletion.qualifier[len(codec.column.qualifier) :])
        except Exception:  # whatever a codec of the user's raises
            return {}
        return {codec.column.name: frozenset([entry])}

    def column_of(self, cell: Cell) -> ColumnCodec | None:
        """The column that ``cell`` belongs to; None if the model does not know it, or it repeats a key field."""
        return self._single.get(cell[:2]) or self._opened(cell)

    def _opened(self, cell: Cell) -> ColumnCodec | None:
        """The column of many that ``cell`` belongs to: the one with the longest prefix."""
        for prefix, codec in self._open.get(cell.family, ()):
            if cell.qualifier.startswith(prefix) and (cell.family, cell.qualifier) not in self._mirrored:
                return codec
        return None

    def _complete(self, key: bytes, values: dict[str, Any], only: frozenset[str] | None) -> None:
        for column in self._model.columns:
            if column.name not in values and (only is None or column.name in only):
                wanted = f"a cell (declare {column.name!r} as optional, if rows may lack it)"
                raise UndecodableCell(self._model.table, key, column.cell, None, wanted)


def _by_family(codecs: Iterable[ColumnCodec]) -> dict[str, list[tuple[bytes, ColumnCodec]]]:
    """The columns of many cells by family, the longest prefix first."""
    found: dict[str, list[tuple[bytes, ColumnCodec]]] = {}
    for codec in codecs:
        found.setdefault(codec.column.family, []).append((codec.column.qualifier, codec))
    for columns in found.values():
        columns.sort(key=lambda one: len(one[0]), reverse=True)
    return found
