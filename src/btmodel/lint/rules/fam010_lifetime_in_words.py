"""FAM010 lifetime-in-words: rows or values of which a description or a column says how long they are kept, and the GC rule does otherwise

What it finds
    A model whose docstring says for how long its rows are kept ("kept for 90 days", "stays readable for at least 15 years", "deleted after a year", "the law obliges us to keep each entry for seven years", "retention: 7 years"), if no GC rule of the model
    deletes by age, or all of them delete sooner (a warning); unless columns declare by `keep` that they want it, of which FAM005 speaks. If the words name some columns and
    not others ("the inspection record, with serial and gauge, is kept for 15 years"), these get a family of their own.

    A model whose docstring says for how long its rows are asked for ("inspectors ask for the last three years"), if all GC rules delete sooner (a warning).
    Of rows without a time in their key it may also say how long what they are about goes on, with breaks ("a course takes four to eighteen months; a learner comes back when there is time").
    Of all rows it may say how long they are valid or needed ("a licence is valid for three years", "the program asks for it until it ends three years later"), unless they
    are written again meanwhile ("renewed with each start"), or are copies. An age belongs to its subject, "the row is needed for a month, but
    the licence is valid for three years": that of a row counts before that of its thing, need before validity, and that of another thing, or of some of the rows
    ("mails in the trash are deleted after 30 days", "once closed", "unless", "except"), not at all.

    A model whose docstring says that nothing is older ("nothing older than 30 days may be left", "kept no longer than"), if a family keeps it for longer (a warning).

    A model whose docstring says that values are read as they were at a past time ("as they were at the label's time", "point in time"), if rows have no time in
    their key, and each family keeps one version of its columns (a warning).

    A model whose docstring says that earlier values are kept ("with all earlier addresses", "the full history", "an audit trail"), if rows have no time
    in their key, no column holds several values, and each family keeps one version (a warning).

    A model whose docstring says that the newest values stay ("however old", "always there", "counts until another is set"), in rows without a time in their key, if the
    rule of a family is an age, or a union that deletes the newest by age, too (a warning).

    A model whose rows have no time in their key, and hold what is true until it is written again, if a family deletes the newest values by an age before that: the docstring says how rarely
    they are written ("most tenants turn the dial twice a year", a warning), or the declared rate of one row does, and the docstring, or a name, says that they are settings or the last that is known (a
    warning), or those of now (information). Sessions, caches, baskets and the like come and go, and so does what the docstring says to go after that age: an age is meant for these.

    A model whose docstring says that something is written once, or that columns are written alone ("each use updates `last_used` alone"), in rows without a time
    in their key, if a family that deletes by age holds columns that each row must have beside those that are written again (a warning). So does the name of a column that each row must have and that says when
    its thing began (`member_since`, `registered_at`), beside optional ones of what happened last (`last_title`), in rows that are written ten times and more within the age; unless they are called like what comes and goes, as sessions are, or the
    docstring says that they end with that age. So does a column of what a thing is for good or for years (`country`, `serial_number`, `birth_date`, `owner`, `contract`, `iban`) beside optional ones of what is counted or
    measured (`clicks_7d`, `heart_rate`), if nothing says that a row is written as a whole, is a copy, or is made again.

    A model whose docstring says that its rows are never deleted ("kept for ever", "we keep everything"), and names no time for which they are kept, if all families delete the newest cells by age (a warning).

    A model that is called like what is used once or lives for minutes or days (`OneTimeCode`, `shopping_cart`, `seat_hold`, `form_draft`), or whose docstring says that it is valid or good for 30 days at most, each of whose rows is written less than once in 30 days, so that a new thing is a new row, if no GC rule of it deletes by
    age (a warning), and its docstring speaks of no use of it later ("for the auditors"). So is a column called so (`otp`, `reset_token`) in a row that lasts.

    A model whose docstring says of some of its columns, by their names, that they must be gone after a time ("the IP address has to be gone 14 days after the click", "may be kept no longer
    than"), if their family keeps them for longer; that they are kept for a time ("reports are kept for ten years") or for ever, if their family deletes them before; or that they are written once or never change ("entered once, by the fitter"), in rows
    without a time in their key that are written ten times and more within that age (warnings). The fix moves with these what each row must have, too, unless the docstring names it elsewhere.

    A model whose rows are events, as there is a time in its key, or whose docstring says that they last for a while and whose ids have no declared cardinality, as sessions have, or that each lasts until it expires and whose last
    id is that of the row (`quote` of a `FreightQuote`), or which is called like what is used once or for minutes (`OneTimeCode`, `password_reset`, `session`) and each of whose rows is written less than once in 30 days, with a column for the end of their life: a `datetime` called `expires`,
    `expires_at`, `expiry`, `expiration_time`, `delete_after`, `purge_at` or the like, or a number of seconds of such a name or qualifier (`expires_at`; `ttl` and `expiry` only if the docstring says that
    rows expire), if no GC rule of the model deletes by age. It is a
    warning if the docstring of the model says, too, that rows last for a while ("for 24 hours", "until they expire"), or the model is called so, and else
    information: the end may be that of a contract, which is to be remembered.

Why
    A GC rule goes by the timestamps of cells, and knows nothing of descriptions and values. What it does not delete is stored, paid for and read, and what it deletes
    is gone, whatever was meant.

Example
    from datetime import datetime

    import btmodel as bt


    class Invitation(bt.Model, table="INVITATION", events="20/s"):
        \"\"\"A link by which a guest may join, for three days.\"\"\"

        host: str = bt.key(bt.Text(width=12), cardinality=5_000_000)
        sent: datetime = bt.key(bt.EpochMillis())

        i = bt.family("i", gc=bt.max_versions(1))
        guest: str = bt.column("g", i)
        expires_at: datetime = bt.column("x", i)

        of_host = bt.query("host", between="sent")

Use instead
    from datetime import datetime

    import btmodel as bt


    class Invitation(bt.Model, table="INVITATION", events="20/s"):
        \"\"\"A link by which a guest may join, for three days.\"\"\"

        host: str = bt.key(bt.Text(width=12), cardinality=5_000_000)
        sent: datetime = bt.key(bt.EpochMillis())
        expires_at: datetime = bt.expires(round=True)

        i = bt.family("i", gc=bt.max_age(seconds=1))
        guest: str = bt.column("g", i)

        of_host = bt.query("host", between="sent")

Allow
    Suppress it if rows are needed after their end, or something else deletes them; say what.

Source
    https://cloud.google.com/bigtable/docs/garbage-collection (the age of a cell is that of its timestamp; a timestamp in the future
    is the way to give each row an end of its own).
"""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial

from attrs import evolve

from btmodel.design.hints import called_following, sentences
from btmodel.estimates import timed
from btmodel.lint.ages_given import (
    EARLIEST,
    NEARLY,
    by_number,
    for_so_long,
    no_older,
    of_older,
    too_long,
    too_short,
    with_age,
    without_age,
    written_again,
)
from btmodel.lint.column_lifetimes import Said, said_of_columns
from btmodel.lint.descriptions import (
    ALL_EARLIER,
    AT_MOST,
    ELSEWHERE,
    FOR_A_TIME,
    HOWEVER_OLD,
    OLDER,
    SHORT_LIVED,
    WRITTEN_ALONE,
    WRITTEN_ONCE,
    as_they_were,
    asked_for,
    goes_on,
    in_full,
    kept_for,
    kept_for_ever,
    lasts_for,
    longest_said,
    past_of,
    rows_go,
)
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level
from btmodel.lint.later_events import from_later
from btmodel.lint.lifetimes import Bound, Lifetime
from btmodel.lint.rare_writes import began, rarely_written
from btmodel.lint.retention import declared_family, free_family, moved, without_past
from btmodel.lint.row_ends import LONG, by_timestamps, come_and_go, is_end, never_ending, passing
from btmodel.lint.rule import Rewritten, Rule
from btmodel.lint.rules.fam005_mixed_retention import ageless
from btmodel.on_demand import pattern
from btmodel.schema import (
    Column,
    Family,
    GcRule,
    Intersection,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Stamp,
    Union,
)
from btmodel.schema.gc import keeps_for_ever, kept_text, max_versions
from btmodel.schema.model import Clock
from btmodel.schema.names import placeholders
from btmodel.source_text import gc_code
from btmodel.words import quoted

