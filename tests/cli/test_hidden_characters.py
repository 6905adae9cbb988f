"""Text of others never drives a terminal: what is hidden in it is written out by every command, error and repr."""

import importlib
import io
import itertools
import re
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from btmodel import emulator
from btmodel import server as local_server
from btmodel.cli import main
from btmodel.declare import schema_of
from btmodel.errors import BtmodelError, FailedRow, MissingTable, UndecodableKey, ValueRefused
from btmodel.lint import review

# ESC, C1 controls, characters that turn text around, a bell, a return: and what makes commands of them.
HIDDEN = "\x1b\x9b\x9d\u202e\u2066\x07\r\x7f\x08"
NASTY = st.text(f"{HIDDEN}[31m]0;a", min_size=1, max_size=8).filter(lambda text: not text.isprintable())
few = settings(max_examples=1, suppress_health_check=[HealthCheck.function_scoped_fixture])

MODELS = """
import btmodel as bt
N = {nasty!r}

class Odd(bt.Model, table="odd", events="10/s", delimiter="\\x01" + N):
    shop: str = bt.key(bt.Text(width=3), cardinality=500)
    number: int = bt.key(bt.PaddedInt(8))
    d = bt.family("d", gc=bt.max_versions(1))
    total: int = bt.column("a" + N, d)
    much: str | None = bt.column("c" + N, d, default=None)
    of_shop = bt.query("shop", between="number")
    all = bt.query(scan="why " + N)
Odd.__doc__ = "A document " + N
"""
WRONG = """
class Wrong(bt.Model, table="w" + N, events="10/s", delimiter=N):
    shop: str = bt.key(bt.Text(max_length=3, ), cardinality=10)
    number: str = bt.key(bt.Text(max_length=8), ends=N)
    last: str = bt.key(bt.Text(max_length=8))
    d = bt.family("d" + N)
    total: int = bt.column("a" * 20 + N, d)
    again: int = bt.column("a" * 20 + N, d)

class Worse(bt.Model, table="worse", events="10/s", **{"x" + N: 1}):
    shop: str = bt.key(bt.Text(width=3))
"""
numbers = itertools.count()


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    """A local server in memory."""
    running = local_server.start()
    yield running.host
    running.stop()


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str) -> Callable[..., str]:
    """Runs ``btmodel`` in a folder of its own; gives what it prints on both streams, without the styles of rich."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(emulator.VARIABLE, host)
    monkeypatch.setenv("FORCE_COLOR", "1")

    def run(*arguments: str) -> str:
        said = io.StringIO()
        monkeypatch.setattr(sys, "argv", ["btmodel", *arguments])
        with redirect_stdout(said), redirect_stderr(said), pytest.raises(SystemExit):
            main()
        return re.sub(r"\x1b\[[0-9;]*m", "", said.getvalue())

    return run


def hidden(text: str) -> set[str]:
    """What is hidden in a text of lines."""
    return {one for one in text if not one.isprintable()} - {"\n"}


def written(folder: Path, text: str) -> str:
    """The name of a new module that holds ``text``."""
    name = f"odd_{next(numbers)}"
    (folder / f"{name}.py").write_text(text)
    importlib.invalidate_caches()
    return name


@given(nasty=NASTY)
@example(nasty=HIDDEN + "]0;a")
@few
def test_no_command_prints_hidden_characters(nasty: str, tmp_path: Path, printed: Callable[..., str]) -> None:
    """Whatever delimiters, qualifiers, documents and reasons hold, no command prints more of it than can be seen."""
    good = MODELS.format(nasty=nasty)
    name, wrong = written(tmp_path, good), written(tmp_path, good + WRONG)
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.btmodel]\nmodels = ["{name}"]\ninstance = "projects/odd/instances/i{uuid.uuid4().hex[:8]}"\n'
    )
    key = f"abc\x01{nasty}00000001"
    escaped = "".join(f"\\x{byte:02x}" for byte in key.encode())
    for command in (
        ["check"],
        ["-m", wrong, "check"],
        ["-m", wrong, "check", "--format", "github"],
        ["-m", wrong, "show"],
        ["-m", wrong, "show", "Odd"],
        ["-m", wrong, "generate"],
        ["show", nasty],
        ["explain", escaped],
        ["explain", nasty],
        ["generate", "--target", "cbt", "--target", nasty],
        ["generate", "--target", "cbt"],
        ["rule", nasty],
        ["check", "--select", nasty],
        ["check", f"--{nasty}"],
        [nasty],
        ["migrate", nasty],
        ["migrate", "plan"],
        ["migrate", "plan", "--instance", nasty],
        ["migrate", "plan", "--format", "github"],
        ["migrate", "new", "one"],
        ["migrate", "--yes"],
        ["migrate", "--to", nasty],
        ["migrate", "status"],
        ["migrate", "schema"],
        ["inspect"],
        ["check", "--live", "projects/odd/instances/none"],
    ):
        shown = printed(*command)
        assert shown, command
        assert hidden(shown) == set(), command


@given(nasty=NASTY)
@example(nasty=HIDDEN + "]0;a")
@few
def test_no_repr_and_no_error_has_hidden_characters(nasty: str, tmp_path: Path, printed: object) -> None:
    """Classes, queries, plans, findings and errors can be printed, and logged, whatever names they tell."""
    odd = importlib.import_module(written(tmp_path, MODELS.format(nasty=nasty))).Odd
    plan = odd.all.plan()
    said = [
        repr(odd),
        repr(odd.of_shop),
        odd.of_shop.explain(shop="abc"),
        str(plan),
        schema_of(odd).key.shape,
        str(ValueRefused(f"no {nasty}", nasty, where=nasty)),
        str(MissingTable("t", nasty)),
        str(UndecodableKey("Odd", nasty, nasty.encode(), nasty)),
        str(BtmodelError(nasty)),
        repr(FailedRow(0, b"", ValueError(nasty))),
        *(str(finding) for finding in review(schema_of(odd))),
    ]
    assert [hidden(one) for one in said] == [set()] * len(said)
