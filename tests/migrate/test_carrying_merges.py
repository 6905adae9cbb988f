"""A merge that decides between two branches carries on the cells of the side that lost: its step writes them as the side that won does."""

import json
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from threading import Event, Thread

import pytest
from renamed_models import Site, family
from revised_project import QUOTE, Project
from test_data_steps import there as there
from test_merged_columns import BID, MARKET, OFFER, PRICE, REWRITE, SEVEN, SHORT, WIDER, Branches
from test_merged_columns import branches as branches
from test_revision_runs import environment

from btmodel import server as local_server
from btmodel.rows import Cell
from btmodel.schema import MaxVersions, Table
from tests.examples_tried import THOROUGH
from tests.forked_commands import Commands

MERGE = "0003_merge_0002_left_and_0002_right"
MERGED = ("--allow", f"deployed:{MERGE}")
NINE = (9).to_bytes(8, "big")
CASES = {
    # The side that loses, the side that is taken, and the cells of the row in the end.
    "both renamed a column": ((OFFER,), (PRICE,), {b"PRICE": SEVEN}),
    "both changed a codec": ((WIDER, *REWRITE), (SHORT, *REWRITE), {b"BID": SEVEN[-2:]}),
    "one renamed, the other changed the codec": ((OFFER,), (SHORT, *REWRITE), {b"BID": SEVEN[-2:]}),
    "one changed the codec, the other renamed": ((SHORT, *REWRITE), (OFFER,), {b"OFFER": SEVEN}),
}

BOTH = QUOTE.replace(BID, 'bt.column("PRICE", md, renamed_from="OFFER", also="BID", default=None)')
PRICES = QUOTE.replace('table="QUOTE"', 'table=bt.table("PRICES", renamed_from="QUOTE")')
AS_RIGHT = """
from btmodel.migrate import Mutation, data_step
from btmodel.rows import Delete


@data_step("QUOTE")
def as_right(row):
    if len(row.key) == 9:
        return None
    return [Mutation("QUOTE", row.key.strip().ljust(9), row.cells), Mutation("QUOTE", row.key, deletes=(Delete(),))]
"""


def newest(there: Site, key: bytes = b"A    ") -> dict[bytes, bytes]:
    """What a row has in each column: its newest cell."""
    cells = sorted(there.cells("QUOTE")[key], key=lambda cell: cell.timestamp)
    return {cell.qualifier: cell.value for cell in cells}


def apply_confirmed(project: Project, *options: str) -> None:
    """Apply what is pending, and confirm each deployment for which a run waits."""
    told = project.run("apply", "--yes", *options)
    for _ in range(9):
        waits = re.findall(r"confirm it with (--allow) (deployed:\w+)", f"{told.output}{told.exception}")
        if not waits:
            break
        told = project.run("apply", "--yes", *options, *waits[-1])
    assert told.exit_code == 0, told.exception


def on_left(branches: Branches, left: tuple[str, ...], right: tuple[str, ...]) -> Project:
    """A project whose instance has applied the left branch, before it is merged with the right one."""
    branches.write("left", *left)
    branches.write("right", *right)
    project = branches.project
    project.done(*branches.deployed("0002_left"), "--to", "0002_left")
    return project


@pytest.mark.parametrize("applied", ["left", "right", "neither"])
@pytest.mark.parametrize("case", CASES)
def test_every_instance_comes_to_what_the_merge_takes(branches: Branches, case: str, applied: str) -> None:
    """Whichever side an instance had applied, its values are where the models of the merge write them, and the next revision asks for nothing."""
    left, right, wanted = CASES[case]
    branches.write("left", *left)
    branches.write("right", *right)
    project = branches.project
    if applied != "neither":
        project.done(*branches.deployed(f"0002_{applied}"), "--to", f"0002_{applied}")
    told = project.done("merge", "--take", "0002_right")
    assert f"declare Quote as migrations/{MERGE}.py does" in told
    waits = ("--allow", "deployed:0002_right") if applied == "neither" else ()
    project.done("apply", "--yes", *MERGED, *waits)
    assert newest(branches.there) == wanted
    project.declare(right[0])
    project.done("new", "as taken")
    project.done("apply", "--yes")
    assert "no difference" in project.done("verify")
    assert newest(branches.there) == wanted


