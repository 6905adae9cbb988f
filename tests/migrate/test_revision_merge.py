"""Two branches that met, joined; and many revisions made one."""

from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from some_revisions import FIRST, OTHER, SECOND, USER, folder_of, on
from some_tables import ONE, QUOTE, TRADE, WEEK, table, table_sets

from btmodel.errors import MigrationError
from btmodel.migrate.revisions.folder import read_folder, remove, write
from btmodel.migrate.revisions.graph import graph_of
from btmodel.migrate.revisions.merging import merge_revision
from btmodel.migrate.revisions.squashing import squash
from btmodel.schema import CellLayout, Family, KeyPart, Layout, MaxVersions, Table

HERE = Path("migrations")


def merged(base: Any, left: Any, right: Any, take: str | None = None) -> tuple[Table, ...]:
    """What comes of tables that two branches changed."""
    first = on(message="base", tables=base)
    sides = {name: on(first, message=name, tables=one) for name, one in (("left", left), ("right", right))}
    graph = graph_of(HERE, [first, *sides.values()])
    return merge_revision(graph, take=sides[take] if take else None).tables


def test_both_sides_are_in_the_merge() -> None:
    """A merge stands on both heads, and has what each added since they parted."""
    found = merge_revision(graph_of(HERE, [FIRST, SECOND, OTHER]))
    assert (found.id, found.parents) == (
        "0003_merge_0002_trades_and_0002_users",
        (SECOND.parent_link, OTHER.parent_link),
    )
    assert found.tables == (QUOTE, TRADE, USER)
    assert graph_of(HERE, [FIRST, SECOND, OTHER, found]).head == found


def layout(codec: str = "Text(width=5)", **cells: str) -> Layout:
    """How Quotes lie, with these columns."""
    columns = tuple(CellLayout(f"MD:{name}", cells[name]) for name in sorted(cells))
    return Layout("Quote", (KeyPart(codec, "", "symbol"),), columns)


def quote(one: Layout | None = None, **families: Any) -> list[Table]:
    return [attrs.evolve(table("QUOTE", **families), layouts=(one,) if one else ())]


def test_parts_of_one_table_are_joined() -> None:
    """Families, rules and columns of one table that each branch changed go together."""
    joined = merged(
        quote(layout(A="x"), MD=ONE, OLD=ONE),
        quote(layout(A="x", B="y"), MD=ONE, NEW=WEEK, OLD=WEEK),
        quote(layout(A="x", C="z"), MD=WEEK, OLD=ONE),
    )
    assert joined == tuple(quote(layout(A="x", B="y", C="z"), MD=WEEK, NEW=WEEK, OLD=WEEK))


def test_names_of_attributes_are_joined() -> None:
    """Each branch names those that an earlier version did not write; only names that differ are a conflict, not a codec that one branch changed."""
    old = layout(A="x", B="y")
    left, right = layout(A="z", B="y"), layout(A="x", B="y")
    names = zip((left, right), (("a", "b"), ("a", "b2")), strict=True)
    named = [
        attrs.evolve(
            one,
            cells=tuple(attrs.evolve(cell, attribute=name) for cell, name in zip(one.cells, of, strict=True)),
        )
        for one, of in names
    ]
    conflict = "model Quote, attribute of MD:B: "
    with pytest.raises(MigrationError, match=conflict):
        merged(quote(old, MD=ONE), *(quote(one, MD=ONE) for one in named))
    alike = attrs.evolve(named[1], cells=(named[1].cells[0], named[0].cells[1]))
    ((joined,),) = (
        one.layouts for one in merged(quote(old, MD=ONE), quote(named[0], MD=ONE), quote(alike, MD=ONE))
    )
    assert joined.statements == named[0].statements


def test_names_of_attributes_come_with_the_cells_of_a_family_that_is_taken() -> None:
    """One branch renamed a family, and the other one, which is taken, added a column to it: each cell still says which attribute it holds."""

    def named(family: str, **codecs: str) -> Layout:
        cells = tuple(
            CellLayout(f"{family}:{name}", codec, True, name.lower()) for name, codec in codecs.items()
        )
        return attrs.evolve(layout(), cells=cells)

    taken = named("MD", A="x", B="y")
    other = attrs.evolve(renamed("market"), layouts=(named("market", A="x"),))
    ((joined,),) = (
        one.layouts
        for one in merged(quote(named("MD", A="x"), MD=ONE), [other], quote(taken, MD=ONE), take="right")
    )
    assert joined.statements == taken.statements


