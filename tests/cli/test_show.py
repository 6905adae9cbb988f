"""``btmodel show``: what it draws, and what programs read."""

import importlib
import json
import pkgutil

import pytest
from rich.console import Console
from user_project import Run

import btmodel as bt
import examples
from btmodel.cli.show import as_json, print_model, print_summary, ruled
from btmodel.codecs.key import Bytes, Constant, KeyCodec, PaddedInt, Text
from btmodel.described import sample, segments
from btmodel.rows import ReadPlan
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import as_text, raw_key
from examples.market import Quote
from examples.views.arrivals import FlightTo
from tests.schemas import POOLS, key_of

MODELS = [
    bt.schema_of(value)
    for found in pkgutil.iter_modules(examples.__path__)
    for value in vars(importlib.import_module(f"examples.{found.name}")).values()
    if isinstance(value, type) and issubclass(value, bt.Model) and "__schema__" in vars(value)
]
every_model = pytest.mark.parametrize(
    "model", {one.name: one for one in MODELS}.values(), ids=lambda one: one.name
)


def drawn(model: ModelSchema, width: int) -> list[str]:
    console = Console(width=width, highlight=False)
    with console.capture() as capture:
        print_model(console, model)
    return capture.get().splitlines()


def test_a_view_has_the_name_that_users_gave_it() -> None:
    """The model of a view, and a read of it, name the view, and not the path that requests have for it."""
    model = bt.schema_of(FlightTo)
    console = Console(width=120, highlight=False)
    with console.capture() as capture:
        print_summary(console, [model, bt.schema_of(Quote)])
    listed, heading = capture.get(), drawn(model, 120)[0]
    assert "view flight_to" in listed
    assert " QUOTE " in listed
    assert heading.endswith("  view flight_to")
    read = str(ReadPlan(model.table, (), None))
    assert read.splitlines()[0] == "view    flight_to"
    missing = str(bt.MissingFamily(model.table, "projects/p/instances/i", "no", []))
    undecodable = str(bt.UndecodableCell(model.table, b"k", "default:a", b"", "a number"))
    for text in (listed, heading, repr(FlightTo), missing, undecodable):
        assert "materializedViews" not in text, text


@pytest.mark.parametrize("codec", [codec for codec, _ in POOLS], ids=lambda codec: type(codec).__name__)
def test_every_codec_has_a_sample(codec: KeyCodec[object]) -> None:
    """Whatever a field is, an example key shows bytes that it can really have."""
    raw = sample(KeyField("name", codec))
    assert raw is not None
    codec.decode(raw)


def test_the_ruler_marks_each_byte_of_each_field() -> None:
    """Below every byte of a field is its number, a line, or its end; below a delimiter is nothing."""
    key = key_of(Constant("LoL"), Text(width=1), PaddedInt(5), Bytes(width=2), delimiter=b"::")
    first, second = (line.plain for line in ruled(segments(key), 100))
    assert first == r"LoL::b::12345::\x01#"
    assert second == "1─┘  2  3───┘  4───┘"


def test_a_long_key_goes_on_in_the_next_lines() -> None:
    """The key and its ruler are cut at the same places, so that they stay one below the other."""
    lines = [line.plain for line in ruled(segments(key_of(Text(width=7), PaddedInt(9))), 9)]
    assert lines == ["amber  #1", "1─────┘ 2", "23456789", "───────┘"]


def test_shown_bytes_are_those_that_explain_reads() -> None:
    """What is drawn of a key can be given to ``explain``."""
    for raw in (b"a#1", b"\x00\xff\n", "é".encode(), b"back\\slash", bytes(range(256))):
        assert raw_key(as_text(raw)) == raw


@every_model
@pytest.mark.parametrize("width", [80, 120])
def test_every_example_is_drawn_within_the_terminal(model: ModelSchema, width: int) -> None:
    """No table is wider than the terminal, and every field, family, column and query is there."""
    lines = drawn(model, width)
    text = "\n".join(lines)
    tables = [line for line in lines if "──" in line and "┘" not in line]
    assert max(map(len, tables)) <= width
    names = [*model.key.fields, *model.columns, *model.queries]
    assert all(one.name in text for one in names)
    assert all(family.id in text for family in model.families)


def test_a_model_of_a_table_alone_is_drawn() -> None:
    """A schema without key, columns and queries, as of a live table, is no reason to fail."""
    model = ModelSchema("t", "", "", "t", key_of(), (), ())
    assert drawn(model, 80)
    console = Console(width=40)
    print_summary(console, [model])


def test_a_model_is_drawn_with_its_key_sizes_and_queries(run: Run) -> None:
    """The key with a ruler, the cells, how large a row is, what is missing, and how a query is served."""
    text = run("show", "Order").stdout
    assert "Order  shop.models  table orders" in text
    assert "Row key  {shop}#{number}\n  amber#12345678\n  1───┘ 2──────┘\n" in text
    assert "2  number        8  upward" in text
    assert "of_shop  shop, number from..to  one range of rows" in text
    assert "signed 64-bit integer, big-endian" in text


def test_without_a_name_every_model_is_a_line(run: Run) -> None:
    """Model, row, table and key in one line each."""
    assert run("show").stdout.splitlines()[-1].split() == [
        "Order",
        "38",
        "bytes",
        "orders",
        "{shop}#{number}",
    ]


def test_an_unknown_name_says_which_are_near(run: Run) -> None:
    """A slip of the keyboard is answered with the name that was meant, exit code 1."""
    found = run("show", "Ordre")
    assert found.returncode == 1
    assert "no model 'Ordre' (did you mean Order?)" in found.stderr
    assert run("show", "shop.models.Order").returncode == 0
    assert "no model 'x' (models: Order" in run("show", "x").stderr


