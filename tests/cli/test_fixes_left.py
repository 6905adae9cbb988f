"""Fixes that `btmodel check --fix` leaves to the user: what it expected of the source, where, and what to write by hand."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from btmodel.cli.source import Sources
from btmodel.cli.source.fixes import WrittenFixes, fixes
from btmodel.declare import collecting
from btmodel.lint import review_all

HEAD = """\
from datetime import date, datetime
from enum import StrEnum

import btmodel as bt


"""
# Claims that wait are asked for by a flag: an index, of which only the program knows the columns that it wants.
CLAIM = (
    HEAD
    + '''\
class Claim(bt.Model, table="CLAIM", events="40/s"):
    """An insurance claim.

    Ten million of them lie with a large insurer, of which some forty wait for a decision. The work list of an insurer shows those forty,
    and is loaded anew every five seconds.
    """

    insurer: str = bt.key(bt.Text(max_length=12), cardinality=70)
    claim: str = bt.key(bt.HexDigest(10), cardinality=200_000_000)

    c = bt.family("c", gc=bt.max_versions(1))
    waits: bool = bt.column("w", c)
    filed: datetime = bt.column("f", c)

    work_list = bt.query("insurer", where=["waits"])
'''
)
# A scan that a display waits for: the query becomes another one in the second table.
JOB = (
    HEAD
    + '''\
class State(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    DONE = "done"


class Job(bt.Model, table="render_jobs", events="40/s"):
    """A picture to be rendered."""

    id: str = bt.key(bt.HexDigest(16), cardinality=400_000_000)

    j = bt.family("j", gc=bt.max_versions(1))
    state: State = bt.column("s", j)
    scene: str = bt.column("sc", j, size=400, max_size=4_000)

    waiting = bt.query(scan="every two seconds, for the next job that waits", where=["state"])
'''
)
QUOTE = (
    HEAD
    + """\
class Quote(bt.Model, table="QUOTE", events="50/s"):
    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)
    at: datetime = bt.key(bt.EpochMillis())

    md = bt.family("md", gc=bt.max_age(days=30))
    trader: str = bt.column("t", md, max_size=20, cardinality=2_000)
    bid: int = bt.column("b", md)

    of_symbol = bt.query("symbol", between="at")
    of_trader = bt.query("trader", between="at")
"""
)
# The names of a class body are not known outside of it.
INSIDE = (
    QUOTE.replace("    symbol: str", "    MOST = 20\n    symbol: str", 1)
    .replace("max_size=20", "max_size=MOST")
    .replace('bid: int = bt.column("b", md)', 'bid: str = bt.column("b", md, max_size=MOST)')
)
# A misspelt name in a query.
WRONG = QUOTE.replace('"trader", between="at"', '"symbl", between="at"')
GIVEN = 'bt.query("symbl", between="at")'


Written = tuple[WrittenFixes, str]


@pytest.fixture
def fixed(tmp_path: Path) -> Callable[[str], Written]:
    """What is written into a file with that text, why other fixes are not, and the file as it then is."""

    def write(text: str) -> Written:
        path = tmp_path / "models.py"
        path.write_text(text)
        scope: dict[str, object] = {"__name__": "models_of_a_fix"}
        with collecting() as made:
            exec(compile(text, str(path), "exec", dont_inherit=True), scope)
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(__import__("sys").modules, "models_of_a_fix", Module(scope))
            done = fixes(review_all(made.schemas), made.schemas, Sources(), tmp_path)
        return done, done.texts.get(str(path), text)

    return write


class Module:
    """Stands for an imported module."""

    def __init__(self, scope: Mapping[str, object]) -> None:
        self.__dict__.update(scope)


def why(done: Written) -> str:
    """Why the only fix is left."""
    (found,) = done[0].left
    return found[1]


def test_an_index_is_left_to_who_knows_its_columns(fixed: Callable[[str], Written]) -> None:
    """The note says so, and how its class begins; the conditions of its rows belong to that."""
    assert why(fixed(CLAIM)) == (
        "the fix is an index, `ClaimWorkList`, and only its readers know which columns they want of it; by hand, declare "
        '`class ClaimWorkList(bt.Index, of=Claim, view="CLAIM_WORK_LIST", where={"waits": True})` with the key `{insurer}#{claim}`'
    )


def test_a_query_that_the_fix_changes_is_written_as_it_then_is(fixed: Callable[[str], Written]) -> None:
    """A scan becomes a query that gives a field, and leaves the first class; the members of an enum have a codec."""
    done, text = fixed(JOB)
    assert done.left == []
    first, _, second = text.partition("class JobWaiting(")
    assert "waiting = " not in first
    assert "    state: State = bt.key(bt.EnumText(State)" in second
    assert '    waiting = bt.query("state")\n' in second
    assert second.endswith("JOB = bt.twins(Job, JobWaiting, owned=True)\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            INSIDE,
            "the new class would copy declarations that need `MOST`, which is not known outside of `Quote`",
        ),
        (
            QUOTE.replace("import btmodel as bt", "from btmodel import *  # noqa\nimport btmodel as bt"),
            "expected `import btmodel as bt`, or under another name, at the top of the file",
        ),
        (
            QUOTE.replace('bt.query("trader", between="at")', '[bt.query("trader", between="at")][0]'),
            "expected `of_trader` to be declared in the class statement, on lines with nothing else",
        ),
    ],
    ids=["class body", "import", "list"],
)
def test_a_note_says_what_was_expected_and_what_to_write(
    fixed: Callable[[str], Written], text: str, reason: str
) -> None:
    """A colleague would say the same: no error of Python, and no riddle."""
    assert why(fixed(text)) == (
        f'{reason}; by hand, declare `class QuoteOfTrader(bt.Model, table="QUOTE_OF_TRADER")` with the key '
        "`{trader}#{at}#{symbol}`, and write both by `bt.twins(Quote, QuoteOfTrader)`"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            WRONG.replace(GIVEN, 'bt.query(NAME, between="at")').replace(
                "class Quote", 'NAME = "symbl"\n\n\nclass Quote'
            ),
            "expected an argument to be written out there, without names of other values and without comments",
        ),
        (
            WRONG.replace(GIVEN, 'bt.query(*["symbl"], between="at")'),
            "expected an argument to be given in a call of btmodel itself, and by no `*` or `**`",
        ),
        (
            WRONG.replace(GIVEN, "asked()").replace(
                "class Quote", f"def asked():\n    return {GIVEN}\n\n\nclass Quote"
            ),
            "expected `Quote.of_trader` to be declared in a class statement `Quote` at the top of the file",
        ),
        (
            "import sys\n"
            + "\n".join(f"    {line}" if line else "" for line in WRONG.split("\n")).replace(
                "    from", "if sys:\n    from", 1
            ),
            "expected `Quote.of_trader` to be declared in a class statement `Quote` at the top of the file",
        ),
    ],
    ids=["name", "star", "function", "indented"],
)
def test_an_argument_is_left_with_what_to_write(
    fixed: Callable[[str], Written], text: str, reason: str
) -> None:
    """It names the argument, its new text, and the declaration."""
    done = fixed(text)
    assert why(done).startswith(reason)
    assert why(done).endswith('; by hand, write `"symbol"` in the declaration of `Quote.of_trader`')
