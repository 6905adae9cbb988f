"""What a SELECT over a model's rows has: a column for each field of the key, and for each attribute."""

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from attrs import evolve, field, frozen

from btmodel.schema import ModelSchema
from btmodel.sql import bytes_, comment, identifier, leading_constant, part_of_key
from btmodel.sql.readings import SqlReading, StoredType, of_key


@frozen
class SqlEngine:
    """What an engine can do: the expression of bytes as a stored type; whether it has BIGNUMERIC, and knows row key schemas."""

    converted: Callable[[str, StoredType], str]
    bignumeric: bool
    key_schemas: bool


@frozen
class Selected:
    """A column of a SELECT: an expression, its name, and a note, which may be empty."""

    expression: str
    name: str
    note: str = field(default="", converter=comment)

    @property
    def sql(self) -> str:
        """The expression under its name."""
        name = identifier(self.name)
        return self.expression if name == self.expression else f"{self.expression} AS {name}"


def whole_key(name: str) -> Selected:
    """The column that the engine has for the row key."""
    return Selected(identifier(name), name)


def distinct(columns: Iterable[Selected]) -> list[Selected]:
    """The columns with different names: SQL takes ``A`` and ``a`` for one, so the second becomes ``A_2``."""
    found: list[Selected] = []
    taken: set[str] = set()
    for column in columns:
        candidates = (f"{column.name}_{number}" if number > 1 else column.name for number in count(1))
        name = next(name for name in candidates if name.casefold() not in taken)
        taken.add(name.casefold())
        found.append(evolve(column, name=name))
    return found


def key_columns(model: ModelSchema, whole: str, engine: SqlEngine) -> list[Selected]:
    """A column for each field of the key that is no constant, and that SQL can find."""
    columns = []
    for part in model.key.fields:
        raw = None if part.constant is not None else part_of_key(model.key, part, whole)
        if part.name in _of_schema(model, engine):
            columns.append(Selected(identifier(part.name), part.name, "a field of the row key schema"))
        elif raw is not None:
            columns.append(read(raw, part.name, of_key(part.codec, bignumeric=engine.bignumeric), engine))
    return columns


def _lost(model: ModelSchema) -> list[str]:
    """The fields that no expression finds in the key."""
    fields = [part for part in model.key.fields if part.constant is None]
    return [part.name for part in fields if part_of_key(model.key, part, "key") is None]


def _of_schema(model: ModelSchema, engine: SqlEngine) -> list[str]:
    """The fields that the engine reads by the row key schema of the table alone."""
    return _lost(model) if model.row_key_schema and engine.key_schemas else []


def read(raw: str, name: str, reading: SqlReading, engine: SqlEngine) -> Selected:
    """The column of the bytes ``raw``: their value."""
    stored = f"REVERSE({raw})" if reading.reversed else raw
    return Selected(reading.of(engine.converted(stored, reading.stored)), name, reading.note)


def about(model: ModelSchema, engine: SqlEngine) -> list[str]:
    """What stands above a model's SELECT: what it is, its key, and what cannot be found in its rows."""
    lost = [name for name in _lost(model) if name not in _of_schema(model, engine)]
    lines = [f"{model.name}: {model.doc.strip().splitlines()[0]}" if model.doc.strip() else model.name]
    lines.append(f"Key: {model.key.shape}")
    lines += [f"SQL cannot find {name} in the key: it is no column." for name in lost]
    if model.stamp.stored:
        lines.append(f"{model.stamp.attribute} is the timestamp of the cells: it is no column.")
    if model.stamp.expires:
        lines.append("A row that has ended by it is found until the service deletes its cells.")
    return [comment(line) for line in lines]


def condition(model: ModelSchema, whole: str) -> str | None:
    """What distinguishes the model's rows from others in its table: the constants that its keys begin with."""
    constant = leading_constant(model.key)
    return f"STARTS_WITH({whole}, {bytes_(constant)})" if constant else None


def in_tables(models: Sequence[ModelSchema]) -> list[ModelSchema]:
    """The models of tables whose ids are known; those that are named at run time are left out, as in the other files."""
    return [model for model in models if not model.parameters and model.view is None]
