"""Names that Python, generated code or its runtime have for something else: refused by name, or the files work."""

import importlib
import unicodedata
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from attrs import asdict, frozen
from btmodel_codegen import generate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.declare import twins_in
from btmodel.pytest_plugin import Instances
from btmodel.schema.checks import MEMBERS
from tests.examples_tried import THOROUGH
from tests.strict_mypy import mypy

AT = datetime(2020, 1, 1, 12, tzinfo=UTC)

OF_PYTHON = [
    "__debug__",
    "__class__",
    "__slots__",
    "__attrs_attrs__",
    "__day",
    "_",
    "__",
    "_x",
    "type",
    "match",
]
OF_PYTHON += [
    "str",
    "int",
    "bool",
    "object",
    "super",
    "self",
    "cls",
    "mro",
    "name",
    "print",
    "date",
    "datetime",
]
OF_LETTERS = ["\u017felf", "ª", "a", "ﬁ", "fi", "\u017ftart", "größe", "İ", "K", "µ", "ϕ", "ǅ", "名"]
OF_TUPLES = ["count", "index"]
OF_METHODS = [
    "start",
    "end",
    "closed",
    "only",
    "progress",
    "on_error",
    "n",
    "row",
    "by",
    "value",
    "values",
    "columns",
]
OF_METHODS += [
    "column",
    "expected",
    "fields",
    "db",
    "at",
    "start_",
    "only_",
    "db_",
    "end_start",
    "newest",
    "where",
]
OF_METHODS += [
    "entries",
    "limit",
    "first",
    "rows",
    "row_key",
    "parameters",
    "twins",
    "where_",
    "instance",
    "cursor",
]
OF_MODULES = [
    "Literal",
    "Self",
    "Rows",
    "Async",
    "AsyncRows",
    "Repository",
    "Key",
    "Closed",
    "Any",
    "NamedTuple",
]
OF_MODULES += [
    "Sequence",
    "TypedDict",
    "Unpack",
    "OnError",
    "AKey",
    "Event",
    "AEvent",
    "Twins",
    "frozen",
    "Callable",
]
NASTY = [*OF_PYTHON, *OF_LETTERS, *OF_TUPLES, *OF_METHODS, *OF_MODULES, *sorted(MEMBERS)]
RANDOM = st.text(st.sampled_from([*"abAB_1", "ª", "\u017f", "é", "ß"]), min_size=1, max_size=6)
NAMES = (st.sampled_from(NASTY) | RANDOM).filter(str.isidentifier)

TRIES = count()  # modules stay imported, so that no two tests have one of the same name
# What is given a name, and a plain one for it.
PLACES = {"model": "A", "twin": "B", "variable": "TWINS"}
PLACES |= {"field": "k", "other": "o", "column": "v", "query": "asked", "parameter": "env"}

# The models of an application. Its own imports have names that nothing else has.
PLAIN = """
class {model}(bt__.Model, table="t{{{parameter}}}", events="1/s"):
    {field}: str__ = bt__.key(bt__.Text(max_length=9), cardinality=10)
    {other}: int__ = bt__.key(bt__.PaddedInt(4), cardinality=10)
    f__ = bt__.family("f", gc=bt__.max_versions(1))
    {column}: int__ | None = bt__.column("v", f__, default=None)
    {query} = bt__.query("{field_}", between="{other_}")
"""
BUCKET = """
class {model}(bt__.Model, table="t{{{parameter}}}", bucket="day", events="1/day"):
    {field}: str__ = bt__.key(bt__.Text(max_length=9), cardinality=10)
    {other}: date__ = bt__.key(bt__.DateText())
    f__ = bt__.family("f", gc=bt__.max_versions(9))
    {column}: bt__.History[int__] = bt__.history("v", f__)
    {query} = bt__.query("{field_}", between="{other_}")
"""
TWIN = """
class {twin}(bt__.Model, table="u{{{parameter}}}", events="1/s"):
    {other}: int__ = bt__.key(bt__.PaddedInt(4), cardinality=10)
    {field}: str__ = bt__.key(bt__.Text(max_length=9), cardinality=10)
    f__ = bt__.family("f", gc=bt__.max_versions(1))
    {column}: int__ | None = bt__.column("v", f__, default=None)

{variable} = bt__.twins({model}, {twin})
"""
IMPORTS = """
import btmodel as bt__
from builtins import int as int__, str as str__
from datetime import date as date__
"""


