"""What was renamed away and is declared anew: it gets none of the old cells unless that is allowed by name."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from renamed_models import MARKET, PRICE, QUOTE, Site, family, lie, names, site, some_rows, without_renaming
from saving import save
from test_way_back import Followed

from btmodel.errors import MigrationError
from btmodel.migrate import Effect
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.migrate.changes.renames import CopyFamily, CopyTable
from btmodel.migrate.history import CopyRecord
from btmodel.migrate.planning.saved import load
from btmodel.migrate.tables.renamings import reverted
from btmodel.rows import Cell
from btmodel.schema import Table

BOTH = Table(
    "QUOTE",
    (family("MD"), family("market")),
    layouts=(lie(MD__BID="value Int64()", market__BID="value Int64()"),),
)
LAST = Table("QUOTE", (family("price", "market"),), layouts=(lie(price__BID="value Int64()"),))
OF_LAST = Table("QUOTE", (family("MD"), family("price")), layouts=(lie(price__BID="value Int64()"),))
# What is renamed, what declares its old name anew, and the names of the changes.
ANEW = [
    pytest.param((MARKET,), (BOTH,), "family:QUOTE.MD", "QUOTE.market", id="family"),
    pytest.param((PRICE,), (without_renaming(PRICE), QUOTE), "table:QUOTE", "PRICE", id="table"),
]


@pytest.fixture
def there(server: Any, instance: str) -> Iterator[Site]:
    """An instance in which QUOTE has rows."""
    with site(instance, server.host) as found:
        found.apply(QUOTE)
        found.write("QUOTE", some_rows(30))
        yield found


def cells_of(there: Site, name: str) -> int:
    """How many cells there are in ``QUOTE.MD``, or in a table."""
    table, _, family = name.partition(".")
    found = there.cells(table).values()
    return sum(one.family == (family or one.family) for cells in found for one in cells)


@pytest.mark.parametrize(("renamed", "anew", "old", "new"), ANEW)
def test_the_old_cells_are_not_taken_over(
    there: Site, renamed: tuple[Table, ...], anew: tuple[Table, ...], old: str, new: str
) -> None:
    """While the old one is in the instance, declaring it anew is refused, with what to do; once it is dropped, the new one is empty."""
    there.apply(*renamed)
    copies = there.history.copies()
    with pytest.raises(MigrationError) as error:
        there.apply(*anew)
    name = old.partition(":")[2]
    assert f"{name} is declared anew, and was renamed to {new}" in str(error.value)
    assert f"`btmodel migrate --allow drop-{old}`" in str(error.value)
    assert f"or use --allow reuse-{old} if you mean that" in str(error.value)
    assert there.history.copies() == copies
    assert names(there.apply(*map(without_renaming, renamed), allow=[f"drop-{old}"])) == [f"drop-{old}"]
    made = "add-family" if "." in old else "create-table"
    assert names(there.apply(*anew)) == [f"{made}:{name}"]
    assert (cells_of(there, name), cells_of(there, new)) == (0, 60)
    assert (there.plan(*anew).pending, there.history.copies()) == ((), ())


@pytest.mark.parametrize(("renamed", "anew", "old", "new"), ANEW)
def test_the_old_cells_are_taken_over_by_name(
    there: Site, tmp_path: Path, renamed: tuple[Table, ...], anew: tuple[Table, ...], old: str, new: str
) -> None:
    """Allowed by name, also in a saved plan, the cells stay, and nothing is a copy any more."""
    there.apply(*renamed)
    (change,) = there.plan(*anew).refused
    allow = [f"reuse-{old}"]
    plan = there.plan(*anew, allow=allow)
    assert (change.name, change.effect, plan.effect(change)) == (allow[0], Effect.BLOCKED, Effect.SAFE)
    save(plan, tmp_path / "plan.json")
    again = load(tmp_path / "plan.json").read_again(there.admin, there.history)
    assert (
        names(apply_stages([Stage(again)], there.admin, there.history, "me", data=Data(there.rows))) == allow
    )
    assert cells_of(there, old.partition(":")[2]) == cells_of(there, new) == 60
    assert (there.plan(*anew).pending, there.plan(*anew).drift, there.history.copies()) == ((), (), ())


@pytest.mark.parametrize(("renamed", "anew", "old", "new"), ANEW)
def test_an_old_name_of_which_the_copy_is_under_way(
    there: Site, renamed: tuple[Table, ...], anew: tuple[Table, ...], old: str, new: str
) -> None:
    """What a killed run has not copied yet is no cell of a new one either: the way out ends the copy first."""
    (copy,) = (one for one in there.plan(*renamed).changes if isinstance(one, CopyFamily | CopyTable))
    there.history.record_copy(copy.renaming.recorded("me", datetime.now(UTC)))
    if "." in old:
        there.admin.modify_families("QUOTE", create=MARKET.families)
    else:
        there.admin.create_table(without_renaming(PRICE))
    with pytest.raises(MigrationError, match=rf"run `btmodel migrate`, and then drop .*--allow drop-{old}`"):
        there.apply(*anew)
    there.apply(*map(without_renaming, renamed))
    there.apply(*map(without_renaming, renamed), allow=[f"drop-{old}"])
    there.apply(*anew)
    assert (cells_of(there, old.partition(":")[2]), cells_of(there, new)) == (0, 60)


def test_a_name_of_before_two_renamings(there: Site) -> None:
    """What took over from what took over counts, whether what stood between them is in the instance still or not."""
    there.apply(MARKET)
    there.apply(LAST)
    assert [one.name for one in there.plan(OF_LAST).refused] == ["reuse-family:QUOTE.MD"]
    there.apply(LAST, allow=["drop-family:QUOTE.market"])
    assert [one.name for one in there.plan(OF_LAST).refused] == ["reuse-family:QUOTE.MD"]


def test_in_a_revision(there: Site, tmp_path: Path) -> None:
    """The way out goes back to the revision before; where that is pending, too, it is applied first."""
    found = Followed(there, tmp_path, MARKET, BOTH)
    for done in (False, True):
        way = "`btmodel migrate apply --to 0002_renamed"
        made = "" if done else f"run {way}`, and then "
        with pytest.raises(MigrationError) as error:
            found.apply()
        assert f"{made}drop QUOTE.MD first, once compared, with {way} --allow drop-family:QUOTE.MD`" in str(
            error.value
        )
        assert len(there.history.revisions()) == done * 2
        found.apply(to="0002")
    assert found.apply("drop-family:QUOTE.MD", to="0002") == ["drop-family:QUOTE.MD"]
    assert found.apply() == ["add-family:QUOTE.MD"]
    assert (cells_of(there, "QUOTE.MD"), cells_of(there, "QUOTE.market")) == (0, 60)


def test_without_rows_there_is_nothing_to_take_over(server: Any, instance: str, tmp_path: Path) -> None:
    """An empty instance is led through all revisions by one command."""
    with site(instance, server.host) as there:
        found = Followed(there, tmp_path, MARKET, BOTH)
        assert "reuse-family:QUOTE.MD" in found.apply()
        assert len(there.history.revisions()) == 3
        assert (there.plan(BOTH).pending, there.history.copies()) == ((), ())


def test_there_and_back_in_one_run(there: Site, tmp_path: Path) -> None:
    """A renaming back ends the record of the renaming also for the revisions behind it: one by one and together they do the same."""
    back = Table("QUOTE", (family("MD", "market"),), layouts=QUOTE.layouts)
    found = Followed(there, tmp_path, MARKET, back, MARKET)
    for _ in range(2):
        with pytest.raises(MigrationError, match=r"use --allow copy-family:QUOTE\.market if you mean that"):
            found.apply("copy-family:QUOTE.MD")
        found.apply("copy-family:QUOTE.MD", to="0003")


def test_a_renaming_back_is_none(there: Site) -> None:
    """What is renamed back takes its own cells, and nothing is to be said by name but what the copy needs."""
    there.apply(MARKET)
    back = evolve(QUOTE, families=(family("MD", "market"),))
    assert [one.name for one in there.plan(back).refused] == ["copy-family:QUOTE.MD"]


# What is renamed, the same as a renaming back, the kind, and the old and the new name; QUOTE reverts each.
REVERTED = [
    pytest.param(
        MARKET,
        evolve(QUOTE, families=(family("MD", "market"),)),
        "family",
        "QUOTE.MD",
        "QUOTE.market",
        id="family",
    ),
    pytest.param(PRICE, evolve(QUOTE, renamed_from="PRICE"), "table", "QUOTE", "PRICE", id="table"),
    pytest.param(
        evolve(MARKET, id="PRICE", renamed_from="QUOTE"),
        evolve(QUOTE, families=(family("MD", "market"),), renamed_from="PRICE"),
        "table",
        "QUOTE",
        "PRICE",
        id="both",
    ),
]


@pytest.mark.parametrize(("renamed", "back", "kind", "old", "new"), REVERTED)
def test_a_renaming_is_not_reverted_by_leaving_it_out(
    there: Site, renamed: Table, back: Table, kind: str, old: str, new: str
) -> None:
    """The old name in the place of the new one is refused while both are in the instance: a renaming back loses no cell."""
    there.apply(renamed)
    copies = there.history.copies()
    late = Cell(renamed.families[0].id, b"BID", 9_000, b"late")
    there.write(renamed.id, {b"late": [late]})
    for allow in ([], [f"drop-{kind}:{new}"]):
        with pytest.raises(MigrationError) as error:
            there.apply(QUOTE, allow=allow)
        message = str(error.value)
        assert f"{old} is declared again, and was renamed to {new}, which is not declared" in message
        assert f'declare {old} with renamed_from="{new.rpartition(".")[2]}"' in message
        assert f"or use --allow reuse-{kind}:{old} if you mean that" in message
        assert there.history.copies() == copies
    there.apply(back, allow=[f"copy-{kind}:{old}"])
    assert late._replace(family="MD") in there.cells("QUOTE")[b"late"]
    assert names(there.apply(QUOTE, allow=[f"drop-{kind}:{new}"])) == [f"drop-{kind}:{new}"]
    assert late._replace(family="MD") in there.cells("QUOTE")[b"late"]
    assert (there.plan(QUOTE).pending, there.plan(QUOTE).drift, there.history.copies()) == ((), (), ())


@pytest.mark.parametrize(("renamed", "back", "kind", "old", "new"), REVERTED)
def test_a_renaming_is_reverted_by_name(
    there: Site, renamed: Table, back: Table, kind: str, old: str, new: str
) -> None:
    """Allowed by name, the old one is as it was, and the new one is nothing but undeclared; a renaming back needs its own name."""
    there.apply(renamed)
    assert [one.name for one in there.plan(back).refused] == [f"copy-{kind}:{old}"]
    assert names(there.apply(QUOTE, allow=[f"reuse-{kind}:{old}"])) == [f"reuse-{kind}:{old}"]
    assert [one.name for one in there.plan(QUOTE).drift if one.verb != "undeclared"] == [
        f"undeclared-{kind}:{new}"
    ]
    assert (there.plan(QUOTE).pending, there.history.copies()) == ((), ())


def test_what_took_over_an_empty_table_has_rows(server: Any, instance: str) -> None:
    """It is the new table that is looked at, also by a plan of before; the old one has nothing to lose."""
    with site(instance, server.host) as there:
        there.apply(QUOTE)
        there.apply(PRICE)
        plan = there.plan(QUOTE)
        assert [one.effect for one in plan.pending] == [Effect.SAFE]
        there.write("PRICE", some_rows(1))
        with pytest.raises(MigrationError, match="table 'PRICE' held no row when the plan was made"):
            there.apply_plan(plan)
        assert [one.name for one in there.plan(QUOTE).refused] == ["reuse-table:QUOTE"]


def test_the_last_of_two_heirs_is_renamed_back(there: Site) -> None:
    """Over two renamings, the last heir has the last cells; one before it does not bring them back."""
    there.apply(MARKET)
    there.apply(LAST)
    back = {former: evolve(QUOTE, families=(family("MD", former),)) for former in ("market", "price")}
    for wanted in (QUOTE, back["market"]):
        with pytest.raises(MigrationError, match=r'declare QUOTE\.MD with renamed_from="price"'):
            there.apply(wanted)
    there.write("QUOTE", {b"late": [Cell("price", b"BID", 9_000, b"late")]})
    there.apply(back["price"], allow=["copy-family:QUOTE.MD"])
    assert Cell("MD", b"BID", 9_000, b"late") in there.cells("QUOTE")[b"late"]
    there.apply(QUOTE, allow=["drop-family:QUOTE.market"])
    there.apply(QUOTE, allow=["drop-family:QUOTE.price"])
    assert (there.plan(QUOTE).pending, there.history.copies()) == ((), ())


def test_a_renaming_of_which_the_copy_is_under_way_may_be_left_out(there: Site) -> None:
    """Nobody reads what is not copied yet, so its old name is declared again without a word."""
    (copy,) = (one for one in there.plan(MARKET).changes if isinstance(one, CopyFamily))
    there.history.record_copy(copy.renaming.recorded("me", datetime.now(UTC)))
    there.admin.modify_families("QUOTE", create=MARKET.families)
    assert there.plan(QUOTE).pending == ()


@pytest.mark.parametrize(("renamed", "back", "kind", "old", "new"), REVERTED)
def test_a_revision_does_not_revert_by_leaving_it_out(
    there: Site, tmp_path: Path, renamed: Table, back: Table, kind: str, old: str, new: str
) -> None:
    """A revision that says the old name again is refused, too; a rollback of the one before it renames back."""
    found = Followed(there, tmp_path, renamed, QUOTE)
    found.apply(to="0002")
    late = Cell(renamed.families[0].id, b"BID", 9_000, b"late")
    there.write(renamed.id, {b"late": [late]})
    with pytest.raises(MigrationError, match=rf"--allow reuse-{kind}:{old}"):
        found.apply(f"drop-{kind}:{new}")
    assert found.back(f"copy-{kind}:{old}") == [f"copy-{kind}:{old}"]
    assert late._replace(family="MD") in there.cells("QUOTE")[b"late"]
    assert [one.verb for one in there.plan(QUOTE).drift] == [f"renamed-{kind}"]


@pytest.mark.parametrize("renamed", [MARKET, PRICE])
def test_without_rows_nothing_is_reverted(server: Any, instance: str, tmp_path: Path, renamed: Table) -> None:
    """An empty instance is led through a renaming and its end by one command."""
    with site(instance, server.host) as there:
        Followed(there, tmp_path, renamed, QUOTE).apply()
        assert len(there.history.revisions()) == 3
        assert (there.plan(QUOTE).pending, there.history.copies()) == ((), ())


def test_a_rollback_does_not_revert_what_no_revision_renamed(there: Site, tmp_path: Path) -> None:
    """What was renamed beside the revisions is no part of the way back, which would leave its cells behind."""
    other = evolve(QUOTE, families=(*QUOTE.families, family("other")))
    found = Followed(there, tmp_path, other)
    found.apply()
    there.apply(evolve(MARKET, families=(*MARKET.families, family("other"))))
    copies = there.history.copies()
    with pytest.raises(MigrationError, match=r"nothing was rolled back: .*--allow reuse-family:QUOTE\.MD"):
        found.back("keep-family:QUOTE.other")
    assert there.history.copies() == copies
    found.back("keep-family:QUOTE.other", "reuse-family:QUOTE.MD")
    assert [one.id for one in there.history.revisions()] == ["0001_quotes"]


# What is renamed, the same under yet another name as of the first one, as of the second one, the kind, and the names of all three.
ANOTHER = [
    pytest.param(
        MARKET,
        Table("QUOTE", (family("other", "MD"),), layouts=(lie(other__BID="value Int64()"),)),
        Table("QUOTE", (family("other", "market"),), layouts=(lie(other__BID="value Int64()"),)),
        "family",
        ("QUOTE.MD", "QUOTE.market", "QUOTE.other"),
        id="family",
    ),
    pytest.param(
        PRICE,
        evolve(PRICE, id="OTHER"),
        evolve(PRICE, id="OTHER", renamed_from="PRICE"),
        "table",
        ("QUOTE", "PRICE", "OTHER"),
        id="table",
    ),
]


@pytest.mark.parametrize(("renamed", "of_first", "of_second", "kind", "all_names"), ANOTHER)
def test_another_new_name_is_not_one_of_the_first(
    there: Site, renamed: Table, of_first: Table, of_second: Table, kind: str, all_names: tuple[str, str, str]
) -> None:
    """Who thinks of another new name once it was copied renames what took over: the first one has not what was written since."""
    first, second, last = all_names
    there.apply(renamed)
    late = Cell(renamed.families[0].id, b"BID", 9_000, b"late")
    there.write(renamed.id, {b"late": [late]})
    copies = there.history.copies()
    with pytest.raises(MigrationError) as error:
        there.apply(of_first)
    former = second.rpartition(".")[2]
    assert f"{first} was renamed to {second}, which may have cells that were written since" in str(
        error.value
    )
    assert f'declare {last} with renamed_from="{former}"' in str(error.value)
    assert f"or use --allow copy-{kind}:{last} if you mean that" in str(error.value)
    assert there.history.copies() == copies
    there.apply(of_second)
    assert late._replace(family=of_second.families[0].id) in there.cells(of_second.id)[b"late"]
    assert (there.plan(of_first).pending, there.plan(of_second).pending) == ((), ())


@pytest.mark.parametrize(("renamed", "of_first", "of_second", "kind", "all_names"), ANOTHER)
def test_another_new_name_is_one_of_the_first_by_name(
    there: Site,
    tmp_path: Path,
    renamed: Table,
    of_first: Table,
    of_second: Table,
    kind: str,
    all_names: tuple[str, str, str],
) -> None:
    """Allowed by name, also in a saved plan, the cells of the first one are copied."""
    there.apply(renamed)
    plan = there.plan(of_first, allow=[f"copy-{kind}:{all_names[2]}"])
    save(plan, tmp_path / "plan.json")
    again = load(tmp_path / "plan.json").read_again(there.admin, there.history)
    apply_stages([Stage(again)], there.admin, there.history, "me", data=Data(there.rows))
    assert cells_of(there, all_names[2]) == 60
    assert there.plan(of_first).pending == ()


@pytest.mark.parametrize(("renamed", "of_first", "of_second", "kind", "all_names"), ANOTHER)
def test_without_rows_any_new_name_will_do(
    server: Any,
    instance: str,
    tmp_path: Path,
    renamed: Table,
    of_first: Table,
    of_second: Table,
    kind: str,
    all_names: tuple[str, str, str],
) -> None:
    """An empty instance is led through both renamings by one command."""
    with site(instance, server.host) as there:
        Followed(there, tmp_path, renamed, of_first).apply()
        assert len(there.history.revisions()) == 3
        assert there.plan(of_first).pending == ()


@pytest.mark.parametrize("new", ["A", "a"])
def test_a_new_family_with_the_old_name_of_another_in_a_renamed_table(there: Site, new: str) -> None:
    """What took over from the old family is compared with it before its drop, not what has its name now, whichever comes first."""
    lies = (lie(**{f"{new}__BID": "value Int64()"}),)
    there.apply(Table("PRICE", (family(new, "MD"),), layouts=lies, renamed_from="QUOTE"))
    families = sorted((family(new), family("MD")), key=lambda one: one.id)
    both = Table("PRICE", tuple(families), layouts=lies)
    there.apply(both)
    there.write("QUOTE", {b"late": [Cell("MD", b"BID", 9_000, b"late")]})
    there.apply(both, allow=["copy-table:PRICE"])
    assert {cell.family for cells in there.cells("PRICE").values() for cell in cells} == {new}
    assert Cell(new, b"BID", 9_000, b"late") in there.cells("PRICE")[b"late"]
    assert names(there.apply(both, allow=["drop-table:QUOTE"])) == ["drop-table:QUOTE"]


def test_another_new_name_of_a_table_names_its_families(there: Site) -> None:
    """However often it was copied in turn, each family is said by the name that it has where the cells are now; and that is what to declare."""

    def called(table: str, name: str, former: str, of: str) -> Table:
        lying = (lie(**{f"{name}__BID": "value Int64()"}),)
        return Table(table, (family(name, former),), layouts=lying, renamed_from=of)

    there.apply(called("B", "g", "MD", "QUOTE"))
    there.write("B", some_rows(3, "g", 1_000_000))
    for of, name, table in (("B", "g", "C"), ("C", "h", "D")):
        new = {"C": "h", "D": "k"}[table]
        with pytest.raises(MigrationError) as error:
            there.apply(called(table, new, "MD", "QUOTE"))
        assert (
            f'declare {table} with renamed_from="{of}", and {table}.{new} with renamed_from="{name}"; or use'
            in str(error.value)
        )
        with pytest.raises(MigrationError) as error:
            there.apply(QUOTE)
        assert (
            f'declare QUOTE with renamed_from="{of}", and QUOTE.MD with renamed_from="{name}", which'
            in str(error.value)
        )
        wanted = called(table, new, name, of)
        there.apply(wanted)
        assert {(key, cell.timestamp) for key, cells in there.cells(of).items() for cell in cells} == {
            (key, cell.timestamp) for key, cells in there.cells(table).items() for cell in cells
        }


def test_a_family_is_declared_anew_while_what_took_over_is_renamed(there: Site) -> None:
    """Nothing of what took over is lost then: it is the old cells of the family that are in the way, and are dropped first."""
    there.apply(MARKET)
    there.write("QUOTE", some_rows(3, "market", 1_000_000))
    price = Table("QUOTE", (family("price", "market"),), layouts=(lie(price__BID="value Int64()"),))
    both = evolve(
        price,
        families=(*price.families, family("MD")),
        layouts=(lie(price__BID="value Int64()", MD__ASK="value Int64()"),),
    )
    with pytest.raises(MigrationError) as error:
        there.apply(both)
    assert (
        "QUOTE.MD is declared anew, and was renamed to QUOTE.market: its old cells would be read as new ones"
        in str(error.value)
    )
    assert "--allow drop-family:QUOTE.MD`, while QUOTE.MD is not declared" in str(error.value)
    there.apply(price, allow=["drop-family:QUOTE.MD"])
    there.apply(both)
    families = [{cell.family for cell in cells} for cells in there.cells("QUOTE").values()]
    assert families == [{"market", "price"}] * 30


def test_copies_there_and_back_are_followed_once() -> None:
    """Copies from a table to another one and back do not lead round in a ring; the families have their last names."""
    at = datetime.now(UTC)
    steps = [("A", "B", "f", "g"), ("B", "A", "g", "f"), ("B", "C", "g", "h"), ("C", "D", "h", "i")]
    records = [CopyRecord(old, new, "me", at, at, ((first, then),)) for old, new, first, then in steps]
    tables = [Table("A", ()), Table("D", ())]
    (found,) = reverted(tables[:1], tables, records, ())
    assert (found.old, found.new, found.families) == ("A", "D", (("f", "i"),))
