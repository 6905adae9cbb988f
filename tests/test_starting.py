"""What is loaded at the start of a program, in the order in which it asks for more. No clocks: modules are counted."""

import subprocess
import sys
from ast import literal_eval
from importlib import import_module
from pathlib import Path

import click
import pytest

import btmodel
from btmodel.cli import COMMANDS
from btmodel.cli.group import CommandTable
from btmodel.cli.migrate import COMMANDS as MIGRATIONS
from btmodel.on_demand import TABLES

SOURCE = Path(btmodel.__file__).parent
# The packages that load on demand, and what is there once one of their names is asked for.
ON_DEMAND = (
    "btmodel",
    "btmodel.codecs.cell",
    "btmodel.codecs.key",
    "btmodel.lint",
    "btmodel.rows",
    "btmodel.schema",
)
TABLES_ALONE = {"on_demand", "codecs", "codecs.cell", "codecs.key"}
LARGE = {"asyncio", "attr", "click", "google", "grpc", "hypothesis", "jinja2", "numpy", "pytest", "rich"}

DECLARED = """
import btmodel as bt

class Quote(bt.Model, table="QUOTE"):
    symbol: str = bt.key(bt.Text(width=6))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: float = bt.column("BID", md)
    size: int = bt.column("SIZE", md)
    venue: str | None = bt.column("VENUE", md, default=None)
"""


def loaded(code: str) -> set[str]:
    """The modules that are there once ``code`` ran in a process of its own."""
    code += "\nimport sys; print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(ran.stderr.split())


def helped(*words: str) -> set[str]:
    """The modules that are there once the command line has told its help."""
    code = f"import sys; sys.argv = {['btmodel', *words]}; from btmodel.cli import main\n"
    return loaded(f"{code}try: main()\nexcept SystemExit as end: assert not end.code")


def ours(modules: set[str]) -> set[str]:
    return {name.removeprefix("btmodel.") for name in modules if name.startswith("btmodel.")}


def test_importing_btmodel_loads_nothing_else() -> None:
    """``import btmodel`` loads the tables of names alone: each name is loaded when it is asked for."""
    found = loaded("import btmodel")
    assert ours(found) == TABLES_ALONE
    assert found & LARGE == set()


def test_a_name_loads_what_it_is_of() -> None:
    """Errors can be caught, and codecs named, without the machinery of models."""
    assert ours(loaded("import btmodel; btmodel.MissingRow")) == {*TABLES_ALONE, "errors", "words"}
    found = ours(loaded("import btmodel; btmodel.Text"))
    assert "codecs.key.text" in found
    assert {"codecs.key.week", "codecs.cell.json", "declare", "schema", "lint"} & found == set()


def test_declaring_a_model_loads_no_client() -> None:
    """A model that is only declared is reviewed, and needs neither rows, nor a server, nor settings."""
    found = loaded(DECLARED)
    assert found & LARGE == {"attr"}
    assert {
        "base64",
        "dataclasses",
        "hashlib",
        "json",
        "socket",
        "subprocess",
        "textwrap",
        "tomllib",
    } & found == set()
    assert {"lint.refusal", "codecs.key.text", "codecs.cell.number"} <= ours(found)
    late = {"client", "emulator", "server", "settings", "migrate", "repository", "tables", "codecs.inline"}
    late |= {"rows.row", "rows.filters", "rows.mutations", "rows.compiled", "schema.key_schema"}
    late |= {"schema.layout", "schema.table", "declare.twin_classes"}
    late |= {"lint.catalogue", "lint.run", "lint.rules.key010_personal_data"}
    late |= {f"design.{name}" for name in ("advice", "candidates", "encodings", "proposal", "tables")}
    assert late & ours(found) == set()
    # Of the codecs, those that the model has.
    codecs = {name for name in ours(found) if name.startswith("codecs.") and name.count(".") == 2}
    cells = {f"codecs.cell.{name}" for name in ("base", "default", "number", "record", "text")}
    assert codecs == {"codecs.key.base", "codecs.key.text", *cells}
    assert len(ours(found)) <= 91, sorted(ours(found))