@pytest.mark.parametrize("applied", ["left", "neither"])
@pytest.mark.parametrize(
    ("renamed", "old", "table", "family"),
    [(MARKET, "family:QUOTE.MD", "QUOTE", "market"), (PRICES, "table:QUOTE", "PRICES", "MD")],
    ids=["family", "table"],
)
def test_a_column_is_carried_on_to_what_its_family_or_table_is_called(
    branches: Branches, applied: str, renamed: str, old: str, table: str, family: str
) -> None:
    """The side that is taken renames it: what the other one wrote is copied with the rest, and rewritten there once the old one is dropped."""
    branches.write("left", OFFER)
    branches.write("right", renamed)
    project = branches.project
    if applied == "left":
        project.done(*branches.deployed("0002_left"), "--to", "0002_left")
    project.done("merge", "--take", "0002_right")
    drop = ("--allow", f"drop-{old}")
    assert f"let the same run drop {old.partition(':')[2]} before that, with {' '.join(drop)}" in (
        project.refused("apply", "--yes", *MERGED)
    )
    project.done("apply", "--yes")
    project.done("apply", "--yes", *MERGED, *drop)
    assert branches.there.cells(table) == {b"A    ": {Cell(family, b"BID", 1_000, SEVEN)}}


@pytest.mark.parametrize("applied", ["0001_base", "0002_left", "0002_right", "0003_one", "0003_other"])
@pytest.mark.parametrize(("take", "wanted"), [("0003_one", b"OFFER"), ("0003_other", b"PRICE")])
def test_two_merges_that_took_one_side_each_are_decided(
    branches: Branches, applied: str, take: str, wanted: bytes
) -> None:
    """Both read the same columns, and write different ones: the merge of both asks which, and every instance comes to that."""
    branches.write("left", OFFER)
    branches.write("right", PRICE)
    project, files = branches.project, dict[Path, bytes]()
    for message, side in (("one", "0002_left"), ("other", "0002_right")):
        project.done("merge", message, "--take", side)
        if applied in (side, f"0003_{message}"):
            apply_confirmed(project, "--to", applied)
        for path in project.migrations.glob(f"0003_{message}.*"):
            files[path] = path.read_bytes()
            path.unlink()
    for path, data in files.items():
        path.write_bytes(data)
    asked = "attribute bid: written to MD:OFFER and to MD:PRICE): use --take 0003_one or --take 0003_other"
    assert asked in project.refused("merge")
    project.done("merge", "--take", take)
    apply_confirmed(project)
    assert newest(branches.there) == {wanted: SEVEN}
    project.declare(OFFER if wanted == b"OFFER" else PRICE)
    project.done("new", "as taken")
    project.done("apply", "--yes")
    assert "no difference" in project.done("verify")


def test_the_models_of_the_merge_match_it(branches: Branches) -> None:
    """They read both columns until the step has run, as its file declares them, and nothing is to be written."""
    project = on_left(branches, (OFFER,), (PRICE,))
    project.done("merge", "--take", "0002_right")
    project.declare(BOTH)
    assert "nothing to write" in project.done("new", "--check")


def test_the_newest_cell_of_each_row_counts(branches: Branches) -> None:
    """A cell keeps its time, so that one that is newer stays on top, on whichever side it was written."""
    project = on_left(branches, (OFFER,), (PRICE,))
    sides = {b"B    ": (2, 1), b"C    ": (1, 2), b"D    ": (1, 1)}
    for key, (offer, price) in sides.items():
        cells = [Cell("MD", b"OFFER", offer * 1_000, SEVEN), Cell("MD", b"PRICE", price * 1_000, NINE)]
        branches.there.write("QUOTE", {key: cells})
    project.done("merge", "--take", "0002_right")
    project.done("apply", "--yes", *MERGED)
    found = {key: newest(branches.there, key) for key in (b"A    ", *sides)}
    assert found == {
        b"A    ": {b"PRICE": SEVEN},
        b"B    ": {b"PRICE": SEVEN},
        b"C    ": {b"PRICE": NINE},
        b"D    ": {b"PRICE": NINE},
    }


