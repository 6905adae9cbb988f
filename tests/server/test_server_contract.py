"""The contract holds on the local server, and on Google's emulator but for the differences that are told."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
from contract import CASES, difference
from contract_case import ENDS, Case
from server_api import EMULATOR, Api, start_emulator

DOCUMENT = Path(__file__).parents[2] / "docs" / "local-server.md"


def by_name(case: Case) -> str:
    """The name of a case, as its id."""
    return case.name


@pytest.mark.parametrize("case", CASES, ids=by_name)
def test_local_server(case: Case, api: Api) -> None:
    """The local server must answer each case as the service does."""
    assert case.outcome(api) == case.local


@pytest.mark.parametrize("case", [c for c in CASES if c.emulator != ENDS], ids=by_name)
def test_emulator(case: Case, emulator: str) -> None:
    """Google's emulator must answer the same, or what the table of differences says."""
    expected = case.local if case.emulator is None else case.emulator
    api = Api(emulator)
    assert case.outcome(api) == expected
    api.close()


@pytest.mark.skipif(not EMULATOR.exists(), reason="Google's emulator is not installed")
@pytest.mark.parametrize("case", [c for c in CASES if c.emulator == ENDS], ids=by_name)
def test_emulator_ends(case: Case) -> None:
    """What is said to end the emulator's process must still do so."""
    process, address = start_emulator()
    api = Api(address)
    assert case.outcome(api) == grpc.StatusCode.UNAVAILABLE.name
    assert process.wait(5) != 0
    api.close()


def test_differences_are_documented() -> None:
    """Every difference must be a line of the document, with a source that says who is right."""
    text = DOCUMENT.read_text()
    for case in CASES:
        if case.emulator is not None:
            assert case.emulator != case.local and case.source, case.name
            assert difference(case) in text, f"run tests/server/contract.py for {DOCUMENT}: {case.name}"


def test_names_are_unique() -> None:
    """A case must be found by its name."""
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
