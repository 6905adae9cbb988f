"""Data steps that add to counters: each row counts once, and where nobody knows whether it did, the next run asks."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import example
from test_data_steps import there as there

import btmodel as bt
from btmodel.errors import MissingFamily, QueryRefused, Unanswered, ValueRefused
from btmodel.migrate import Add, Cell, Mutation, added, data_step
from btmodel.migrate.applying import stages
from btmodel.migrate.data.sections import addition
from btmodel.migrate.data.walks import FencedRows

STEP = example("migrations/0004_tally.py")
ORDER, TALLY = (f"class {part}" for part in STEP.partition("@data_step")[0].split("class ")[1:])
PLACED = {b"ann": 3, b"bob": 2}
ASKED = (
    "migrations/0002_tally.py: tally: a run ended while it added for 2 rows after b'ann#0000000000001' up to b'bob#0000000000000', and "
    "nobody knows for which of them it did: make sure that its process has ended and is not only stopped, look into what it adds to, and use --allow repeat-adds:tally to add for all of them, or "
    "--allow skip-adds:tally to go on after them"
)


class Killed(BaseException):
    """The end of a process."""


@pytest.fixture
def orders(project: Project, there: Site, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with five orders, in batches of two, and a step that counts them."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 2)
    project.declare("from datetime import datetime\n", ORDER)
    project.done("new", "orders")
    project.done("apply", "--yes")
    keys = [b"%s#%013d" % (one, number) for one, count in PLACED.items() for number in range(count)]
    there.write("ORDERS", {key: [Cell("d", b"REGION", 5_000, b"EU")] for key in keys})
    project.declare("from datetime import datetime\n", ORDER, TALLY)
    project.done("new", "tally", "--data-step", "tally")
    (project.migrations / "0002_tally.py").write_text(STEP)
    return project


def counted(there: Site) -> dict[bytes, int]:
    """What has been added, by customer."""
    return {
        key: int.from_bytes(next(iter(cells)).value, "big") for key, cells in there.cells("TALLY").items()
    }


Write = Callable[..., int]


def failing(at: int, fail: Callable[[Write, str, list[Mutation]], int]) -> Write:
    """Writes of a run, of which the one with the number ``at`` fails."""
    real, calls = FencedRows.write_many, 0

    def write(self: FencedRows, table: str, mutations: Iterable[Mutation], **options: Any) -> int:
        nonlocal calls
        calls += 1
        sent = list(mutations)
        if calls == at:
            return fail(lambda: real(self, table, sent, **options), table, sent)
        return real(self, table, sent, **options)

    return write


def test_each_row_counts_once(orders: Project, there: Site) -> None:
    """The step of the page, over several batches."""
    assert orders.done("apply", "--yes").endswith("ran 0002_tally/tally over 5 rows\napplied 0002_tally\n")
    assert counted(there) == PLACED


@pytest.mark.parametrize("kind", ["killed", "unanswered"])
@pytest.mark.parametrize(
    ("allowed", "sums"),
    [("repeat-adds:tally", {b"ann": 4, b"bob": 3}), ("skip-adds:tally", PLACED)],
    ids=["repeated", "skipped"],
)
def test_an_addition_of_which_nobody_knows(
    orders: Project,
    there: Site,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    allowed: str,
    sums: dict[bytes, int],
) -> None:
    """Is neither repeated nor skipped unasked: here it was made, and the run ended before it had recorded that."""

    def fail(write: Write, table: str, sent: list[Mutation]) -> int:
        write()
        raise Killed if kind == "killed" else Unanswered("no answer")

    with monkeypatch.context() as during:
        during.setattr(FencedRows, "write_many", failing(2, fail))
        if kind == "killed":
            with pytest.raises(Killed):
                orders.run("apply", "--yes")
        else:
            assert "could not be written: no answer" in orders.refused("apply", "--yes")
    again = ("apply", "--yes", "--force-unlock")
    assert orders.refused(*again) == ASKED
    assert "tally" in orders.run("status").output
    assert orders.refused(*again, "--allow", "restart-step:tally") == ASKED  # of code that was edited alone
    both = ("--allow", "repeat-adds:tally", "--allow", "skip-adds:tally")
    assert orders.refused(*again, *both).endswith("name one of them")
    assert "what can be allowed: repeat-adds:tally, skip-adds:tally" in orders.refused(*again, "--allow", "x")
    told = orders.done(*again, "--allow", allowed, "--allow", "restart-step:tally")  # which says nothing here
    assert told.endswith("ran 0002_tally/tally over 5 rows\napplied 0002_tally\n")
    assert counted(there) == sums


def test_a_run_that_waited_asks_what_became_of_the_additions_of_the_run_before(
    orders: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that planned before another one was killed while it added neither repeats nor skips unasked."""
    take = stages.acquire

    def fail(write: Write, table: str, sent: list[Mutation]) -> int:
        write()
        raise Killed

    def waited(history: Any, by: str, **options: Any) -> Any:
        with monkeypatch.context() as during:
            during.setattr(stages, "acquire", take)
            during.setattr(FencedRows, "write_many", failing(2, fail))
            with pytest.raises(Killed):
                orders.run("apply", "--yes")
        return take(history, by, **options)

    with monkeypatch.context() as during:
        during.setattr(stages, "acquire", waited)
        assert ASKED.removeprefix("migrations/") in orders.refused("apply", "--yes")
    assert counted(there) == {b"ann": 3, b"bob": 1}
    assert orders.refused("apply", "--yes") == ASKED