def test_what_one_side_dropped_stays_dropped() -> None:
    """A table, or a family, that one branch dropped and the other did not touch is gone."""
    assert merged([QUOTE, TRADE], [QUOTE], [QUOTE, TRADE, USER]) == (QUOTE, USER)
    assert merged([TRADE], [table("TRADE", MD=ONE)], [TRADE]) == (table("TRADE", MD=ONE),)


CONFLICTS = [
    (
        (quote(MD=ONE), quote(MD=MaxVersions(2)), quote(MD=WEEK)),
        r'table QUOTE, family MD, gc: { max_versions = 2 } in 0002_left, { max_age = "7d" } in 0002_right',
    ),
    ((quote(MD=ONE), [], quote(MD=WEEK)), "table QUOTE: gone in 0002_left, .* in 0002_right"),
    ((quote(), quote(MD=ONE), quote(MD=WEEK)), "table QUOTE, family MD, gc: "),
    (
        (quote(layout(A="x")), quote(layout(A="y")), quote(layout(A="z"))),
        'table QUOTE, model Quote, cell MD:A: "y" in 0002_left, "z" in 0002_right',
    ),
    (
        (quote(layout("a")), quote(layout("b")), quote(layout("c"))),
        "table QUOTE, model Quote, key: ",
    ),
]


def renamed(*names: str) -> Table:
    """QUOTE with a family that is called so now."""
    families = tuple(Family(name, ONE, renamed_from="MD") for name in names)
    cells = tuple(CellLayout(f"{name}:A", "x") for name in names)
    return attrs.evolve(table("QUOTE"), families=families, layouts=(attrs.evolve(layout(), cells=cells),))


def moved(id: str) -> Table:
    return attrs.evolve(table(id, MD=ONE), renamed_from="QUOTE")


# Each side does what the other cannot live with, in another place: the tables, and what is told.
CONTESTED = [
    (
        quote(layout(A="x"), MD=ONE, OT=ONE),
        quote(layout(), OT=ONE),
        quote(layout(A="x", B="y"), MD=ONE, OT=ONE),
        "table QUOTE, family MD: gone in 0002_left, there with MD:A, MD:B in 0002_right",
    ),
    (
        quote(layout(A="x"), MD=ONE, OT=ONE),
        quote(layout(), OT=ONE),
        quote(layout(A="x"), MD=WEEK, OT=ONE),
        r"table QUOTE, family MD: gone in 0002_left, \{ gc = ",
    ),
    (
        quote(layout(A="x"), MD=ONE),
        [renamed("market")],
        [renamed("mkt")],
        "table QUOTE, family MD: renamed to market in 0002_left, renamed to mkt in 0002_right",
    ),
    (
        quote(layout(A="x"), MD=ONE),
        [renamed("market")],
        quote(layout(A="x", B="y"), MD=ONE),
        "table QUOTE, family MD: gone in 0002_left, there with MD:A, MD:B in 0002_right",
    ),
    (
        [QUOTE],
        [moved("LISTED")],
        [moved("SHARES")],
        "table QUOTE: renamed to LISTED in 0002_left, renamed to SHARES in 0002_right",
    ),
    ([QUOTE], [moved("LISTED")], [table("QUOTE", MD=WEEK)], "table QUOTE: gone in 0002_left, "),
]


@pytest.mark.parametrize(("base", "left", "right", "told"), CONTESTED)
def test_what_cannot_both_be_is_a_conflict(base: Any, left: Any, right: Any, told: str) -> None:
    """Changes in different places that contradict each other are a conflict, and all of it is decided by --take."""
    with pytest.raises(MigrationError, match=told):
        merged(base, left, right)
    assert merged(base, left, right, take="left") == tuple(left)
    assert merged(base, left, right, take="right") == tuple(right)


@pytest.mark.parametrize(("sides", "told"), CONFLICTS)
def test_conflicts_are_told_by_their_place(sides: Any, told: str) -> None:
    """Where both branches changed one thing in different ways, the place and both are told, and how to decide."""
    with pytest.raises(MigrationError, match=told) as refused:
        merged(*sides)
    assert "use --take 0002_left or --take 0002_right" in str(refused.value)


def test_a_conflict_is_decided_by_name() -> None:
    """--take names the branch that is right where both changed one thing; the rest is of both."""
    sides = (quote(MD=ONE), [*quote(MD=MaxVersions(2)), TRADE], [*quote(MD=WEEK), USER])
    assert merged(*sides, take="left") == (*quote(MD=MaxVersions(2)), TRADE, USER)
    assert merged(*sides, take="right") == (*quote(MD=WEEK), TRADE, USER)


