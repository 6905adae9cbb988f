"""What btmodel assumes of the service, as cases that can be tried on any server.

Each is inferred from Google's documentation, its interfaces, its clients or reports of others. The local server
is built on all of them; Google's emulator is known to differ in some.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic, sleep, time

from btmodel.client.change_messages import Event, ReadChange
from btmodel.client.tasks import Tasks
from btmodel.client.trials import (
    ASSUMPTIONS,
    AT,
    DAY,
    LATER,
    PLAIN,
    RULE,
    SUM,
    Trial,
    TrialDiffers,
    assume,
    cell,
    live_families,
    make,
    refused,
    same,
    try_all,
)
from btmodel.errors import ChangesLost, MissingFamily, MissingTable, NotAllowed, ServerError
from btmodel.rows import (
    Add,
    Append,
    Cell,
    Chain,
    Conditional,
    Delete,
    ExactValue,
    Families,
    Increment,
    KeyMatches,
    Mutation,
    QualifierRange,
    ReadModifyWrite,
    ReadPlan,
    RowRange,
    Rows,
    Times,
    Versions,
    WithoutValues,
)
from btmodel.rows.changes import since_token
from btmodel.schema import Aggregate, AuthorizedView, Family, FamilySubset, Table, TableView
from btmodel.schema.gc import keep_all, max_versions
from btmodel.schema.model import OFF, TableSettings
from btmodel.schema.names import AUTHORIZED
from btmodel.schema.view import VIEW_FAMILY, VIEWS

_REPLICATION = 60.0  # seconds
_FILLING = 900.0  # seconds until a view of two rows can be read
_STREAM_BEGINS, _STREAM_ENDS = 0.1, 2.0  # seconds behind the beginning of a stream, and from now on

__all__ = ["ASSUMPTIONS", "try_all"]


@assume("A read of a table that is not there is NOT_FOUND.", "MissingTable, and the advice to migrate")
def _missing_table(trial: Trial) -> None:
    nowhere = ReadPlan(f"{trial.table}_not", (RowRange(b"", b""),), None)
    refused(lambda: list(trial.db.read(nowhere)), MissingTable)


@assume("A write to a family that is not there names the family.", "MissingFamily, and the advice to migrate")
def _missing_family(trial: Trial) -> None:
    refused(lambda: trial.put(b"k", cell(b"q", b"1", family="nowhere")), MissingFamily)


@assume("A write is atomic: where one of its cells is refused, none is kept.", "put, replace, twins")
def _atomic_write(trial: Trial) -> None:
    refused(lambda: trial.put(b"k", cell(b"q", b"1"), cell(b"q", b"1", family="nowhere")))
    same({}, trial.rows())


@assume("Deletes that stand before cells in a write are done before them.", "replace")
def _deletes_first(trial: Trial) -> None:
    trial.put(b"k", cell(b"old", b"1"), cell(b"q", b"1", AT + DAY))
    trial.put(b"k", cell(b"q", b"2"), deletes=(Delete(),))
    same([b"2"], trial.values(b"k"))


@assume("A cell that is written at the time of another replaces it.", "writing again is safe")
def _same_time(trial: Trial) -> None:
    trial.put(b"k", cell(b"q", b"1"))
    trial.put(b"k", cell(b"q", b"2"))
    same([b"2"], trial.values(b"k"))


@assume("Timestamps are whole milliseconds; others are refused.", "every time is rounded, or refused first")
def _milliseconds(trial: Trial) -> None:
    refused(lambda: trial.put(b"k", cell(b"q", b"1", AT + 1)))


@assume("Rows come in the order of their keys as bytes; ranges are half-open.", "every range query")
def _key_order(trial: Trial) -> None:
    keys = (b"\0", b"a", b"a\0", b"a\xff", b"b", b"\xff", b"\xff\xff")
    trial.fill(*reversed(keys))
    same(list(keys), list(trial.rows()))
    same([b"a", b"a\0", b"a\xff"], list(trial.rows(trial.within(b"a", b"b"))))


@assume("A row whose last cell is deleted is no row.", "exists, put_if_absent")
def _empty_rows(trial: Trial) -> None:
    trial.fill(b"k")
    trial.put(b"k", deletes=(Delete(PLAIN, b"q"),))
    same({}, trial.rows())


@assume("Reads go backwards, with limits from the end.", "backwards, newest")
def _backwards(trial: Trial) -> None:
    trial.fill(b"1", b"2", b"3")
    same([b"3", b"2"], list(trial.rows(limit=2, backwards=True)))


@assume("Limits count rows that have a cell behind the filter.", "where(...).limit(n)")
def _limits(trial: Trial) -> None:
    for key, value in ((b"1", b"no"), (b"2", b"yes"), (b"3", b"no"), (b"4", b"yes"), (b"5", b"yes")):
        trial.put(key, cell(b"q", value))
    same([b"2", b"4"], list(trial.rows(filter=ExactValue(b"yes"), limit=2)))


@assume("Cells of a column come newest first.", "the newest value of a column, histories")
def _newest_first(trial: Trial) -> None:
    for at in (2, 1, 3):
        trial.put(b"k", cell(b"q", b"%d" % at, AT + at * 1000))
    same([b"3", b"2", b"1"], trial.values(b"k"))
    same([b"3"], trial.values(b"k", Versions(1)))


@assume("Families of a row come in the order in which they were made.", "rows are read without sorting")
def _family_order(trial: Trial) -> None:
    trial.put(b"k", cell(b"q", b"later", family=LATER), cell(b"q", b"plain"))
    same([b"plain", b"later"], trial.values(b"k"))


@assume(
    "Columns of a family come in the order of their qualifiers as bytes.", "rows are read without sorting"
)
def _column_order(trial: Trial) -> None:
    names = (b"\0", b"A", b"a", b"b", b"\xff")
    trial.put(b"k", *(cell(name, name) for name in reversed(names)))
    same(list(names), trial.values(b"k"))


@assume(
    "An expression has to match the whole key; a newline and bytes that are no text match too.", "matching"
)
def _key_expressions(trial: Trial) -> None:
    trial.fill(b"ab", b"a\n", b"a\xff", b"abc")
    same([b"a\n", b"ab", b"a\xff"], list(trial.rows(filter=KeyMatches(trial.prefix + rb"a\C"))))


@assume("Ranges of qualifiers and of times are half-open.", "entries, times")
def _half_open_filters(trial: Trial) -> None:
    trial.put(b"k", *(cell(b"%d" % at, b"%d" % at, AT + at * 1000) for at in range(4)))
    same([b"1", b"2"], trial.values(b"k", QualifierRange(PLAIN, b"1", b"3")))
    same([b"1", b"2"], trial.values(b"k", Times(AT + 1000, AT + 3000)))


@assume("A condition sees the cells of the whole row, whatever it lets through.", "where")
def _conditions(trial: Trial) -> None:
    trial.put(b"1", cell(b"q", b"yes"), cell(b"other", b"kept"))
    trial.put(b"2", cell(b"q", b"no"), cell(b"other", b"left"))
    found = trial.rows(filter=Rows(Chain((QualifierRange(PLAIN, b"q", b"r"), ExactValue(b"yes")))))
    same([b"1"], list(found))
    same(2, len(found[b"1"]))


@assume("Values can be left out on the server.", "keys, count")
def _without_values(trial: Trial) -> None:
    trial.put(b"k", cell(b"q", b"long"))
    same([b""], trial.values(b"k", WithoutValues()))


@assume("A conditional write looks and writes in one step, and says what it found.", "put_if, put_if_absent")
def _conditional_writes(trial: Trial) -> None:
    def absent(value: bytes) -> bool:
        row = Mutation(trial.table, trial.prefix + b"k", cells=(cell(b"q", value),))
        return trial.db.write_if(Conditional(row, Families((PLAIN,)), present=False))

    same((True, False), (absent(b"1"), absent(b"2")))
    same([b"1"], trial.values(b"k"))


@assume("An increment of a cell that is not there begins at 0; text is appended to.", "counters, extend")
def _increments(trial: Trial) -> None:
    key = trial.prefix + b"k"
    for _ in range(2):
        trial.db.modify(
            ReadModifyWrite(trial.table, key, (Increment(PLAIN, b"n", 3), Append(PLAIN, b"t", b"x")))
        )
    same([(6).to_bytes(8, "big"), b"xx"], trial.values(b"k", Versions(1)))


@assume("An increment of a cell that does not hold 8 bytes is refused, and changes nothing.", "counters")
def _increments_of_text(trial: Trial) -> None:
    trial.put(b"k", cell(b"n", b"text"))
    change = ReadModifyWrite(trial.table, trial.prefix + b"k", (Increment(PLAIN, b"n", 1),))
    refused(lambda: trial.db.modify(change))
    same([b"text"], trial.values(b"k"))


@assume("A read-modify-write is newer than the cell that it changes, whatever clock wrote that.", "counters")
def _increments_are_newest(trial: Trial) -> None:
    far = 4_000_000_000_000_000
    trial.put(b"k", cell(b"n", (1).to_bytes(8, "big"), far))
    trial.db.modify(ReadModifyWrite(trial.table, trial.prefix + b"k", (Increment(PLAIN, b"n", 1),)))
    same([(2).to_bytes(8, "big")], trial.values(b"k", Versions(1)))


@assume("What is added to a cell of a sum is added up.", "aggregate counters")
def _sums(trial: Trial) -> None:
    for amount in (5, -2, 4):
        trial.db.write(Mutation(trial.table, trial.prefix + b"k", adds=(Add(SUM, b"n", 0, amount),)))
    same([(7).to_bytes(8, "big")], trial.values(b"k"))


@assume(
    "Each timestamp of an aggregate column has a sum of its own, also one that is old.", "counters that end"
)
def _sums_of_times(trial: Trial) -> None:
    for at, amount in ((3_600_000_000, 5), (7_200_000_000, 1), (3_600_000_000, 2)):
        trial.db.write(Mutation(trial.table, trial.prefix + b"k", adds=(Add(SUM, b"n", at, amount),)))
    same([(1).to_bytes(8, "big"), (7).to_bytes(8, "big")], trial.values(b"k"))


@assume(
    "A sum can be deleted at its time and added to in one write, and is that amount then.",
    "backups of counters that are put twice",
)
def _sums_are_replaced(trial: Trial) -> None:
    for at in (3_600_000_000, 7_200_000_000, 3_600_000_000):
        gone = (Delete(SUM, b"n", start=at, end=at + 1_000),)
        add = (Add(SUM, b"n", at, 5),)
        trial.db.write(Mutation(trial.table, trial.prefix + b"k", deletes=gone, adds=add))
    same([(5).to_bytes(8, "big")] * 2, trial.values(b"k"))


@assume("A sum is not written like a plain cell.", "a model cannot mix them up")
def _sums_are_not_set(trial: Trial) -> None:
    refused(lambda: trial.put(b"k", cell(b"n", bytes(8), family=SUM)))


@assume("Row keys have 1 to 4,096 bytes.", "the rule on the length of keys, and what codecs refuse")
def _key_lengths(trial: Trial) -> None:
    longest = b"k" * (4096 - len(trial.prefix))
    trial.fill(longest)
    same([longest], list(trial.rows()))
    refused(lambda: trial.fill(longest + b"k"))


@assume("A batch acknowledges each of its rows, 1,000 at a time.", "put_many")
def _batches(trial: Trial) -> None:
    rows = (
        Mutation(trial.table, b"%s%04d" % (trial.prefix, at), cells=(cell(b"q", b"1"),)) for at in range(2000)
    )
    same(2000, trial.db.write_many(trial.table, rows))
    same(2000, len(trial.rows(filter=WithoutValues())))


@assume("A row of more than 4 MiB comes whole.", "large rows")
def _large_rows(trial: Trial) -> None:
    for at in range(5):
        trial.put(b"k", cell(b"%d" % at, bytes([at]) * 2**20))
    same([2**20] * 5, [len(value) for value in trial.values(b"k")])


@assume("The cells of a time range are deleted, and no others.", "deleting of slots and histories")
def _deleted_times(trial: Trial) -> None:
    trial.put(b"k", *(cell(b"q", b"%d" % at, AT + at * 1000) for at in range(4)))
    trial.put(b"k", deletes=(Delete(PLAIN, b"q", AT + 1000, AT + 3000),))
    same([b"3", b"0"], trial.values(b"k"))


@assume("Rows are dropped by the prefix of their keys, and no others.", "drop_prefix")
def _dropped_rows(trial: Trial) -> None:
    trial.fill(b"a1", b"a2", b"b1")
    trial.admin.drop_prefix(trial.table, trial.prefix + b"a")
    same([b"b1"], list(trial.rows()))


@assume("A change of several families is made as a whole or not at all.", "migrate, where it is killed")
def _families_at_once(trial: Trial) -> None:
    made = Family("half", max_versions(1))
    refused(
        lambda: trial.admin.modify_families(
            trial.table, create=(made,), update=(Family("nowhere", max_versions(1)),)
        )
    )
    same({LATER, PLAIN, SUM}, {family.id for family in live_families(trial.admin, trial.table)})


@assume("GC rules are read back as they were written.", "the comparison of declared and live families")
def _rules_read_back(trial: Trial) -> None:
    found = {family.id: (family.gc, family.aggregate) for family in live_families(trial.admin, trial.table)}
    same((RULE, None), found.get(PLAIN))
    same((keep_all(), Aggregate.SUM), found.get(SUM))


@assume("The keys that a table divides at are in order.", "parallel reads")
def _splits(trial: Trial) -> None:
    splits = trial.db.splits(trial.table)
    same(sorted(splits), splits)


@assume(
    "What was written is in all clusters once a consistency token says so.", "the comparison before a drop"
)
def _consistency(trial: Trial) -> None:
    mark = trial.admin.replication_mark(trial.table)
    until = monotonic() + _REPLICATION
    while mark is not None and not trial.admin.is_replicated(trial.table, mark):
        if monotonic() > until:
            raise TrialDiffers(f"replicated within {_REPLICATION:.0f} s", "not yet")
        sleep(1)


@assume("An app profile that is not there is refused.", "a mistyped app_profile is noticed")
def _unknown_profiles(trial: Trial) -> None:
    other = trial.db.with_profile("btmodel-verify-no-such-profile")
    refused(lambda: list(other.cells(trial.table, trial.prefix)))


@contextmanager
def _view(trial: Trial) -> Iterator[TableView]:
    """A view of two rows of the case, once it can be read, as btmodel writes an index; it is dropped at the end."""
    trial.fill(b"k1")
    trial.put(b"k2", cell(b"q", b"1"), cell(b"p", b"2"))
    start = "".join(f"\\x{byte:02x}" for byte in trial.prefix)
    cells = [f"`{PLAIN}`[b'{name}']" for name in ("q", "p")]
    lines = [
        "SELECT",
        f"  CONCAT({cells[0]}, b'#', _key) AS _key,",
        f"  ANY_VALUE({cells[1]}) AS `p`,",
        "  COUNT(*) AS `n`,",
    ]
    lines += [f"  HLL_COUNT.EXTRACT(HLL_COUNT.INIT({cells[0]})) AS `d`", f"FROM `{trial.table}`"]
    lines += [f"WHERE STARTS_WITH(_key, b'{start}')", f"  AND {cells[0]} IS NOT NULL", "GROUP BY 1"]
    view = TableView(f"{trial.table}_view", "\n".join(lines))

    def is_there() -> bool:
        table = trial.admin.table(trial.table)
        return table is not None and any(other.id == view.id for other in table.views)

    def create() -> None:
        created = trial.admin.create_view(view)
        until = monotonic() + _FILLING
        while not created() and monotonic() < until:
            sleep(1)

    make(create, is_there)
    try:
        yield view
    finally:
        make(lambda: trial.admin.delete_view(view.id), lambda: not is_there())


@assume(
    "A view is grouped by a `_key` of the whole key and more; its cells are in `default` at time 0, and a NULL is none.",
    "indexes and rollups",
)
def _views_of_keys(trial: Trial) -> None:
    with _view(trial) as view:
        until = monotonic() + _FILLING
        found: list[tuple[bytes, list[Cell]]] = []
        while len(found) < 2 and monotonic() < until:
            with suppress(ServerError):  # it cannot be read before it is filled
                found = list(trial.db.cells(f"{VIEWS}{view.id}"))
            sleep(0 if len(found) == 2 else 5)
        one = (1).to_bytes(8)
        counts = [Cell(VIEW_FAMILY, b"d", 0, one), Cell(VIEW_FAMILY, b"n", 0, one)]
        same(
            [
                (b"1#" + trial.prefix + b"k1", counts),
                (b"1#" + trial.prefix + b"k2", [*counts, Cell(VIEW_FAMILY, b"p", 0, b"2")]),
            ],
            found,
        )


@assume(
    "The query of a view is read back as it was written, but for spaces.",
    "the comparison of declared and live views",
)
def _view_queries_read_back(trial: Trial) -> None:
    with _view(trial) as view:
        table = trial.admin.table(trial.table)
        same([view.asked], [view.asked for view in table.views] if table else None)


@assume("A family that a view reads cannot be dropped.", "migrate drops views before families and tables")
def _viewed_families_stay(trial: Trial) -> None:
    with _view(trial):
        refused(lambda: trial.admin.modify_families(trial.table, drop=(PLAIN,)))


@contextmanager
def _authorized(trial: Trial) -> Iterator[str]:
    """An authorized view of the rows k1 and k10 and the column q, as the table of a read; it is dropped at the end."""
    for key in (b"k1", b"k10", b"k2"):
        trial.put(key, cell(b"p", b"2"), cell(b"q", b"1"))
    subset = FamilySubset(PLAIN, (b"q",))
    view = AuthorizedView(f"v{trial.prefix[:2].decode()}", (trial.prefix + b"k1",), (subset,))

    def is_there() -> bool:
        return view.id in [view.id for view in _live(trial).authorized]

    make(lambda: trial.admin.create_part(trial.table, view), is_there)
    try:
        yield f"{trial.table}{AUTHORIZED}{view.id}"
    finally:
        make(lambda: trial.admin.delete_part(trial.table, view), lambda: not is_there())


def _live(trial: Trial) -> Table:
    found = trial.admin.table(trial.table)
    return Table(trial.table, ()) if found is None else found


@assume(
    "A read through an authorized view gives its rows and columns, and no error for others.",
    "reads through authorized views",
)
def _reads_through_views(trial: Trial) -> None:
    with _authorized(trial) as through:
        found = {
            key: [one.qualifier for one in cells] for key, cells in trial.db.cells(through, trial.prefix)
        }
        same({trial.prefix + b"k1": [b"q"], trial.prefix + b"k10": [b"q"]}, found)


@assume(
    "A write through an authorized view to what it does not show is PERMISSION_DENIED; so is the deletion of a whole row.",
    "writes through authorized views",
)
def _writes_through_views(trial: Trial) -> None:
    with _authorized(trial) as through:
        key = trial.prefix + b"k1"
        for wrong in (
            Mutation(through, trial.prefix + b"k2", cells=(cell(b"q", b"3"),)),
            Mutation(through, key, cells=(cell(b"p", b"3"),)),
            Mutation(through, key, deletes=(Delete(),)),
        ):
            refused(partial(trial.db.write, wrong), NotAllowed)
        trial.db.write(Mutation(through, key, cells=(cell(b"q", b"3"),)))
        same([b"2", b"3"], trial.values(b"k1"))


@assume(
    "Authorized views are listed with all that they show.",
    "the comparison of declared and live authorized views",
)
def _authorized_views_read_back(trial: Trial) -> None:
    with _authorized(trial):
        subset = FamilySubset(PLAIN, (b"q",))
        live = [(view.row_prefixes, view.subsets) for view in _live(trial).authorized]
        same([((trial.prefix + b"k1",), (subset,))], live)


@assume(
    "A change stream gives each change of a row once and in order, a deleted row as deleted families, and an increment as a cell.",
    "changes, follow, repair",
)
def _change_streams(trial: Trial) -> None:
    trial.admin.refuse_emulator(trial.table, "change streams")
    refused(lambda: _events(trial, time()))
    trial.admin.update_settings(trial.table, TableSettings(change_stream=timedelta(days=1)))
    try:
        since = time()
        sleep(_STREAM_BEGINS)
        trial.put(b"k", cell(b"q", b"1"))
        change = ReadModifyWrite(trial.table, trial.prefix + b"k", (Increment(PLAIN, b"n", 3),))
        trial.db.modify(change)
        trial.put(b"k", deletes=(Delete(),))
        found = [event.change for event in _events(trial, since) if isinstance(event, ReadChange)]
        kinds = [
            [type(step).__name__ for step in one.steps] for one in found if one.key == trial.prefix + b"k"
        ]
        same([["Cell"], ["Cell"], ["Delete"] * len(live_families(trial.admin, trial.table))], kinds)
        refused(lambda: _events(trial, since - 2 * 86_400), ChangesLost)
    finally:
        trial.admin.update_settings(trial.table, TableSettings(change_stream=OFF))


def _events(trial: Trial, since: float) -> list[Event]:
    """The events of the table's change stream from ``since`` to some seconds from now."""
    until = datetime.now(UTC) + timedelta(seconds=_STREAM_ENDS)
    found: list[Event] = []
    for partition in trial.db.change_partitions(trial.table):
        tokens = {partition: since_token(int(since * 1e6))}
        found += trial.db.change_events(Tasks(), trial.table, partition, tokens, heartbeat=1.0, until=until)
    return found


