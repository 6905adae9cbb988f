"""Queries in SQL that models declare: what their classes refuse, what is generated of them, and what they give."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from btmodel_codegen.sql_queries import check_queries

import btmodel as bt
from btmodel.errors import DeclarationError, QueryRefused, ValueRefused
from tests.forked_commands import Commands
from tests.strict_mypy import mypy

Run = Callable[..., "subprocess.CompletedProcess[str]"]

MODELS = '''
"""Sales."""

import btmodel as bt


class Sale(bt.Model, table="sale", events="5/s"):
    """What was sold in a shop."""

    shop: str = bt.key(bt.Text(max_length=20), cardinality=500)
    number: int = bt.key(bt.PaddedInt(8), cardinality=1_000_000)

    f = bt.family("f", gc=bt.max_versions(1))
    article: str = bt.column("article", f)
    cents: int = bt.column("cents", f, codec=bt.Int64())

    of_shop = bt.query("shop")
    turnover = bt.sql_query(
        """
        SELECT CAST(f['article'] AS STRING) AS article, COUNT(*) AS sold, SUM(TO_INT64(f['cents'])) AS cents
        FROM sale
        WHERE STARTS_WITH(_key, @shop) AND (@no_filter OR f['article'] = @article)
        GROUP BY 1 HAVING sold >= @least ORDER BY sold DESC, article
        """,
        shop=bytes,
        article="article",
        no_filter=bool,
        least=int,
    )
    raw = bt.sql_query("SELECT _key, f, [1.5] AS reals, STRUCT(1 AS a) AS s, @at AS `class` FROM sale WHERE _key IN UNNEST(@keys)", keys=list[bytes], at=int | None)
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Writes the models of a project, and its settings."""

    def write(models: str) -> Path:
        (tmp_path / "sale_models.py").write_text(models)
        (tmp_path / "pyproject.toml").write_text(
            '[tool.btmodel]\nmodels = ["sale_models"]\nout = "sale_generated"\n'
        )
        return tmp_path

    monkeypatch.chdir(tmp_path)
    return write


@pytest.fixture
def btmodel(commands: Commands, tmp_path: Path) -> Run:
    """Runs a command in the project."""
    return lambda *arguments: commands.run(arguments, tmp_path, os.environ)


def test_a_repository_runs_declared_queries(
    project: Callable[[str], Path], btmodel: Run, monkeypatch: pytest.MonkeyPatch, bigtable: Any
) -> None:
    """The generated method takes and gives what the query does, typed, blocking and with await."""
    folder = project(MODELS)
    made = btmodel("generate")
    assert made.returncode == 0, made.stderr
    text = (folder / "sale_generated" / "sale_repository.py").read_text()
    for line in (
        "class SaleTurnover(NamedTuple):", "    article: str | None", "    sold: int", "    cents: int | None",
        "        shop: bytes,", "        article: str,", "        least: int,", "    ) -> SqlRows[SaleTurnover]:", "    ) -> AsyncSqlRows[SaleTurnover]:",
        "    key: bytes", "    f: dict[bytes, bytes]", "    reals: list[float | None]", "    s: tuple[int | None]", "    column_5: int | None",
        "    def raw(self, keys: list[bytes], at: int | None) -> SqlRows[SaleRaw]:",
    ):  # fmt: skip
        assert line in text.splitlines(), line
    monkeypatch.syspath_prepend(str(folder))
    models: ModuleType = __import__("sale_models")
    generated: Any = __import__("sale_generated.sale_repository").sale_repository
    db = bigtable(models.Sale)
    repository = generated.SaleRepository(db)
    for number, (article, cents) in enumerate([("bolt", 5), ("nut", 900), ("bolt", 7)]):
        repository.put(models.Sale(shop="oslo", number=number, article=article, cents=cents))
    found = repository.turnover(b"oslo#", "", True, 1).all()
    assert found == [generated.SaleTurnover("bolt", 2, 12), generated.SaleTurnover("nut", 1, 900)]
    assert [row.article for row in repository.turnover(b"oslo#", "nut", False, 0)] == ["nut"]
    assert list(repository.turnover(b"rome#", "", True, 1)) == []
    (raw,) = repository.raw([b"oslo#00000001"], None)
    assert (raw.key, raw.f[b"article"], raw.reals, raw.s, raw.column_5) == (
        b"oslo#00000001",
        b"nut",
        [1.5],
        (1,),
        None,
    )
    with pytest.raises(ValueRefused, match=r"Sale\.turnover: article"):
        repository.turnover(b"oslo#", 5, False, 0)
    checked = btmodel("check")
    assert checked.returncode == 0, checked.stdout


