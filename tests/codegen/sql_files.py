"""The SQL of some models, parsed."""

import json
from collections.abc import Iterator
from enum import Enum
from typing import Any
from uuid import UUID

from btmodel_codegen import generate
from sqlglot import exp

from btmodel.codecs.cell import CellCodec
from btmodel.schema import Column, ModelSchema, Shape
from tests.codegen.sql_parsed import statements


def selects(models: list[ModelSchema], target: str = "sql") -> list[exp.Select]:
    """The SELECTs of a target, in the order of the models."""
    [text] = generate(models, [target]).values()
    found = [one.expression if isinstance(one, exp.Create) else one for one in statements(text)]
    return [one for one in found if isinstance(one, exp.Select)]


def text_of(model: ModelSchema, target: str = "sql") -> str:
    """The file of a model, as it is written."""
    [text] = generate([model], [target]).values()
    return text


def view_of(model: ModelSchema) -> tuple[str, str]:
    """The name of a model's external table, and the query of its view, as they are in a dataset."""
    text = text_of(model, "bigquery").replace("${DATASET}", "shop")
    name = text.split("CREATE OR REPLACE EXTERNAL TABLE `")[1].split("`")[0]
    return name, text.split("\nCREATE OR REPLACE VIEW `")[1].split("` AS\n", 1)[1]


def fields_of(model: ModelSchema) -> dict[str, dict[str, str]]:
    """The types of the fields of an external table, by family, as BigQuery gives them to the view."""
    types = {"INTEGER": "INT64", "FLOAT": "FLOAT64"}
    return {
        family["familyId"]: {
            one["fieldName"]: types.get(one["type"], one["type"]) for one in family["columns"]
        }
        for family in options(model)["columnFamilies"]
    }


def options(model: ModelSchema) -> dict[str, Any]:
    """The options of a model's external table."""
    [text] = generate([model], ["bigquery"]).values()
    return options_of(statements(text)[0])


def options_of(created: exp.Expression) -> dict[str, Any]:
    """The options of an external table, out of its statement."""
    assert isinstance(created, exp.Create)
    [literal] = [
        one.args["value"]
        for one in properties(created)
        if getattr(one.this, "name", "") == "bigtable_options"
    ]
    assert isinstance(literal, exp.RawString)
    found: dict[str, Any] = json.loads(literal.this)
    return found


def properties(created: exp.Create) -> Iterator[exp.Expression]:
    """The properties of a table that is created."""
    yield from created.args["properties"].expressions


def as_sql_has_it(found: Any, given: Any) -> Any:
    """A value as SQL can have it: of an enum its value, of a UUID its text."""
    match given:
        case Enum():
            return given.value
        case UUID() if isinstance(found, str):
            return str(given)
    return given


def column_of(codec: CellCodec[Any], shape: Shape = Shape.VALUE) -> Column:
    """A column called ``c``."""
    return Column("c", "f", b"q", codec, required=False, shape=shape)
