"""``btmodel check --fix`` and ``--diff``: what they write into the source, and what they leave alone."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from user_project import Run

import btmodel as bt

HEAD = """\
from datetime import date, datetime

import btmodel as bt


"""
# A query by a column: a second table, whose key begins with it.
QUOTE = '''\
class Quote(bt.Model, table="QUOTE", events="50/s"):
    """Quotes."""

    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)  # the symbol
    at: datetime = bt.key(bt.EpochMillis())

    md = bt.family("md", gc=bt.max_age(days=30))
    old = bt.family("old", gc=bt.max_versions(1))
    trader: str = bt.column("t", old, max_size=20, cardinality=2_000)
    bid: int | None = bt.column("b", md, codec=bt.DecimalText(), default=None)

    of_symbol = bt.query("symbol", between="at")
    of_trader = bt.query("trader", between="at")
    all_of_trader = bt.query("trader")
'''
FIXED = '''\
class Quote(bt.Model, table="QUOTE", events="50/s"):
    """Quotes."""

    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)  # the symbol
    at: datetime = bt.key(bt.EpochMillis())

    md = bt.family("md", gc=bt.max_age(days=30))
    old = bt.family("old", gc=bt.max_versions(1))
    trader: str = bt.column("t", old, max_size=20, cardinality=2_000)
    bid: int | None = bt.column("b", md, codec=bt.DecimalText(), default=None)

    of_symbol = bt.query("symbol", between="at")


class QuoteOfTrader(bt.Model, table="QUOTE_OF_TRADER", events="50/s"):
    """The rows of Quote again, for of_trader and all_of_trader."""

    trader: str = bt.key(bt.Text(max_length=20), mirror="old:t", cardinality=2000)
    at: datetime = bt.key(bt.EpochMillis())
    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)  # the symbol

    md = bt.family("md", gc=bt.max_age(days=30))
    old = bt.family("old", gc=bt.max_versions(1))
    bid: int | None = bt.column("b", md, codec=bt.DecimalText(), default=None)

    of_trader = bt.query("trader", between="at")
    all_of_trader = bt.query("trader")


QUOTE = bt.twins(Quote, QuoteOfTrader)
'''


@pytest.fixture
def models(project: Path) -> Callable[..., Path]:
    """Writes the models of the project, and returns their file."""

    def write(text: str, head: str = HEAD) -> Path:
        path = project / "shop" / "models.py"
        path.write_text(head + text)
        return path

    return write


def test_a_second_table_is_written_with_its_dual_writes(run: Run, models: Callable[..., Path]) -> None:
    """Its class is whole, its queries move to it, and the result has nothing left to find; --diff shows the same and writes nothing."""
    path = models(QUOTE)
    shown = run("check", "--diff")
    assert shown.returncode == 1
    assert path.read_text() == HEAD + QUOTE
    assert shown.stdout.startswith("--- a/shop/models.py\n+++ b/shop/models.py\n@@ ")
    plus = [line[1:] for line in shown.stdout.splitlines() if line.startswith("+") and line[1:2] != "+"]
    assert "QUOTE = bt.twins(Quote, QuoteOfTrader)" in plus
    fixed = run("check", "--fix")
    assert fixed.returncode == 0, fixed.stdout
    assert fixed.stdout == "2 models reviewed: 0 errors, 0 warnings\n"
    assert fixed.stderr.endswith("shop/models.py\nfixed 2 findings; this is what is left:\n")
    assert path.read_text() == HEAD + FIXED
    again = run("check", "--strict")
    assert (again.returncode, again.stdout) == (0, "2 models reviewed: 0 errors, 0 warnings\n")
    assert run("check", "--diff").stderr == "note: no fix changes declarations alone, so none is written\n"
    assert run("generate").returncode == 0
    assert (path.parent / "generated" / "quote_twins.py").exists()


NOTE = "`btmodel check --diff` shows which of these fixes can be written"

UNWRITABLE = """

class Driver(bt.Model, table="fleet"):
    driver: str = bt.key(bt.HexDigest(8), cardinality=200_000)
    d = bt.family("d", gc=bt.max_versions(1))
    licence: str = bt.column("lic", d, size=10, max_size=30)


class Vehicle(bt.Model, table="fleet"):
    vehicle: str = bt.key(bt.HexDigest(8), cardinality=150_000)
    v = bt.family("v", gc=bt.max_versions(1))
    plate: str = bt.column("plate", v, size=8, max_size=16)
