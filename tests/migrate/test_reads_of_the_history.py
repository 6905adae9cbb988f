"""How often a command reads the migration history: once for a plan, however many revisions and data steps it concerns."""

import pytest
from revised_project import ASK, QUOTE, TRADE, Project
from test_data_steps import there as there

from btmodel.client._sync.database import Database
from btmodel.client.admin import Admin
from btmodel.client.row_streams import Row, Stream
from btmodel.rows import ReadPlan
from btmodel.schema.limits import HISTORY_TABLE

STEP = """from btmodel.migrate import data_step


@data_step("QUOTE")
def fill(row):
    return None
"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The reads of the history, and the requests for the app profiles."""
    calls: list[str] = []
    read, profiles = Database.read, Admin.transactional_profiles

    def counted(self: Database, plan: ReadPlan) -> Stream[Row]:
        calls.extend(["history"] * (plan.table == HISTORY_TABLE))
        return read(self, plan)

    def listed(self: Admin) -> tuple[str, ...] | None:
        calls.append("profiles")
        return profiles(self)

    monkeypatch.setattr(Database, "read", counted)
    monkeypatch.setattr(Admin, "transactional_profiles", listed)
    return calls


@pytest.fixture
def pending(project: Project) -> Project:
    """A project with an applied revision and two pending ones with data steps."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    for number, models in enumerate(((QUOTE, ASK), (QUOTE, ASK, TRADE)), 2):
        project.declare(*models)
        project.done("new", "more", "--data-step", "fill")
        (project.migrations / f"{number:04}_more.py").write_text(STEP)
    return project


@pytest.mark.parametrize("command", ["plan", "status", "verify"])
def test_a_plan_reads_it_once(pending: Project, asked: list[str], command: str) -> None:
    """One read has the revisions, the layouts, the copies, and how far each data step has come."""
    assert pending.run(command).exit_code in (0, 2)
    assert asked == ["profiles", "history"]


def test_a_run_reads_it_anew(pending: Project, asked: list[str]) -> None:
    """A run reads it for the plan, and then under the lock; what it does after that it reads stage by stage."""
    pending.done("apply", "--yes")
    assert asked.count("profiles") == 1
    assert 4 <= asked.count("history") <= 22
    asked.clear()
    pending.done("apply", "--yes")
    assert asked == ["profiles", "history", "history"]
