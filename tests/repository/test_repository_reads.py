"""Lazy reads, against a real server."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from notes import Note, Spread, Visited, generated

import btmodel as bt
from btmodel.rows import Cell, Mutation
from examples.generated.quote_repository import QuoteKey, QuoteRepository
from examples.market import QUOTE_TIME, Quote, made_up_quotes

Open = Callable[..., bt.Database]
NOTES, SPREAD, VISITED = generated(Note), generated(Spread), generated(Visited)
SECOND = timedelta(seconds=1)


def note(tenant: str, name: str, title: str = "a title", **more: Any) -> Note:
    """A note without anything in it."""
    return Note(tenant=tenant, name=name, title=title, **{"tags": set(), "scores": {}, **more})


def names(rows: Iterable[Note]) -> str:
    """The names of some notes."""
    return "".join(row.name for row in rows)


def pages_of(rows: Any, size: int) -> list[str]:
    """The names on each page of a read, as a web page would ask for them."""
    found, cursor = [], None
    while not found or cursor is not None:
        page = rows.page(size, cursor)
        found.append(names(page.rows))
        cursor = page.next
    return found


@pytest.fixture
def notes(database: Open) -> Any:
    """Notes a to f of the tenant acme, and the same of others that begin alike."""
    repository = NOTES.NoteRepository(database(Note))
    repository.put_many(
        note(tenant, name, title=name * 2, visits=ord(name) % 2)
        for tenant in ("acme", "acme2", "acm")
        for name in "abcdef"
    )
    return repository


def test_nothing_is_sent_before_the_rows_are_iterated(database: Open) -> None:
    """A read of a table that is not there fails when it is iterated, and each time that it is."""
    quotes = QuoteRepository(database())
    rows = quotes.by_symbol("NYSE", "IBM").only("bid").backwards().limit(3)
    for _ in range(2):
        with pytest.raises(bt.MissingTable):
            list(rows)


def test_a_read_can_be_read_again_and_narrowed_without_harm(notes: Any) -> None:
    """Each iteration asks anew, and what narrows a read leaves it as it was."""
    rows = notes.of_tenant("acme")
    assert names(rows.limit(2)) == "ab"
    assert names(rows.limit(2).limit(4)) == names(rows.limit(4).limit(2)) == "ab"
    assert names(rows) == names(rows) == "abcdef"
    notes.delete("acme", "a")
    assert names(rows) == "bcdef"


def test_a_read_says_what_it_will_ask(notes: Any) -> None:
    """The text of a read is its plan, and its repr says that nothing was read."""
    rows = notes.of_tenant("acme").only("title").where(visits=1).backwards().limit(2)
    told = rows.explain().splitlines()
    assert told[1] == "rows    [b'acme#', b'acme$')"
    assert told[2].startswith("filter  rows with (columns d:v > newest 1 of a column > value ")
    assert told[2].endswith("> columns d:t > newest 1 of a column")
    assert told[3:] == ["limit   2 rows", "order   from the last row to the first"]
    assert repr(rows) == f"NoteRows, not read yet\n{rows.explain()}"
    assert str(rows.plan) == rows.explain()


def test_the_ends_of_a_range_belong_to_it_as_it_says(notes: Any) -> None:
    """Ranges are half-open unless ``closed`` says otherwise; a beginning finds what begins so."""
    found = {
        closed: names(notes.named("acme", "b", "d", closed=closed)) for closed in ("[)", "[]", "()", "(]")
    }
    assert found == {"[)": "bc", "[]": "bcd", "()": "c", "(]": "cd"}
    notes.put_many([note("acme", "by"), note("acme", "bz"), note("acme2", "bx")])
    assert [row.name for row in notes.beginning("acme", "b")] == ["b", "by", "bz"]


def test_the_first_row_and_how_many_there_are(notes: Any) -> None:
    """first gives one row or None, count counts, and both obey what narrows the read."""
    rows = notes.of_tenant("acme")
    assert rows.first().name == "a"
    assert rows.where(visits=0).first().name == "b"
    assert notes.of_tenant("nobody").first() is None
    assert (rows.count(), rows.where(visits=0).count(), rows.limit(2).count()) == (6, 3, 2)
    assert notes.of_tenant("nobody").count() == 0


def test_only_the_asked_columns_come(notes: Any) -> None:
    """An attribute that was not asked for is unset; a row without any of the columns does not come."""
    notes.put(note("acme", "g", text="some"))
    [row] = notes.of_tenant("acme").only("text", "tags")
    assert (row.name, row.text, row.tags) == ("g", "some", set())
    with pytest.raises(AttributeError, match=r"Note.title was not read"):
        _ = row.title
    assert names(notes.of_tenant("acme").only("title")) == "abcdefg"
    assert notes.get("acme", "g", only=["visits", "text"]).visits is None
    assert notes.get("acme", "a", only=["text"]) is None
    with pytest.raises(bt.QueryRefused, match="Note: only: expected columns of title, text"):
        notes.get("acme", "a", only=["titel"])


def test_open_columns_can_be_asked_for_alone(notes: Any) -> None:
    """A set and a mapping come whole, and what shares their family does not."""
    notes.put(note("acme", "a", tags={"x", "y"}, scores={"p": 1, "q": 2}))
    [row] = notes.named("acme", "a", "b").only("tags", "scores")
    assert (row.tags, row.scores) == ({"x", "y"}, {"p": 1, "q": 2})
    assert not bt.unknown_cells(row)


def test_where_compares_on_the_server(notes: Any) -> None:
    """Rows come whole whose columns have these values, all of them."""
    rows = notes.of_tenant("acme")
    assert names(rows.where(visits=1)) == "ace"
    assert names(rows.where(visits=1, title="cc")) == "c"
    assert names(rows.where(visits=1).where(title="bb")) == ""
    assert next(iter(rows.where(title="cc").only("visits"))).visits == 1


def test_matching_looks_at_the_whole_key(notes: Any) -> None:
    """Keys must match from end to end; bytes and text are taken."""
    rows = notes.of_tenant("acme")
    assert names(rows.matching(r".*[bd]")) == "bd"
    assert names(rows.matching(b"acme#[^ac]").where(visits=1)) == "e"
    assert names(rows.matching("acme")) == ""


def test_times_bound_the_cells(database: Open) -> None:
    """Cells of the given time come; rows without one do not, and a range that holds no time asks nothing."""
    db = database(Quote)
    for millis in (1, 2, 3):
        key = Quote.row_key(exchange="NYSE", symbol="IBM", quote_time=QUOTE_TIME + millis * SECOND)
        db.write(Mutation("QUOTE", key, [Cell("MD", b"BID", millis * 1_000, b"1")]))
    rows = QuoteRepository(db).by_symbol("NYSE", "IBM")
    at = [Cell("", b"", millis * 1_000, b"").time for millis in range(5)]
    assert [row.quote_time for row in rows.times(at[2], at[3])] == [QUOTE_TIME + 2 * SECOND]
    assert rows.times(at[2], None).count() == 2
    assert rows.times(None, at[2]).count() == 1
    assert list(rows.times(at[3], at[3])) == []


def test_rows_that_cannot_be_decoded_are_skipped_and_told(notes: Any) -> None:
    """With a handler, errors of keys and of cells go to it and the other rows come."""
    db = notes._db
    later = 4_000_000_000_000_000
    db.write(Mutation("notes", b"acme#b", [Cell("d", b"v", later, b"short")]))
    db.write(Mutation("notes", b"acme#too#long", [Cell("d", b"t", 5_000, b"t")]))
    rows = notes.of_tenant("acme")
    with pytest.raises(bt.UndecodableCell):
        list(rows)
    errors: list[Exception] = []
    kept = rows.on_error(errors.append)
    assert names(kept) == "acdef"
    assert [type(error) for error in errors] == [bt.UndecodableCell, bt.UndecodableKey]
    assert kept.first().name == "a"
    assert names(kept.page(2).rows) == "a"
    assert kept.count() == 6
    with pytest.raises(bt.UndecodableKey):
        rows.count()


def test_keys_come_without_their_rows(notes: Any) -> None:
    """Keys are named tuples of the key's fields, and those of the rows that would come."""
    rows = notes.of_tenant("acme")
    twice = rows.limit(2).keys()
    assert list(twice) == list(twice)  # each loop asks anew, as of the read itself
    assert repr(twice) == "NoteRows.keys(), not read yet"
    assert list(twice) == [NOTES.NoteKey("acme", "a"), NOTES.NoteKey(tenant="acme", name="b")]
    assert [key.name for key in rows.where(visits=1).only("title").keys()] == ["a", "c", "e"]
    assert list(rows.only("text").keys()) == []


