"""FIG001 missing-figure: a figure that rules need, and the model does not tell

What it finds
    A model that does not say what some rules must know to judge it: the rate of its
    events; how many values its key fields have; how large the values are that gather in
    a row, or that may be of any size; how many entries a row has.

Why
    What is not declared is not guessed. Without its figures a rule finds nothing, which
    looks as if all were well.

Example
    import btmodel as bt


    class Basket(bt.Model, table="BASKET"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        items: dict[str, int] = bt.mapping(data, bt.Text(max_length=12))

Use instead
    import btmodel as bt


    class Basket(bt.Model, table="BASKET", events="200/s"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        items: dict[str, int] = bt.mapping(data, bt.Text(max_length=12), entries=500)

Allow
    Where a figure is not known, and nobody can estimate it: say what makes it so.

Source
    This project's own rule: the others compute with these figures.
"""

from collections.abc import Iterator

from btmodel.codecs.key import Kind
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema
from btmodel.schema.density import timed
from btmodel.schema.sizes import missing

# What the rules read, of models of three kinds.
_OF_BUCKETS = ("FAM006", "ROW002", "COL003")
_OF_SERIES = ("KEY003", "KEY017")
_OF_ENTITIES = ("KEY013",)
_OF_CELLS = ("ROW001", "ROW002", "COL003")


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a model that lacks figures, once, with all of them."""
    if model.live:
        return
    lacking = [*_rates(model), *_amounts(model)]
    if not lacking:
        return
    figures = list(dict.fromkeys(figure for figure, _ in lacking))
    rules = sorted({rule for _, rules in lacking for rule in rules})
    yield RULE.finding(
        model,
        f"the model does not tell {_listed(figures)}",
        why=f"{_listed(rules)} judge by {'it' if len(figures) == 1 else 'them'}, and guess nothing",
        mend=f"declare {_listed(figures)}, as an estimate where it is not known better",
    )


def _rates(model: ModelSchema) -> Iterator[tuple[str, tuple[str, ...]]]:
    """How often rows are written, and how many there are."""
    rules: tuple[str, ...] = _OF_SERIES if timed(model) else _OF_ENTITIES
    if model.bucket is not None:
        stated = all(column.slots or column.expected.every for column in model.series)
        rules = ("KEY003",) if stated else ("KEY003", *_OF_BUCKETS)
    if model.events is None:
        yield "the `events` of the class", rules
    for part in model.key.asked:
        if part.cardinality is None and part.codec.kind is not Kind.TIME:
            yield f"the `cardinality` of `{part.name}`", rules


def _amounts(model: ModelSchema) -> Iterator[tuple[str, tuple[str, ...]]]:
    """How much there is in a row: of plain texts, which are short, nothing is asked."""
    plain = {
        f"`size` of `{column.name}`"
        for column in model.columns
        if not column.versioned and not column.open and column.codec.python_type is str
    }
    for figure in missing(model):
        if figure.startswith(("`size`", "`entries`")) and figure not in plain:
            yield f"the {figure}", _OF_CELLS


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


RULE: Rule[ModelSchema] = Rule("FIG001", "missing-figure", check, page=__doc__, levels=(Level.INFO,))
