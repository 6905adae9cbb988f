"""KEY002 sequential-id-first: a key that begins with sequential ids

What it finds
    A row key that begins, alone or after only constants and fields of cardinality 1, with a
    field declared `sequential=True`, in an encoding that keeps neighbouring values together (an
    error). Ids that begin with a time are a warning by their name: `ulid`, `ksuid`, `snowflake`,
    `uuid7`, `uuid_v7`, and an `object_id` of 12 bytes; or if the field is all that the key asks for, by the docstring of the model, such as
    "a UUID of version 7", or of a number "given one after the other" or "drawn from a sequence", which may also be a text that is called like a number (`shipment_no`, of "takes the next free number"); or a whole number of 10,000 values or more, with no time
    behind it, whose name is that of a counter, such as `height`, `offset`, `seq_no` or `order_number`, or, if the key asks for nothing else, that of a paper or a case, as `docket` or `waybill`;
    or a text that is all that the key asks for, and is called like the number of what is written down once: `receipt_no`, `po_number`, `claim_nr`, `event_seq` (but not `room_no`, `flight_no` or `customer_no`), or, of a declared cardinality of 10,000,000 and more, like a number of any thing that is no person, place or product, unless the docstring
    speaks of random numbers or of no order; or is the `number` of a receipt, of which the docstring gives one that is counted up, such as `R26-0004711`; at more than 9,800 events a second, 70 % of the documented
    writes of a node, they are an error, too. A field that a function makes of such a number climbs with it, as `number // 100_000` does: the function is tried with numbers. If a whole number leads the key and the model does not say whether it is sequential,
    the rule asks (info; a warning if the key is nothing but an id of 18 digits or more, as those are that begin with a time,
    and more than 9,800 events a second come), unless its declared cardinality is below 100. The rule finds nothing
    in a model that is written no faster than a single tablet handles with ease, and leaves to
    KEY001 what is a time by its name, or a sequence of fewer than 100 values.

    Ids whose `default_factory` makes one behind the other are found in the same way: by its name, its docstring or what it calls (a ULID, a UUID of version 7, `next_id`), or because
    its values are in order where it is tried: a function that reads a clock, and uses nothing but harmless modules of the standard library.

    What counts is where the next writes go. If the population is fixed, such as ten million
    meters that all send readings, writes go to all parts of the table, however the ids were
    assigned: declare `sequential=False`. Ids of users who join every day are sequential,
    because the newest users are the most active ones.

Why
    Rows are stored in the order of their keys. New ids are the highest, so their rows, and most
    of the traffic, are at the end of the table, on one tablet and its one node.

Example
    from typing import Any

    import btmodel as bt


    class User(bt.Model, table="USER", events="200/s"):
        id: int = bt.key(bt.PaddedInt(9), cardinality=100_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        profile: dict[str, Any] = bt.column("profile", data)

Use instead
    from typing import Any

    import btmodel as bt


    class User(bt.Model, table="USER", events="200/s"):
        id: int = bt.key(bt.ReversedDigits(9), cardinality=100_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        profile: dict[str, Any] = bt.column("profile", data)

Allow
    Suppress it if queries ask for ranges of ids and new ones come slowly, or if the table is
    small; say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys to avoid: sequential
    numeric IDs). The 100, the 10,000 and the 10,000,000 values, and the names, are this project's own choice.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from attrs import evolve

from btmodel import design
from btmodel.design.keys import replaced, salted, single, written_with_ease
from btmodel.design.spread import (
    MANY,
    called_counted,
    described_sequence,
    followed,
    leading,
    made_in_order,
    named_sequence,
    overloads,
    rising,
    sampled_sequence,
    timelike,
)
from btmodel.estimates import distinct
from btmodel.lint.finding import Finding, Fix, Level, codec_named, kept
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, KeyField, ModelSchema, RowKey
from btmodel.words import words

_WIDE = 18  # digits of a number of about 60 bits

_WHY = "new ids are the highest, so the rows with the most traffic are together at the end of the table"


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a sequential field in front; ask about a whole number there of which nothing is said."""
    first = leading(model)
    if first is None or timelike(model, first) or written_with_ease(model):
        return
    fix: Callable[[], Iterable[Fix]]
    if rising(model, first):
        named = named_sequence(model, first)
        source = followed(model, first)
        how = (
            f"climb with `{source.name}`, from which it is made, and which is given one after the other"
            if source is not None
            else "climb, as the description of the model says"
            if described_sequence(model, first)
            else "climb, as its `default_factory` makes one behind the other"
            if made_in_order(first)
            else "are counted up, judging by its name"
            if called_counted(model, first)
            else "are counted up, judging by one that the description gives"
            if sampled_sequence(model, first)
            else "begin with the time when they are given, judging by its name"
            if named
            else "are sequential"
        )
        message = f"the key `{model.key.shape}` begins with `{first.name}`, whose values {how}"
        fix = (
            partial(_kept_ways, model, first, named=named)
            if source is None
            else partial(_unmade, model, first)
        )
        guessed = named if source is None else not (isinstance(source, KeyField) and source.sequential)
        level = Level.ERROR if not guessed or _too_fast(model) else Level.WARNING
    elif _unsaid(first):
        message = (
            f"the key `{model.key.shape}` begins with the number `{first.name}`, "
            "and the model does not say whether its values are sequential"
        )
        fix = partial(_answers, model, first)
        level = Level.WARNING if _wide(model, first) and _too_fast(model) else Level.INFO
    else:
        return
    yield RULE.finding(model, message, why=_WHY, fix=fix, part=first.name, at=first.location, level=level)


