"""A user's project with revisions, on a real server."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from revised_project import QUOTE, TRADE, Project

from btmodel import emulator
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.migrate.data import comparison


@pytest.fixture
def project(
    server: emulator.Emulator, instance: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Project:
    """A project with a model of QUOTE."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
    monkeypatch.setattr(comparison, "LONGER", (0.1,))  # no writer is left that could be late
    made = Project(tmp_path, instance)
    made.declare(QUOTE)
    return made


@pytest.fixture
def admin(server: emulator.Emulator, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as connected:
        yield connected


@pytest.fixture
def two(project: Project) -> Project:
    """The project with two revisions: quotes, then trades."""
    project.done("new", "quotes")
    project.declare(QUOTE, TRADE)
    project.done("new", "trades")
    return project