def test_a_run_that_adds_is_waited_for(orders: Project, there: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that holds the lock and is about to add has not ended: another one plans to wait for it, and asks nothing."""
    plans: list[str] = []

    def write(write: Write, table: str, sent: list[Mutation]) -> int:
        plans.extend(orders.run(*command).output for command in (["plan"], ["status"]))
        return write()

    monkeypatch.setattr(FencedRows, "write_many", failing(2, write))
    orders.done("apply", "--yes")
    plan, status = plans
    assert "then it runs its data steps: tally" in plan
    assert not any(word in plan for word in ("nobody knows", "asks first"))
    assert "running   0002_tally/tally  up to row" in status
    assert "a run ended" not in status


def test_what_is_refused_was_not_added(orders: Project, there: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what fails before it is sent neither: the next run asks nothing."""

    def fail(write: Write, table: str, sent: list[Mutation]) -> int:
        raise MissingFamily(table, "i", "no family", ["c"])

    with monkeypatch.context() as during:
        during.setattr(FencedRows, "write_many", failing(2, fail))
        assert "lacks some of the families" in orders.refused("apply", "--yes")
    code = orders.migrations / "0002_tally.py"
    code.write_text(STEP.replace("orders=1", "orders='1'"))
    edited = orders.refused("apply", "--yes")
    assert (
        "to begin at the first row again, which adds for these rows a second time, or --allow resume-step"
        in edited
    )
    error = orders.refused("apply", "--yes", "--allow", "resume-step:tally")
    assert "at row b'ann#0000000000002' of 'ORDERS': Tally.orders: expected" in error
    code.write_text(STEP)
    orders.done("apply", "--yes", "--allow", "resume-step:tally")
    assert counted(there) == PLACED


class Views(bt.Model, table="VIEWS"):
    """How often a page was viewed."""

    page: str = bt.key(bt.Text(max_length=80))
    h = bt.family("h", gc=bt.max_age(days=30), aggregate="sum")
    c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
    hours: bt.History[int] = bt.counter("views", h, every="1h")
    countries: dict[str, int] = bt.counters(c, bt.Text(width=2))
    views: int | None = bt.counter("all", c)


def at_bob(orders: Project) -> None:
    """A run that fails at the third row, after it has recorded the first batch."""
    code = orders.migrations / "0002_tally.py"
    code.write_text(
        STEP.replace("    return added", "    assert row.placed.microsecond != 2000\n    return added")
    )
    assert "raised AssertionError at row b'ann#0000000000002'" in orders.refused("apply", "--yes")
    code.write_text(STEP)


@pytest.mark.parametrize(
    ("allowed", "sums"),
    [("repeat-adds:tally", {b"ann": 6, b"bob": 5}), ("skip-adds:tally", {b"ann": 3, b"bob": 3})],
    ids=["repeated", "skipped"],
)
def test_a_step_that_was_rolled_back_asks_before_it_adds_again(
    orders: Project, there: Site, allowed: str, sums: dict[bytes, int]
) -> None:
    """A rollback takes back nothing that was added, and only the user knows whether it is still there; rows that came since count in any case."""
    orders.done("apply", "--yes")
    orders.done("rollback", "--yes", "--allow", "data-step:tally", "--allow", "keep-table:TALLY")
    there.write("ORDERS", {b"bob#%013d" % 7: [Cell("d", b"REGION", 5_000, b"EU")]})
    assert orders.refused("apply", "--yes") == (
        "migrations/0002_tally.py: tally: before it was rolled back, it added for 5 rows up to b'bob#0000000000001', and a rollback takes "
        "back nothing of that: look into what it adds to, and use --allow repeat-adds:tally to add for all of them, or --allow "
        "skip-adds:tally to go on after them"
    )
    assert "tally (asks first what becomes of what it has added)" in orders.run("plan").output
    assert "before it was rolled back: `btmodel migrate` asks before" in orders.run("status").output
    assert counted(there) == PLACED
    orders.done("apply", "--yes", "--allow", allowed)
    assert counted(there) == sums


def test_what_a_step_has_added_is_known_when_revisions_below_it_are_rolled_back(
    orders: Project, there: Site
) -> None:
    """It was half-way: it does not begin at the first row, and does not go on in silence either, as its table may be another one by now."""
    at_bob(orders)
    keep = ("--allow", "keep-table:ORDERS", "--allow", "data-step:tally")
    orders.done("rollback", "--yes", *keep)
    far = "tally was edited since it came to row b'ann#0000000000001', after 2 rows"
    assert far in orders.refused("apply", "--yes")
    code = ("--allow", "resume-step:tally")
    told = orders.refused("apply", "--yes", *code)
    assert "before it was rolled back, it added for 2 rows up to b'ann#0000000000001'" in told
    orders.done("apply", "--yes", *code, "--allow", "skip-adds:tally")
    assert counted(there) == PLACED


@pytest.mark.parametrize("ended", [False, True], ids=["half-way", "rolled back"])
@pytest.mark.parametrize("renamed", ["file", "function"])
def test_a_step_that_has_added_is_known_under_another_name(
    orders: Project, there: Site, renamed: str, ended: bool
) -> None:
    """Its file or its function was renamed: it does not begin anew before the user says that it is another step."""
    rows = "5 rows, up to b'bob#0000000000001'" if ended else "2 rows, up to b'ann#0000000000001'"
    if ended:
        orders.done("apply", "--yes")
        orders.done("rollback", "--yes", "--allow", "data-step:tally", "--allow", "keep-table:TALLY")
    else:
        at_bob(orders)
    before = counted(there)
    toml, code = orders.migrations / "0002_tally.toml", orders.migrations / "0002_tally.py"
    new = "0002_count" if renamed == "file" else "0002_tally"
    step = "tally" if renamed == "file" else "count"
    text, named = toml.read_text(), f'data_steps = ["{step}"]'
    toml.unlink()
    code.unlink()
    (orders.migrations / f"{new}.toml").write_text(text.replace('data_steps = ["tally"]', named))
    (orders.migrations / f"{new}.py").write_text(STEP.replace("def tally(", f"def {step}("))
    status = orders.run("status").output
    assert f"it added for {rows}, and no revision here has this step" in status
    assert orders.refused("apply", "--yes") == (
        f"migrations/{new}.py: nothing was applied, because 0002_tally/tally has begun, it added for {rows}, and no revision here is called "
        f"0002_tally and has a step tally: if {step} is that step, give it these names again (migrations/0002_tally.toml, 0002_tally.py and "
        "the function tally), so that nothing is added twice; if it is another one, use --allow forget-step:0002_tally/tally, which forgets "
        "that record"
    )
    assert counted(there) == before
    orders.done("apply", "--yes", "--allow", "forget-step:0002_tally/tally")
    assert counted(there) == {
        key: number + before[key] if key in before else number for key, number in PLACED.items()
    }
    assert "lost" not in orders.run("status").output


def test_a_step_that_adds_nothing_begins_anew_under_another_name(orders: Project) -> None:
    """What is done twice changes nothing; the plan and the status say what was left."""
    code = orders.migrations / "0002_tally.py"
    failing = "    assert row.placed.microsecond != 2000\n    return None\n    return added"
    code.write_text(STEP.replace("    return added", failing))
    orders.refused("apply", "--yes")
    for kind in ("toml", "py"):
        (orders.migrations / f"0002_tally.{kind}").rename(orders.migrations / f"0002_count.{kind}")
    (orders.migrations / "0002_count.py").write_text(STEP)
    far = "it came to row b'ann#0000000000001', after 2 rows"
    assert f"{far}, and no revision here has this step" in orders.run("status").output
    left = json.loads(orders.run("status", "--json").stdout)["lost_steps"]
    assert left == {"0002_tally/tally": {"up_to": "b'ann#0000000000001'", "rows": 2, "adds": False}}
    told = (
        f"0002_tally/tally has begun, {far}, and no revision here is called 0002_tally and has a step tally"
    )
    assert told in orders.run("plan").output
    orders.done("apply", "--yes")


def test_what_is_added() -> None:
    """Counters of all kinds, in one mutation; those of spans of time in the span of a time."""
    at = datetime(2025, 1, 1, 10, 59, tzinfo=UTC)
    hour = int(at.replace(minute=0).timestamp()) * 1_000_000
    made = added(Views, page="/tea", views=2, hours=1, countries={"FR": 3}, at=at)
    assert (made.table, made.key) == ("VIEWS", b"/tea")
    assert list(made.changes) == [Add("c", b"all", 0, 2), Add("h", b"views", hour, 1), Add("c", b"FR", 0, 3)]


@pytest.mark.parametrize(
    ("values", "kind", "why"),
    [
        (
            {"page": "/", "view": 1},
            QueryRefused,
            r"added: .* Views and counters .*, got view \(did you mean views\?",
        ),
        ({"page": "/", "hours": 1}, QueryRefused, r"added: Views\.hours counts by spans of time: give at="),
        ({"page": "/"}, QueryRefused, r"add"),
        ({"views": 1}, QueryRefused, r"page"),
        ({"page": "/", "views": "1"}, ValueRefused, r"Views\.views: expected"),
    ],
)
def test_what_cannot_be_added(values: dict[str, Any], kind: type[Exception], why: str) -> None:
    """Other names, no amount, no key, and amounts that are none."""
    with pytest.raises(kind, match=why):
        added(Views, **values)


def test_a_counter_that_is_set_says_how_to_add() -> None:
    """A row of a model cannot hold an amount, in a step as elsewhere."""

    @data_step("QUOTE")
    def tally(row: object) -> Views:
        views: Any = Views  # of which type checkers know that it takes none
        made: Views = views(page="/", hours=bt.History(), countries={}, views=1)
        return made

    with pytest.raises(Exception, match=r"a counter is added to, by `add` of a repository"):
        list(tally.of((b"k", [])))


def test_an_addition_behind_other_changes_is_one() -> None:
    """So a runner refuses it, too."""
    assert addition([Mutation("VIEWS", b"/", then=[Add("c", b"all", 0, 1)])]) is not None
