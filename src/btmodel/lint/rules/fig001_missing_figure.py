"""FIG001 missing-figure: a workload estimate that rules need and the model does not declare

What it finds
    A model without an estimate that some rules need to judge it: the rate of its events, the
    number of values of its key fields, the size of values that accumulate in a row or can have
    any size, or of the longest field of a long key, or the number of entries of a row. The rule
    asks for a rate or a number only if it matters, which is when another rule would report a
    bad one. It does not ask how many values there are of times, of ids in sequence, or of UUIDs
    in a key without a time.

Why
    btmodel does not guess missing estimates. Without them, a rule finds nothing, which looks as
    if all were well.

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
    Suppress it if the number cannot be estimated; say why.

Source
    This project's own rule: the others compute with these figures.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from uuid import UUID

from attrs import evolve

from btmodel.design.event_ids import tells_apart
from btmodel.design.keys import TYPICAL_BYTES, known_bytes
from btmodel.design.series import colliding
from btmodel.design.spread import behind_few, timelike
from btmodel.estimates import key_size, missing, timed, uncounted
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.lint.rules import (
    col003_too_many_columns,
    col005_versions_as_series,
    fam006_gc_drops_events,
    key003_low_cardinality_before_time,
    key013_hot_row,
    key017_colliding_events,
    row002_row_too_large,
)
from btmodel.schema import ModelSchema, Rate

# Whether these find something is asked again and again, and their fixes, which take long, for estimates that do not exist.
_FINDING: dict[str, Callable[[ModelSchema], object]] = {
    key003_low_cardinality_before_time.RULE.id: behind_few,
    key017_colliding_events.RULE.id: colliding,
}
# These compute with the rate of the table and the numbers of its rows.
_COMPUTING: tuple[Rule[ModelSchema], ...] = (
    key003_low_cardinality_before_time.RULE,
    key013_hot_row.RULE,
    key017_colliding_events.RULE,
    fam006_gc_drops_events.RULE,
    col003_too_many_columns.RULE,
    col005_versions_as_series.RULE,
    row002_row_too_large.RULE,
)
_OF_SIZES = ("ROW001", "ROW002")
_OF_ENTRIES = ("COL003", "ROW002")
# More events a second than any table has, and more values than any field.
_EVENTS, _VALUES = Rate(1e9), 10**18


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a model that lacks figures, once, with all of them."""
    if model.undeclared:
        return
    rates, judges = _rates(model)
    amounts = [*_key_sizes(model), *_amounts(model)]
    if not rates and not amounts:
        return
    figures = [*rates, *amounts]
    asking = {rule for figure in amounts for rule in _asking(model, figure)}
    rules = sorted(asking | {rule.id for rule in judges})
    yield RULE.finding(
        model,
        f"{_listed(figures)} {'is' if len(figures) == 1 else 'are'} not declared",
        why=f"{_listed(rules)} {'judges' if len(rules) == 1 else 'judge'} by "
        f"{'it' if len(figures) == 1 else 'them'}, and btmodel does not guess estimates",
        fix=f"declare {'it' if len(figures) == 1 else 'them'}: an estimate is enough",
    )


def _asking(model: ModelSchema, figure: str) -> tuple[str, ...]:
    """The rules that compute with the amount."""
    if figure in _key_sizes(model):
        return ("KEY009",)
    return _OF_SIZES if "`size`" in figure else _OF_ENTRIES


def _rates(model: ModelSchema) -> tuple[list[str], list[Rule[ModelSchema]]]:
    """The figures of the load that matter, and the rules to which they do.

    A figure matters where a rule would find something if it were bad, and would not if it
    were good. Without the rate nothing can be said of the numbers.
    """
    unknown = _uncounted(model)
    if model.events is not None and not unknown:
        return [], []
    worst = _with(model, unknown, 1)
    if model.events is None:
        judges = _finding_more(evolve(worst, events=_EVENTS), model)
        return (["the `events` of the class"] if judges else []), judges
    judges = _finding_more(worst, model)
    named = [
        name for name in unknown if len(_finding_more(_with(worst, [name], _VALUES), model)) < len(judges)
    ]
    return [f"the `cardinality` of `{name}`" for name in named], judges


def _uncounted(model: ModelSchema) -> tuple[str, ...]:
    """The fields and columns whose number of values is unknown."""
    climbs = any(timelike(model, part) for part in model.key.fields)
    many = {
        part.name
        for part in model.key.asked
        if timelike(model, part) or part.sequential or (part.codec.python_type is UUID and not climbs)
    }
    time = next(iter(timed(model)), None)
    if time is not None:  # an id behind it tells events apart, and nothing else asks how many there are
        behind = model.key.fields[model.key.fields.index(time) + 1 :]
        many |= {part.name for part in behind if tells_apart(part, 1)}
    return tuple(name for name in uncounted(model) if name not in many)


def _finding_more(changed: ModelSchema, model: ModelSchema) -> list[Rule[ModelSchema]]:
    """The rules that find something on ``changed``, and nothing on ``model``."""
    return [rule for rule in _COMPUTING if _finds(rule, changed) and not _finds(rule, model)]


def _finds(rule: Rule[ModelSchema], model: ModelSchema) -> bool:
    if rule.id in _FINDING:
        return _FINDING[rule.id](model) is not None
    return any(True for _ in rule.check(model))


def _with(model: ModelSchema, names: Collection[str], cardinality: int) -> ModelSchema:
    """The model with this cardinality of its key fields, and columns, of these names."""
    fields = (
        evolve(part, cardinality=cardinality) if part.name in names else part for part in model.key.fields
    )
    columns = (
        evolve(column, expected=evolve(column.expected, cardinality=cardinality))
        if column.name in names
        else column
        for column in model.columns
    )
    return evolve(model, key=evolve(model.key, fields=tuple(fields)), columns=tuple(columns))


def _key_sizes(model: ModelSchema) -> Iterator[str]:
    """The size of the field that may be longest, where the key may be too long for lack of a declaration."""
    unsaid = [part for part in model.key.fields if part.fixed is None and part.size is None]
    if unsaid and key_size(model.key).usual.least > TYPICAL_BYTES >= known_bytes(model.key):
        yield f"the `size` of `{max(unsaid, key=lambda part: part.codec.length.most).name}`"


def _amounts(model: ModelSchema) -> Iterator[str]:
    """How much there is in a row: of plain texts, which are short, and of what is bounded, nothing is asked."""
    plain = {
        f"`size` of `{column.name}`"
        for column in model.columns
        if column.expected.max_size is not None
        or (not column.versioned and not column.open and column.codec.python_type is str)
    }
    for figure in missing(model):
        if figure.startswith(("`size`", "`entries`")) and figure not in plain:
            yield f"the {figure}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


RULE: Rule[ModelSchema] = Rule(
    "FIG001", "missing-figure", check, page=__doc__, rewrites=None, levels=(Level.INFO,)
)
