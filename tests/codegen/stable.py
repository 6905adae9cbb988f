"""Prints a digest of all that is generated of some models: run by a test under other Pythons and hash seeds."""

import hashlib
import json
import random
import sys
from datetime import date, datetime
from pathlib import Path
from uuid import UUID

from attrs import frozen
from btmodel_codegen import TARGETS, generate

import btmodel as bt
from examples.market import Quote, Trade
from examples.places import City
from examples.weather import WeatherDay
from tests.codegen.recorded import CASES, load, load_twins


@frozen
class PathText(bt.CellCodec[Path]):
    """A path as text; Pythons keep its class in modules of different names."""

    @property
    def python_type(self) -> type:
        """A path."""
        return Path

    @property
    def typical_size(self) -> int:
        """Of a short one."""
        return 20

    @property
    def meaning(self) -> str:
        """In words."""
        return "a path"

    def encode(self, value: Path) -> bytes:
        """The text of a path."""
        return str(value).encode()

    def decode(self, raw: bytes) -> Path:
        """The path of a text."""
        return Path(raw.decode())


class Many(bt.Model, table="many"):
    """A model of many types, with a docstring

        that is indented, "quoted", \\ escaped and ünusual.

    Its end.
    """

    owner: UUID = bt.key(bt.UuidText())
    made: datetime = bt.key(bt.EpochMillis())

    d = bt.family("d", gc=bt.max_versions(1) | bt.max_age(days=3))
    names: dict[str, tuple[int, ...]] | None = bt.column("n", d, default=None)
    tags: list[str | None] = bt.column("t", d, codec=bt.Json(list[str | None]))

    of_owner = bt.query("owner", between="made")


class Logged(bt.Model, table="logged", bucket="day", events="72/day"):
    """The paths that were seen on a day."""

    host: str = bt.key(bt.Text(width=3), cardinality=3)
    day: date = bt.key(bt.DateText("%Y%m%d"))

    w = bt.family("w", gc=bt.max_versions(24))
    file: bt.History[Path] = bt.history("f", w, codec=PathText())


def main() -> None:
    """The digest of each file, by its case and its name; ``argv[1]`` is the seed of the order of models and targets."""
    cases = {folder.name: (load(folder), load_twins(folder)) for folder in CASES}
    more = [bt.schema_of(model) for model in (Quote, Trade, WeatherDay, City, Many, Logged)]
    cases["more"] = (more, [])
    targets = list(TARGETS)
    random.Random(int(sys.argv[1])).shuffle(targets)
    digests = {}
    for case, (models, twins) in cases.items():
        random.Random(int(sys.argv[1])).shuffle(models)
        for name, text in generate(models, targets, twins=twins).items():
            digests[f"{case}/{name}"] = hashlib.sha256(text.encode()).hexdigest()
    print(json.dumps(digests))
