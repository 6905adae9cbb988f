"""The documentation is true: its code runs, and what it prints is what comes."""

import asyncio
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from types import ModuleType
from typing import Any

import pytest
from btmodel_codegen import generate, sql_queries
from hypothesis import given, settings

import btmodel as bt
from btmodel.cli.migrate import COMMANDS as MIGRATE
from btmodel.client.options import Options
from btmodel.codecs import key as key_codecs
from btmodel.codecs.cell import DEFAULTS
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.declare import Fields, codec_of
from btmodel.lint import review
from btmodel.migrate.revisions.folder import as_text, read
from btmodel.settings import read as settings_in
from btmodel.testing import instances
from examples.market import Quote, made_up_quotes
from tests.written_repositories import forget_repositories

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
MIGRATIONS = (ROOT / "docs" / "migrations.md").read_text()
MODELS = (ROOT / "docs" / "models.md").read_text()


def blocks(language: str, page: str = README) -> list[str]:
    """The fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.M | re.S)


def run(name: str, page: str) -> ModuleType:
    """The Python of a page, run from top to bottom as one module, with what it printed."""
    module = ModuleType(name)
    sys.modules[name] = module
    printed = StringIO()
    with redirect_stdout(printed):
        for block in blocks("python", page):
            exec(compile(block, name, "exec"), vars(module))
    module.printed = printed.getvalue()  # type: ignore[attr-defined]
    return module


@pytest.fixture(scope="module")
def readme() -> ModuleType:
    """The README, run."""
    return run("readme", README)


def test_the_page_on_production_runs_and_prints_what_it_says() -> None:
    """Every Python block of the page runs, in its order, and prints the text block after it."""
    page = (ROOT / "docs" / "production.md").read_text()
    try:
        printed = run("production_page", page).printed
    finally:
        bt.configure()
    assert printed == "".join(blocks("text", page))
    settings = blocks("toml", page)[0]
    with TemporaryDirectory() as folder:
        path = Path(folder, "pyproject.toml")
        path.write_text(settings)
        known = settings_in(Path(folder))
    assert Options.of(known.options["production"]).app_profile == "serving"


@pytest.fixture(scope="module")
def models_page() -> ModuleType:
    """The page on models, run, with the repository that is generated for the job of its recipes."""
    page = run("models_page", MODELS)
    texts = generate([bt.schema_of(page.Job)], ["repository"])
    exec(compile(texts["job_repository.py"], "job_repository", "exec"), vars(page))
    return page


@pytest.fixture(scope="module")
def models(readme: ModuleType, models_page: ModuleType) -> list[type[bt.Model]]:
    """The models of the README and of the page on models."""
    classes = [one for page in (readme, models_page) for one in vars(page).values() if isinstance(one, type)]
    return [one for one in classes if issubclass(one, bt.Model) and hasattr(one, "__schema__")]


def test_the_page_on_models_runs_and_prints_what_it_says(models_page: Any) -> None:
    """Every Python block of the page runs, and its text blocks are what is printed."""
    printed = models_page.printed
    *blocks_, advice = blocks("text", MODELS)
    assert len(blocks_) == 5
    assert all(block in printed for block in blocks_)
    (found,) = review(bt.schema_of(models_page.Tick))
    for said in (found.rule, found.message, found.fix, f"cost  {found.cost}"):
        assert f"{said}\n" in advice or f"{said} " in advice


def test_rows_can_be_drawn_of_every_model_of_the_pages(models: list[type[bt.Model]]) -> None:
    """``btmodel.testing.instances`` draws rows that can be written, of whatever model somebody copies."""

    def written(model: type[bt.Model]) -> None:
        @settings(max_examples=8, deadline=None)
        @given(instances(model))
        def write(row: bt.Model) -> None:
            codec_of(model).encode(Fields(row), 0)

        write()

    for model in models:  # one by one: the rows of all are too many to draw together
        written(model)


def test_the_recipe_of_a_lock_holds(models_page: Any, database: Callable[..., bt.Database]) -> None:
    """A lock is taken by one owner, renewed and released by it alone, and taken from it once it has expired."""
    jobs = models_page.JobRepository(database(models_page.Job))
    minute, over = timedelta(minutes=1), timedelta(seconds=-1)
    take, renew, release = models_page.take, models_page.renew, models_page.release
    assert take(jobs, "mail", "a", minute) is True
    assert take(jobs, "mail", "b", minute) is False
    assert (renew(jobs, "mail", "b", minute), release(jobs, "mail", "b")) == (False, False)
    assert renew(jobs, "mail", "a", over) is True
    assert renew(jobs, "mail", "a", minute) is False
    assert take(jobs, "mail", "b", minute) is True
    assert (renew(jobs, "mail", "a", minute), release(jobs, "mail", "a")) == (False, False)
    assert release(jobs, "mail", "b") is True
    assert jobs.get("mail") is None
    assert take(jobs, "mail", "c", minute) is True


def test_of_threads_that_race_for_the_lock_one_holds_it(
    models_page: Any, database: Callable[..., bt.Database]
) -> None:
    """Each of many threads takes the lock, counts without protection of its own, and releases; no count is lost."""
    jobs = models_page.JobRepository(database(models_page.Job))
    counted = within = 0

    def work(number: int) -> int:
        nonlocal counted, within
        done = 0
        while done < 5:
            owner = f"{number}.{done}"
            if models_page.take(jobs, "mail", owner, timedelta(minutes=5)):
                within += 1
                assert within == 1
                seen = counted
                sleep(0.001)
                counted = seen + 1
                within -= 1
                assert models_page.release(jobs, "mail", owner)
                done += 1
        return done

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(work, range(6))) == 30
    assert counted == 30


def test_the_recipes_of_versions_hold(models_page: Any, database: Callable[..., bt.Database]) -> None:
    """Of two who read a version one writes the next; an entry is removed once, with the version that was read."""
    jobs = models_page.JobRepository(database(models_page.Job))
    first = models_page.Job(name="mail", left=set())
    assert models_page.plan(jobs, first, {"a", "b"}) is True
    assert models_page.plan(jobs, first, {"c"}) is False
    seen = jobs.get("mail")
    assert (seen.version, seen.left) == (1, {"a", "b"})
    assert models_page.finish(jobs, seen, "a") is True
    assert models_page.finish(jobs, seen, "b") is False
    seen = jobs.get("mail")
    assert (seen.version, seen.left) == (2, {"b"})
    assert models_page.finish(jobs, seen, "a") is False
    assert models_page.plan(jobs, seen, {"z"}) is True
    assert jobs.get("mail").left == {"z"}


def test_the_recipe_of_a_copy_holds(models_page: Any, bigtable: Callable[..., bt.Database]) -> None:
    """A copy at the times of its source leaves what was written later in its place, and copying again changes nothing."""
    old, new = (models_page.QuoteRepository(bigtable(Quote)) for _ in range(2))
    [first] = made_up_quotes(1)
    second = bt.replace(first, quote_time=first.quote_time + timedelta(seconds=1))
    noon = datetime(2026, 1, 5, 12, tzinfo=UTC)
    old.put_many([first, second], at=noon)
    new.put_many([bt.replace(first, bid=Decimal(1))], at=noon + timedelta(seconds=1))
    for _ in range(2):
        assert models_page.copied(old.by_symbol(first.exchange, first.symbol), new) == 2
        [one, other] = new.by_symbol(first.exchange, first.symbol).stored()
        assert (one.row.bid, one.time) == (Decimal(1), noon + timedelta(seconds=1))
        assert (other.row, other.time) == (second, noon)


def test_the_parts_of_a_read_are_counted(models_page: Any, bigtable: Callable[..., bt.Database]) -> None:
    """As often as there are rows."""
    db = bigtable(Quote)
    quotes = models_page.QuoteRepository(db)
    quotes.put_many(made_up_quotes(100))
    assert (
        models_page.in_parts(quotes.by_symbol("NYSE", "IBM"), db)
        == quotes.by_symbol("NYSE", "IBM").count()
        > 0
    )


def test_the_recipe_of_a_writer_holds(models_page: Any, bigtable: Callable[..., bt.Database]) -> None:
    """It writes all that it is given."""
    quotes = models_page.QuoteRepository(bigtable(Quote))
    assert models_page.keep(quotes, made_up_quotes(30)) == 30


def test_the_recipe_of_an_exact_copy_holds(models_page: Any, bigtable: Callable[..., bt.Database]) -> None:
    """Every cell is in the other place."""
    old, new = (models_page.QuoteRepository(bigtable(Quote)) for _ in range(2))
    old.put_many(made_up_quotes(30))
    assert models_page.copied_exactly(old.by_symbol("NYSE", "IBM"), new) > 0
    assert list(new.by_symbol("NYSE", "IBM").cells()) == list(old.by_symbol("NYSE", "IBM").cells())


def test_the_page_on_codecs_runs_and_names_every_fact() -> None:
    """Its codecs stand in a model, and its tables hold all that a codec says of itself."""
    page = (ROOT / "docs" / "codecs.md").read_text()
    assert run("codecs_page", page).printed == "".join(blocks("text", page))
    for name in KeyCodec._facts.__optional_keys__ | bt.CellCodec._facts.__optional_keys__:
        assert f"`{name}`" in page, name


def test_the_table_of_key_codecs_is_complete() -> None:
    """Every codec of a key field has a place in the table of the page on models."""
    for name in key_codecs.__all__:
        codec = getattr(key_codecs, name)
        if issubclass(codec, KeyCodec) and codec not in (KeyCodec, Constant):
            function = {"MappedKey": "mapped"}.get(name, name)
            assert f"`{function}(" in MODELS, name


def test_the_readme_runs_and_prints_what_it_says(readme: Any) -> None:
    """Every Python block runs, and the text block behind a print is its output."""
    assert blocks("text")[1] in readme.printed


def test_the_readme_reads_from_a_real_server(readme: Any, migrated: Callable[..., str]) -> None:
    """The function that the README shows writes and reads rows."""
    assert readme.last_quotes(migrated(Quote)) == ["600.55", "600.58", "600.49"]


def test_the_readme_narrows_a_read(readme: Any, migrated: Callable[..., str]) -> None:
    """What the README says of lazy reads is so."""
    with bt.connect(migrated(Quote)) as db:
        quotes = readme.QuoteRepository(db)
        quotes.put_many(readme.made_up_quotes(200))
        whole = list(quotes.by_symbol("NASDAQ", "ZXZZT"))
        large, page, deleted = readme.ask(quotes)
    assert [one.bid for one in large] == [one.bid for one in whole if one.bid_size == 500][:5]
    assert (page.rows, deleted) == (whole[:20], len(whole))


def test_the_refusal_in_the_readme_is_the_real_one() -> None:
    """The error that the README begins with is what its class raises, below the imports of the first model."""
    (shown,) = blocks("py")
    imports = "from datetime import datetime\nfrom decimal import Decimal\n\nimport btmodel as bt\n\n\n"
    with pytest.raises(bt.DeclarationError) as refused:
        exec(compile(imports + shown, "models.py", "exec"), {"__name__": "models"})
    told = blocks("text")[0]
    assert f"btmodel.errors.DeclarationError: {refused.value}".split() == told.split()


def test_the_speed_in_the_readme_is_the_measured_one() -> None:
    """Its figures are those of the page on speed, which the benchmark records."""
    page = (ROOT / "docs" / "speed.md").read_text()
    measured = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| ([\d.]+) \|", page, re.M))
    names = ("scan_replay200_vs_stream", "write_replay", "point_read", "point_write")
    (row,) = re.findall(r"^\|---\|---\|---\|---\|\n(.+)$", README, re.M)
    assert re.findall(r"\d+\.\d", row) == [f"{float(measured[name]):.1f}" for name in names]


def test_the_readme_convinces_on_its_first_screen() -> None:
    """The refused class, its error, the picture and the speed stand before everything else, in less than 40 lines."""
    first = README.partition("\n## ")[0]
    assert all(
        part in first for part in ("```py\n", "DeclarationError", "](docs/hotspot.png)", "docs/speed.md")
    )
    assert len(first.splitlines()) <= 40


def test_the_table_of_cell_codecs_is_complete() -> None:
    """Every annotation with a default codec has a line in the table."""
    for annotation in DEFAULTS:
        assert re.search(rf"^\| `{annotation.__name__}`", MODELS, re.M), annotation


def test_the_settings_in_the_readme_are_read(tmp_path: Path) -> None:
    """The settings that the README shows parse, and mean what their comments say."""
    from btmodel.settings import read

    (tmp_path / "pyproject.toml").write_text(blocks("toml")[0])
    settings = read(tmp_path)
    assert settings.models == ("app.models",)
    assert settings.instances["production"] == "projects/my-project/instances/my-instance"


def test_the_folders_in_the_readme_are_there() -> None:
    """The links of the README and of CONTRIBUTING lead to files of the project."""
    for page in (README, (ROOT / "CONTRIBUTING.md").read_text()):
        for link in re.findall(r"\]\(([^)#]+)\)", page):
            assert (ROOT / link).exists(), link


def test_the_page_on_migrations_names_every_command() -> None:
    """Every migration command has its place on the page."""
    for name in MIGRATE:
        assert f"btmodel migrate {name}" in MIGRATIONS, name


def test_the_revision_in_the_page_is_one(tmp_path: Path) -> None:
    """The file that the page shows is read as it says, and is what btmodel writes."""
    text = blocks("toml", MIGRATIONS)[0]
    path = tmp_path / "0002_add_trades.toml"
    path.write_text(text)
    assert as_text(read(path), ["+ create-table:TRADE  MD keeps newest 1 version"]) == text


def test_the_commands_are_in_the_makefile() -> None:
    """The commands that the README promises are targets, and CI runs those that test."""
    makefile = (ROOT / "Makefile").read_text()
    commands = re.findall(r"^make (\S+)", blocks("sh")[0], re.M)
    for command in commands:
        assert re.search(rf"^{command}:", makefile, re.M)
    tests = [f"make {command}" for command in commands if command.startswith("test")]
    assert [
        line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line.startswith("make")
    ] == tests
    assert textwrap.dedent(blocks("sh")[0]).startswith("make demo")


def test_the_example_of_inspect_is_a_model() -> None:
    """What docs/inspect.md shows of a written module can be declared."""
    module = run("docs_inspect", (ROOT / "docs" / "inspect.md").read_text())
    assert bt.schema_of(module.Quote).key.shape == "{exchange}#{time}"


def test_the_page_on_change_streams_runs(bigtable: Any) -> None:
    """Every Python block of the page runs, and its functions give what was written."""
    module = run("changes_page", (ROOT / "docs" / "changes.md").read_text())
    instance, since = bigtable.path(module.Stock), datetime.now(UTC)
    with bt.connect(instance) as db:
        stock = module.StockRepository(db)
        stock.put(module.Stock(shop="oslo", article="bolt", left=5))
        stock.put(module.Stock(shop="oslo", article="nut", left=7, shelf="b"))
        stock.delete_many([module.StockKey("oslo", "bolt")])
        copy: dict[Any, Any] = {}
        shelf = module.Shelf()
        module.mirror(instance, since, copy, shelf)
        assert copy == {module.StockKey("oslo", "nut"): 7}
        copy.clear()
        module.mirror(instance, since, copy, shelf)
        assert copy == {}
        first, second, third = module.follow(instance, since)
        assert first == f"{module.StockKey('oslo', 'bolt')}: {{'left': 5}}"
        assert second.endswith("{'left': 7, 'shelf': 'b'}")
        assert third == f"{module.StockKey('oslo', 'bolt')} is gone"
        assert module.work(instance, since) == 3


def test_the_page_on_sql_runs(bigtable: Any) -> None:
    """Every Python block of the page runs, and its functions give what was written."""
    module = run("sql_page", (ROOT / "docs" / "sql.md").read_text())
    instance = bigtable.path(module.Sale)
    sold = [("oslo", "bolt", 5), ("oslo", "nut", 900), ("rome", "bolt", 7)]
    with bt.connect(instance) as db:
        for number, (shop, article, cents) in enumerate(sold):
            db.write(bt.mutation_of(module.Sale(shop=shop, number=number, article=article, cents=cents)))
        assert module.keys_of(db, "oslo") == [b"oslo#00000000", b"oslo#00000001"]
        found = module.turnover(db, 0)
        assert found == [module.Turnover("nut", 1, 900), module.Turnover("bolt", 2, 12)]
        assert module.turnover(db, 100) == found[:1]

    async def articles() -> set[str]:
        async with bt.connect_async(instance) as db:
            return set(await module.articles(db))

    assert asyncio.run(articles()) == {"bolt", "nut"}
    columns = sql_queries.columns(bt.schema_of(module.Visit), module.Visit.in_weather.query, [])
    text = (ROOT / "docs" / "sql.md").read_text()
    for column in columns:
        shown = column.type.__name__ if isinstance(column.type, type) else str(column.type)
        assert f"        {column.name}: {shown}\n" in text


def test_the_page_on_views_runs_and_prints_what_it_says(
    bigtable: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every Python block of the page runs, prints the text block after it, and what it reads from a server is there."""
    page = (ROOT / "docs" / "views.md").read_text()
    module = run("views_page", page)
    assert module.printed == "".join(blocks("text", page))
    models = [module.Order, module.OrderOfCustomer, module.SalesOfDay]
    for name, text in generate(list(map(bt.schema_of, models)), ["repository"]).items():
        (tmp_path / "generated").mkdir(exist_ok=True)
        (tmp_path / "generated" / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    forget_repositories()
    db = bigtable(*models)
    from generated.order_repository import OrderRepository  # type: ignore[import-not-found]

    orders = OrderRepository(db)
    for number, status in enumerate(module.Status):
        given = {"customer": "jo", "cents": 5, "placed": module.noon, "status": status}
        orders.put(module.Order(id=f"{number:016x}", **given))
    assert module.paid_lately(db.target.instance, "jo") == [f"{1:016x}"]
    forget_repositories()


def test_no_page_and_no_message_is_misspelt() -> None:
    """codespell finds nothing in pages, code and templates."""
    places = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "action.yml"]
    command = [
        Path(sys.executable).with_name("codespell"),
        *places,
        "docs",
        "src",
        "codegen",
        "examples",
        "migrations",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