@contextmanager
def writing(there: Site, keys: Sequence[bytes], cell: Cell) -> Iterator[set[bytes]]:
    """Have ``cell`` written to rows, one after the other, by another thread; the keys of those that have it."""
    ended, written = Event(), set[bytes]()

    def write() -> None:
        for key in cycle(keys):
            if ended.is_set():
                return
            there.write("QUOTE", {key: [cell]})
            written.add(key)

    writer = Thread(target=write)
    writer.start()
    try:
        yield written
    finally:
        ended.set()
        writer.join()


def test_writers_of_both_sides_go_on_meanwhile(branches: Branches) -> None:
    """What the models of the merge write is newer than what the step carries on, and stays; one that still writes as the side that lost is reported, and its values are carried on next time."""
    project, there = on_left(branches, (OFFER,), (PRICE,)), branches.there
    keys = [b"%05d" % row for row in range(100)]
    there.write("QUOTE", {key: [Cell("MD", b"OFFER", 1_000, SEVEN)] for key in keys})
    project.done("merge", "--take", "0002_right")
    with (
        writing(there, keys[1:], Cell("MD", b"PRICE", 2_000, NINE)) as written,
        writing(there, keys[:1], Cell("MD", b"OFFER", 2_000, NINE)),
    ):
        why = project.refused("apply", "--yes", *MERGED)
        assert "1 row of 'QUOTE', such as b'00000', were written in the old way since" in why
    with writing(there, keys[1:], Cell("MD", b"PRICE", 2_000, NINE)) as more:
        project.done("apply", "--yes", *MERGED)
    assert len(written) > 1
    for key in keys:
        known = NINE if key in {keys[0], *written, *more} else SEVEN
        assert newest(there, key) == {b"PRICE": known}


def test_a_killed_run_of_a_merge_is_finished(branches: Branches, commands: Commands) -> None:
    """Killed at any call, a run leaves what the next one finishes: every cell once, where the merge writes it.

    It is killed at calls of each kind, and with ``--thorough`` at all.
    """
    branches.write("left", OFFER)
    branches.write("right", PRICE)
    branches.project.done("merge", "--take", "0002_right")
    program, folder = Path(__file__).with_name("killed_merges.py"), branches.project.folder
    with local_server.start() as server:
        arguments = [server.host, "all" if THOROUGH else "some"]
        ran = commands.program(program, arguments, folder, environment(server), timeout=400)
    assert ran.returncode == 0, ran.stderr
    *killed, lived = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(killed) > 5
    assert [one["codes"] for one in killed] == [[-signal.SIGKILL, 0]] * len(killed), ran.stderr
    assert {qualifier for _, qualifier, _, _ in lived["cells"]} == {"PRICE"}
    assert (lived["codes"], lived["locked"]) == ([0, 0], False)
    assert lived["revisions"][-1] == [MERGE, ["rewrite_quote"]]
    for one in killed:
        assert {**one, "codes": 0} == {**lived, "codes": 0}


def interrupted(branches: Branches, left: tuple[str, ...], right: tuple[str, ...]) -> list[bytes]:
    """Interrupt the step of the left branch midway, and merge; the keys of its rows."""
    branches.write("left", *left)
    branches.write("right", *right)
    project, wrong = branches.project, Cell("MD", b"BID", 1_000, b"?")
    keys = [b"B%04d" % row for row in range(700)]
    rows = {key: [Cell("MD", b"BID", 1_000, SEVEN)] for key in keys}
    branches.there.write("QUOTE", {**rows, b"C0000": [wrong]})
    project.run(*branches.deployed("0002_left"), "--to", "0002_left")
    assert "0002_left" not in [one.id for one in branches.there.history.revisions()]
    branches.there.write("QUOTE", {b"C0000": [wrong._replace(value=SEVEN)]})
    project.done("merge", "--take", "0002_right")
    return keys


def test_what_an_interrupted_step_of_the_losing_side_has_moved_is_carried_on(branches: Branches) -> None:
    """Some rows are as it writes them and some as before: the step of the merge reads both."""
    keys = interrupted(branches, (OFFER,), (PRICE,))
    assert {*newest(branches.there, keys[0]), *newest(branches.there, keys[-1])} == {b"OFFER", b"BID"}
    branches.project.done("apply", "--yes", *MERGED, "--allow", "deployed:0002_right")
    assert {tuple(newest(branches.there, key).items()) for key in keys} == {((b"PRICE", SEVEN),)}


