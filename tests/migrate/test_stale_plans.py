"""A plan is not applied that another run has made stale, while this one waited for the lock or for an answer."""

from pathlib import Path

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import quotes as quotes
from test_key_moves import switched as switched

from btmodel.errors import MigrationError
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.applying.stages import RunListener, Stage, apply_stages
from btmodel.migrate.history import Lock
from btmodel.migrate.history.lock import take
from btmodel.migrate.revisions.folder import read_folder
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.rollback import rollback_stage, way_back
from btmodel.migrate.revisions.standing import standing


def drop_of_the_old_table(there: Site) -> tuple[Stage, ...]:
    """The stages of `btmodel migrate apply --allow drop-table:QUOTE`."""
    seen = there.history.snapshot()
    now = standing(read_folder(Path("migrations")), seen.revisions())
    return revision_stages(now, there.admin, seen, allow=["drop-table:QUOTE"])


def way_to_the_backfill(there: Site, allow: tuple[str, ...] = ()) -> Stage:
    """The stage of `btmodel migrate rollback`."""
    seen = there.history.snapshot()
    now = standing(read_folder(Path("migrations")), seen.revisions())
    return rollback_stage(way_back(now), there.admin, seen, allow)


STALE = (
    "nothing was applied, because another run has changed the migration history since the plan was made "
    r"\(0004_by_exchange_switch was rolled back\): run it again"
)


def test_a_run_that_waited_for_a_rollback_drops_nothing(switched: Project, there: Site) -> None:
    """It dropped the table that the rollback had declared again, and from which everything is read."""
    stages, data = drop_of_the_old_table(there), Data(there.rows)
    held = take(there.history, "ann")
    assert held is not None

    def roll_back(lock: Lock) -> None:
        apply_stages([way_to_the_backfill(there)], there.admin, there.history, "ann", locked=False, data=data)
        held.__exit__(None, None, None)

    with pytest.raises(MigrationError, match=STALE):
        apply_stages(stages, there.admin, there.history, "bob", RunListener(waiting=roll_back), data=data)
    assert len(there.cells("QUOTE")) == 3
    assert there.history.lock() is None


def test_a_run_that_is_confirmed_after_a_rollback_drops_nothing(switched: Project, there: Site) -> None:
    """The question may be answered any time later, and there is nothing to wait for by then."""
    stages = drop_of_the_old_table(there)
    switched.done("rollback", "--yes")
    for locked in (True, False):
        with pytest.raises(MigrationError, match=STALE):
            apply_stages(stages, there.admin, there.history, "bob", locked=locked, data=Data(there.rows))
    assert len(there.cells("QUOTE")) == 3


def test_a_rollback_does_not_undo_what_it_does_not_know(switched: Project, there: Site) -> None:
    """Another one was applied meanwhile, which stands on what would be undone."""
    stage = way_to_the_backfill(there)
    switched.done("new", "more", "--data-step", "fill")
    file = switched.migrations / "0005_more.py"
    file.write_text(
        'from btmodel.migrate import data_step\n\n\n@data_step("LISTED")\ndef fill(row):\n    return None\n'
    )
    switched.done("apply", "--yes")
    with pytest.raises(MigrationError, match="has applied 0005_more"):
        apply_stages([stage], there.admin, there.history, "bob", data=Data(there.rows))
    assert "0004_by_exchange_switch" in [record.id for record in there.history.revisions()]


def test_two_rollbacks_of_the_same_revision_agree(switched: Project, there: Site) -> None:
    """The second one finds it done."""
    stages = [way_to_the_backfill(there), way_to_the_backfill(there)]
    for stage in stages:
        apply_stages([stage], there.admin, there.history, "bob", data=Data(there.rows))
    assert "0003_by_exchange_backfill" in [record.id for record in there.history.revisions()]


def test_a_rollback_does_not_go_below_a_step_that_was_interrupted_meanwhile(
    switched: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the step has written would stay, which a rollback that is planned after that asks about."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 1)
    switched.done("new", "more", "--data-step", "fill")
    stage = way_to_the_backfill(there)
    file = switched.migrations / "0005_more.py"
    file.write_text(
        "from btmodel.migrate import Cell, Mutation, data_step\n\n\n"
        '@data_step("LISTED")\n'
        "def fill(row):\n"
        '    assert row.key != b"XNYS#C"\n'
        '    return Mutation("LISTED", row.key, [Cell("MD", b"MORE", 5_000, b"")])\n'
    )
    assert "raised AssertionError" in switched.refused("apply", "--yes")
    with pytest.raises(MigrationError, match=r"another run .* \(the data steps of 0005_more have begun\)"):
        apply_stages([stage], there.admin, there.history, "bob", data=Data(there.rows))
    assert "0004_by_exchange_switch" in [record.id for record in there.history.revisions()]
    assert "data-step:fill" in switched.refused("rollback", "--yes")
