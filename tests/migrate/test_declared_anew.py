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
from btmodel.migrate.applying.locked import apply_leased
from btmodel.migrate.changes import CopyFamily, CopyTable
from btmodel.migrate.planning.saved import load
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
    copies = there.journal.copies()
    with pytest.raises(MigrationError) as error:
        there.apply(*anew)
    name = old.partition(":")[2]
    assert f"{name} is declared anew, and was renamed to {new}" in str(error.value)
    assert f"`btmodel migrate --allow drop-{old}`" in str(error.value)
    assert f"or say --allow reuse-{old} if that is meant" in str(error.value)
    assert there.journal.copies() == copies
    assert names(there.apply(*map(without_renaming, renamed), allow=[f"drop-{old}"])) == [f"drop-{old}"]
    made = "add-family" if "." in old else "create-table"
    assert names(there.apply(*anew)) == [f"{made}:{name}"]
    assert (cells_of(there, name), cells_of(there, new)) == (0, 60)
    assert (there.plan(*anew).pending, there.journal.copies()) == ((), ())


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
    again = load(tmp_path / "plan.json").read_again(there.admin, there.journal)
    assert names(apply_leased(again, there.admin, there.journal, "me", data=Data(there.rows))) == allow
    assert cells_of(there, old.partition(":")[2]) == cells_of(there, new) == 60
    assert (there.plan(*anew).pending, there.plan(*anew).drift, there.journal.copies()) == ((), (), ())


@pytest.mark.parametrize(("renamed", "anew", "old", "new"), ANEW)
def test_an_old_name_of_which_the_copy_is_under_way(
    there: Site, renamed: tuple[Table, ...], anew: tuple[Table, ...], old: str, new: str
) -> None:
    """What a killed run has not copied yet is no cell of a new one either: the way out ends the copy first."""
    (copy,) = (one for one in there.plan(*renamed).changes if isinstance(one, CopyFamily | CopyTable))
    there.journal.record_copy(copy.renaming.recorded("me", datetime.now(UTC)))
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
        assert len(there.journal.revisions()) == done * 2
        found.apply(to="0002")
    assert found.apply("drop-family:QUOTE.MD", to="0002") == ["drop-family:QUOTE.MD"]
    assert found.apply() == ["add-family:QUOTE.MD"]
    assert (cells_of(there, "QUOTE.MD"), cells_of(there, "QUOTE.market")) == (0, 60)


def test_without_rows_there_is_nothing_to_take_over(server: Any, instance: str, tmp_path: Path) -> None:
    """An empty instance is led through all revisions by one command."""
    with site(instance, server.host) as there:
        found = Followed(there, tmp_path, MARKET, BOTH)
        assert "reuse-family:QUOTE.MD" in found.apply()
        assert len(there.journal.revisions()) == 3
        assert (there.plan(BOTH).pending, there.journal.copies()) == ((), ())


def test_there_and_back_in_one_run(there: Site, tmp_path: Path) -> None:
    """A renaming back ends the record of the renaming also for the revisions behind it: one by one and together they do the same."""
    back = Table("QUOTE", (family("MD", "market"),), layouts=QUOTE.layouts)
    found = Followed(there, tmp_path, MARKET, back, MARKET)
    for _ in range(2):
        with pytest.raises(MigrationError, match=r"say --allow copy-family:QUOTE\.market if that is meant"):
            found.apply("copy-family:QUOTE.MD")
        found.apply("copy-family:QUOTE.MD", to="0003")


def test_a_renaming_back_is_none(there: Site) -> None:
    """What is renamed back takes its own cells, and nothing is to be said by name but what the copy needs."""
    there.apply(MARKET)
    back = evolve(QUOTE, families=(family("MD", "market"),))
    assert [one.name for one in there.plan(back).refused] == ["copy-family:QUOTE.MD"]
