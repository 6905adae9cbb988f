"""Random live tables: odd ids, any rules, keys of any codecs, cells of anything."""

import importlib.util
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from btmodel_codegen.inspected import inspected
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs import cell
from btmodel.guess import SampledRow, TableGuess, TableSample, guess_tables
from btmodel.migrate import make_plan
from btmodel.rows import Cell
from btmodel.schema import Aggregate, Family, GcRule, KeepAll, Table, tables
from btmodel.schema.gc import max_age
from btmodel.testing import drawn
from tests.gc_rules import RULES
from tests.schemas import random_keys

INSTANCE = "projects/p/instances/i"
CODECS: list[Any] = [
    cell.Utf8(),
    cell.Raw(),
    cell.Int64(),
    cell.Float64(),
    cell.Flag(),
    cell.FlagText(),
    cell.DecimalNumber(),
    cell.DecimalText(),
    cell.FloatText(),
    cell.Micros(),
    cell.IsoDate(),
    cell.UuidBytes(),
    cell.Present(),
    cell.Json(dict[str, Any]),
    cell.Json(list[Any]),
]
_WORDS = [
    "class",
    "None",
    "self",
    "row_key",
    "bt",
    "date",
    "Decimal",
    "str",
    "a-b",
    "a_b",
    "A.B",
    "é",
    "1",
    "_",
]
_IDS = st.sampled_from([word for word in _WORDS if word.isascii()]) | st.from_regex(
    r"[_a-zA-Z0-9][-_.a-zA-Z0-9]{0,8}", fullmatch=True
)
_QUALIFIERS = (
    st.sampled_from([word.encode() for word in _WORDS])
    | st.binary(max_size=6)
    | st.sampled_from([b"", b'"', b"'", b"\\", b'"""', b"\n", b"#", b"fmt: off", b"# noqa", b"cells"])
)


@st.composite
def live_tables(draw: st.DrawFn, rules: st.SearchStrategy[GcRule] = RULES) -> TableSample:
    """A table, and rows that it may hold."""
    ids = draw(st.lists(_IDS, max_size=4, unique=True))
    families = tuple(_family(draw, id, rules) for id in sorted(ids))
    plain = [family for family in families if family.aggregate is None]
    rows: list[SampledRow] = []
    if plain:
        seed = draw(st.integers(0, 2**32))
        keys = draw(random_keys()).rows(seed, draw(st.integers(0, 40)))
        columns = [_column(draw, family) for family in families for _ in range(draw(st.integers(1, 3)))]
        chance = random.Random(seed)
        rows = [SampledRow(key, _cells(chance, columns)) for key in sorted(keys)]
        rows = [row for row in rows if row.cells]
    return TableSample(Table(draw(_IDS), families), tuple(rows), whole=True, said="all were read")


def _family(draw: st.DrawFn, id: str, rules: st.SearchStrategy[GcRule]) -> Family:
    aggregate = draw(st.none() | st.none() | st.sampled_from(Aggregate))
    return Family(id, draw(rules) if aggregate is None else draw(_COUNTED), aggregate)


_COUNTED = st.sampled_from([KeepAll(), max_age(days=30)])
# A family, a qualifier, the values, how many versions a row has, and the microseconds between two of them.
_Column = tuple[str, bytes, list[bytes], int, int]


def _column(draw: st.DrawFn, family: Family) -> _Column:
    """A column, values for it, and how many versions a row has."""
    if family.aggregate is not None:
        numbers = draw(st.lists(st.binary(min_size=8, max_size=8), min_size=1, max_size=3))
        apart = draw(st.sampled_from([0, 60_000_000, 3_600_000_000, 86_400_000_000]))
        return family.id, draw(_QUALIFIERS), numbers, draw(st.integers(1, 3)) if apart else 1, apart
    codec = draw(st.sampled_from(CODECS))
    values = draw(st.lists(drawn(codec), min_size=1, max_size=3))
    found = [codec.encode(value) for value in values] + draw(st.lists(st.binary(max_size=9), max_size=1))
    return family.id, draw(_QUALIFIERS), found, draw(st.integers(1, 3)), 1000


def _cells(chance: random.Random, columns: Sequence[_Column]) -> tuple[Cell, ...]:
    found: dict[tuple[str, bytes], list[Cell]] = {}
    for family, qualifier, values, versions, apart in columns:
        if chance.random() < 0.8:
            found[family, qualifier] = [
                Cell(family, qualifier, (5 - age) * apart, chance.choice(values))
                for age in range(chance.randint(1, versions))
            ]
    return tuple(one for place in sorted(found) for one in found[place])


def written(folder: Path, name: str, text: str) -> list[type[bt.Model]]:
    """The models of a module of this text, which is imported."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        # Not by its loader, which may take the bytecode of the text before, if that was written in the same second.
        exec(compile(text, path, "exec"), vars(module))
    finally:
        del sys.modules[name]
    return [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, bt.Model)]


def declared(
    folder: Path, samples: Sequence[TableSample]
) -> tuple[list[TableGuess], list[type[bt.Model]], str]:
    """The guesses at some tables, the classes that are written for them, and the text of these."""
    guesses = list(guess_tables(samples))
    text = inspected(INSTANCE, guesses)
    return guesses, written(folder, "inspected_models", text), text


def changes(models: Sequence[type[bt.Model]], live: Sequence[Table]) -> tuple[Any, ...]:
    """What a migration from ``live`` to these models would change."""
    return make_plan(INSTANCE, tables(bt.schema_of(model) for model in models), live).pending
