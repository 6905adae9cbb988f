"""TAB002 table-per-value: a table for each year, customer or date

What it finds
    A table that is named at run time, `EVENTS_{year}`; a table whose id ends with a year, a
    month or a day; and tables with the same families, columns and keys whose ids differ only in
    a number or, if there are three or more, in a word. The rule ignores `{env}`,
    `{environment}` and `{stage}`: those are few, and their tables are not read together. It
    also ignores existing tables that no model declares, because a job may have created them.
    It is information if the docstring counts up to twenty values ("each of the eleven countries") or tables ("never more than eleven of these tables"), or says after how long
    whole tables are dropped, where that leaves no more ("the table of a month is dropped after a year"), and a warning that says so if it counts more than an instance accepts ("our six thousand shops").
    Of tables for times in which no GC rule goes by age, the fix asks for the age after which a table was dropped: in one table, only such a rule
    ends old rows.

Why
    A query over several values reads several tables. An instance accepts 1,000 tables, somebody
    has to create each new one, and more tables do not balance load better. As a part of the
    key, the value is a prefix, which you can read and delete as fast as a table.

Example
    from datetime import datetime

    import btmodel as bt


    class Event(bt.Model, table="events_{customer}", events="100/s"):
        device: str = bt.key(bt.Text(width=8), cardinality=100_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        text: str = bt.column("text", data)

Use instead
    from datetime import datetime

    import btmodel as bt


    class Event(bt.Model, table="events", events="100/s"):
        customer: str = bt.key(bt.Text(width=6), cardinality=500, tenant=True)
        device: str = bt.key(bt.Text(width=8), cardinality=100_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        text: str = bt.column("text", data)

Allow
    Suppress it for a dated table that a batch job writes once, because it answers a query that
    no key of the main table serves without a hotspot.

Source
    https://cloud.google.com/bigtable/docs/schema-design (tables: do not create one because a
    new year has begun or you have a new customer; multitenancy),
    https://cloud.google.com/bigtable/docs/schema-design-time-series (the dated tables of a batch job).
"""

import re
from collections.abc import Iterator, Sequence

from btmodel.design.hints import NUMBERS, UNIT, length_said, sentences
from btmodel.design.related_tables import (
    TIMES,
    alike,
    date_in,
    families_of_tables,
    identity,
    undated,
)
from btmodel.errors import some
from btmodel.lint.finding import Finding, Level
from btmodel.lint.one_table import merged, of_kinds, one_table, values_of_tables
from btmodel.lint.rows_read import NUMBER, number_said
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.schema.limits import INSTANCE_TABLES