def test_keys_that_are_hashed_come_with_what_they_are_made_from(database: Open) -> None:
    """The columns that a hash is made from are read with the key; a last field that a row lacks is None."""
    visited = VISITED.VisitedRepository(database(Visited))
    visited.put_many(
        [Visited(url="a", size=5), Visited(url="a", day="mo"), Visited(url="b", day="mo", size=5)]
    )
    assert list(visited.of_page("a").keys()) == [VISITED.VisitedKey(None, "a"), VISITED.VisitedKey("mo", "a")]
    assert list(visited.of_page("a").where(size=5).only("size").keys()) == [VISITED.VisitedKey(None, "a")]
    assert visited.get("mo", "b").size == 5
    assert visited.one(None, "a").first().size == 5
    assert visited.get_many([VISITED.VisitedKey(None, "b"), VISITED.VisitedKey("mo", "b")])[0] is None


def test_pages_give_every_row_once(notes: Any) -> None:
    """Page by page the whole comes, whatever their size, and the last page has no next."""
    wanted = {1: "a b c d e f", 2: "ab cd ef", 4: "abcd ef", 6: "abcdef", 7: "abcdef"}
    for size, pages in wanted.items():
        assert " ".join(pages_of(notes.of_tenant("acme"), size)) == pages
    assert pages_of(notes.of_tenant("acme").where(visits=1), 2) == ["ac", "e"]
    assert pages_of(notes.of_tenant("nobody"), 2) == [""]


