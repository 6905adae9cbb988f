"""The repository's own ``migrations/``: what ``btmodel migrate new`` wrote of the example models."""

from importlib import import_module
from pathlib import Path

import pytest

from btmodel import Database, Model, emulator
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.declare import schema_of
from btmodel.migrate import read_plan
from btmodel.migrate.applying.stages import apply_stages
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.revisions.folder import as_text, read_folder
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.new import differences, same
from btmodel.migrate.revisions.planning import revision_stages
from btmodel.migrate.revisions.standing import standing
from btmodel.schema import Table, tables_and_templates
from btmodel.settings import read

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "migrations"


@pytest.fixture(scope="module")
def graph() -> Graph:
    return read_folder(FOLDER)


def declared() -> tuple[Table, ...]:
    """The tables of all example models."""
    values = [one for name in read(ROOT).models for one in vars(import_module(name)).values()]
    models = {
        one
        for one in values
        if isinstance(one, type) and issubclass(one, Model) and "__schema__" in vars(one)
    }
    return tables_and_templates(sorted(map(schema_of, models), key=lambda schema: schema.name))


def test_they_are_what_the_models_are(graph: Graph) -> None:
    """The last revision is what the examples declare now; if not, write the next: btmodel migrate new "message"."""
    assert graph.head is not None
    changes = "; ".join(map(str, differences(declared(), graph.head.tables))) or "how rows lie"
    assert same(declared(), graph.head.tables), (
        f'the examples have moved past {graph.head.id} ({changes}): run btmodel migrate new "what changed"'
    )


def test_they_are_as_they_were_written(graph: Graph) -> None:
    """Every file is what btmodel writes today, but for the comments at its head."""
    assert len(graph.revisions) > 1
    for one in graph.revisions.values():
        text = (FOLDER / f"{one.id}.toml").read_text(encoding="utf-8")
        assert text.partition("\nformat = ")[2] == as_text(one).partition("\nformat = ")[2]


def test_they_make_the_tables_of_the_examples(graph: Graph, server: emulator.Emulator, instance: str) -> None:
    """Applied to an empty instance, one after the other, they leave nothing to do for the models."""
    target = Target(instance, server.host, lambda: None)
    with Admin(Target(instance, server.host)) as admin, Database(target) as database:
        history = MigrationHistory(admin, database)
        found = revision_stages(standing(graph, ()), admin, history)
        apply_stages(found, admin, history, "me")
        assert [one.id for one in history.revisions()] == list(graph.revisions)
        plan = read_plan(admin, declared(), history=history)
    assert (plan.pending, plan.drift) == ((), ())