# By the number of digits of a date.
_UNITS = {4: "year", 6: "month", 8: "day"}
_WHY = f"queries over several values read several tables, and an instance accepts only {INSTANCE_TABLES:,}"


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each table, or each group of tables, that is there for a value."""
    dated: dict[str, list[ModelSchema]] = {}
    for model in sorted((model for model in models if not model.undeclared), key=identity):
        names = values_of_tables(model)
        if names:
            yield _named_at_run_time(model, names)
        elif date_in(model.table):
            dated.setdefault(undated(model.table), []).append(model)
    for name, found in dated.items():
        yield _dated(name, found)
    for family in (family for group in alike(models) for family in families_of_tables(group)):
        model = family.models[0]
        yield RULE.finding(
            model,
            f"{_listed([model.table for model in family.models])} have the same families, columns and keys, and are "
            f"told apart by {_listed(family.values)} in their ids",
            why=_WHY,
            fix=of_kinds(model, family),
        )


def _named_at_run_time(model: ModelSchema, names: Sequence[str]) -> Finding:
    what = f"there is a table {model.table!r} for each {' and '.join(f'`{name}`' for name in names)}"
    aged = next((family for family in model.families if family.gc is not None and family.gc.given), None)
    if aged is not None:
        return RULE.finding(
            model,
            f"{what}, with an age of its own",
            why=_WHY,
            fix=f"no other schema has an age for each: keep the tables if they are few; else decide on one age of family {aged.id!r}, and declare one table",
            level=Level.INFO,
        )
    few, many = _few(model, names), _many(model, names)
    if many is not None and not few:
        return RULE.finding(
            model,
            f"{what}, of which the description says {many!r}",
            why=f"an instance accepts only {INSTANCE_TABLES:,}, and the service refuses the next one",
            fix=merged(model),
        )
    known = few or ({*names} <= {*TIMES} and _OLDEST_GOES.search(model.doc) is not None)
    return RULE.finding(
        model, what, why=_WHY, fix=merged(model), level=Level.INFO if known else Level.WARNING
    )


# What says that the tables of old times are dropped, which costs less than an age of their rows.
_OLDEST_GOES = pattern(
    r"(?i)\b(?:drops?|dropped|dropping|deletes?|deleted)\b[^.;!?]*\b(?:oldest|whole tables?|tables? as a whole|old tables?)\b|\b(?:oldest|old) (?:table|one)s? (?:is|are) (?:dropped|deleted)\b"
)


def _many(model: ModelSchema, names: Sequence[str]) -> str | None:
    """The words of the description that count the values, or their tables, where there are more than an instance accepts: "our six thousand shops"."""
    counted = rf"(?i)(?<![\w.,])({NUMBER})\s+(?:of\s+)?(?:(?:our|the|their|its)\s+)?(?:\w+\s+)?(?:{_plurals(names)}|tables)\b"
    found = (each for sentence in sentences(model.doc) for each in re.finditer(counted, sentence))
    return next((each[0] for each in found if number_said(each[1]) > INSTANCE_TABLES), None)


def _plurals(names: Sequence[str]) -> str:
    return "|".join(f"{re.escape(name[:-1])}ies|{re.escape(name)}e?s" for name in names)


def _few(model: ModelSchema, names: Sequence[str]) -> bool:
    """Whether the description counts the values, or their tables, and there are no more than a person does: "each of the six countries", "never more than six of these tables"."""
    of_each = r"(?!,? (?:a|an|per|for|each|every|of) )"
    things = rf"(?:(?:{_plurals(names)})\b|tables\b{of_each})"
    whose = r"of (?:(?:the|these|those|such|our|its) )?"
    said = (
        rf"{_COUNTED} {_NO_TENS}(?:[\w'\u2019]+ )?{things}",  # "each of our three refiners' labs"
        rf"{_BOUND} {_COUNTED} {whose}(?:\w+ )?{things}",
        rf"{_COUNTED} {whose}(?:\w+ )?{things},? (?:at (?:the )?most|exist|in all|at a time)\b",
        rf"\btables?\b.*{_BOUND} {_COUNTED} of (?:them|these)\b(?! \w+s\b){of_each}",
        rf"\b(?:these|those|such|of the) (?:\w+ )?tables\b.*?(?:{_BOUND} {_COUNTED}|{_COUNTED} at (?:the )?most)(?=[.;:,]|$)",
    )
    lines = sentences(model.doc)
    return any(re.search(f"(?i){each}", line) for each in said for line in lines) or _soon_dropped(
        model, names
    )


# So many tables a person counts.
_MOST = 20
_COUNTED = rf"(?<![0-9][,.])\b(?:(?:a|one) dozen|{'|'.join(word for word, many in NUMBERS.items() if len(word) > 2 and many <= _MOST)}|[0-9]|1[0-9]|20)(?![,.]?[0-9])"
_NO_TENS = r"(?!(?:hundred|thousand|million|dozen)s?\b)"
_BOUND = r"\b(?:(?:no|not|never|rarely) (?:\w+ ){0,2}?more than|(?:at|at the) most|up to|a maximum of|there are(?: only| just)?|we have(?: only| just)?|only)"
_DROPPED = pattern(
    rf"(?i)\btables?\b[^.;]*?\b(?:is|are|gets?) (?:\w+ )?(?:dropped|deleted|removed)(?: as a whole| whole)? (?:after (?:about )?({'|'.join(NUMBERS)}|[0-9]+)|({'|'.join(NUMBERS)}|[0-9]+)) ({UNIT})\b"
)


def _soon_dropped(model: ModelSchema, names: Sequence[str]) -> bool:
    """Whether the description says after how long a whole table of a time is dropped, and few are left then."""
    units = [length_said("1", "day" if name == "date" else name) for name in names if name in TIMES]
    found = _DROPPED.search(" ".join(model.doc.split()))
    kept = length_said(found[1] or found[2], found[3]) if found else None
    return kept is not None and any(unit is not None and kept <= _MOST * unit for unit in units)


def _dated(name: str, models: Sequence[ModelSchema]) -> Finding:
    model = models[0]
    date = date_in(model.table)
    unit = _UNITS.get(sum(letter.isdigit() for letter in date), "day")
    tables = list(dict.fromkeys(model.table for model in models))
    subject = f"table {model.table!r} is" if not tables[1:] else f"tables {_listed(tables)} are"
    return RULE.finding(
        model,
        f"the {subject} named after a {unit}",
        why=_WHY,
        fix=one_table(model, name, [unit]),
    )


def _listed(names: Sequence[str]) -> str:
    return some([repr(name) for name in names], 3)


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "TAB002",
    "table-per-value",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.INFO),
)
