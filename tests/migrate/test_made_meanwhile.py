"""What others make and fill while a plan waits for its answer: it is not overwritten, nor taken for what was declared."""

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve
from renamed_models import MARKET, PRICE, QUOTE, Site, family, lie, names, site, some_rows

from btmodel.errors import MigrationFailed
from btmodel.migrate import Plan
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import Stage, apply_stages
from btmodel.schema import Table

TRADE = evolve(QUOTE, id="TRADE")
MORE = Table(
    "QUOTE", (family("MD"), family("OWN")), layouts=(lie(MD__BID="value Int64()", OWN__A="value Int64()"),)
)


@pytest.fixture
def there(server: Any, instance: str) -> Iterator[Site]:
    """An instance in which QUOTE has rows."""
    with site(instance, server.host) as found:
        found.apply(QUOTE)
        found.write("QUOTE", some_rows(3))
        yield found


def apply(there: Site, plan: Plan) -> list[str]:
    return names(apply_stages([Stage(plan)], there.admin, there.history, "me", data=Data(there.rows)))


@pytest.mark.parametrize(("wanted", "made"), [(MARKET, "QUOTE.market"), (PRICE, "PRICE")])
@pytest.mark.parametrize("filled", [True, False])
def test_what_takes_over_is_not_overwritten(there: Site, wanted: Table, made: str, filled: bool) -> None:
    """The target of a renaming that others made meanwhile is copied to where it holds nothing; its own cells are left alone."""
    plan = there.plan(wanted)
    id = wanted.families[0].id
    if wanted.id == "QUOTE":
        there.admin.modify_families("QUOTE", create=[family(id)])
    else:
        there.admin.create_table(evolve(wanted, renamed_from=None, layouts=()))
    if not filled:
        assert apply(there, plan)[-1].startswith("copy-")
        return
    theirs = {
        key: [cell._replace(value=b"theirs") for cell in cells] for key, cells in some_rows(1, id).items()
    }
    there.write(wanted.id, theirs)
    with pytest.raises(
        MigrationFailed, match=rf"{made} was created and filled by another program since the plan was made"
    ) as error:
        apply(there, plan)
    assert error.value.done == ()  # what others made is none of it
    found = [cell.value for cell in there.cells(wanted.id)[b"00000"] if cell.family == id]
    assert found == [b"theirs", b"theirs"]
    assert there.history.copies() == ()


@pytest.mark.parametrize(("wanted", "made"), [(TRADE, "TRADE"), (MORE, "QUOTE.OWN")])
def test_what_others_filled_is_not_recorded_as_declared(there: Site, wanted: Table, made: str) -> None:
    """A table or family that others made and filled meanwhile may be written otherwise: nothing is recorded of it."""
    plan = there.plan(wanted)
    before = there.history.layouts()
    if wanted is TRADE:
        there.admin.create_table(evolve(TRADE, layouts=()))
    else:
        there.admin.modify_families("QUOTE", create=[family("OWN")])
    there.write(wanted.id, some_rows(1, wanted.families[-1].id))
    with pytest.raises(
        MigrationFailed,
        match=f"{made} was created and filled by another program since .* written as declared",
    ) as error:
        apply(there, plan)
    assert error.value.done == ()
    assert there.history.layouts() == before


@pytest.mark.parametrize("wanted", [TRADE, MORE, MARKET])
def test_another_run_may_have_made_it(there: Site, wanted: Table) -> None:
    """What another run made of the same models, and the application has filled since, is found done."""
    plan = there.plan(wanted)
    there.apply(wanted)
    there.write(wanted.id, some_rows(1, wanted.families[-1].id))
    assert apply(there, plan)


@pytest.mark.parametrize("live", [True, False])
def test_a_record_of_others_is_not_replaced(there: Site, live: bool) -> None:
    """Where another run has recorded other codecs since, the plan does not fit any more, whether or not it was to make the table."""
    text = evolve(TRADE, layouts=(lie(MD__BID="value Text()"),))
    if live:
        there.admin.create_table(evolve(TRADE, layouts=()))
    plan = there.plan(TRADE)
    there.apply(text)
    with pytest.raises(
        MigrationFailed, match=r"another program has recorded how the rows of 'TRADE' are written since"
    ):
        apply(there, plan)
    assert there.history.layouts()["TRADE"] == text.layouts
