"""Repositories hold what a dict would: random writes, deletes and reads, on real servers."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase
from hypothesis.stateful import run_state_machine_as_test

import btmodel as bt
from btmodel import emulator
from btmodel.server import RunningServer
from tests.examples_tried import examples
from tests.stateful.cases import METER, NOTE, STOCK, Case
from tests.stateful.event_machine import EventMachine
from tests.stateful.machine import RepositoryMachine
from tests.stateful.models import NoteOfOthers

pytestmark = pytest.mark.both_servers

Server = emulator.Emulator | RunningServer
# A failure is not shrunk: on a real server that takes minutes, and so few steps can be read as they are.
FAST = examples(
    8,
    stateful_step_count=20,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    print_blob=False,
)


def driven(machine: type[RepositoryMachine], case: Case, db: bt.Database, server: Server) -> None:
    """Run the machine of a case."""
    told = {
        "case": case,
        "db": db,
        "emulated": isinstance(server, emulator.Emulator),
        "collect": staticmethod(server.collect_garbage) if isinstance(server, RunningServer) else None,
    }
    run_state_machine_as_test(type(f"{case.model.__name__}Machine", (machine,), told), settings=FAST)


@pytest.mark.parametrize("case", [NOTE, STOCK], ids=["note", "stock"])
def test_a_repository_holds_what_a_dict_holds(
    case: Case, database: Callable[..., bt.Database], server: Server
) -> None:
    """After any writes and deletes, every read gives just the rows and values of the dict, in the order of the keys."""
    driven(RepositoryMachine, case, database(case.model, NoteOfOthers), server)


def test_a_repository_of_events_holds_what_a_dict_holds(
    database: Callable[..., bt.Database], server: Server
) -> None:
    """So it is with rows that are days of events, which are appended and read by time."""
    driven(EventMachine, METER, database(METER.model), server)