@given(table_sets, table_sets, st.booleans())
def test_a_side_that_changed_nothing_leaves_the_other(base: Any, changed: Any, left: bool) -> None:
    """Where one branch left the tables as they were, the merge is the other one."""
    sides = (changed, base) if left else (base, changed)
    assert set(merged(base, *sides)) == {_stated(one) for one in changed}


def _stated(one: Table) -> Table:
    """A table as it is written: a family without a rule keeps everything."""
    from btmodel.recorded.tables import as_data, from_data

    return from_data(as_data([one]), "x")[0]


@given(table_sets, table_sets, table_sets)
def test_a_merge_has_no_sides(base: Any, one: Any, other: Any) -> None:
    """Who is left and who is right does not matter: both ways give the same, or conflicts in the same places."""

    def outcome(left: Any, right: Any) -> object:
        try:
            return merged(base, left, right)
        except MigrationError as error:
            return str(error).count(";")

    assert outcome(one, other) == outcome(other, one)


def test_branches_that_merged_apart() -> None:
    """Two branches that each merged the same two are merged once more: what both have in common is the base."""
    one = on(SECOND, OTHER, message="one merge", tables=[QUOTE, TRADE, USER])
    other = on(SECOND, OTHER, message="other merge", tables=[QUOTE, TRADE, USER])
    more = on(other, message="more", tables=[QUOTE, USER])
    found = merge_revision(graph_of(HERE, [FIRST, SECOND, OTHER, one, other, more]))
    assert found.tables == (QUOTE, USER)


def test_one_head_needs_no_merge() -> None:
    """With one last revision there is nothing to join."""
    with pytest.raises(MigrationError, match="there is one last revision, so nothing to merge"):
        merge_revision(graph_of(HERE, [FIRST, SECOND]))
    with pytest.raises(MigrationError, match="--take 0001_quotes: expected 0002_trades or 0002_users"):
        merge_revision(graph_of(HERE, [FIRST, SECOND, OTHER]), take=FIRST)


THIRD = on(SECOND, message="users", tables=[QUOTE, TRADE, USER])


def test_squashed_revisions_are_one(tmp_path: Path) -> None:
    """The squashed file stands for what it replaces, and what stood on the last of these stands on it."""
    graph = read_folder(folder_of(tmp_path, FIRST, SECOND, THIRD))
    one = squash(graph, SECOND, "beginning")
    write(tmp_path, one)
    remove(tmp_path, [FIRST.id, SECOND.id])
    found = read_folder(tmp_path)
    assert [each.id for each in found.heads] == ["0003_users"]
    assert found.parents == {"0002_beginning": (), "0003_users": ("0002_beginning",)}
    assert found.revisions["0002_beginning"].replaces == (FIRST.link, SECOND.link)


def test_a_replaced_file_that_is_left_is_told(tmp_path: Path) -> None:
    """A kill between writing and deleting leaves files that are to be deleted, and the error says so."""
    graph = read_folder(folder_of(tmp_path, FIRST, SECOND))
    write(tmp_path, squash(graph, SECOND))
    with pytest.raises(
        MigrationError, match=r"0001_quotes.toml: 0002_squash_up_to_0002_trades replaces it, so delete"
    ):
        read_folder(tmp_path)


def test_what_stands_in_the_midst_keeps_from_squashing() -> None:
    """A branch that parted below the last revision to squash would hang in the air."""
    graph = graph_of(HERE, [FIRST, SECOND, OTHER])
    with pytest.raises(MigrationError, match="0002_users stands on 0001_quotes, which is below 0002_trades"):
        squash(graph, SECOND)
    with pytest.raises(MigrationError, match="0001_quotes stands on no other revision"):
        squash(graph, FIRST)


def test_a_branch_from_before_the_squash(tmp_path: Path) -> None:
    """A revision of another branch that stands on one in the midst of the squashed is told, with what to do."""
    write(tmp_path, squash(graph_of(HERE, [FIRST, SECOND]), SECOND))
    write(tmp_path, OTHER)
    with pytest.raises(MigrationError, match=r"0001_quotes was squashed into 0002_squash.* write it anew"):
        read_folder(tmp_path)


def test_squashes_that_replace_one(tmp_path: Path) -> None:
    """Two squashed revisions cannot both stand for one."""
    for message in ("one", "two"):
        write(tmp_path, squash(graph_of(HERE, [FIRST, SECOND]), SECOND, message))
    with pytest.raises(
        MigrationError, match=r"0002_two.toml: it replaces 0001_quotes, and so does 0002_one: keep one"
    ):
        read_folder(tmp_path)