def test_a_codec_that_was_written_in_part_is_finished_first(branches: Branches) -> None:
    """The side that is taken comes first and cannot read it: the plan says what to do."""
    keys = interrupted(branches, (WIDER, *REWRITE), (SHORT, *REWRITE))
    assert {newest(branches.there, key)[b"BID"] for key in keys} == {SEVEN, SEVEN[-4:]}
    way = "finish 0002_left first, with `btmodel migrate apply --to 0002_left`"
    assert way in branches.project.run("plan").output
    branches.project.done("apply", "--yes", "--to", "0002_left")
    branches.project.done("apply", "--yes", *MERGED)
    assert {newest(branches.there, key)[b"BID"] for key in keys} == {SEVEN[-2:]}


def test_a_merge_without_a_step_is_refused_where_the_other_side_was_applied(branches: Branches) -> None:
    """No model would read what it wrote, and the user chooses."""
    project = on_left(branches, (OFFER,), (PRICE,))
    project.done("merge", "--take", "0002_right", "--no-rewrite")
    apply = ("apply", "--yes", "--allow", "deployed:0002_right")
    why = project.refused(*apply)
    assert (
        f"{MERGE}.toml: nothing was applied, because this instance has applied 0002_left, and {MERGE} would leave QUOTE.MD:OFFER as value Int64() where no model reads what "
        f"that is: delete {MERGE} where no instance has applied it, and write it anew with `btmodel migrate merge --take 0002_right`, whose step rewrites these cells where it can"
        in why
    )
    assert why.endswith("where nobody needs it, use --allow unread-cells:QUOTE.MD:OFFER")
    assert newest(branches.there) == {b"OFFER": SEVEN}
    project.done(*apply, "--allow", "unread-cells:QUOTE.MD:OFFER")
    assert newest(branches.there) == {b"OFFER": SEVEN}
    project.done(*apply, "--allow", "unread-cells:QUOTE.MD:OFFER")


@pytest.mark.parametrize(("right", "name"), [(MARKET, "QUOTE.market:OFFER"), (PRICES, "PRICES.MD:OFFER")])
def test_a_merge_without_a_step_is_refused_under_the_new_names(
    branches: Branches, right: str, name: str
) -> None:
    """Whatever the table or the family of the cells is called by then."""
    project = on_left(branches, (OFFER,), (right,))
    project.done("merge", "--take", "0002_right", "--no-rewrite")
    assert f"would leave {name} as value Int64() where no model reads" in project.refused("apply", "--yes")
    project.done("apply", "--yes", "--allow", f"unread-cells:{name}")


@pytest.mark.parametrize("applied", ["right", "neither"])
def test_a_merge_without_a_step_asks_other_instances_for_nothing(branches: Branches, applied: str) -> None:
    """They never had the side that loses; its step is skipped, as it would write what no model reads."""
    branches.write("left", OFFER)
    branches.write("right", PRICE)
    project, waits = branches.project, ("--allow", "deployed:0002_right")
    if applied == "right":
        project.done("apply", "--yes", "--to", "0002_right", *waits)
    project.done("merge", "--take", "0002_right", "--no-rewrite")
    skip = ("--allow", "skip-step:0002_left/rewrite_quote")
    project.done("apply", "--yes", *(waits if applied == "neither" else ()), *skip)
    assert newest(branches.there) == {b"PRICE": SEVEN}


def test_codecs_that_nothing_tells_apart_are_rewritten_on_the_branch_that_lost(branches: Branches) -> None:
    """The merge says so and what to do, and an instance that has such cells refuses it until that is done."""
    little = SHORT.replace("bt.IntBytes(2)", 'bt.IntBytes(2, byteorder="little")')
    project = on_left(branches, (little, *REWRITE), (SHORT, *REWRITE))
    told = project.done("merge", "--take", "0002_right")
    assert "no step writes QUOTE.MD:BID as value Either(new=IntBytes(size=2, byteorder='little')" in told
    way = (
        "on the branch of 0002_left, write a revision that rewrites these cells as 0002_right has them, or as they were before both, and one that declares that alone, apply them "
        "there with `btmodel migrate apply --to`, and merge again"
    )
    assert way in told
    assert not list(project.migrations.glob("0003_merge*.py"))
    apply = ("apply", "--yes", "--allow", "deployed:0002_right")
    assert way in project.refused(*apply)
    away = {path: path.read_bytes() for path in project.migrations.glob("0002_right*")}
    for path in (*away, *project.migrations.glob("0003_merge*")):
        path.unlink()
    back = SHORT.replace("bt.IntBytes(2), bt.Int64()", 'bt.Int64(), bt.IntBytes(2, byteorder="little")')
    for message, models, *options in (("back", back, *REWRITE), ("as before", QUOTE)):
        project.declare(models)
        project.done("new", message, *options)
    project.done("apply", "--yes", "--allow", "deployed:0003_back")
    for path, text in away.items():
        path.write_bytes(text)
    project.done("merge")
    project.done(*apply)
    assert newest(branches.there) == {b"BID": SEVEN[-2:]}


