"""How long a project takes to check, and how that grows with the number of its models.

    python -m tests.bench.review_bench

Prints medians of several rounds, for each number of models side by side: the review of schemas that are
there, of such with findings, all of one key and of five, and the whole command, which starts Python, imports the
models and reviews them.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path

from attrs import evolve

import btmodel as bt
from btmodel.lint import errors, review_all
from btmodel.schema import ModelSchema, Query
from examples.flights import AircraftFlight, AirportDeparture
from examples.market import Quote, Trade
from examples.weather import WeatherDay

MODELS = [bt.schema_of(model) for model in (Quote, Trade, AircraftFlight, AirportDeparture, WeatherDay)]
ONE = """

class Quote{n}(bt.Model, table="T{n}", events="5000/s"):
    exchange: str = bt.key(bt.Text(width=6), cardinality=20, mirror="MD:EXCHANGE")
    symbol: str = bt.key(bt.Text(width=5), cardinality=8_000, mirror="MD:SYMBOL")
    at: datetime = bt.key(bt.EpochMillis())

    md = bt.family("MD", gc=bt.max_versions(1))
    bid: Decimal | None = bt.column("BID", md, default=None)
    ask: Decimal | None = bt.column("ASK", md, default=None)
    size: int | None = bt.column("BIDSIZE", md, codec=bt.DecimalText(), default=None)

    by_symbol = bt.query("exchange", "symbol", between="at")
"""


def main() -> None:
    """Check 125, 500 and 1,000 models."""
    for count in (125, 500, 1_000):
        reviewing = median(lambda count=count: review(schemas(count)))  # type: ignore[misc]
        finding = [
            median(lambda count=count, kinds=kinds: review_wrong(wrong(count, kinds)))  # type: ignore[misc]
            for kinds in (MODELS, MODELS[:1])
        ]
        with tempfile.TemporaryDirectory() as folder:
            declare(Path(folder), count)
            checking = median(lambda folder=folder: check(Path(folder)))  # type: ignore[misc]
        print(
            f"{count:>5,} models: review {1e3 * reviewing:,.0f} ms ({1e6 * reviewing / count:.0f} us a model), "
            f"with findings {1e3 * finding[0]:,.0f} ms, and all of one key {1e3 * finding[1]:,.0f} ms, "
            f"the whole command {checking:.2f} s"
        )


def median(run: Callable[[], object]) -> float:
    """The median seconds of five rounds."""
    times = []
    for _ in range(5):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def schemas(count: int) -> list[ModelSchema]:
    """So many schemas, of five kinds, each of a table of its own."""
    return [evolve(MODELS[n % len(MODELS)], name=f"M{n}", table=f"T{n}") for n in range(count)]


def review(models: list[ModelSchema]) -> None:
    """Review schemas that are there."""
    assert errors(review_all(models)) == ()


def wrong(count: int, kinds: Sequence[ModelSchema]) -> list[ModelSchema]:
    """So many schemas, each with a query that no key serves, a long qualifier, and a family without a rule."""
    return [
        evolve(
            model,
            name=f"M{n}",
            table=f"T{n}",
            columns=(evolve(model.columns[0], qualifier=b"A_NAME_LONGER_THAN_ITS_VALUE"), *model.columns[1:]),
            families=(evolve(model.families[0], gc=None), *model.families[1:]),
            queries=(*model.queries, Query("lost", (model.key.asked[-1].name,))),
        )
        for n, model in zip(range(count), cycle(kinds), strict=False)
    ]


def review_wrong(models: list[ModelSchema]) -> None:
    """Review schemas each of which has errors."""
    assert len(errors(review_all(models))) >= 2 * len(models)


def declare(folder: Path, count: int, one: str = ONE) -> None:
    """A project that declares so many models, each as ``one``, in one module."""
    (folder / "pyproject.toml").write_text('[tool.btmodel]\nmodels = ["many"]\n')
    imports = "from datetime import datetime\nfrom decimal import Decimal\n\nimport btmodel as bt\n"
    (folder / "many.py").write_text(imports + "".join(one.format(n=n) for n in range(count)))


def check(folder: Path) -> None:
    """Run ``btmodel check``; alike tables in such numbers are no secret to it, so its findings are left out."""
    command = [str(Path(sys.executable).with_name("btmodel")), "check", "--ignore", "TAB"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr


if __name__ == "__main__":
    main()