def test_declaring_a_model_compiles_little() -> None:
    """Our own frozen values compare by ``Value``: of each class attrs compiles nothing but ``__init__``."""
    shown = f"""{DECLARED}
import gc, attrs
classes = {{one for one in gc.get_objects() if isinstance(one, type) and one.__module__.startswith("btmodel.")}}
compiled = {{one for one in classes if attrs.has(one) and vars(one).get("__eq__") is not None}}
print(sorted(f"{{one.__module__}}.{{one.__name__}}" for one in compiled - {{Quote}}))
"""
    ran = subprocess.run(
        [sys.executable, "-c", shown], capture_output=True, text=True, check=True, timeout=60
    )
    assert literal_eval(ran.stdout) == ["btmodel.declare.problems.Declared"]


def test_a_model_finds_its_codec_when_it_is_asked() -> None:
    """The codec of rows comes with the first key, and stays."""
    asked = f"{DECLARED}\nassert Quote.row_key(symbol='IBM') == b'IBM   '\n"
    found = loaded(
        f"{asked}assert Quote.__codec__ is Quote.__codec__ and 'LateCodec' not in repr(Quote.__codec__)"
    )
    assert "rows.row" in ours(found)
    assert found & LARGE == {"attr"}


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["migrate", "--help"], ["completion", "bash"]])
def test_help_loads_the_command_line_alone(words: list[str]) -> None:
    """Help shows every command without loading one: none of what they work with is there."""
    found = helped(*words)
    assert found & LARGE == {"click"}
    allowed = {*TABLES_ALONE, "errors", "words"}
    assert {name for name in ours(found) if name.partition(".")[0] != "cli"} == allowed
    below = {name for name in ours(found) if name.startswith("cli.")}
    if words == ["--help"]:
        assert below == {"cli.group", "cli.completion", "cli.terminal"}


@pytest.mark.parametrize("table", [COMMANDS, MIGRATIONS], ids=["btmodel", "migrate"])
def test_the_table_of_commands_is_that_of_the_files(table: CommandTable) -> None:
    """Each command is in the file and under the name that the table says, and no file has one that is not listed."""
    for name, entry in table.items():
        command = getattr(import_module(entry.module), name.replace("-", "_"))
        assert isinstance(command, click.Command)
        assert command.name == name
    folder = SOURCE / "cli" if table is COMMANDS else SOURCE / "cli" / "migrate"
    having = {
        path.stem for path in folder.glob("*.py") if "@click.command(" in path.read_text(encoding="utf-8")
    }
    listed = {entry.module.rpartition(".")[2] for entry in table.values()}
    assert having <= listed
    assert listed - having <= {"migrate", "simulation"}  # packages


@pytest.mark.parametrize("package", ON_DEMAND)
def test_each_name_of_a_table_is_where_it_says(package: str) -> None:
    """Every name of a package that loads on demand can be loaded, is offered, and is no module's."""
    module = import_module(package)
    table = TABLES[package]
    assert sorted(table) == module.__all__
    assert set(table) <= set(dir(module))
    for name, home in table.items():
        assert getattr(module, name) is getattr(import_module(home), name)
    # Importing a module below puts it under its name, where it would hide what is to be loaded.
    assert set(table) & {path.stem for path in Path(module.__file__ or "").parent.iterdir()} == set()


def test_a_name_that_is_not_there_is_told_with_the_one_that_was_meant() -> None:
    """In its text, which is all that a command shows of it, and once: Python, which would add its own, is not given the module."""
    with pytest.raises(
        AttributeError, match=r"module 'btmodel' has no attribute 'colum' \(did you mean"
    ) as told:
        btmodel.colum  # type: ignore[attr-defined]  # noqa: B018
    assert "column" in str(told.value)
    assert told.value.obj is None