def test_a_key_of_the_losing_side_is_changed_on_its_branch(branches: Branches) -> None:
    """Both branches gave the model another key, which no merge can carry on: a step of the branch that lost rewrites the rows, and both agree then."""
    wider, widest = (QUOTE.replace("width=5", f"width={width}") for width in (7, 9))
    branches.write("left", wider)
    branches.write("right", widest)
    project, promise = branches.project, ("--allow", "change-key:QUOTE/Quote")
    project.done("apply", "--yes", "--to", "0002_left", *promise)
    branches.there.write("QUOTE", {b"B      ": [Cell("MD", b"BID", 1_000, NINE)]})
    project.done("merge", "--take", "0002_right")
    assert (
        f"this instance has applied 0002_left, and {MERGE} would leave rows of QUOTE with the key {{symbol: Text(width=7)}} where no model reads what that is: on the branch of "
        "0002_left, write a revision with the key of 0002_right and a step that writes each row under it and deletes the old row"
        in project.refused("apply", "--yes")
    )
    away = {path: path.read_bytes() for path in project.migrations.glob("0002_right*")}
    for path in (*away, project.migrations / f"{MERGE}.toml"):
        path.unlink()
    project.declare(widest)
    project.done("new", "as right", "--data-step", "as_right")
    (project.migrations / "0003_as_right.py").write_text(AS_RIGHT)
    project.done("apply", "--yes", *promise)
    for path, text in away.items():
        path.write_bytes(text)
    project.done("merge")
    project.done("apply", "--yes")
    assert branches.there.cells("QUOTE").keys() == {b"A        ", b"B        "}


def test_tables_that_are_named_at_run_time_are_read_both_ways(project: Project, there: Site) -> None:
    """No step rewrites them: the merge says so, an instance with rows refuses it, and a later revision reads both."""

    def named(models: str) -> str:
        return models.replace('table="QUOTE"', 'table="QUOTE_{day}"')

    project.declare(named(QUOTE))
    project.done("new", "base")
    project.done("apply", "--yes")
    branches = Branches(project, there)
    branches.write("left", named(OFFER))
    branches.write("right", named(PRICE))
    project.done("apply", "--yes", "--to", "0002_left")
    told = project.done("merge", "--take", "0002_right")
    assert (
        "as 0002_right has it (its tables are named at run time): where an instance has it, let Quote read them too, with also= or Either"
        in told
    )
    there.admin.create_table(Table("QUOTE_1", (family("MD", gc=MaxVersions(1)),)))
    there.write("QUOTE_1", {b"A    ": [Cell("MD", b"OFFER", 1_000, SEVEN)]})
    assert (
        "would leave QUOTE_{day}.MD:OFFER as value Int64() where no model reads what that is: let Quote read them too"
        in project.refused("apply", "--yes")
    )
    project.declare(named(BOTH))
    project.done("new", "both")
    project.done("apply", "--yes")


def test_the_next_revision_may_carry_them_on(branches: Branches) -> None:
    """A merge that other instances have applied without a step stays: a later step reads the cells, and both are applied."""
    project = on_left(branches, (OFFER,), (PRICE,))
    project.done("merge", "--take", "0002_right", "--no-rewrite")
    project.declare(BOTH)
    project.done("new", "carried on")
    project.done("apply", "--yes", "--allow", "deployed:0002_right", "--allow", "deployed:0004_carried_on")
    assert newest(branches.there) == {b"PRICE": SEVEN}
