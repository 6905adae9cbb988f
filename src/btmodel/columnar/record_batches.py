"""Arrow batches from rows, from cells and from results of SQL; and rows and cells again from Arrow batches."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from attrs import define, field

from btmodel.columnar.cell_arrays import ByteSpans, Unproved, cell_array, key_arrays, places
from btmodel.columnar.fields import ArrowField, ArrowFields
from btmodel.columnar.libraries import numpy, pyarrow, time_type
from btmodel.errors import QueryRefused, ValueRefused, refuse_no_number
from btmodel.rows import Add, Cell, Delete, Mutation
from btmodel.rows.cells import MILLISECOND
from btmodel.rows.compiled import Block, SpanReader
from btmodel.schema import ModelSchema


def fits(given: Any, wanted: Any) -> bool:
    """Whether ``given`` has the values of ``wanted``, a type that ``to_arrow`` gives, be it in another layout.

    Other sizes of integers, units of time and zones fit: their cast is refused where a value would change.
    """
    types = pyarrow().types
    if types.is_dictionary(given):
        given = given.value_type
    if types.is_dictionary(wanted):
        wanted = wanted.value_type
    if given == wanted or types.is_null(given):
        return True
    if types.is_struct(wanted):
        return types.is_struct(given) and _fields_fit(given, wanted)
    if types.is_map(wanted):
        return types.is_map(given) and all(
            fits(one, other)
            for one, other in ((given.key_type, wanted.key_type), (given.item_type, wanted.item_type))
        )
    if types.is_list(wanted):
        lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
        return any(check(given) for check in lists) and fits(given.value_type, wanted.value_type)
    if types.is_timestamp(wanted):
        # Without a zone it is not known which time it is.
        return types.is_timestamp(given) and given.tz is not None
    return any(check(given) and check(wanted) for check in _same_kinds())


def _fields_fit(given: Any, wanted: Any) -> bool:
    names = [one.name for one in given]
    return sorted(names) == sorted(one.name for one in wanted) and all(
        fits(given.field(one.name).type, one.type) for one in wanted
    )


def _same_kinds() -> list[Callable[[Any], bool]]:
    types = pyarrow().types
    texts = (types.is_string, types.is_large_string, types.is_string_view)
    raws = (types.is_binary, types.is_large_binary, types.is_binary_view, types.is_fixed_size_binary)
    return [
        types.is_integer,
        types.is_floating,
        lambda type: any(check(type) for check in texts),
        lambda type: any(check(type) for check in raws),
    ]


_BYTES = 16 * 1024 * 1024  # of messages that are held

Run = tuple[Block, int] | list[Any]


# Decodes the first rows of a block, so many, the plain way, which knows what is wrong with a row, and
# appends them; may raise behind those that are well.
Plainly = Callable[[Block, int, list[Any]], None]


@define
class Collector:
    """Rows of one read, of which ``reader`` gave some as blocks, until there are ``most`` of them."""

    fields: ArrowFields
    reader: SpanReader | None
    plainly: Plainly
    most: int
    rows: int = field(init=False, default=0)
    _bytes: int = field(init=False, default=0)
    _runs: list[Run] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        refuse_no_number("Collector", "rows", self.most)

    @property
    def full(self) -> bool:
        """Whether a batch should be taken."""
        return self.rows >= self.most or self._bytes >= _BYTES

    def add(self, rows: Sequence[Any]) -> None:
        """Take in rows: those in a block are in one piece, from its first one on."""
        at = 0
        while at < len(rows):
            one = rows[at]
            if type(one) is Block:
                count = rows.count(one)
                self._runs.append((one, count))
                self._bytes += one.end - one.start
            else:
                count = 1
                if not self._runs or not isinstance(self._runs[-1], list):
                    self._runs.append([])
                self._runs[-1].append(one)  # type: ignore[union-attr]
            at += count
            self.rows += count

    def batch(self) -> tuple[Any, Exception | None]:
        """The record batch of all of them, or of those in front of one that cannot be decoded, and its error."""
        runs, self._runs = self._runs, []
        self.rows = self._bytes = 0
        blocks = [run for run in runs if not isinstance(run, list)]
        try:
            if blocks:
                fast = self._of_blocks(blocks)
                return (fast if len(blocks) == len(runs) else self._mixed(runs, fast)), None
        except Unproved:
            pass
        return self._all_plainly(runs)

    def _all_plainly(self, runs: Sequence[Run]) -> tuple[Any, Exception | None]:
        rows: list[Any] = []
        failed = None
        try:
            for run in runs:
                if isinstance(run, list):
                    rows += run
                else:
                    self.plainly(*run, rows)
        except Exception as error:
            failed = error
        return self.fields.of_rows(rows), failed

    def _mixed(self, runs: Sequence[Run], fast: Any) -> Any:
        """Rows of both kinds, in their order."""
        pa, np = pyarrow(), numpy()
        plain = self.fields.of_rows([row for run in runs if isinstance(run, list) for row in run])
        order, taken, behind = [], 0, fast.num_rows
        for run in runs:
            if isinstance(run, list):
                order.append(np.arange(behind, behind + len(run)))
                behind += len(run)
            else:
                order.append(np.arange(taken, taken + run[1]))
                taken += run[1]
        both = pa.Table.from_batches([fast, plain]).combine_chunks().to_batches()
        return both[0].take(pa.array(np.concatenate(order)))

    def _of_blocks(self, blocks: Sequence[tuple[Block, int]]) -> Any:
        assert self.reader is not None
        keys = [key for block, count in blocks for key in block.keys[:count]]
        buffer, matrix = places(blocks, self.reader)
        arrays = key_arrays(self.fields.model.key, keys, self.fields.key)
        for arrow_field in self.fields.all:
            if arrow_field.column is not None:
                at, size = self.reader.places[arrow_field.name]
                starts = matrix[:, at]
                ends = matrix[:, at + 1] if size is None else starts + size
                arrays[arrow_field.name] = cell_array(
                    arrow_field, arrow_field.column.codec, ByteSpans(buffer, starts, ends)
                )
        return self.fields.batch([arrays[arrow_field.name] for arrow_field in self.fields.all])


@define
class Cells:
    """Raw cells of rows, until there are ``most`` of them.

    They are kept as columns: so many tuples would be gone through again and again by the garbage collector.
    """

    most: int
    _keys: list[bytes] = field(init=False, factory=list)
    _columns: tuple[list[Any], ...] = field(init=False, factory=lambda: ([], [], [], []))
    _bytes: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        refuse_no_number("Cells", "cells", self.most)

    def __len__(self) -> int:
        """How many cells there are."""
        return len(self._keys)

    def add(self, row: tuple[bytes, list[Cell]]) -> Any:
        """Take in a row; the record batch of all, where there are enough."""
        key, cells = row
        self._keys += [key] * len(cells)
        for column, values in zip(self._columns, zip(*cells, strict=True), strict=bool(cells)):
            column.extend(values)
        self._bytes += sum([len(cell.value) for cell in cells])
        return self.batch() if len(self._keys) >= self.most or self._bytes >= _BYTES else None

    def batch(self) -> Any:
        """The record batch of those rows."""
        pa, schema = pyarrow(), _cell_schema()
        columns = zip((self._keys, *self._columns), schema, strict=True)
        made = pa.RecordBatch.from_arrays(
            [pa.array(column, one.type) for column, one in columns], schema=schema
        )
        for column in (self._keys, *self._columns):
            column.clear()
        self._bytes = 0
        return made


_AT_ONCE = (
    10_000  # cells that one mutation sets; the service takes 100,000, and the size of a request is limited
)


def _cell_schema() -> Any:
    pa = pyarrow()
    raw, time = pa.binary(), time_type()
    columns = (("key", raw), ("family", pa.string()), ("qualifier", raw), ("timestamp", time), ("value", raw))
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns])


def cells_of(table: str, sums: Collection[str], given: Any) -> Iterator[Mutation]:
    """The mutations that write the cells of ``given``, as ``cells_arrow`` gives them, to ``table``; those of the families ``sums`` are added to nothing, so that they are what they were.

    Raises :class:`QueryRefused` for other columns, and :class:`ValueRefused` for a cell without a value in each column.
    """
    _refuse_other_tables("put_cells", given)
    schema = _cell_schema()
    names = given.schema.names
    if sorted(names) != sorted(schema.names):
        raise QueryRefused(
            f"expected the columns {', '.join(schema.names)}, as exports of cells have them, got {', '.join(names)}"
        )
    for column in schema:
        kind = given.schema.field(column.name).type
        if not fits(kind, column.type):
            raise QueryRefused(
                f"{column.name}: expected a column of {column.type}, as exports of cells have it, got {kind}"
            )
    return _cell_mutations(table, frozenset(sums), given, schema)


def _cell_mutations(table: str, sums: frozenset[str], given: Any, schema: Any) -> Iterator[Mutation]:
    for key, found in groupby(_each_cell(given, schema), itemgetter(0)):
        while several := list(islice(found, _AT_ONCE)):
            cells = [Cell(*cell) for _, cell in several if cell[0] not in sums]
            adds = [
                Add(*cell[:3], int.from_bytes(cell[3], signed=True)) for _, cell in several if cell[0] in sums
            ]
            # An amount takes the place of one at its time, as other cells do.
            deletes = [
                Delete(add.family, add.qualifier, start=add.timestamp, end=add.timestamp + MILLISECOND)
                for add in adds
            ]
            yield Mutation(table, key, cells, deletes, adds)


def _each_cell(given: Any, schema: Any) -> Iterator[tuple[bytes, tuple[str, bytes, int, bytes]]]:
    for batch in _batches(given):
        keys, *cells = (_of_cells(batch.column(column.name), column) for column in schema)
        yield from zip(keys, zip(*cells, strict=True), strict=True)


def _of_cells(array: Any, column: Any) -> list[Any]:
    """The values of one column of cells; times in microseconds."""
    pa = pyarrow()
    try:
        values = array.cast(column.type)
    except pa.ArrowInvalid as error:
        raise ValueRefused(
            f"values that fit {column.type} without loss", str(error), where=column.name
        ) from None
    if values.null_count:
        raise ValueRefused("a value in each column of a cell", None, where=column.name)
    found: list[Any] = (values.cast(pa.int64()) if pa.types.is_timestamp(column.type) else values).to_pylist()
    return found


def _refuse_other_tables(where: str, given: object) -> None:
    pa = pyarrow()
    if not isinstance(given, pa.Table | pa.RecordBatch | pa.RecordBatchReader):
        kinds = "a Table, a RecordBatch or a RecordBatchReader of pyarrow"
        raise QueryRefused(f"{where}: expected {kinds}, got {type(given).__name__}")


def _batches(given: Any) -> Any:
    """The record batches of a table, of one of them, or of a reader."""
    pa = pyarrow()
    if isinstance(given, pa.Table):
        return given.to_batches()
    return [given] if isinstance(given, pa.RecordBatch) else given


def rows_of(model: ModelSchema, table: Any) -> Iterator[dict[str, Any] | ValueRefused]:
    """The attributes of each row of a table, a record batch, or a reader of such; no absent ones.

    A row that has a value other than ``to_arrow`` gives, or none where it must have one, comes as its error.
    Counters are left out: no row is made with them. Raises :class:`QueryRefused` for columns that the model
    lacks or requires, and :class:`ValueRefused` for a column of another type, both before any row is given.
    """
    _refuse_other_tables(f"{model.name}: put_arrow", table)
    names = table.schema.names
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise QueryRefused(f"{model.name}: expected each column once; given twice: {', '.join(twice)}")
    fields = ArrowFields.of(model, None, names)
    lacking = [name for name in model.required_attributes if name not in names]
    if lacking:
        raise QueryRefused(
            f"{model.name}: expected a column for each attribute that a row must have; "
            f"there is none for {', '.join(lacking)}"
        )
    for arrow_field in fields.all:
        _check_type(
            arrow_field, table.schema.field(arrow_field.name).type, f"{model.name}.{arrow_field.name}"
        )
    return _rows(model, fields, table)


def _rows(model: ModelSchema, fields: ArrowFields, table: Any) -> Iterator[dict[str, Any] | ValueRefused]:
    put = [
        arrow_field
        for arrow_field in fields.all
        if arrow_field.column is None or not arrow_field.column.shape.summed
    ]
    names = [arrow_field.name for arrow_field in put]
    required = model.required_attributes
    for batch in _batches(table):
        refused: dict[int, ValueRefused] = {}
        columns = [
            _values(arrow_field, batch.column(arrow_field.name), f"{model.name}.{arrow_field.name}", refused)
            for arrow_field in put
        ]
        for at, row in enumerate(zip(*columns, strict=True)):
            values = {name: value for name, value in zip(names, row, strict=True) if value is not None}
            for name in required:
                if name not in values:
                    lacking = ValueRefused(
                        "a value, for a row must have it", None, where=f"{model.name}.{name}"
                    )
                    refused.setdefault(at, lacking)
            yield refused.get(at, values)


def _check_type(field: ArrowField, given: Any, where: str) -> None:
    """Raise :class:`ValueRefused` for a column of another type than ``to_arrow`` gives."""
    if fits(given, field.type):
        return
    wanted = f"a column of {field.type}, as exports of the model have it"
    if pyarrow().types.is_decimal(given) and pyarrow().types.is_string(field.type):
        wanted += " (a decimal of Arrow changes 10 to 10.00, another cell: put the text of each number)"
    raise ValueRefused(wanted, str(given), where=where)


def _values(field: ArrowField, array: Any, where: str, refused: dict[int, ValueRefused]) -> list[Any]:
    """The values of an array, and None for absent ones and for those that are refused, of which ``refused`` gets the errors by row."""
    pa = pyarrow()
    type = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    try:
        plain = array.cast(type).to_pylist()
    except (pa.ArrowException, ValueError, ArithmeticError):
        plain = [_cast(array, at, type, where, refused) for at in range(len(array))]
    values: list[Any] = []
    for at, one in enumerate(plain):
        try:
            values.append(None if one is None else field.value(one))
        except (ValueError, TypeError, ArithmeticError, LookupError):
            refused.setdefault(
                at, ValueRefused(f"a value of {type}, as exports of the model have it", one, where=where)
            )
            values.append(None)
    return values


def _cast(array: Any, at: int, type: Any, where: str, refused: dict[int, ValueRefused]) -> Any:
    """One value of an array that does not fit as a whole."""
    pa = pyarrow()
    one = array.slice(at, 1)
    try:
        return one.cast(type).to_pylist()[0]
    except (pa.ArrowException, ValueError, ArithmeticError):
        text = str(one).strip("[] \n")  # pyarrow has not every value as one of Python
        refused.setdefault(at, ValueRefused(f"a value that fits {type} without loss", text, where=where))
        return None


# A type of SQL: its name, or ARRAY, MAP or STRUCT with what it is of.
SqlType = str | tuple[Any, ...]


def sql_table(columns: Sequence[tuple[str, SqlType]], rows: Sequence[Sequence[Any]]) -> Any:
    """The rows as a table, with a type for each column."""
    pa = pyarrow()
    schema = pa.schema([(name, _type(kind)) for name, kind in columns])
    values = [[row[at] for row in rows] for at in range(len(columns))]
    arrays = [
        pa.array([None if one is None else plain(one) for one in listed], field.type)
        for (_, kind), listed, field in zip(columns, values, schema, strict=True)
        for plain in (_plain(kind),)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _type(kind: SqlType) -> Any:
    pa = pyarrow()
    match kind:
        case ("ARRAY", element):
            return pa.list_(_type(element))
        case ("MAP", key, value):
            return pa.map_(_type(key), _type(value))
        case ("STRUCT", fields):
            return pa.struct(
                [(name or f"field_{at}", _type(inner)) for at, (name, inner) in enumerate(fields, 1)]
            )
    types: Mapping[Any, Any] = {
        "BOOL": pa.bool_(), "INT64": pa.int64(), "ENUM": pa.int64(), "FLOAT64": pa.float64(), "FLOAT32": pa.float32(),
        "STRING": pa.string(), "BYTES": pa.binary(), "PROTO": pa.binary(), "TIMESTAMP": time_type(),
        "DATE": pa.date32(),
    }  # fmt: skip
    return types[kind]


def _plain(kind: SqlType) -> Callable[[Any], Any]:
    """What makes of a value what Arrow takes for it."""
    match kind:
        case ("ARRAY", element):
            inner = _within(element)
            return lambda values: [inner(one) for one in values]
        case ("MAP", key, value):
            first, second = _within(key), _within(value)
            return lambda values: [(first(one), second(other)) for one, other in values.items()]
        case ("STRUCT", fields):
            parts = [(name or f"field_{at}", _within(inner)) for at, (name, inner) in enumerate(fields, 1)]
            return lambda values: {name: plain(one) for (name, plain), one in zip(parts, values, strict=True)}
    return lambda value: value


def _within(kind: SqlType) -> Callable[[Any], Any]:
    plain = _plain(kind)
    return lambda value: None if value is None else plain(value)