"""


@pytest.mark.parametrize(("text", "written"), [(QUOTE, True), (UNWRITABLE, False)], ids=["written", "not"])
def test_fixes_are_offered_that_can_be_written(
    run: Run, models: Callable[..., Path], text: str, written: bool
) -> None:
    """The note stands below a review of which --diff shows something, and of no other."""
    models(text)
    assert (NOTE in run("check").stderr) is written
    assert (run("check", "--diff").stdout != "") is written


def test_dual_writes_that_are_there_get_another_table(run: Run, models: Callable[..., Path]) -> None:
    """One declaration of them writes all tables."""
    first = FIXED.replace(
        '    of_symbol = bt.query("symbol", between="at")\n',
        '    of_symbol = bt.query("symbol", between="at")\n    in_time = bt.query(between="at")\n',
    ).replace("    bid: int", "    # What was bid.\n    bid: int")
    path = models(first)
    assert run("check", "--fix").returncode == 0
    text = path.read_text()
    assert text.endswith("QUOTE = bt.twins(Quote, QuoteOfTrader, QuoteInTime)\n")
    assert 'class QuoteInTime(bt.Model, table="QUOTE_IN_TIME", events="50/s"):\n' in text
    assert run("check", "--strict").returncode == 0


TICKET = '''

class Ticket(bt.Model, table="TICKET", events="2/min"):
    """A ticket of a customer, which is open until it is answered."""

    customer: str = bt.key(bt.Text(max_length=20), cardinality=5_000)
    ticket: str = bt.key(bt.Text(width=12), cardinality=4_000_000)

    data = bt.family("d", gc=bt.max_versions(1))
    status: str = bt.column("s", data, cardinality=6, max_size=10)
    title: str = bt.column("t", data)

    one = bt.query("customer", "ticket")
    of_status = bt.query("status")
'''


def test_a_second_table_of_what_changes_is_owned(run: Run, models: Callable[..., Path]) -> None:
    """Its rows move with the value, which dual writes that are there and own nothing would not do."""
    path = models(TICKET)
    assert run("check", "--fix").returncode == 0
    assert path.read_text().endswith("TICKET = bt.twins(Ticket, TicketOfStatus, owned=True)\n")
    assert run("check", "--strict").returncode == 0
    other = TICKET.replace("Ticket(", "TicketAgain(").replace('"TICKET"', '"AGAIN"')
    other = other.replace('    of_status = bt.query("status")\n', "")
    twins = "\n\nTICKET_TWINS = bt.twins(Ticket, TicketAgain)\n"
    path = models(TICKET + other + twins)
    run("check", "--fix")
    assert path.read_text() == HEAD + TICKET + other + twins


BY_STATUS = '''

class TicketOfStatus(bt.Model, table="TICKET_OF_STATUS", events="2/min"):
    """The tickets of a status."""

    status: str = bt.key(bt.Text(max_length=10), cardinality=6)
    customer: str = bt.key(bt.Text(max_length=20), cardinality=5_000)
    ticket: str = bt.key(bt.Text(width=12), cardinality=4_000_000)

    data = bt.family("d", gc=bt.max_versions(1))
    title: str = bt.column("t", data)

    of_status = bt.query("status")
'''


@pytest.mark.parametrize(
    ("twins", "owned"),
    [
        ("bt.twins(Ticket, TicketOfStatus)", "bt.twins(Ticket, TicketOfStatus, owned=True)"),
        ("bt.twins(Ticket, TicketOfStatus, owned=False)", "bt.twins(Ticket, TicketOfStatus, owned=True)"),
        (
            "bt.twins(Ticket, TicketOfStatus, source_last=True)",
            "bt.twins(Ticket, TicketOfStatus, source_last=True, owned=True)",
        ),
        ("bt.twins(\n    Ticket,\n    TicketOfStatus,\n)", "bt.twins(\n    Ticket,\n    TicketOfStatus, owned=True\n)"),
    ],
)  # fmt: skip
def test_dual_writes_that_are_there_own_what_moves(
    run: Run, models: Callable[..., Path], twins: str, owned: str
) -> None:
    """Their `replace` then deletes the row of the old status."""
    ticket = TICKET.replace('    of_status = bt.query("status")\n', "")
    path = models(f"{ticket}{BY_STATUS}\n\nTICKETS = {twins}\n")
    assert NOTE in run("check").stderr
    assert run("check", "--fix").returncode == 0
    assert path.read_text() == f"{HEAD}{ticket}{BY_STATUS}\n\nTICKETS = {owned}\n"
    assert "KEY021" not in run("check").stdout


def test_dual_writes_do_not_own_what_two_rows_may_share(run: Run, models: Callable[..., Path]) -> None:
    """Of a table without the customer, either row would delete that of both; the words say what to declare."""
    ticket = TICKET.replace('    of_status = bt.query("status")\n', "")
    shared = BY_STATUS.replace("TicketOfStatus", "TicketShared").replace("TICKET_OF_STATUS", "TICKET_SHARED")
    shared = shared.replace("    customer: str = bt.key(bt.Text(max_length=20), cardinality=5_000)\n", "")
    made = "\n\nTICKETS = bt.twins(Ticket, TicketOfStatus, (TicketShared, lambda row: TicketShared(status=row.status, ticket=row.ticket, title=row.title)))\n"
    path = models(ticket + BY_STATUS + shared + made)
    done = run("check", "--fix")
    assert "owned" not in path.read_text()
    assert "two rows of `Ticket` may have one row in `TicketShared`" in " ".join(done.stderr.split())


def test_a_question_of_a_docstring_gets_its_query_in_the_second_table(
    run: Run, models: Callable[..., Path]
) -> None:
    """The first class stays as it is, and the result has no warning."""
    parcel = '''\
class Parcel(bt.Model, table="PARCEL", events="400/s"):
    """A parcel. Dispatchers list the parcels of a depot."""

    parcel: str = bt.key(bt.Text(width=12), cardinality=900_000_000)

    p = bt.family("p", gc=bt.max_age(days=400))
    depot: str = bt.column("d", p, max_size=12, cardinality=30_000)
    grams: int = bt.column("g", p)
'''
    path = models(parcel)
    assert run("check", "--fix").returncode == 0
    text = path.read_text()
    assert text.startswith(HEAD + parcel)
    assert '    by_depot = bt.query("depot")\n' in text
    assert text.endswith("PARCEL = bt.twins(Parcel, ParcelByDepot, owned=True)\n")
    assert run("check", "--strict").returncode == 0


def test_a_second_table_in_time_has_a_salt(run: Run, models: Callable[..., Path]) -> None:
    """At a high rate, its dual writes must not all go to the newest time."""
    path = models(QUOTE.replace("50/s", "5000/s").replace('bt.query("trader")', 'bt.query(between="at")'))
    assert run("check", "--fix").returncode == 0
    text = path.read_text()
    assert '    salt = bt.salt("at", buckets=3)\n    at: datetime' in text
    assert "QUOTE = bt.twins(Quote, QuoteOfTrader, QuoteAllOfTrader)\n" in text
    assert run("check", "--strict").returncode == 0


def test_a_table_of_a_batch_job_has_its_suppression_and_no_dual_writes(
    run: Run, models: Callable[..., Path]
) -> None:
    """Whole days are asked for: a batch job writes them, and the class says so."""
    day = QUOTE.replace("at: datetime = bt.key(bt.EpochMillis())", "at: date = bt.key(bt.DateText())")
    day = day.replace('bt.query("trader", between="at")', 'bt.query("at")').replace(
        'bt.query("trader")', 'bt.query("symbol")'
    )
    number = "    number: str = bt.key(bt.HexDigest(12), cardinality=900_000_000)\n"
    path = models(
        day.replace("50/s", "5000/s").replace("bt.key(bt.DateText())\n", f"bt.key(bt.DateText())\n{number}")
    )
    run("check", "--fix")
    text = path.read_text()
    assert 'allow={"KEY001": "a batch job writes it"}' in text
    assert "twins" not in text
    assert "QRY001" not in run("check").stdout


def test_a_codec_that_its_query_needs_is_written(run: Run, models: Callable[..., Path]) -> None:
    """The field keeps its other arguments; in the first table it stays as it is."""
    path = models(
        """class Order(bt.Model, table="orders", events="10/s"):
    shop: str = bt.key(bt.Text(width=4), cardinality=500)
    number: int = bt.key(bt.Int(8), cardinality=1_000, sequential=False)
    user: str = bt.key(bt.Text(width=8), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    total: int = bt.column("total", d)

    of_order = bt.query("shop", "number")
    of_user = bt.query("user", between="number")
"""
    )
    assert run("check", "--fix").returncode == 0
    text = path.read_text()
    assert "    number: int = bt.key(bt.PaddedInt(8), cardinality=1_000, sequential=False)\n" in text
    assert "    number: int = bt.key(bt.Int(8), cardinality=1_000, sequential=False)\n" in text
    assert 'class OrderOfUser(bt.Model, table="orders_of_user", events="10/s"):\n' in text
    assert run("check").returncode == 0


def test_rows_without_a_value_have_no_row_in_the_second_table(run: Run, models: Callable[..., Path]) -> None:
    """A function makes the row of those that have one; the written code is typed, and writes what it says."""
    path = models(
        QUOTE.replace("trader: str =", "trader: str | None =").replace("2_000)", "2_000, default=None)")
    )
    assert run("check", "--fix").returncode == 0
    text = path.read_text()
    assert "def quote_of_trader(row: Quote) -> QuoteOfTrader | None:" in text
    assert "    if row.trader is None:\n        return None\n" in text
    assert text.endswith("QUOTE = bt.twins(Quote, (QuoteOfTrader, quote_of_trader), owned=True)\n")
    assert run("check", "--strict").returncode == 0
    scope: dict[str, object] = {"__name__": "written"}
    exec(compile(text, "models.py", "exec"), scope)
    quote, twins = cast(Any, scope["Quote"]), cast(Any, scope["QUOTE"])
    now = datetime(2024, 2, 29, tzinfo=UTC)
    assert len(twins.rows(quote(symbol="TEA", at=now, bid=1))) == 1
    (_, second) = twins.rows(quote(symbol="TEA", at=now, bid=1, trader="ann"))
    assert bt.key_of(second).startswith(b"ann")


def test_a_number_becomes_a_field_that_takes_all_of_its_values(run: Run, models: Callable[..., Path]) -> None:
    """A cell holds negative numbers, so the key of the second table does, too, in their order."""
    text = QUOTE.replace('bt.query("trader", between="at")', 'bt.query("bid", between="at")')
    path = models(
        text.replace('    all_of_trader = bt.query("trader")\n', "").replace("codec=bt.DecimalText(), ", "")
    )
    assert run("check", "--fix").returncode == 0
    assert "    bid: int = bt.key(bt.OrderedInt())\n" in path.read_text()
    assert run("check", "--strict").returncode == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            QUOTE.replace("max_size=20, ", ""),
            "expected `max_size=` at the column `trader`, the bytes of its longest value",
        ),
        (
            FIXED.replace("trader: str =", "trader: str | None =")  # dual writes that a function would change
            .replace("2_000)", "2_000, default=None)", 1)
            .replace(
                'between="at")\n\n\nclass', 'between="at")\n    in_time = bt.query("trader")\n\n\nclass'
            ),
            "`Quote` has dual writes already, which would have to own this table, too (`owned=True`)",
        ),
        (
            QUOTE.replace('"trader", between="at")', '"trader", between="at"); x = 1'),
            "expected `of_trader` to be declared in the class statement, on lines with nothing else",
        ),
        (
            f"{QUOTE}\n\nclass QuoteOfTrader: ...\n",
            "expected `QuoteOfTrader` to be free for what is new, and something is called so already",
        ),
        (
            "def made():\n"
            + "".join(f"    {line}\n" if line else "\n" for line in QUOTE.splitlines())
            + "    return Quote\n\n\nQuote = made()\n",
            "expected `Quote` to be bound just once, by a class statement at the top of the file",
        ),
        (
            QUOTE.replace("class Quote(bt.Model", "@(lambda cls: cls)\nclass Quote(bt.Model"),
            "to have no decorator, no other base than `Model`, and no `**` arguments",
        ),
    ],
    ids=["length", "function", "statements", "name", "made", "decorated"],
)
def test_what_the_source_does_not_say_for_sure_is_not_written(
    run: Run, models: Callable[..., Path], text: str, why: str
) -> None:
    """A length, a row without a value, several statements on a line, a taken name, a class that a function makes; it says why."""
    path = models(text)
    left = run("check", "--fix")
    assert left.returncode == 1
    assert why in left.stderr
    assert path.read_text() == HEAD + text
    assert why in run("check", "--diff").stderr


TWO_QUESTIONS = '''\
class Parcel(bt.Model, table="PARCEL"):
    """A parcel. Dispatchers list the parcels of a courier. Support looks a parcel up by its label."""

    parcel: str = bt.key(bt.HexDigest(16), cardinality=900_000_000)

    data = bt.family("data", gc=bt.max_versions(1))
    courier: int = bt.column("courier", data)
    label: str = bt.column("label", data)
'''


def test_one_table_is_written_where_another_cannot_be(run: Run, models: Callable[..., Path]) -> None:
    """Of two questions, one asks by a text of unknown length: the other one still gets its table, and a line says what is left."""
    path = models(TWO_QUESTIONS)
    fixed = run("check", "--fix")
    assert (
        "is not written: expected `max_size=` at the column `label`, the bytes of its longest value, which its key field has to take; "
        'by hand, declare `class ParcelByLabel(bt.Model, table="PARCEL_BY_LABEL")` with the key `{label}#{parcel}`, and write both by '
        "`bt.twins(Parcel, ParcelByLabel, owned=True)`"
    ) in fixed.stderr
    assert re.search(
        r"^note: the fix of QRY008 Parcel\.label \(shop/models\.py:\d+\) is not ", fixed.stderr, re.M
    )
    assert "class ParcelByCourier(bt.Model" in path.read_text()
    assert "class ParcelByLabel" not in path.read_text()


KEPT_IN_WORDS = '''\
class Claim(bt.Model, table="CLAIM", events="40/s"):
    """A claim. An adjuster opens the claims assigned to her. Kept for seven years."""

    policy: int = bt.key(bt.PaddedInt(9), cardinality=40_000_000, sequential=False)
    opened: datetime = bt.key(bt.EpochMillis())

    c = bt.family("c", gc=bt.max_versions(1))
    adjuster: int = bt.column("adj", c, cardinality=2_000)
    cents: int = bt.column("cents", c)

    of_policy = bt.query("policy")
'''


def test_a_second_table_is_made_of_what_other_fixes_leave(run: Run, models: Callable[..., Path]) -> None:
    """The age that one fix gives to a family is that of the family in the second table which another one adds."""
    path = models(KEPT_IN_WORDS)
    shown = run("check", "--diff").stdout
    assert run("check", "--fix", "--strict").returncode == 0
    text = path.read_text()
    assert text.count('c = bt.family("c", gc=bt.max_versions(1) | bt.max_age(days=2_557))\n') == 2
    plus = [line[1:] for line in shown.splitlines() if line.startswith("+") and line[1:2] != "+"]
    assert set(plus) <= set(text.splitlines())


def test_a_second_table_waits_for_the_key(run: Run, models: Callable[..., Path]) -> None:
    """Claims of one day overwrite one another: whatever tells them apart belongs in the key of the second table, too."""
    often = KEPT_IN_WORDS.replace("A claim.", "A claim. Two claims of a policy may come in one second.")
    path = models(often.replace("EpochMillis()", "EpochSeconds()"))
    assert run("check", "--fix").returncode == 0
    assert "bt.max_age(days=2_557)" in path.read_text()
    assert "ClaimByAdjuster" not in path.read_text()


def test_a_diff_has_one_format(run: Run, models: Callable[..., Path]) -> None:
    """A program that asks for JSON gets no diff in its place."""
    models(QUOTE)
    for given in (["--json"], ["--format", "sarif"]):
        refused = run("check", "--diff", *given)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "--diff prints a unified diff" in refused.stderr


def test_the_package_may_have_another_name(run: Run, models: Callable[..., Path]) -> None:
    """What is written calls it as the module does."""
    path = models(QUOTE.replace("bt.", "orm."), HEAD.replace("as bt", "as orm"))
    assert run("check", "--fix").returncode == 0
    assert path.read_text() == HEAD.replace("as bt", "as orm") + FIXED.replace("bt.", "orm.")


def test_line_ends_and_encoding_stay(run: Run, models: Callable[..., Path]) -> None:
    """A file of Windows, and one in Latin-1, keep what they are."""
    path = models("")
    head = "# -*- coding: latin-1 -*-\n" + HEAD
    path.write_bytes((head + QUOTE.replace("Quotes.", "Préis.")).replace("\n", "\r\n").encode("latin-1"))
    assert run("check", "--fix").returncode == 0
    wanted = (head + FIXED.replace('"""Quotes."""', '"""Préis."""')).replace("\n", "\r\n").encode("latin-1")
    assert path.read_bytes() == wanted


def test_an_argument_is_fixed_where_nothing_stored_changes(run: Run, models: Callable[..., Path]) -> None:
    """A misspelt name in a query is mended; a codec is not, as rows that exist would not be found any more."""
    wrong = QUOTE.replace('bt.query("trader", between="at")', 'bt.query("symbl", between="at")')
    wrong = wrong.replace('    all_of_trader = bt.query("trader")\n', "").replace(
        "bt.EpochMillis()", "bt.EpochMillis()"
    )
    path = models(wrong)
    fixed = run("check", "--fix")
    assert fixed.returncode == 0, fixed.stdout
    assert '    of_trader = bt.query("symbol", between="at")\n' in path.read_text()
    number = FIXED.replace("at: datetime = bt.key(bt.EpochMillis())", "at: int = bt.key(bt.Int(8))")
    path = models(number)
    assert run("check", "--fix").returncode == 1
    assert path.read_text() == HEAD + number


def test_of_existing_rows_a_table_is_added(run: Run, models: Callable[..., Path]) -> None:
    """The rows stay where they are; the second table is new."""
    path = models(QUOTE.replace('events="50/s"', 'events="50/s", existing=True'))
    assert run("check", "--fix").returncode == 0
    text = path.read_text()
    assert 'class Quote(bt.Model, table="QUOTE", events="50/s", existing=True):\n' in text
    assert 'class QuoteOfTrader(bt.Model, table="QUOTE_OF_TRADER", events="50/s"):\n' in text


def test_tables_of_an_instance_have_no_source(run: Run) -> None:
    """Neither option goes with --live."""
    for option in ("--fix", "--diff"):
        refused = run("check", "--live", "x", option)
        assert refused.returncode == 2
        assert "--fix and --diff change the source of models" in refused.stderr


def test_a_file_that_cannot_be_written_stays_as_it_is(models: Callable[..., Path], project: Path) -> None:
    """The folder takes no new file, so neither the old nor a half one is replaced, and the command says why."""
    path = models(QUOTE)
    path.parent.chmod(0o500)
    as_a_user = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    command = [*as_a_user, sys.executable, "-m", "btmodel", "check", "--fix"]
    refused = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=60)
    path.parent.chmod(0o700)
    assert refused.returncode == 1
    assert "models.py: cannot be written: Permission denied" in refused.stderr
    assert path.read_text() == HEAD + QUOTE


def test_a_file_that_may_not_be_written_is_not_replaced(models: Callable[..., Path], project: Path) -> None:
    """Its folder can be written, so another file could take its place; its mode says that none is to."""
    path = models(QUOTE)
    path.chmod(0o444)
    as_a_user = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    command = [*as_a_user, sys.executable, "-m", "btmodel", "check", "--fix"]
    refused = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=60)
    assert refused.returncode == 1
    assert "models.py: cannot be written: Permission denied" in refused.stderr
    assert path.read_text() == HEAD + QUOTE


def test_source_outside_of_the_project_is_left_alone(
    run: Run, models: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A module that the project only imports belongs to somebody else."""
    models("from elsewhere import Quote as Quote\n")
    other = tmp_path_factory.mktemp("site") / "elsewhere.py"
    other.write_text(HEAD + QUOTE)
    run("check", "--fix", PYTHONPATH=str(other.parent))
    assert other.read_text() == HEAD + QUOTE


NUMBERED = '''\
class Order(bt.Model, table="orders", events="20000/s"):
    """An order of a user."""

    order: str = bt.key(bt.HexDigest(16), cardinality=900_000_000)

    d = bt.family("d", gc=bt.max_age(days=90))
    sequence_number: int = bt.column("seq", d, cardinality=900_000_000)
    total: int = bt.column("total", d)

    one = bt.query("order")
    by_number = bt.query("sequence_number")
'''


def test_digits_that_are_written_backwards_are_said(run: Run, models: Callable[..., Path]) -> None:
    """What the second table is written with stands in the text of the fix, too: the field was a column, whose numbers climb."""
    path = models(NUMBERED)
    said = run("check").stdout
    assert run("check", "--fix").returncode == 0
    assert "    sequence_number: int = bt.key(bt.ReversedDigits(19), " in path.read_text()
    assert "with the digits of `sequence_number` written backwards (`bt.ReversedDigits(19)`)" in said