@assume(
    "SQL has a column `_key` and a map of newest values for each family, which is empty where a row has none.",
    "db.sql, bt.sql_query",
)
def _sql_rows(trial: Trial) -> None:
    trial.put(b"k1", cell(b"q", b"1"), cell(b"q", b"0", AT - DAY))
    query = f"SELECT _key, `{PLAIN}` AS cells, `{LATER}` AS others FROM `{trial.table}` WHERE STARTS_WITH(_key, @prefix)"
    rows = trial.db.sql(query, {"prefix": trial.prefix}).all()
    same([(trial.prefix + b"k1", {b"q": b"1"}, {})], [tuple(row) for row in rows])


@assume(
    "A history of SQL is newest first; a row with no cell at the moment that as_of asks for is left out.",
    "what docs/sql.md says of versions",
)
def _sql_versions(trial: Trial) -> None:
    trial.put(b"k1", cell(b"q", b"1"), cell(b"q", b"0", AT - DAY))
    trial.fill(b"k2")
    where = "WHERE STARTS_WITH(_key, @prefix) ORDER BY _key"
    given = {"prefix": trial.prefix}
    query = f"SELECT `{PLAIN}`['q'] AS q FROM `{trial.table}`(with_history => TRUE) {where}"
    history = [[value for _, value in row.q] for row in trial.db.sql(query, given)]
    same([[b"1", b"0"], [b"1"]], history)
    query = f"SELECT _key FROM `{trial.table}`(as_of => TIMESTAMP_MICROS({AT - DAY})) {where}"
    same([trial.prefix + b"k1"], [row.key for row in trial.db.sql(query, given)])


@assume(
    "A column of SQL without an alias has an empty name, and an expression that fails ends the query.",
    "the attributes of rows, and errors of db.sql",
)
def _sql_results(trial: Trial) -> None:
    same([("", "INT64")], [tuple(column) for column in trial.db.sql("SELECT 1 + 1").columns()])
    refused(lambda: trial.db.sql("SELECT 1 / 0").all())