def _too_fast(model: ModelSchema) -> bool:
    """Whether the rate is declared to be more than a node should get; one that is not declared is not."""
    return model.events is not None and overloads(model.events.per_second)


def _answers(model: ModelSchema, first: KeyField) -> Iterator[Fix]:
    """What the author may declare, and what the key needs then."""
    known = evolve(first, sequential=True)
    for way in _ways(replaced(model, first, known), known, named=False):
        text = f"if new ids get most of the traffic, declare `sequential=True` for `{first.name}`, and {way.text}"
        models = way.models or _backwards(model, known)
        yield Fix(text, models, otherwise="; else declare `sequential=False`", instead=way.instead)
    if model.view is not None:
        text = f"if new ids get most of the traffic, begin the key with another field; else declare `sequential=False` for `{first.name}`"
        yield Fix(text, (replaced(model, first, evolve(first, sequential=False)),))


def _unsaid(part: KeyField) -> bool:
    many = part.cardinality is None or part.cardinality >= MANY
    counts = part.codec.python_type is int and design.backwards(part.codec) is not None
    return part.asked and part.sequential is None and counts and many and not design.scatters(part.codec)


def _wide(model: ModelSchema, first: KeyField) -> bool:
    """Whether the key is nothing but an id of 64 bits, most kinds of which begin with the time when they are given."""
    digits = design.reversed_digits(first.codec)
    room = 0 if digits is None else digits.length.fixed or 0
    return len(model.key.asked) == 1 and words(first.name)[-1].lower() == "id" and room >= _WIDE


def _kept_ways(model: ModelSchema, first: KeyField, *, named: bool) -> Iterator[Fix]:
    doubt = _doubt(model, first) if named else ""
    # In each key that is tried, its values climb, also where the name or the description would not say so of that key.
    known = evolve(first, sequential=True)
    return kept(model, _ways(replaced(model, first, known), known, named=named, otherwise=doubt))