def test_pages_of_a_limited_read_end_with_the_limit(notes: Any) -> None:
    """A limit counts over all pages, as that of ``newest`` does, whatever lies behind it."""
    wanted = {1: "a b c d", 2: "ab cd", 3: "abc d", 4: "abcd", 5: "abcd"}
    for size, pages in wanted.items():
        assert " ".join(pages_of(notes.of_tenant("acme").limit(4), size)) == pages
    assert pages_of(notes.of_tenant("acme").limit(9), 4) == ["abcd", "ef"]
    assert notes.of_tenant("acme").limit(4).delete() == 4
    assert names(notes.of_tenant("acme")) == "ef"


def test_a_cursor_goes_on_where_rows_were_deleted_or_added(notes: Any) -> None:
    """A cursor needs no row to be there; rows that were added behind it come."""
    page = notes.of_tenant("acme").page(2)
    notes.delete("acme", "b")
    notes.put(note("acme", "bb"))
    assert [row.name for row in notes.of_tenant("acme").page(2, page.next).rows] == ["bb", "c"]


def test_a_cursor_of_another_query_is_refused(notes: Any) -> None:
    """A cursor is good for the query that gave it alone, up to its limit; a wrong size is refused, too."""
    cursor = notes.of_tenant("acme").page(2).next
    for text in (cursor, "", "made up", cursor[:-2]):
        with pytest.raises(bt.QueryRefused, match="cursor: expected the one of a page of this read"):
            notes.of_tenant("acme2").page(2, text)
    for rows in (notes.of_tenant("acme").limit(5), notes.named("acme", "a", "f")):
        with pytest.raises(bt.QueryRefused, match="this one is of another read, or was changed"):
            rows.page(2, cursor)
    with pytest.raises(bt.QueryRefused, match="expected a number of rows from 1 on, got 0"):
        notes.of_tenant("acme").page(0)


def test_reads_of_a_salted_table_are_merged(database: Open) -> None:
    """Rows of every salt come in the order of the rest of the key, with pages, limits, keys and counts."""
    spread = SPREAD.SpreadRepository(database(Spread))
    rows = [Spread(number=number, user=f"u{number % 7}", value=number) for number in range(40)]
    spread.put_many([*rows, Spread(number=5, user="other", value=0)])
    found = spread.numbered(3, 20)
    assert [row.number for row in found] == [3, 4, 5, 5, *range(6, 20)]
    assert [key.number for key in found.limit(4).keys()] == [3, 4, 5, 5]
    assert found.count() == 18
    seen, cursor = [], None
    while True:
        page = found.page(4, cursor)
        seen += page.rows
        if (cursor := page.next) is None:
            break
    assert seen == list(found)
    assert found.delete() == 18
    assert [row.number for row in spread.numbered()] == [0, 1, 2, *range(20, 40)]