def normal(name: str) -> str:
    """The name that Python takes one for."""
    return unicodedata.normalize("NFKC", name)


@frozen
class Named:
    """What everything in a module of models is called."""

    model: str
    twin: str
    variable: str
    field: str
    other: str
    column: str
    query: str
    parameter: str

    def text(self, *, bucket: bool) -> str:
        """The module."""
        template = IMPORTS + (BUCKET if bucket else PLAIN + TWIN)
        return template.format(**asdict(self), field_=normal(self.field), other_=normal(self.other))


def different(names: list[str]) -> bool:
    """Whether Python takes no two names for one."""
    return len(set(map(normal, names))) == len(names)


@st.composite
def named(draw: st.DrawFn) -> Named:
    """Names of which few meet: most are plain, so that what is refused hides no other."""
    outer = draw(st.lists(NAMES, min_size=3, max_size=3).filter(different))
    inner = draw(st.lists(NAMES, min_size=4, max_size=4).filter(different))
    names = [*outer, *inner, draw(NAMES)]
    for at in draw(st.sets(st.integers(0, 7), min_size=4, max_size=7)):
        plain = list(PLACES.values())[at]
        if plain not in map(normal, names):
            names[at] = plain
    return Named(*names)


class Tried:
    """Writes modules of models, has files generated for them, and runs what is in those."""

    def __init__(self, folder: Path, db: bt.Database) -> None:
        self.folder = folder
        self.db = db
        self.refused: list[str] = []
        self.ran = 0

    def files(self, names: Named, *, bucket: bool) -> tuple[list[Any], dict[str, str]] | None:
        """The models with these names, and the files of them; None where they are refused."""
        self.tries = next(TRIES)
        module = f"models{self.tries}"
        (self.folder / f"{module}.py").write_text(names.text(bucket=bucket), "utf-8")
        importlib.invalidate_caches()
        try:
            models = importlib.import_module(module)
            found = [
                vars(models)[normal(name)]
                for name in ([names.model] if bucket else [names.model, names.twin])
            ]
            twins = twins_in([module])
            return found, generate([bt.schema_of(model) for model in found], ["repository"], twins=twins)
        except (bt.DeclarationError, bt.GenerationError) as error:
            self.refused.append(str(error))
        except SyntaxError:  # of the models: keywords
            pass
        return None

    def run(self, names: Named, *, bucket: bool) -> bool:
        """Run everything that is generated of the names; whether they were not refused."""
        made = self.files(names, bucket=bucket)
        if made is None:
            return False
        found, files = made
        package = self.folder / f"generated{self.tries}"
        package.mkdir()
        for file, text in files.items():
            (package / file).write_text(text, "utf-8")
        importlib.invalidate_caches()
        modules = [
            importlib.import_module(f"{package.name}.{file[:-3]}") for file in files if file != "__init__.py"
        ]
        self._run(names, found, modules, bucket=bucket)
        self.ran += 1
        return True

    def _run(self, names: Named, models: list[Any], made: list[ModuleType], *, bucket: bool) -> None:
        parameters = {names.parameter: f"x{self.tries}"}
        bt.create_tables(self.db, *models, **parameters)
        for module in made:
            for name, value in list(vars(module).items()):
                if name.startswith("Async") or getattr(value, "__module__", "") != module.__name__:
                    continue
                if module.__name__.endswith("_twins") and name.endswith("Twins"):
                    _use_twins(value(self.db, **parameters), models[0], names)
                elif name == f"{normal(names.model)}Repository":
                    use = _use_events if bucket else _use_rows
                    use(value(self.db, **parameters), models[0], names)


