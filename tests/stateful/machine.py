"""The machine: it writes, deletes and reads through a generated repository, and compares each answer with a dict."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, ClassVar

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.strategies import DataObject

import btmodel as bt
from btmodel.rows import Cell, Delete, Mutation
from tests.repository.notes import generated
from tests.stateful.cases import ENDS, NUMBERS, RECENT, SHORT, TIMES, Case, Question, in_order
from tests.stateful.reference import FOREIGN, Key

DATA = st.data()
# The module with the repository of a model.
repository_of = cache(generated)
# What the writers of foreign cells call the time.
SET = RECENT + timedelta(hours=1)
# What a writer whose clock is ahead takes for the present.
AHEAD = datetime(2096, 1, 1, tzinfo=UTC)


def micros(time: datetime) -> int:
    """A time as cells have it."""
    return (time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


class RepositoryMachine(RuleBasedStateMachine):
    """Drives the repository of one model. A subclass for each run has the case, the connection and the server's ways."""

    case: ClassVar[Case]
    db: ClassVar[bt.Database]
    collect: ClassVar[Callable[[], None] | None]
    # Google's emulator reads forwards alone, and stores the last amount where the greatest is meant.
    emulated: ClassVar[bool]

    def __init__(self) -> None:
        super().__init__()
        self.generated = repository_of(self.case.model)
        name = self.case.model.__name__
        self.repository = getattr(self.generated, f"{name}Repository")(self.db)
        self.key = getattr(self.generated, f"{name}Key")
        self.table_id = bt.schema_of(self.case.model).table
        self.table = self.case.table()
        self.raws: dict[bytes, Key] = {}
        self.ticks = 0
        keys = [key for key, _ in self.db.cells(self.table_id)]
        self.db.write_many(self.table_id, (Mutation(self.table_id, key, deletes=[Delete()]) for key in keys))

    def now(self) -> datetime:
        """The time of writing: behind every time that is written, and before the next one."""
        self.ticks += 1
        return RECENT + timedelta(days=1, microseconds=self.ticks)

    def raw(self, key: Key) -> bytes:
        """The row key, which only tells where to put the cells of others, and whose they are."""
        raw = self.case.model.row_key(**dict(zip(self.case.fields, key, strict=True)))
        assert self.raws.setdefault(raw, key) == key
        return raw

    def draw_key(self, data: DataObject) -> Any:
        """A key, of a row that was written more often than not."""
        known = sorted(self.table.rows, key=self.table.order)
        return self.key(*data.draw(st.sampled_from(known) | self.case.keys if known else self.case.keys))

    def draw_row(self, data: DataObject) -> tuple[Key, dict[str, Any], Any]:
        """A row, as a key, its values, and an instance of the model."""
        key, values = self.draw_key(data), data.draw(self.case.values)
        values = self.fitted(key, values)
        given = dict(zip(self.case.fields, key, strict=True))
        self.raw(key)
        return tuple(key), values, self.case.model(**given, **values)

    def fitted(self, key: Key, values: dict[str, Any]) -> dict[str, Any]:
        """The values as far as a row of this key may hold them."""
        return values

    @initialize(data=DATA)
    def begin_with_rows(self, data: DataObject) -> None:
        """Most questions are about several rows."""
        rows = {key: (values, row) for key, values, row in (self.draw_row(data) for _ in range(8))}
        self.repository.put_many(row for _, row in rows.values())
        for key, (values, _) in rows.items():
            self.table.put(key, values, self.now())

    @rule(data=DATA)
    def put(self, data: DataObject) -> None:
        key, values, row = self.draw_row(data)
        self.repository.put(row)
        self.table.put(key, values, self.now())

    @rule(data=DATA)
    def put_by_a_clock_ahead(self, data: DataObject) -> None:
        key, values, row = self.draw_row(data)
        self.db.write(bt.mutation_of(row, now=AHEAD))
        self.table.put(key, values, AHEAD)

    @rule(data=DATA, replaced=st.booleans(), count=st.integers(0, 5))
    def put_many(self, data: DataObject, replaced: bool, count: int) -> None:
        rows = [self.draw_row(data) for _ in range(count)]
        write = self.repository.replace_many if replaced else self.repository.put_many
        # The rows of one batch have no order among them, so each has one row of a key.
        assume(len({key for key, _, _ in rows}) == len(rows))
        assert write(row for _, _, row in rows) == len(rows)
        for key, values, _ in rows:
            if replaced:
                self.table.delete(key)
            self.table.put(key, values, self.now())

    @rule(data=DATA)
    def replace(self, data: DataObject) -> None:
        key, values, row = self.draw_row(data)
        self.repository.replace(row)
        self.table.delete(key)
        self.table.put(key, values, self.now())

    @rule(data=DATA)
    def put_if_absent(self, data: DataObject) -> None:
        key, values, row = self.draw_row(data)
        absent = not self.table.holds(key)
        assert self.repository.put_if_absent(row) is absent
        if absent:
            self.table.put(key, values, self.now())

    @precondition(lambda self: self.case.compared)
    @rule(data=DATA, several=st.booleans())
    def put_if(self, data: DataObject, several: bool) -> None:
        key, values, row = self.draw_row(data)
        names = data.draw(st.permutations(self.case.compared))[: 1 + several]
        expected = {}
        for name in names:
            drawn = data.draw(self.case.values)[name]
            expected[name] = data.draw(st.sampled_from([self.table.newest(key, name), drawn]))
        try:
            written: bool | None = self.repository.put_if(row, **expected)
        except bt.LaterRow:
            written = None
        assert written is self.table.put_if(key, values, expected, self.now())

    @rule(data=DATA)
    def delete(self, data: DataObject) -> None:
        key = self.draw_key(data)
        self.repository.delete(*key)
        self.table.delete(tuple(key))

    @rule(data=DATA, count=st.integers(0, 2))
    def delete_many(self, data: DataObject, count: int) -> None:
        keys = [self.draw_key(data) for _ in range(count)]
        assert self.repository.delete_many(keys) == count
        for key in keys:
            self.table.delete(tuple(key))

    @precondition(lambda self: self.case.clearable)
    @rule(data=DATA)
    def clear(self, data: DataObject) -> None:
        key = self.draw_key(data)
        names = data.draw(st.lists(st.sampled_from(self.case.clearable), min_size=1, max_size=3))
        self.repository.clear(key, *names)
        self.table.clear(tuple(key), names)

    @precondition(lambda self: self.case.removable)
    @rule(data=DATA)
    def remove(self, data: DataObject) -> None:
        key = self.draw_key(data)
        chosen = data.draw(st.sets(st.sampled_from(self.case.removable), min_size=1))
        entries = {
            name: data.draw(st.lists(st.sampled_from(["x", "y", "t:", "z"]), max_size=2))
            for name in sorted(chosen)
        }
        self.repository.remove(key, **entries)
        self.table.remove(tuple(key), entries)

    def counters(self) -> list[str]:
        """The attributes that are added to."""
        counters = {
            name: one
            for name, one in self.table.attributes.items()
            if one.shape in ("counter", "counters", "counts")
        }
        return [name for name, one in counters.items() if not self.emulated or one.joins is not max]

    def amount(self, name: str) -> st.SearchStrategy[Any]:
        """What one of them is added to with: a number, or some for entries."""
        one = st.integers(-3, 3)
        of_entries = self.table.attributes[name].shape == "counters"
        return (
            st.dictionaries(st.sampled_from(["x", "y"]), one, min_size=1, max_size=2) if of_entries else one
        )

    def refused(self, key: Any, names: set[str], edit: Callable[[], object]) -> bool:
        """Whether a row with nothing but these columns would lack what every row must have; then it is refused."""
        if self.case.required <= names or self.table.holds(tuple(key)):
            return False
        with pytest.raises(bt.MissingRow):
            edit()
        return True

    @precondition(lambda self: self.counters())
    @rule(data=DATA)
    def add(self, data: DataObject) -> None:
        key = self.draw_key(data)
        names = data.draw(st.sets(st.sampled_from(self.counters()), min_size=1))
        amounts = {name: data.draw(self.amount(name)) for name in sorted(names)}
        at = data.draw(st.sampled_from(TIMES))
        hours = any(self.table.attributes[name].shape == "counts" for name in names)
        when = {"at": at} if hours else {}
        if self.refused(key, set(names), lambda: self.repository.add(key, **amounts, **when)):
            return
        self.repository.add(key, **amounts, **when)
        self.raw(key)
        self.table.add(tuple(key), amounts, self.now(), at)

    @precondition(lambda self: self.case.incremented)
    @rule(data=DATA, by=st.integers(-3, 3))
    def increment(self, data: DataObject, by: int) -> None:
        key, name = self.draw_key(data), data.draw(st.sampled_from(self.case.incremented))
        if self.refused(key, {name}, lambda: self.repository.increment(key, name, by)):
            return
        value = (self.table.newest(tuple(key), name) or 0) + by
        assert self.repository.increment(key, name, by) == value
        self.raw(key)
        self.table.change(tuple(key), name, self.now(), value)

    @precondition(lambda self: self.case.extended)
    @rule(data=DATA, more=SHORT)
    def extend(self, data: DataObject, more: str) -> None:
        key, name = self.draw_key(data), data.draw(st.sampled_from(self.case.extended))
        if self.refused(key, {name}, lambda: self.repository.extend(key, name, more)):
            return
        value = (self.table.newest(tuple(key), name) or "") + more
        assert self.repository.extend(key, name, more) == value
        self.raw(key)
        self.table.change(tuple(key), name, self.now(), value)

    @rule(data=DATA, value=NUMBERS)
    def others_write(self, data: DataObject, value: int) -> None:
        key, place = tuple(self.draw_key(data)), data.draw(st.sampled_from(self.case.foreign))
        # A row of foreign cells alone lacks what every row must have, unless the model does not see them.
        assume(not self.case.required or self.table.holds(key) or place[0] not in self.table.families)
        raw = b"%d" % value
        self.db.write(Mutation(self.table_id, self.raw(key), [Cell(*place, micros(SET), raw)]))
        self.table.write(key, (FOREIGN, place), SET, raw)

    @precondition(lambda self: self.collect)
    @rule()
    def collect_garbage(self) -> None:
        type(self).collect()  # type: ignore[misc]

    def found(self, row: Any, only: list[str] | None = None) -> Any:
        """What an instance says, to compare with what the reference does."""
        if row is None:
            return None
        names = [*self.case.fields, *(self.table.attributes if only is None else only)]
        names += [self.table.stamp] if self.table.stamp else []
        foreign = {(one.family, one.qualifier, one.time, one.value) for one in bt.unknown_cells(row)}
        # A time that lies in no cell that was asked for is not there.
        return {**{name: getattr(row, name, None) for name in names}, FOREIGN: foreign}

    @rule(data=DATA)
    def get(self, data: DataObject) -> None:
        key = self.draw_key(data)
        only = data.draw(st.none() | self.some_columns())
        if only is None:
            assert self.found(self.repository.get(*key)) == self.table.read(tuple(key))
        else:
            assert self.found(self.repository.get(*key, only=only), only) == self.table.read(tuple(key), only)
        assert self.repository.exists(*key) is self.table.holds(tuple(key))

    @rule(data=DATA, count=st.integers(0, 6))
    def get_many(self, data: DataObject, count: int) -> None:
        keys = [self.draw_key(data) for _ in range(count)]
        found = [self.found(row) for row in self.repository.get_many(keys)]
        assert found == [self.table.read(tuple(key)) for key in keys]

    def some_columns(self) -> st.SearchStrategy[list[str]]:
        """The names of some attributes."""
        return st.lists(st.sampled_from(list(self.table.attributes)), min_size=1, max_size=3, unique=True)

    def values_of(self, name: str) -> st.SearchStrategy[Any]:
        """Values of one attribute."""
        return self.case.values.map(lambda values: values[name]).filter(lambda value: value is not None)

    def asked(self, question: Question) -> Any:
        """The read of a question."""
        closed = {"closed": question.closed} if question.closed else {}
        return getattr(self.repository, question.name)(*question.arguments, **closed)

    def narrowed(self, data: DataObject) -> "tuple[Any, list[Key], Callable[[Key], Any], list[str] | None]":
        """A read, narrowed in some ways, the keys that it must find, and what it must find of each."""
        question = data.draw(self.case.questions.filter(in_order))
        rows, keys = self.asked(question), [key for key in self.table.keys() if question.finds(key)]
        keys.sort(key=question.order or self.table.order)
        ways = data.draw(st.sets(st.sampled_from(["only", "where", "times", "backwards"]), max_size=2))
        only = data.draw(self.some_columns()) if "only" in ways else None
        start = end = None
        if "where" in ways and self.case.compared:
            name = data.draw(st.sampled_from(self.case.compared))
            held = {self.table.newest(key, name) for key in keys} - {None}
            value = data.draw(st.sampled_from(sorted(held)) if held else self.values_of(name))
            rows = rows.where(**{name: value})
            keys = [key for key in keys if self.table.newest(key, name) == value]
        if "times" in ways:
            start, end = data.draw(st.tuples(st.sampled_from(ENDS), st.sampled_from(ENDS)))
            if start and end and start > end:
                start, end = end, start
            rows = rows.times(start, end)
        if only is not None:
            rows = rows.only(*only)
        if "backwards" in ways and not self.emulated:
            rows, keys = rows.backwards(), keys[::-1]

        def read(key: Key) -> Any:
            return self.table.read(key, only, start, end, timed="times" in ways)

        return rows, [key for key in keys if read(key)], read, only

    @rule(data=DATA)
    def ask(self, data: DataObject) -> None:
        rows, keys, read, only = self.narrowed(data)
        limit = data.draw(st.none() | st.integers(1, 4))
        if limit is not None:
            rows, keys = rows.limit(limit), keys[:limit]
        assert [self.found(row, only) for row in rows] == [read(key) for key in keys]
        assert list(rows.keys()) == [self.key(*key) for key in keys]
        assert rows.count() == len(keys)
        assert self.found(rows.first(), only) == (read(keys[0]) if keys else None)

    @rule(data=DATA, limit=st.sampled_from([1, 2, None]))
    def delete_asked(self, data: DataObject, limit: int | None) -> None:
        rows, keys, _, _ = self.narrowed(data)
        if limit is not None:
            rows, keys = rows.limit(limit), keys[:limit]
        assert rows.delete() == len(keys)
        for key in keys:
            self.table.delete(key)

    @rule(data=DATA, size=st.integers(1, 3))
    def walk(self, data: DataObject, size: int) -> None:
        rows, keys, read, only = self.narrowed(data)
        cursor = None
        while True:
            page = rows.page(size, cursor)
            assert [self.found(row, only) for row in page.rows] == [read(key) for key in keys[:size]]
            assert (page.next is not None) is (len(keys) > size)
            if page.next is None:
                return
            if data.draw(st.booleans()):
                gone = data.draw(st.sampled_from(keys))
                self.repository.delete(*gone)
                self.table.delete(gone)
            keys, cursor = [key for key in keys[size:] if read(key)], page.next

    @invariant()
    def all_rows_are_there(self) -> None:
        found = [self.found(row) for row in self.repository.everything()]
        found.sort(key=lambda row: self.table.order([row[name] for name in self.case.fields]))
        assert found == [self.table.read(key) for key in self.table.keys()]
        for row in found:
            for name, one in self.table.attributes.items():
                assert one.shape not in ("history", "marks") or list(row[name]) == sorted(
                    row[name], reverse=True
                )

    @invariant()
    def cells_of_others_are_there(self) -> None:
        places = set(self.case.foreign)
        assert {
            (self.raws[raw], cell.family, cell.qualifier, cell.time, cell.value)
            for raw, cells in self.db.cells(self.table_id)
            for cell in cells
            if (cell.family, cell.qualifier) in places
        } == self.table.foreign()
