"""What was guessed of live tables, as plain data."""

from typing import Any

from btmodel.guess import ModelGuess, TableGuess, ViewGuess
from btmodel.schema import Column
from btmodel_codegen.attribute_code import column_code, family_code, key_code, taken_code, where_code


def as_data(guess: TableGuess) -> dict[str, Any]:
    """One table: what was read of it, the models for it, and what they leave out."""
    return {
        "table": guess.table.id,
        "read": guess.said,
        "models": [_model(model) for model in guess.models],
        "views": [_view(view) for view in guess.views],
        "undeclared": list(guess.undeclared),
        "notes": list(guess.notes),
    }


def _model(model: ModelGuess) -> dict[str, Any]:
    schema = model.schema
    return {
        "model": schema.name,
        "rows": model.description or "all",
        "row_key": schema.key.shape,
        "key": [_part(model, field.name, key_code(field)) for field in schema.key.fields],
        "families": [
            {
                "name": model.families[family.id],
                "id": family.id,
                "code": family_code(model.families[family.id], family),
            }
            for family in schema.families
        ],
        "columns": [_column(model, column) for column in schema.columns],
        "authorized_views": [
            {
                "view": guess.view.id,
                "where": where_code(guess.where),
                "only": None if guess.only is None else list(guess.only),
                "deletion_protection": bool(guess.view.deletion_protection),
            }
            for guess in model.authorized
        ],
        "existing": schema.existing,
        "allow": dict(schema.allow),
    }


def _view(view: ViewGuess) -> dict[str, Any]:
    schema = view.schema
    made = schema.view
    assert made is not None
    key = [
        {"name": field.name, "code": key_code(field, view.made_of(field.name))} for field in schema.key.fields
    ]
    columns = [
        {"name": column.name, "code": taken_code(column, *view.of[column.name])} for column in schema.columns
    ]
    return {
        "view": made.definition.id,
        "model": schema.name,
        "kind": made.kind.value,
        "of": made.of,
        "where": where_code(view.where),
        "deletion_protection": bool(view.deletion_protection),
        "row_key": schema.key.shape,
        "key": key,
        "columns": columns,
        "allow": dict(schema.allow),
    }


def _column(model: ModelGuess, column: Column) -> dict[str, Any]:
    found = _part(model, column.name, column_code(column, model.families[column.family]))
    return {"cell": column.cell, **found}


def _part(model: ModelGuess, name: str, code: str) -> dict[str, Any]:
    return {"name": name, "code": code, "evidence": model.evidence.get(name, "")}