def test_rows_come_backwards(notes: Any) -> None:
    """From the last to the first, with limits, pages and keys."""
    rows = notes.of_tenant("acme").backwards()
    assert names(rows) == "fedcba"
    assert names(rows.backwards()) == "abcdef"
    assert names(rows.limit(2)) == "fe"
    assert rows.first().name == "f"
    page = rows.page(4)
    assert names(page.rows) + names(rows.page(4, page.next).rows) == "fedcba"
    with pytest.raises(bt.QueryRefused, match="cursor"):
        notes.of_tenant("acme").page(4, page.next)
    assert rows.limit(2).delete() == 2
    assert names(rows) == "dcba"


def test_a_tenant_leaves_and_those_that_begin_alike_stay(notes: Any) -> None:
    """delete takes the rows of the read and no others, says how many, and can be run again."""
    assert notes.of_tenant("acme").where(visits=1).delete() == 3
    assert notes.of_tenant("acme").limit(1).delete() == 1
    assert names(notes.of_tenant("acme")) == "df"
    assert notes.of_tenant("acme").delete() == 2
    assert notes.of_tenant("acme").delete() == 0
    assert notes.of_tenant("acm").count() == notes.of_tenant("acme2").count() == 6
    assert notes.all_notes().delete() == 12


def test_deletions_are_batched_and_told(database: Open) -> None:
    """More rows than a batch holds are deleted batch by batch; progress is told after each."""
    quotes = QuoteRepository(database(Quote))
    quotes.put_many(made_up_quotes(5_000))
    told: list[int] = []
    assert quotes.by_symbol("NASDAQ", "ZXZZT").limit(2_300).delete(progress=told.append) == 2_300
    assert told == [1_000, 2_000, 2_300]
    assert quotes.by_symbol("NASDAQ", "ZXZZT").delete() == 200


def test_rows_that_are_none_of_the_model_are_not_deleted_unasked(notes: Any) -> None:
    """A key that the model cannot read stops the deletion, or is left alone where somebody is told."""
    notes._db.write(Mutation("notes", b"acme#too#long", [Cell("d", b"t", 5_000, b"t")]))
    with pytest.raises(bt.UndecodableKey):
        notes.of_tenant("acme").delete()
    errors: list[Exception] = []
    assert notes.of_tenant("acme").on_error(errors.append).delete() == 6
    assert len(errors) == 1
    assert notes.of_tenant("acme").on_error(errors.append).count() == 0


def test_many_rows_are_got_by_their_keys(database: Open) -> None:
    """Rows come in the order of the keys, None for what is not there, and as often as they are asked for."""
    quotes = QuoteRepository(database(Quote))
    rows = list(made_up_quotes(2_100))
    quotes.put_many(rows)
    keys = [QuoteKey(row.exchange, row.symbol, row.quote_time) for row in rows]
    absent = QuoteKey("NYSE", "IBM", QUOTE_TIME)
    assert quotes.get_many([*reversed(keys), absent, keys[5]]) == [*reversed(rows), None, rows[5]]
    asked = []
    plainly = quotes._db.read_batches

    def noted(plan: Any, *rest: Any) -> Any:
        asked.append([span.key for span in plan.ranges])
        return plainly(plan, *rest)

    vars(quotes._db)["read_batches"] = noted
    assert quotes.get_many(keys + keys) == rows + rows
    assert [len(some) for some in asked] == [1_000, 1_000, 100]
    assert len({key for some in asked for key in some}) == 2_100
    assert quotes.get_many([]) == []
    with pytest.raises(
        bt.ValueRefused,
        match=r"Quote: expected a QuoteKey, as QuoteKey\(exchange, symbol, quote_time\), got ",
    ):
        quotes.get_many([keys[0], ("NYSE", "IBM", QUOTE_TIME)])  # type: ignore[list-item]
    missing = QuoteRepository(database())
    with pytest.raises(bt.ValueRefused, match=r"Quote.symbol: expected text of 1 to 5"):
        missing.get_many([absent, QuoteKey("NYSE", "TOOLONG", QUOTE_TIME)])