def _use_rows(rows: Any, model: Any, names: Named) -> None:
    field, other, column, query = map(normal, (names.field, names.other, names.column, names.query))
    row, key = model(**{field: "a", other: 1, column: 5}), rows.key("a", 1)
    rows.put(row)
    assert rows.get("a", 1) == row
    assert rows.exists("a", 1)
    assert list(getattr(rows, query)("a").where(**{column: 5}).only(column)) == [row]
    assert list(getattr(rows, query)("a", 2)) == []
    assert rows.put_if(row, **{column: 5})
    assert rows.increment(key, column) == 6
    rows.clear(key, column)
    rows.put(row)
    assert rows.delete_prefix(**{field: "a"}) == 1
    rows.delete("a", 1)
    assert (getattr(key, field), getattr(key, other)) == ("a", 1)


def _use_events(rows: Any, model: Any, names: Named) -> None:
    field, other, column, query = map(normal, (names.field, names.other, names.column, names.query))
    rows.append(**{field: "a", "at": AT, column: 5})
    [event] = rows.events("a", AT, AT.replace(hour=13))
    assert (getattr(event, field), getattr(event, column)) == ("a", 5)
    assert list(rows.newest_events(1, "a")) == [event]
    [row] = list(getattr(rows, query)("a"))
    assert rows.get("a", date(2020, 1, 1)) == row
    assert getattr(row, other) == date(2020, 1, 1)
    assert list(rows.newest(1, "a") if query != "newest" else rows.newest("a")) == [row]


def _use_twins(twins: Any, model: Any, names: Named) -> None:
    row = model(**{normal(names.field): "a", normal(names.other): 1, normal(names.column): 5})
    assert twins.put_many([row]) == 1
    twins.delete(row)


@pytest.fixture
def tried(tmp_path: Path, bigtable: Instances, monkeypatch: pytest.MonkeyPatch) -> Tried:
    """A folder that modules are imported from, and an instance."""
    monkeypatch.syspath_prepend(tmp_path)
    return Tried(tmp_path, bigtable())


def test_any_names_are_refused_or_work(tried: Tried) -> None:
    """Whatever things are called: an error says so, or every generated module imports, runs and passes mypy."""

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(names=named(), bucket=st.booleans())
    def run(names: Named, bucket: bool) -> None:
        tried.run(names, bucket=bucket)

    run()
    assert tried.ran > 20
    assert len(tried.refused) > 3
    assert found_by_mypy(tried.folder) == []


@pytest.mark.parametrize("bucket", [False, True], ids=["rows", "events"])
def test_each_name_in_each_place_is_refused_or_works(bucket: bool, tried: Tried) -> None:
    """A name that is somebody else's, in each place: files are made of it alone, and run with others in all other places.

    Each name is tried in a third of the places, and with ``--thorough`` in all, and run alone, too; otherwise it is run
    alone where the others cannot meet it.
    """
    places = ("model", "field", "column") if bucket else tuple(PLACES)
    names = [name for name in NASTY if name not in PLACES.values()]
    every = 1 if THOROUGH else 3
    tries = {place: names[at % every :: every] for at, place in enumerate(places)}
    taken = {
        place: [name for name in some if tried.files(Named(**{**PLACES, place: name}), bucket=bucket)]
        for place, some in tries.items()
    }
    assert all(every * len(left) > 40 and len(left) < len(tries[place]) for place, left in taken.items())
    assert tried.refused
    for turn in range(max(map(len, taken.values()))):
        # Every name comes to each of its places; few meet another that cannot stand beside it.
        together = {
            place: left[(turn + 7 * at) % len(left)] for at, (place, left) in enumerate(taken.items())
        }
        if THOROUGH or not tried.run(Named(**{**PLACES, **together}), bucket=bucket):
            for place, name in together.items():
                assert tried.run(Named(**{**PLACES, place: name}), bucket=bucket), (place, name)
    assert tried.ran > len(names) // (2 * every)


def found_by_mypy(folder: Path) -> list[str]:
    """What mypy, strict, finds in generated files."""
    done = mypy(folder, *(path.name for path in folder.glob("generated*")))
    assert done.returncode in (0, 1), done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith("generated")]