def keys(value: object) -> object:
    """The keys of JSON, without what they hold."""
    if isinstance(value, dict):
        return {name: keys(one) for name, one in value.items()}
    return [keys(value[0])] if isinstance(value, list) and value else None


SIZES = {which: {"value": None, "least": None, "missing": None} for which in ("usual", "largest")}
FIELD = "field encoding kind order least_bytes most_bytes cardinality constant derived_from optional delimiter example"
COLUMN = "attribute family qualifier also shape encoding timestamp"
QUERY = "query equal between starting only read reads how"


def test_the_keys_of_the_json_are_pinned(run: Run) -> None:
    """Programs read these keys: they may be added to, and stay."""
    document = json.loads(run("show", "Order", "--json").stdout)
    (model,) = document["models"]
    assert keys(model) == {
        **dict.fromkeys(
            ["model", "module", "doc", "table", "bucket", "events_per_second", "lateness_seconds"]
        ),
        "key": {"shape": None, "bytes": SIZES, "fields": [dict.fromkeys(FIELD.split())]},
        "families": [dict.fromkeys(["family", "keeps", "aggregate"])],
        "columns": [
            {**dict.fromkeys(COLUMN.split()), "value_bytes": SIZES, "cell_bytes": SIZES, "cells": SIZES}
        ],
        "queries": [dict.fromkeys(QUERY.split()) | {"equal": [None]}],
        "twins": None,
        "row": {"bytes": SIZES, "cells": SIZES},
    }
    assert model["row"]["bytes"]["usual"] == {"value": 38, "least": 38, "missing": []}
    assert model["queries"][0]["read"] == "range"
    assert [one["model"] for one in json.loads(run("show", "--json").stdout)["models"]] == ["Order"]


@every_model
def test_the_json_of_every_example_is_json(model: ModelSchema) -> None:
    """Whatever is declared, what is told of it can be written down and read again."""
    document = as_json(model)
    assert json.loads(json.dumps(document)) == document


class Long(bt.Model, table="long", events="1/s"):
    """A model of long names."""

    identifier_of_the_customer_who_paid: str = bt.key(bt.Text(max_length=40), cardinality=1_000_000_000)
    number_of_the_order_of_the_customer: int = bt.key(bt.PaddedInt(8))

    d = bt.family("details", gc=bt.max_versions(1))
    amount_that_was_paid_at_the_counter: str = bt.column("amount_paid_at_the_counter", d, max_size=100_000)
    currency_that_it_was_paid_in: str | None = bt.column("paid_in", d, max_size=3, default=None)

    of_the_customer_who_paid_at_the_counter = bt.query(
        "identifier_of_the_customer_who_paid", between="number_of_the_order_of_the_customer"
    )


@pytest.mark.parametrize("width", [60, 80, 100])
def test_long_names_leave_room_for_sentences(width: int) -> None:
    """However long the names of a model are, words stand in lines, and in no column of single letters."""
    lines = drawn(bt.schema_of(Long), width)
    assert max(len(line) for line in lines[5:] if "`" not in line) <= width
    for sentence in ("up to 40 bytes", "8 digits", "one range of rows"):
        words = sentence.split()
        assert any(" ".join(words[:2]) in line for line in lines)
    assert not [line for line in lines if len(line.strip()) == 1]


class VeryLongModelNameOfTheDepartment(bt.Model, table="a_very_long_table_name_for_the_departments"):
    the_identifier_of_the_department: str = bt.key(bt.Text(max_length=10), cardinality=10)
    the_identifier_of_the_employee_there: str = bt.key(bt.EscapedText(10), cardinality=3)
    f = bt.family("a_long_family_name_for_departments", gc=bt.max_versions(3))
    the_salary_of_the_employee_in_cents: int = bt.column("the_salary_of_the_employee_in_cents_too", f)
    the_query = bt.query("the_identifier_of_the_department", "the_identifier_of_the_employee_there")


@pytest.mark.parametrize("width", [50, 66, 80, 100])
@pytest.mark.parametrize("model", [bt.schema_of(VeryLongModelNameOfTheDepartment), *MODELS[::7]])
def test_no_character_is_lost_where_the_terminal_is_narrow(model: ModelSchema, width: int) -> None:
    """A narrow terminal shows every character that a wide one shows, in more lines."""

    def characters(at: int) -> list[str]:
        return sorted("".join(drawn(model, at)).replace("─", "").replace(" ", ""))

    assert characters(width) == characters(500)


def test_a_long_heading_goes_on_indented() -> None:
    """Where a model and its table do not fit in a line, the table stands in the next one, indented."""
    first, second = drawn(bt.schema_of(VeryLongModelNameOfTheDepartment), 80)[:2]
    assert first.startswith("VeryLongModelNameOfTheDepartment  ")
    assert second == "  table a_very_long_table_name_for_the_departments"


class Reading(bt.Model, table="reading"):
    """A model of which not all timestamps are the time of writing."""

    meter: str = bt.key(bt.Text(width=8), cardinality=30_000)
    f = bt.family("f", gc=bt.max_versions(9))
    name: str = bt.column("n", f)
    value: bt.History[float] = bt.history("v", f)


def test_the_meaning_of_timestamps_is_shown_where_it_is_not_the_time_of_writing_alone() -> None:
    """A GC rule counts by them, so a reader must know them."""
    assert "timestamps: the time of writing; of `value` the time of the event" in "\n".join(
        drawn(bt.schema_of(Reading), 100)
    )
    assert "timestamps" not in "\n".join(drawn(bt.schema_of(Long), 100))