def test_entries_are_read_in_part(notes: Any) -> None:
    """A range of the entries of a mapping is read beside the other columns; behind ``only``, over rows that have some."""
    scores = {"ann": 1, "bob": 2, "cid": 3}
    notes.put(note("acme", "a", scores=scores, tags={"ann"}))
    tagged = notes.of_tenant("acme").where(tags=bt.contains("ann"))
    (row,) = tagged.entries("scores", "b", None)
    assert list(tagged.entries("scores", "b")) == [row]
    assert (row.scores, row.tags) == ({"bob": 2, "cid": 3}, {"ann"})
    for none in (("b", "b"), ("x", "y")):
        (row,) = tagged.entries("scores", *none)
        assert (row.scores, row.tags) == ({}, {"ann"})
        assert list(notes.of_tenant("acme").only("scores").entries("scores", *none)) == []
    (row,) = notes.of_tenant("acme").only("scores").entries("scores", "b", None)
    with pytest.raises(AttributeError, match="was not read"):
        _ = row.tags


class Amended(bt.Model, table="amended"):
    """A price that is amended, beside one that never is."""

    name: str = bt.key(bt.Text(max_length=9))
    at: datetime = bt.timestamp()

    p = bt.family("p", gc=bt.max_versions(3))
    price: int = bt.column("p", p)
    note: str | None = bt.column("n", p, default=None)
    first: int | None = bt.column("f", p, default=None)

    every = bt.query(scan="the tests")


AMENDED = generated(Amended)


def test_between_two_times_a_column_has_the_value_that_it_had_then(database: Open) -> None:
    """Of plain columns the newest version in the window is read, whole rows and single columns alike."""
    amended = AMENDED.AmendedRepository(database(Amended))
    day, month = timedelta(days=1), datetime(2020, 1, 1, tzinfo=UTC)
    amended.put(Amended(name="a", at=month, price=1, first=7))
    amended.put(Amended(name="a", at=month + day, price=2))
    amended.put(Amended(name="a", at=month + 2 * day, price=3, note="late"))
    for count, price in ((0, 1), (1, 2), (2, 3)):
        window = amended.every().times(month + count * day, month + (count + 1) * day)
        assert [row.price for row in window] == [price]
        assert [row.price for row in window.only("price")] == [price]
        assert [row.at for row in window] == [month + count * day]
    assert [row.price for row in amended.every().times(None, month + 2 * day)] == [2]
    amended.clear(AMENDED.AmendedKey("b"), "note")
    (row,) = amended.every().times(month + 2 * day, None)
    assert (row.note, row.first) == ("late", None)
    assert list(amended.every().times(month + 3 * day, None)) == []


def test_a_required_column_outside_of_the_window_is_left_unset(database: Open) -> None:
    """A row of which only other cells lie between two times is returned, without what does not."""
    notes = NOTES.NoteRepository(database(Note))
    notes.put(note("acme", "a"))
    early = 1_577_836_800_000_000
    notes._db.write(Mutation("notes", b"acme#a", [Cell("d", b"x", early, b"old")]))
    (row,) = notes.of_tenant("acme").times(None, datetime(2021, 1, 1, tzinfo=UTC))
    assert row.text == "old"
    with pytest.raises(AttributeError, match="title was not read"):
        _ = row.title


def test_what_is_looked_at_says_what_it_is(notes: Any) -> None:
    """Queries, repositories and models say in a line what they are, for a person at a prompt."""
    assert repr(Note.named) == "<query Note.named: tenant, name between two values>"
    assert repr(Note.beginning) == "<query Note.beginning: tenant, the beginning of name>"
    assert repr(Note.all_notes) == "<query Note.all_notes: every row>"
    assert repr(notes).startswith("<NoteRepository of table notes in projects/test/instances/")
    assert repr(Note) == "<model Note: table notes, row key {tenant}#{name}>"