_ENDED_ELSEWHERE = "; or, if a program deletes rows that are not needed any more, `gc=bt.max_versions(1)`"


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag what is said of the life of rows and values, where GC rules do otherwise."""
    rules = [family.gc for family in model.families if family.gc is not None and not family.gc.given]
    if len(rules) < len(model.families) or not rules or model.stamp.expires or placeholders(model.table):
        return  # a table that is named at run time goes as a whole
    columns = [*said_of_columns(model)]
    clauses = [each.clause for each in columns]
    said = kept_for(model)
    if said is not None and any(said.said in clause for clause in clauses):
        said = None  # of columns, which stand beside others
    ended = (
        list(_newest_go(model, clauses))
        or list(_only_newest(model, said))
        or list(_otherwise(model, said, rules) if said else _kept_no_more(model, rules))
        or ([] if said else list(_needed(model, rules)))
        or list(_written_rarely(model))
    )
    if ended:
        yield from (*ended, *map(partial(_of_columns, model), columns))
        return
    if _forgets(model, rules):
        yield _past_is_gone(model)
    left = list(_left_behind(model)) or ([] if columns else list(_born_before(model)))
    yield from left
    yield from (_of_columns(model, each) for each in columns if not (left and each.once))
    column = next((column for column in model.columns if column.shape.single and is_end(model, column)), None)
    if (
        column is not None
        and model.stamp == Stamp()
        and not _any_age(rules)
        and (timed(model) or come_and_go(model))
    ):
        yield _end_in_a_column(model, column)
    elif model.stamp == Stamp() and not _any_age(rules):
        brief = lasts_for(model, rewritten=True)
        if never_ending(model, said=brief is not None and brief[1] <= LONG):
            yield _never_ends(model, brief)


def _of_columns(model: ModelSchema, said: Said) -> Finding:
    """What is said of the life of single columns, where the rule of their family does otherwise."""
    return RULE.finding(
        model,
        said.message,
        why=said.why,
        fix=partial(iter, said.ways),
        part=said.columns[0].name,
        at=said.columns[0].location,
        level=Level.WARNING,
    )


def _any_age(rules: Sequence[GcRule]) -> bool:
    return not all(map(keeps_for_ever, rules))


def _otherwise(model: ModelSchema, said: Lifetime, rules: Sequence[GcRule]) -> Iterator[Finding]:
    """Where rows are kept for ever, or deleted before the time that the description says."""
    text, kept = said.said, said.length
    assert kept is not None
    gathering = {column.family for column in model.columns if column.eventful}
    family = next((one for one in model.families if one.id in gathering), model.families[0])
    if any(found.level is Level.WARNING for found in ageless(model, list(model.families))):
        return  # FAM005 says so
    if any((keep := one.expected.keep) and not keep.deletes(kept * NEARLY, 1) for one in model.columns):
        return  # and FAM005 says which columns want it
    if _without_past(model):
        return  # FAM006 says so
    older, fix = not timed(model) and all(of_older(rule, kept) for rule in rules), None
    if older and (OLDER.search(model.doc) or (gathering and "older" in text)):
        return  # of the older versions it is said, and so it is
    later = from_later(model, text)
    if said.bound is Bound.ENDS and later:
        return  # no age counts from what happens long after the writing
    if said.window and any(of_older(rule, kept) or by_number(rule) for rule in rules):
        return  # which are kept by their number, or beside the newest one
    if not _any_age(rules):
        if said.bound is Bound.LEAST or later:
            return  # what is needed for so long may be kept for longer
        newest = any(rule.deletes(timedelta.max, 2) for rule in rules)
        what = f"no GC rule of {quoted(each.id for each in model.families)} deletes {'the newest version ' if newest else ''}by age"
        why = "what no GC rule deletes is stored and paid for until somebody deletes it"
    elif (short := too_short(model, said, rules, later=later)) is not None:
        family, rule = short
        what = f"family {family.id!r} keeps {kept_text(rule)}"
        why = "the service silently deletes what a rule allows, before the time that was meant"
    elif said.bound is Bound.MOST and (long := too_long(model, kept)):
        family = long[0]
        what = f"family {family.id!r} keeps {kept_text(family.gc)}"
        why = "what no GC rule deletes is kept, whatever has been promised"
        fix = no_older(model, kept)
    else:
        return
    yield RULE.finding(
        model,
        f"the description says {text!r}, but {what}",
        why=why,
        fix=fix or for_so_long(model, family, said),
        part=family.id,
        at=family.location,
        level=Level.INFO
        if older and not (AT_MOST.search(model.doc) or said.bound is Bound.MOST or rows_go(model, text))
        else Level.WARNING,
    )


def _kept_no_more(model: ModelSchema, rules: Sequence[GcRule]) -> Iterator[Finding]:
    """Where rows are never deleted, by the description, and all families delete the newest cells by their age."""
    said = kept_for_ever(model)
    if said is None or any(map(keeps_for_ever, rules)) or any(one.expected.keep for one in model.columns):
        return
    if any(model.clock(column) is Clock.END for column in model.columns) or _without_past(model):
        return
    yield RULE.finding(
        model,
        f"the description says {said.said!r}, but family {model.families[0].id!r} keeps {kept_text(rules[0])}",
        why="the service silently deletes what a rule allows, also what was meant to stay",
        fix=without_age(model),
        part=model.families[0].id,
        at=model.families[0].location,
        level=Level.WARNING,
    )


def _without_past(model: ModelSchema) -> bool:
    """Whether FAM006 says that a history keeps its newest value alone."""
    return not timed(model) and any(one.gc and without_past(model, one, one.gc) for one in model.families)


def _needed(model: ModelSchema, rules: Sequence[GcRule]) -> Iterator[Finding]:
    """Where rows are asked for longer than all families keep them; of rows that are written again, where what they are about goes on for longer."""
    said = asked_for(model) or (None if timed(model) else goes_on(model.doc))
    if said is None and not written_again(model, rules):
        said = lasts_for(model, rewritten=not timed(model))
    if said is None or any(model.clock(column) is Clock.END for column in model.columns):
        return
    text, length = said
    if (
        not all(rule.deletes(length * EARLIEST, 1) for rule in rules)
        or any(query.span and rules[0].deletes(query.span, 1) for query in model.queries)  # FAM006 says so
        or any(
            (keep := one.expected.keep) and not keep.deletes(length * EARLIEST, 1) for one in model.columns
        )
    ):
        return
    family, fix = model.families[0], with_age(model, in_full(text, length))
    yield RULE.finding(
        model,
        f"the description says {text!r}, but family {family.id!r} keeps {kept_text(rules[0])}",
        why="the service silently deletes what a rule allows, before somebody asks for it",
        fix=fix if timed(model) else evolve(fix, otherwise=_ENDED_ELSEWHERE),
        part=family.id,
        at=family.location,
        level=Level.WARNING,
    )


def _only_newest(model: ModelSchema, said: Lifetime | None) -> Iterator[Finding]:
    """Where values are read as they were, by the description, and each write deletes the one before it."""
    if timed(model) or not model.doc or not all(column.shape.plain for column in model.columns):
        return
    alone = [one for one in model.families if one.gc and one.gc.deletes(timedelta(0), 2)]
    then = as_they_were(model.doc) if len(alone) == len(model.families) else None
    if then is None or any(one.expected.keep is not None for one in model.columns):
        return
    age = in_full(said.said, said.length, said.bound) if said and said.length else past_of(model)
    text, changed = (
        "keep what was written before, and read it by `times=` or as a history, `bt.history(...)`",
        model,
    )
    if age is not None:
        rule = MaxAge(age) if said else MaxVersions(1) & MaxAge(age)
        text += f": {', '.join(f'`{declared_family(evolve(one, gc=rule))}`' for one in alone)}"
        changed = evolve(model, families=tuple(evolve(one, gc=rule) for one in alone))
    else:
        text += " for as long as it is read, `gc=bt.max_versions(1) & bt.max_age(...)`"
    yield RULE.finding(
        model,
        f"the description says {then!r}, but family {alone[0].id!r} keeps {kept_text(alone[0].gc)}",
        why="each write of a column deletes what it held before, so a read of a past time finds nothing",
        fix=Fix(
            text,
            (changed,) if age is not None else (),
            otherwise="; or write a row for each change, with its time in the key",
            longer=True,
        ),
        part=alone[0].id,
        at=alone[0].location,
        level=Level.WARNING,
    )


def _forgets(model: ModelSchema, rules: Sequence[GcRule]) -> bool:
    """Whether the description says that earlier values are kept, and a row has only the newest."""
    sentence = next((one for one in model.doc.split(".") if ALL_EARLIER.search(one)), None)
    return (
        sentence is not None
        and not ELSEWHERE.search(sentence)
        and not timed(model)
        and all(column.shape.single for column in model.columns)
        and all(rule.deletes(timedelta(0), 2) for rule in rules)
    )


def _newest_go(model: ModelSchema, clauses: Sequence[str]) -> Iterator[Finding]:
    """Where the newest versions are always there, by the description, and the age of a union deletes them, too; not what it says of columns in ``clauses``."""
    said = HOWEVER_OLD.search(model.doc)
    if said is None or timed(model) or any(" ".join(said[0].split()) in clause for clause in clauses):
        return
    for family in model.families:
        rule = family.gc
        if rule is None or rule.given or keeps_for_ever(rule):
            continue
        if without_past(model, family, rule):
            continue  # FAM006 says so, and keeps the newest
        if isinstance(rule, MaxAge):
            both = Intersection((MaxVersions(1), rule))
            why, keep = (
                "an age deletes the newest version as well as older ones",
                "keep the newest in any case",
            )
        elif isinstance(rule, Union) and any(isinstance(one, MaxVersions) for one in rule.thresholds()):
            both = Intersection(rule.rules)
            why = "a union (`|`) deletes what either of its rules deletes, so the newest versions go by their age, too, and newer ones by their number"
            keep = "keep what either of them keeps"
        else:
            continue
        yield RULE.finding(
            model,
            f"the description says {said[0]!r}, but family {family.id!r} keeps {kept_text(rule)}",
            why=why,
            fix=Fix(
                f'{keep}: `bt.family("{family.id}", gc={gc_code(both)})`',
                edit=ArgumentEdit("gc", gc_code(both)),
                longer=True,
            ),
            part=family.id,
            at=family.location,
            level=Level.WARNING,
        )


def _written_rarely(model: ModelSchema) -> Iterator[Finding]:
    """Where what is true now is written more rarely than the age at which it is deleted."""
    if any(other.level is Level.WARNING for other in ageless(model, list(model.families))):
        return  # FAM005 says so
    for family, kept, how, sure in rarely_written(model):
        yield RULE.finding(
            model,
            f"{how}, but family {family.id!r} keeps {kept_text(family.gc)}",
            why="the age of a cell counts from when it was written, so a value that holds until the next one is set is silently deleted before",
            fix=Fix(
                f'keep the newest values, however old they are: `bt.family("{family.id}", gc={gc_code(kept)})`',
                edit=ArgumentEdit("gc", gc_code(kept)),
                otherwise='; or, if rows are to go when nobody has written them for so long, say so in the docstring ("goes after 30 days without a write")',
                longer=True,
            ),
            part=family.id,
            at=family.location,
            level=Level.WARNING if sure else Level.INFO,
        )


# What says that all of a row is written once; and that something of it is written again.
_WHOLE = pattern(
    r"(?i)\b(?:it|them|each|one|all|rows?) (?:is |are )?once\b|\bnever (?:changed|changes|updated|touched|written again)\b"
)
_LATER = pattern(
    r"(?i)\b(?:later|afterwards?|again|then|updates?|updated|changes?|changed(?<!never changed)|sets?|each time|every time|whenever|every|each|daily|hourly|nightly|newest|latest|last|current)\b"
)


def _left_behind(model: ModelSchema) -> Iterator[Finding]:
    """Where columns that each row must have are written once, or others alone again and again, by the description, and an age deletes them."""
    if timed(model):
        return
    for sentence in sentences(model.doc):
        alone = WRITTEN_ALONE.search(sentence) is not None
        if not alone and not WRITTEN_ONCE.search(sentence):
            continue
        if _WHOLE.search(sentence) and not _LATER.search(model.doc):
            continue
        for family in model.families:
            plain = (one for one in model.columns if one.family == family.id and one.shape.plain)
            columns = [one for one in plain if one.expected.keep is None]  # FAM005 speaks of the others
            left = [one for one in columns if one.required and not _named(one, sentence if alone else "")]
            again = [one for one in columns if one not in left and (alone or not one.required)]
            if family.gc is not None and not keeps_for_ever(family.gc) and left and again:
                yield _aged_away(model, family, left, again, alone=alone)
                return


def _born_before(model: ModelSchema) -> Iterator[Finding]:
    """Where a column says by its name when the thing of a row began, others are written alone, and an age deletes it."""
    for family in model.families:
        known = [] if model.bucket is not None or model.view is not None else [*began(model, family)]
        if not known:
            continue
        plain = (one for one in model.columns if one.family == family.id and one.shape.plain)
        columns = [one for one in plain if one.expected.keep is None]
        left, again = ([one for one in columns if one.required is required] for required in (True, False))
        if not set(known) <= set(left):
            left, again = known, [one for one in columns if one not in known]
        yield _aged_away(model, family, left, again, alone=False, known=known[0].name)
        return


def _named(column: Column, sentence: str) -> bool:
    return re.search(rf"(?i)\b{re.escape(column.name)}\b", sentence) is not None


def _aged_away(
    model: ModelSchema,
    family: Family,
    left: Sequence[Column],
    again: Sequence[Column],
    *,
    alone: bool,
    known: str = "",
) -> Finding:
    assert family.gc is not None
    them = quoted(one.name for one in left[:4])
    said = (
        f"{quoted(one.name for one in again[:4])} {'is' if len(again) == 1 else 'are'} written alone"
        if alone
        else "something is written once"
    )
    what = (
        f"`{known}` is written once, judging by its name, and {quoted(one.name for one in again[:4])} again and again"
        if known
        else f"the description says that {said}"
    )
    needed = (
        f", and each row must have {them}" if all(one.required for one in left) else f", and with it {them}"
    )
    fix: str | Fix
    if alone and any(called_following(one.name, one.codec.python_type) for one in again):
        fix = f"no other schema does it: write the whole row whenever {quoted(one.name for one in again)} {'is' if len(again) == 1 else 'are'}, by `put`, so that all of its cells begin to age anew"
    else:
        home = Family(free_family(model, "once"), max_versions(1))
        made = model
        for column in left:
            made = moved(made, column, home)
        longest = longest_said(model.doc)
        own = "a family of its own" if len(left) == 1 else "a family of their own"
        fix = Fix(
            f"give {quoted(one.name for one in left)} {own}: `{declared_family(home)}`",
            (made,),
            otherwise=""
            if longest is not None and family.gc.deletes(longest, 1)
            else "; or, if a row is to end when nothing is written any more, write all of it each time, by `put`",
            longer=True,
        )
    return RULE.finding(
        model,
        f"{what}, but family {family.id!r} keeps {kept_text(family.gc)}{needed}",
        why="the age of a cell counts from when it was written, so what is written once is deleted while the row is still in use, and then it cannot be read",
        fix=fix,
        part=again[0].name if alone else family.id,
        at=again[0].location if alone else family.location,
        level=Level.WARNING,
    )


def _past_is_gone(model: ModelSchema) -> Finding:
    column, family = model.columns[0], model.families[0]
    return RULE.finding(
        model,
        f"the description says that earlier values are kept, but each family keeps the newest version, as {family.id!r} does",
        why="each write of a column deletes what it held before",
        fix=f"declare what changes as a history, such as `{column.name}`, by `bt.history(...)` in a family that keeps as many versions as are wanted; or write a row "
        "for each change to a second table, with its time in the key",
        part=family.id,
        at=family.location,
        level=Level.INFO,
    )


def _never_ends(model: ModelSchema, said: tuple[str, timedelta] | None) -> Finding:
    """What is used once or for a while by its name or the description, where no family deletes it, and no column says when it ends."""
    brief = said is not None and said[1] <= LONG
    how = (
        f"the description says {said[0]!r}"
        if said and brief
        else f"a `{model.name}` is used once or for a while, judging by its name"
    )
    return RULE.finding(
        model,
        f"{how}, and no GC rule of {quoted(each.id for each in model.families)} deletes by age",
        why="each is a new row, and what no GC rule deletes is stored, paid for and read by each scan until somebody deletes it",
        fix=evolve(
            with_age(model, said[1] if said and brief else LONG),
            otherwise="; or a longer one, if it is looked at later"
            if brief
            else "; or another age that is as long as the longest of them lasts",
        ),
        part=model.families[0].id,
        at=model.families[0].location,
        level=Level.WARNING,
    )


def _end_in_a_column(model: ModelSchema, column: Column) -> Finding:
    return RULE.finding(
        model,
        f"`{column.name}` says when a row ends, and no GC rule of {quoted(family.id for family in model.families)} deletes it then",
        why="a GC rule goes by the timestamps of cells and knows nothing of their values, so rows that have ended are kept and paid for",
        fix=by_timestamps(model, column),
        part=column.name,
        at=column.location,
        level=Level.WARNING
        if FOR_A_TIME.search(model.doc) or SHORT_LIVED.search(model.doc) or passing(model)
        else Level.INFO,
    )


RULE: Rule[ModelSchema] = Rule(
    "FAM010",
    "lifetime-in-words",
    check,
    page=__doc__,
    rewrites=Rewritten.CELLS,
    levels=(Level.WARNING, Level.INFO),
)