def test_generated_code_is_precisely_typed(project: Callable[[str], Path], btmodel: Run) -> None:
    """mypy, as strict as it is, accepts what is generated, and refuses wrong parameters and fields."""
    folder = project(MODELS)
    assert btmodel("generate").returncode == 0
    (folder / "use.py").write_text(
        "import btmodel as bt\nfrom sale_generated.sale_repository import SaleRepository\n"
        "def f(sales: SaleRepository) -> int:\n"
        "    rows = sales.turnover(b'', 'a', True, 1)\n"
        "    for row in rows:\n        sold: int = row.sold\n        price: int = row.cents\n"
        "    sales.turnover('', 'a', True, 1)\n"
        "    return sum(row.sold for row in rows.all())\n"
    )
    done = mypy(folder, "use.py")
    assert [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line] == ["7", "8"], (
        done.stdout
    )


def test_without_the_extra_generate_says_what_to_install(
    project: Callable[[str], Path], commands: Commands, tmp_path: Path
) -> None:
    """Without the front end nothing is generated half; check reviews the rest, and says what it left out."""
    project(MODELS)
    hidden = "import importlib.util as u; real = u.find_spec; u.find_spec = lambda name, *more: None if name == 'zetasql' else real(name, *more)\n"
    (tmp_path / "sitecustomize.py").write_text(hidden)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}  # which Python reads when it starts
    made = commands.run(["generate"], tmp_path, environment)
    assert made.returncode == 1
    assert "install it with `pip install 'btmodel[sql]'`" in " ".join(made.stderr.split())
    assert not (tmp_path / "sale_generated" / "sale_repository.py").exists()
    checked = commands.run(["check"], tmp_path, environment)
    assert checked.returncode == 0
    assert "queries in SQL are not checked" in checked.stderr


_WRONG = {
    "SELECT g['x'] FROM sale": "Unrecognized name: g",
    "SELECT _key FROM sales": "Table not found: sales",
    "SELECT _key + 1 FROM sale": "No matching signature for operator +",
    "SELECT @nobody FROM sale": "Query parameter 'nobody' not found",
    "SELECT _key FROM sale WHERE _key = @p": "No matching signature for operator =",
    "SELECT": "Syntax error",
}


def test_wrong_queries_are_errors_of_check_and_generate(project: Callable[[str], Path], btmodel: Run) -> None:
    """Unknown columns, tables and parameters, and types that do not fit, are said with the place of the declaration.

    ``check`` lists all; ``generate`` stops at the first.
    """
    start = MODELS.index("    turnover =")
    queries = "".join(
        f'    wrong_{number} = bt.sql_query("{query}", p=int)\n' for number, query in enumerate(_WRONG)
    )
    project(MODELS[:start] + queries)
    first_line = MODELS[:start].count("\n") + 1
    expected = {first_line + number: message for number, message in enumerate(_WRONG.values())}
    checked, generated = _errors_by_line(btmodel("check")), _errors_by_line(btmodel("generate"))
    assert checked.keys() == expected.keys()
    assert generated.keys() == {first_line}
    for line, message in expected.items():
        assert message in checked[line]
    assert expected[first_line] in generated[first_line]


