"""The published list of what is detected, held against the kinds of change that there are."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from btmodel.migrate import changes
from btmodel.migrate.changes.base import Effect, InstanceChange
from btmodel.migrate.changes.gc_rules import ChangeGc
from btmodel.migrate.changes.settings import PeriodChange, Turn

PAGE = (Path(__file__).parents[2] / "docs" / "migrations.md").read_text()
DETECTED = PAGE.partition("## What is detected")[2].partition("\n###")[0]


def kinds() -> list[type[InstanceChange]]:
    """Every kind of change that the files of the package have, without what several of them share."""
    files = [one for one in vars(changes).values() if isinstance(one, ModuleType)]
    return [
        one
        for file in files
        for one in vars(file).values()
        if isinstance(one, type) and issubclass(one, InstanceChange) and hasattr(one, "sign")
        if hasattr(one, "verb") or hasattr(one, "setting")
    ]


def names() -> Iterator[str]:
    """How the name of each kind of change begins."""
    yield from ("relax-gc", "tighten-gc", "relax-replicated", "unprotect-view", "unprotect-authorized-view")
    for kind in kinds():
        if issubclass(kind, PeriodChange):
            yield from (f"{turn.value}-{kind.setting.replace('_', '-')}" for turn in Turn)
        elif kind is not ChangeGc:
            yield kind.verb


def test_the_list_is_whole() -> None:
    """The page names every kind of change that is found, and no other."""
    told = {
        name
        for line in DETECTED.splitlines()
        for name in re.findall(r"`([a-z-]+)`", line.partition(" | ")[0])
    }
    assert told == set(names())


def test_every_file_has_finders() -> None:
    """Every file of kinds has its finder in the table, or is made by the plan."""
    folder = Path(changes.__file__).parent
    finders = {one.of_both.__module__.rpartition(".")[2] for one in changes.FINDERS}
    others = {"__init__", "base", "results"}  # results are what past steps have done
    assert {path.stem for path in folder.glob("*.py")} == finders | others


@pytest.mark.parametrize("effect", Effect)
def test_every_effect_is_told(effect: Effect) -> None:
    """The page has a row for each effect."""
    assert f"\n| {effect.name.lower()} | " in PAGE