def _unmade(model: ModelSchema, first: KeyField) -> Iterator[Fix]:
    """The key without what climbs with a number in it, or with that number instead; and what that key needs then."""
    from btmodel.design.candidates import adjusted, as_field  # here: this rule is loaded with every model

    source = followed(model, first)
    assert source is not None
    held = source in model.key.fields
    field = None if held else as_field(source) if isinstance(source, Column) else source
    made = replaced(model, first, *(() if field is None else (field,)))
    made = evolve(made, columns=tuple(one for one in made.columns if field is None or one.name != field.name))
    text = f"leave out `{first.name}`" if held else f"keep `{source.name}` in the place of `{first.name}`"
    ahead = leading(made)
    if ahead is None or not rising(made, ahead):
        yield from kept(model, (Fix(f"{text}: `{made.key.shape}`", (adjusted(model, made),)),))
        return
    for fix in _kept_ways(made, ahead, named=False):
        yield evolve(fix, text=f"{text}, and {fix.text}")


def _doubt(model: ModelSchema, first: KeyField) -> str:
    """What to declare where the name or the description says something else than the rule takes it to say."""
    counted = called_counted(model, first) or sampled_sequence(model, first)
    climbs = "climb" if described_sequence(model, first) else "begin with a time"
    not_so = "are not counted up" if counted else f"do not {climbs}"
    return f"; or, if its values {not_so}, or new ids do not get most of the traffic, declare `sequential=False` for `{first.name}`"


def _ways(model: ModelSchema, first: KeyField, *, named: bool, otherwise: str = "") -> Iterator[Fix]:
    """Its digits backwards, where no query wants a range of it; else a salt, or another proposed key."""
    ranged = _ranged(model, first)
    codec = design.backwards(first.codec)
    if codec is not None and not ranged:
        text = f"write its digits backwards: `{first.name}` as {codec}"
        yield Fix(text, _backwards(model, first), None if named else codec_named(codec), otherwise)
        yield from _lasting(model, first)
    salt = design.salt_of_field(model, first)
    key = RowKey(salted(model.key.fields, salt), model.key.delimiter)
    scattered = f"put `{design.salt_declaration(salt)}` in front: `{key.shape}`"
    made = (evolve(model, key=key),)
    if ranged:
        yield Fix(
            f"`{ranged[0]}` asks for a range of `{first.name}`, which digits written backwards do not serve: {scattered}, "
            "which is read in one range for each salt",
            made,
            otherwise=otherwise,
        )
    others = [
        Fix(design.change(model, each), models, otherwise=otherwise)
        for each, models in design.led_to(model)
        # Rows are found by their key, and no caller knows an invented one.
        if each.key != model.key and (each.invented is None or model.queries)
    ]
    # A salt costs reads, a second table every write. Without queries, rows are found by their whole key: a salt of the id costs
    # nothing then, and another field in the key would have to be known wherever a row is looked for.
    if not ranged and not model.queries:
        yield Fix(scattered, made, otherwise=otherwise)
    yield from (fix for fix in others if len(fix.models) == 1)
    if not ranged and model.queries:
        yield Fix(scattered, made, otherwise=otherwise)
    yield from (fix for fix in others if len(fix.models) > 1)


def _backwards(model: ModelSchema, first: KeyField) -> tuple[ModelSchema, ...]:
    codec = design.reversed_digits(first.codec)
    if codec is None:
        return ()
    return (replaced(model, first, evolve(first, codec=codec)),)


def _lasting(model: ModelSchema, first: KeyField) -> Iterator[Fix]:
    """The key for rows of one id that come together, so that digits written backwards spread nothing; none if few do."""
    behind = [part for part in model.key.asked if part != first]
    count = distinct(behind)
    if model.events is None or count is None or count <= model.events.per_second:
        return
    fields = (*(part for part in model.key.fields if single(part)), *behind, first)
    key = evolve(model.key, fields=fields)
    text = (
        f"if the rows of one `{first.name}` come one after the other, put it behind the rest: `{key.shape}`"
    )
    yield Fix(text, (evolve(model, key=key),), alternative=True)


def _ranged(model: ModelSchema, part: KeyField) -> list[str]:
    """The queries for a range of ``part``, by name."""
    return [query.name for query in model.queries if part.name in (query.between, query.starting)]


RULE: Rule[ModelSchema] = Rule(
    "KEY002",
    "sequential-id-first",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    slow=True,
    levels=(Level.ERROR, Level.WARNING, Level.INFO),
)