def _errors_by_line(done: subprocess.CompletedProcess[str]) -> dict[int, str]:
    """What a command that failed printed of each line of the models."""
    assert done.returncode != 0
    printed = " ".join((done.stdout + done.stderr).split())
    _, *pairs = re.split(r"sale_models\.py: ?(\d+)", printed)
    return {int(line): message for line, message in zip(pairs[::2], pairs[1::2], strict=True)}


def test_a_parameter_that_the_query_has_not_is_an_error() -> None:
    """A declared parameter must stand in the query."""

    class Note(bt.Model, table="note"):
        id: str = bt.key(bt.Text(max_length=9))
        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f)
        wrong = bt.sql_query("SELECT _key FROM note WHERE _key > @after", after=bytes, other=int)

    (error,) = check_queries([bt.schema_of(Note)])
    assert str(error).endswith("Note.wrong: the query has no parameter @other")


@pytest.mark.parametrize(
    ("query", "parameters", "words"),
    [
        ("", {}, "expected a query, got ''"),
        (5, {}, "expected a query, got 5"),
        ("SELECT @a", {"a": dict}, "a: expected bytes, str, int, float, bool, datetime or date"),
        ("SELECT @a", {"a": list[dict]}, "a: expected bytes, str"),
        ("SELECT @a", {"a": int | str}, "a: expected bytes, str"),
        ("SELECT @a", {"a": None}, "a: expected bytes, str"),
    ],
)
def test_a_wrong_declaration_is_refused(query: Any, parameters: Any, words: str) -> None:
    """A query is text, and each parameter has a type that SQL has."""
    with pytest.raises(DeclarationError) as caught:

        class Note(bt.Model, table="note"):
            id: str = bt.key(bt.Text(max_length=9))
            f = bt.family("f", gc=bt.max_versions(1))
            text: str = bt.column("t", f)
            wrong = bt.sql_query(query, **parameters)

    assert words in str(caught.value)


def test_a_query_needs_attributes_that_are_there_and_a_table_with_a_name() -> None:
    """A parameter of an attribute that the model lacks is refused, and so is a query of a table named at run time."""
    with pytest.raises(
        DeclarationError,
        match=r"Note\.wrong: p: expected an attribute whose value .*\(id, text\), got 'nobody'",
    ):

        class Note(bt.Model, table="note"):
            id: str = bt.key(bt.Text(max_length=9))
            f = bt.family("f", gc=bt.max_versions(1))
            text: str = bt.column("t", f)
            wrong = bt.sql_query("SELECT @p", p="nobody")

    with pytest.raises(DeclarationError, match="expected a table whose name is known"):

        class Log(bt.Model, table="log_{tenant}"):
            id: str = bt.key(bt.Text(max_length=9))
            f = bt.family("f", gc=bt.max_versions(1))
            text: str = bt.column("t", f)
            wrong = bt.sql_query("SELECT 1")


def test_a_query_of_a_model_says_what_it_is() -> None:
    """It has its text and its types, encodes parameters, and says which it expects."""

    class Note(bt.Model, table="note"):
        id: str = bt.key(bt.Text(max_length=9))
        f = bt.family("f", gc=bt.max_versions(1))
        stars: int = bt.column("t", f, codec=bt.Int64())
        best = bt.sql_query(
            "SELECT _key FROM note WHERE f['t'] = @stars LIMIT @most", stars="stars", most=int
        )

    assert Note.best.text.startswith("SELECT")
    assert Note.best.types == {"stars": bytes, "most": int}
    assert Note.best.parameters(stars=5, most=2) == {"stars": (5).to_bytes(8), "most": 2}
    assert repr(Note.best) == "<SQL Note.best(stars, most)>"
    with pytest.raises(QueryRefused, match=r"Note\.best: expected stars, most, got most"):
        Note.best.parameters(most=2)
