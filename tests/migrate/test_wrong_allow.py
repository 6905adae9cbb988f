"""An ``--allow`` that allows nothing: what is offered in its place, and what stands above the refusal."""

from datetime import timedelta

import pytest
from revised_project import QUOTE, TRADE, Project
from some_tables import ONE, WEEK, table

from btmodel.migrate import InstanceFacts, make_plan
from btmodel.migrate.planning.plan import WrongAllow, refuse_needless
from btmodel.schema import MaxAge

DAYS = ("LOG_20260101", "LOG_20260102", "LOG_20260103")
TIGHTER = [f"tighten-gc:{id}.l" for id in DAYS]


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("drop-family:LOG_20260101.e", ["drop-table:LOG_20260101"], " (what can be allowed: drop-table:LOG_20260101)"),
        ("drop-famly:A.OLD", ["drop-family:A.OLD", "drop-table:A"], " (did you mean --allow drop-family:A.OLD?)"),
        ("drop-tabel:A", ["drop-family:A.OLD", "drop-table:A"], " (did you mean --allow drop-table:A?)"),
        ("tighten-gc:QUOTES.MD", ["tighten-gc:QUOTE.MD"], " (did you mean --allow tighten-gc:QUOTE.MD?)"),
        ("drop-family:quote.md", ["drop-family:QUOTE.MD"], " (did you mean --allow drop-family:QUOTE.MD?)"),
        ("drop-table:QUOTE", ["drop-table:USER"], " (what can be allowed: drop-table:USER)"),
        ("drop-table:QUOTE", [], "; no change needs permission"),
        (
            "tighten-gc:LOG_{day}.l",
            ["drop-table:LOG_20260101", *TIGHTER],
            f"; each live table has a name of its own: {', '.join(TIGHTER)}",
        ),
        (
            "tighten-gc:LOG_{day}.l",
            ["drop-family:LOG_20260101.l"],
            "; each live table has a name of its own, and none of this kind has to be allowed",
        ),
    ],
)  # fmt: skip
def test_what_is_offered(name: str, known: list[str], hint: str) -> None:
    """A name of the same kind of change, or else all that there is; never what loses more, as if it were meant."""
    with pytest.raises(WrongAllow) as caught:
        refuse_needless([*known, name], known, ())
    assert str(caught.value) == f"--allow {name}: nothing in this instance needs that{hint}"


def test_every_wrong_name_is_told() -> None:
    """Who said two wrong names learns of both at once."""
    with pytest.raises(WrongAllow) as caught:
        make_plan(
            "i", [table("A", f=ONE)], [table("A", f=WEEK)], ["drop-table:B", "tighten-gc:A.f", "what:C"]
        )
    first, second = str(caught.value).splitlines()
    assert first.startswith("--allow drop-table:B: nothing in i needs that")
    assert second.startswith("--allow what:C: nothing in i needs that")


def test_what_no_name_allows() -> None:
    """A change that cannot be made is said to be none that can be allowed, and why."""
    far = table("T", m=MaxAge(WEEK.age + timedelta(days=91)))
    with pytest.raises(WrongAllow) as caught:
        make_plan("i", [far], [table("T", m=WEEK)], ["relax-replicated:T.m"], InstanceFacts(replicated=True))
    assert str(caught.value).startswith(
        "--allow relax-replicated:T.m: this cannot be allowed: replicated: an age that alone deletes cells can grow by 90d"
    )


def test_the_headings_stay(two: Project) -> None:
    """Each plan above a refusal has the heading that it has elsewhere."""
    said = two.run("--yes", "--allow", "drop-table:NONE").output
    assert "0001_quotes: quotes\n" in said
    assert "0002_trades: trades\n" in said
    two.declare(QUOTE, TRADE)
    two.done("--yes")
    assert "back to 0001_quotes:\n" in two.run("rollback", "--yes", "--allow", "drop-table:NONE").output
