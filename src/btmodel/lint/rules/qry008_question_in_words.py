"""QRY008 question-in-words: a question that only a docstring asks, and no row key serves

What it finds
    A sentence of the docstring by which rows are looked up, picked or listed by an attribute, as in "support looks the parcel up by the phone number" and
    "lists the invoices of a customer", or in a note, as "access path: by status", "retrieval is by barcode" and "scanning the barcode brings up the sample", where neither the key nor a declared query serves it, nor another table or view that holds the same rows. The fix declares
    the query, and a second table or another key that serves it. A table of less than 10,000 rows, a nightly job, and what is said to be found elsewhere are not meant.

Why
    What no query declares, no other rule judges: the first call of it reads the whole table.

Example
    from uuid import UUID

    import btmodel as bt


    class Parcel(bt.Model, table="PARCEL"):
        "A parcel. Dispatchers list the parcels of a courier."

        parcel: UUID = bt.key(bt.UuidText(), cardinality=900_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        courier: UUID = bt.column("courier", data, codec=bt.AsInKey(bt.UuidText()))
        grams: int = bt.column("grams", data)

Use instead
    from uuid import UUID

    import btmodel as bt


    class Parcel(bt.Model, table="PARCEL"):
        "A parcel. Dispatchers list the parcels of a courier."

        parcel: UUID = bt.key(bt.UuidText(), cardinality=900_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        courier: UUID = bt.column("courier", data, codec=bt.AsInKey(bt.UuidText()))
        grams: int = bt.column("grams", data)


    class ParcelByCourier(bt.Index, of=Parcel, view="parcels_by_courier"):
        courier: UUID = bt.key(bt.UuidText())
        parcel: UUID = bt.key(bt.UuidText())
        grams: int = bt.covered()

        of_courier = bt.query("courier")

Allow
    Where a docstring asks something that is found in another system, let the sentence say so; or suppress it, and say how the question is answered.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: base them on the queries). The number of rows is this project's own choice.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from attrs import evolve

from btmodel import design
from btmodel.design.covered import read_alone
from btmodel.design.hints import cited
from btmodel.design.keys import with_named_tenants
from btmodel.design.questions_said import Question, questions_said
from btmodel.design.times_asked import time_asked, time_given
from btmodel.estimates import stored_rows
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema, Query
from btmodel.source_text import declaration
from btmodel.words import quoted

# A table of fewer rows is read as a whole in no time (this project's own figure).
_FEW = 10_000


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each question that only the description of a table asks, and that neither a key nor a declared query answers."""
    described: set[str] = set()
    for model in models:
        # The description of a second table that is proposed is that of the first.
        if model.view is None and model.doc and model.doc not in described:
            described.add(model.doc)
            yield from _asked(model, models)


def _asked(model: ModelSchema, models: Sequence[ModelSchema]) -> Iterator[Finding]:
    rows = stored_rows(model)
    if rows is not None and rows < _FEW:
        return
    unanswered = (question for question in questions_said(model) if not question.answered_by(models))
    for question in _apart(unanswered):
        given = quoted(question.given)
        yield RULE.finding(
            model,
            f"the description asks for rows by {given} ({cited(question.sentence)!r}), which neither the key `{model.key.shape}` nor a declared query serves",
            why="Bigtable finds rows only by their key, so any other query reads the whole table",
            fix=partial(_ways_to_ask, model, question),
            part=question.given[0],
            said=question.sentence,
        )


def _apart(questions: Iterable[Question]) -> Iterator[Question]:
    """The questions of each sentence that share nothing with one before them."""
    asked: dict[str, set[str]] = {}
    for question in questions:
        known = asked.setdefault(question.sentence, set())
        if known.isdisjoint(question.given):
            known.update(question.given)
            yield question


def _ways_to_ask(model: ModelSchema, question: Question) -> Iterator[Fix]:
    """What serves a query that only words ask, declared so, for one tenant and in its order of time; rows are still found by their whole key."""
    given = question.given
    tenants = (part.name for part in with_named_tenants(model).key.asked if part.tenant)
    known = {query.name for query in model.queries}
    name = next(name for name in (f"by_{'_and_'.join(given)}", "asked_in_words") if name not in known)
    time = time_asked(model, given, question.sentence) or time_given(question.times)
    ordered = {} if time is None else time._asdict()
    query = Query(
        name,
        tuple(dict.fromkeys((*tenants, *given))),
        only=read_alone(model, question.sentence),
        **ordered,
    )
    # Without a declared query, rows are found by their whole key, and a second table is no other place of them.
    whole = () if model.queries else (Query("one", tuple(part.name for part in model.key.asked)),)
    asking = evolve(model, queries=(*model.queries, *whole, query))
    for text, models, alternative in design.served(asking, query):
        models = tuple(
            evolve(made, queries=tuple(one for one in made.queries if one not in whole)) for made in models
        )
        where = " in a class of its own" if models[1:] else ""
        declared = "" if alternative else f"declare `{name} = {declaration(query)}`{where}, and "
        yield Fix(f"{declared}{text}", models, alternative=alternative, together=True)


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "QRY008",
    "question-in-words",
    check,
    page=__doc__,
    rewrites=None,
    levels=(Level.WARNING,),
    sees_views=True,
)
