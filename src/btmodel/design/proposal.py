"""The one key that all fixes of a model propose: it serves the most queries and spreads the writes."""

from collections.abc import Mapping, Sequence
from itertools import islice, takewhile
from typing import Any

from attrs import evolve, frozen

from btmodel.codecs.key import Kind, Order, Text
from btmodel.design.candidates import Tried, made_of, promotable, tiers
from btmodel.design.encodings import sortable_codec
from btmodel.design.event_ids import called_own_id, tells_apart_by_name
from btmodel.design.keys import drawn, moved, open_ended, orders, single
from btmodel.design.series import colliding
from btmodel.design.sources import writes
from btmodel.design.spread import (
    MANY,
    crowded,
    few_domains,
    hot,
    is_domain,
    leading,
    leading_time,
    places,
    timelike,
)
from btmodel.on_demand import pattern
from btmodel.schema import Column, KeyField, ModelSchema, Query, RowKey, Unserved, access
from btmodel.schema.model import remembered
from btmodel.source_text import names_of
from btmodel.value import Value


@frozen(eq=False, repr=False)
class Design(Value):
    """A key for ``model``, which has it instead of its own: the queries ``unserved`` need a second table.

    ``column`` is the column that becomes a key field, ``invented`` the name of a field that
    the model does not have yet, ``finer`` the declaration of a finer time;
    ``salt`` is a salt that is new, ``dropped`` are derived fields that are needless. ``tenants`` are the queries that must give the tenant, too.
    """

    model: ModelSchema
    column: Column | None
    invented: str | None
    finer: str | None
    salt: KeyField | None
    dropped: tuple[KeyField, ...]
    unserved: tuple[Query, ...]
    tenants: tuple[Query, ...]
    hot: bool

    @property
    def key(self) -> RowKey:
        """The proposed key."""
        return self.model.key

    @property
    def shape(self) -> str:
        """The proposed key, drawn."""
        return drawn(self.key, self.key.fields)

    @property
    def salts(self) -> tuple[KeyField, ...]:
        """The salts of the key, new ones and those that stay."""
        return tuple(part for part in self.key.fields if part.derived and part.derived.values is not None)


# So many keys are proposed, of which a reader sees the first that holds.
_PROPOSALS = 6


def proposed(model: ModelSchema) -> Design:
    """The best key of ``model``: one of the orders of its fields, with a column promoted, or a salt, where that is needed."""
    return proposals(model)[0]


@remembered
def proposals(model: ModelSchema) -> tuple[Design, ...]:
    """The best keys of ``model``, the best first: see :func:`proposed`."""
    queries = tuple(query for query in model.queries if _can_be_served(model, query))
    index = {part.name: at for at, part in enumerate(model.key.fields)}
    disorder = _RANK if rows_ranked(model) else _ORDER if _ORDERED.search(model.doc) else 0.0
    best: tuple[tuple[Any, ...], Tried, ModelSchema] | None = None
    others: dict[str, tuple[tuple[Any, ...], Tried, ModelSchema]] = {}
    for tier in tiers(model):
        for tried in tier:
            if best is not None and not _of_new_field(best[1]) and _vain(tried, best[0], queries, index):
                continue
            for order in orders(tried.fields, queries):
                made = _sorted(made_of(model, tried, order), queries)
                unserved = [not serves(made.key, with_tenant(made, query)) for query in queries]
                new_salt = tried.salt is not None and tried.salt not in model.key.fields
                gravest = (crowded(made), sum(unserved))
                if best is not None and gravest > (best[0][0], int(best[0][1])):
                    continue
                moved_on = sum(out_of_order(model, made, query) for query in queries) if disorder else 0
                cost = gravest[1] + _SALT * new_salt + disorder * moved_on
                graded = (
                    gravest[0],
                    cost,
                    *_score(model, made, _new_id(model, tried), queries, unserved),
                    *_cost(tried, made, index),
                )
                ranked = (graded, tried, made)
                if best is None or graded < best[0]:
                    best = ranked
                others[made.key.shape] = min(others.get(made.key.shape, ranked), ranked, key=_grade)
        if best is not None and not _faulty(best[0]):
            break
    assert best is not None
    ranking = [best, *sorted((other for other in others.values() if other is not best), key=_grade)]
    return tuple(_design(model, tried, made, queries) for _, tried, made in ranking[:_PROPOSALS])


def _new_id(model: ModelSchema, tried: Tried) -> str | None:
    """The name of the new field, where it identifies the event, and is not what writes it, of which there may be many."""
    column = tried.column
    if column is None:
        return tried.invented
    unrated = evolve(model, events=None)
    own = tells_apart_by_name(unrated, column) and not writes(model, column.name)
    return column.name if own else None


def _grade(ranked: tuple[tuple[Any, ...], Tried, ModelSchema]) -> tuple[Any, ...]:
    return ranked[0]


def _faulty(graded: tuple[Any, ...]) -> bool:
    return any(graded[:2]) or any(graded[3:_FAULTS])


def _of_new_field(tried: Tried) -> bool:
    """Whether a key has a new field, which the other faults of the model need: a salt in front of it may do more."""
    return (tried.column or tried.invented) is not None


def _vain(tried: Tried, faults: tuple[Any, ...], queries: Sequence[Query], index: Mapping[str, int]) -> bool:
    """Whether a new field fixes nothing: what is wrong is only that no key serves all queries of the fields that there are."""
    columns = any(name not in index for query in queries for name in names_of(query))
    return _of_new_field(tried) and not columns and not any((faults[0], *faults[5:8], faults[9]))


def _design(model: ModelSchema, tried: Tried, made: ModelSchema, queries: Sequence[Query]) -> Design:
    tenants = tuple(query for query in queries if _needs_tenant(made, query))
    names = {part.name for part in made.key.fields}
    return Design(
        made,
        tried.column,
        tried.invented,
        tried.finer,
        None if tried.salt in model.key.fields else tried.salt,
        tuple(part for part in model.key.fields if part.name not in names),
        tuple(query for query in queries if query not in tenants and not serves(made.key, query)),
        tenants,
        crowded(made),
    )


def serves(key: RowKey, query: Query) -> bool:
    """Whether ``key`` serves the query."""
    return not isinstance(access(key, query), Unserved)


def fitted(key: RowKey, query: Query) -> RowKey:
    """``key`` with another codec or end of the field that ``query`` bounds, where it serves the query then."""
    part = next((field for field in key.fields if field.name == query.between), None)
    if part is None or serves(key, query):  # None of a value that is only hashed, too
        return key
    codec = part.codec if part.codec.ordered else sortable_codec(part.codec)
    if codec is None:
        return key
    tried = [evolve(part, codec=codec)]
    if codec.order is Order.ASCENDING and 0 not in codec.alphabet:
        tried.append(evolve(part, codec=codec, ends=b"\0"))
    for new in tried:
        made = evolve(key, fields=tuple(new if field == part else field for field in key.fields))
        if serves(made, query):
            return made
    return key


def _sorted(made: ModelSchema, queries: Sequence[Query]) -> ModelSchema:
    """``made`` with codecs that sort for the fields of which queries read a range, where the order of the fields serves these."""
    key = made.key
    for query in queries:
        part = next((field for field in key.fields if field.name == query.between), None)
        if part is not None and not part.codec.ordered:
            key = fitted(key, query)
    return made if key is made.key else evolve(made, key=key)


def with_tenant(model: ModelSchema, query: Query) -> Query:
    """The query with the tenants of the key given, too."""
    tenants = [part.name for part in model.key.fields if part.tenant and not single(part)]
    if not (query.equal or query.between or query.starting):
        return query
    named = (*query.equal, query.between, query.starting)
    return evolve(query, equal=(*(name for name in tenants if name not in named), *query.equal))


def _needs_tenant(model: ModelSchema, query: Query) -> bool:
    return not serves(model.key, query) and serves(model.key, with_tenant(model, query))


def _can_be_served(model: ModelSchema, query: Query) -> bool:
    """Whether some key could serve the query: it gives a field, or says why it reads every row, and names what there is."""
    known = {part.name for part in model.key.asked} | {column.name for column in model.columns}
    names = [*query.equal, *(name for name in (query.between, query.starting) if name)]
    return bool(names or query.scan) and known.issuperset(names)


# What a new salt, which makes several reads of one, costs beside a query that needs a second table.
_SALT = 0.5
# And what it costs that rows come in another order than that of time, where the description speaks of it.
_ORDER = 0.75
# And that the rows of a ranking do: a reader of the best would read all of them.
_RANK = 1.5
_ORDERED = pattern(r"(?i)\b(first|oldest|longest|newest|latest|in (the )?order)\b")


# What speaks of rows in the order of a number.
_RANKED = pattern(r"(?i)\b(best|highest|top|lowest|worst|leader-?boards?|rankings?|high scores?)\b")


def rows_ranked(model: ModelSchema) -> bool:
    """Whether the description speaks of rows in the order of a number, such as the best scores."""
    return _RANKED.search(model.doc) is not None


def out_of_order(model: ModelSchema, made: ModelSchema, query: Query) -> bool:
    """Whether the rows of a query come in the order of a time, or of the number by which they are ranked, from the key of ``model``, and in another from that of ``made``."""
    return _timed_rows(model, query) and serves(made.key, query) and not _timed_rows(made, query)


def _timed_rows(model: ModelSchema, query: Query) -> bool:
    found = access(model.key, query)
    if isinstance(found, Unserved) or query.scan or query.between is not None:
        return False
    given = {*query.equal}
    left = (part for part in model.key.fields if part.asked and not single(part) and part.name not in given)
    kinds = (Kind.TIME, Kind.NUMBER) if rows_ranked(model) else (Kind.TIME,)
    return any(part.codec.kind in kinds for part in islice(left, 1))


# How many of the figures of a score are faults; what follows only ranks keys that are alike.
_FAULTS = 10


def _score(
    model: ModelSchema,
    made: ModelSchema,
    new: str | None,
    queries: Sequence[Query],
    unserved: Sequence[bool],
) -> tuple[Any, ...]:
    """The faults of a key besides the gravest two, writes to one place and unserved queries: again the gravest first."""
    by_order = sum(not _orderly(made, query) for query in queries)
    blurred = sum(open_ended(made.key, part) for part in made.key.fields[:-1])
    apart = model.holds_events and not made.holds_events
    return (
        tuple(unserved),
        by_order,
        blurred + apart,
        few_domains(made) is not None,
        colliding(made) is not None and colliding(model) is not None,
        # Without a declared rate, a time in front is fixed by what may have many values.
        leading_time(model) is not None and hot(model) and _few(made),
        sum(_finer_in_front(made, query) for query in queries),
        id_in_front(model, made, new, queries),
    )


def _few(made: ModelSchema) -> bool:
    """Whether few values stand in front of the time, by declared numbers, and nothing says how fast rows are written, nor that they are what writes them."""
    first = leading(made)
    return (
        places(made) < MANY and made.events is None and not (first is not None and writes(made, first.name))
    )


def id_in_front(
    model: ModelSchema, made: ModelSchema, new: str | None, queries: Sequence[Query] = ()
) -> bool:
    """Whether an id of the event has come in front of the time, though no query gives it, and what writes the events is there to stand there, or what stands there spreads them without it."""
    front = [*takewhile(lambda part: not timelike(made, part), made.key.fields)]
    before = {part.name for part in takewhile(lambda part: not timelike(model, part), model.key.fields)}
    given = {name for query in queries for name in (*query.equal, query.starting)}
    ids = [
        part
        for part in front
        if part.asked
        and part.name not in given
        and (part.name == new or (part.name not in before and _own_id(model, part.name)))
    ]
    if not ids or front == [*made.key.fields]:
        return False
    behind = made.key.fields[made.key.fields.index(ids[0]) + 1 :]
    others = [column.name for column in promotable(model) if column in made.columns]
    if any(writes(model, name) for name in (*(part.name for part in behind if part.asked), *others)):
        return True
    rest = evolve(
        made, key=evolve(made.key, fields=tuple(part for part in made.key.fields if part not in ids))
    )
    return not crowded(rest) and not _few(rest)


def _own_id(model: ModelSchema, name: str) -> bool:
    return called_own_id(model, name) and not writes(model, name)


def _cost(tried: Tried, made: ModelSchema, index: dict[str, int]) -> tuple[Any, ...]:
    """How much a key changes; of like ones, how far it spreads the writes, and how far it goes from coarse to fine."""
    fields = made.key.fields
    known = [part.cardinality for part in fields if part.cardinality and part.codec.kind is not Kind.TIME]
    finer = sum(a > b for at, a in enumerate(known) for b in known[at + 1 :])
    kept = tuple(part for part in fields if part != tried.salt)
    # Few domains go behind another field, even where that one spreads their rows: see KEY012.
    front = leading(made)
    domain = front is not None and is_domain(front) and (front.cardinality or MANY) < MANY
    spread = places(made)
    return (
        tried.cost,
        domain,
        moved(index, kept),
        -min(spread, MANY),
        _front_moved(index, kept),
        -spread,
        finer,
    )


def _front_moved(index: Mapping[str, int], fields: Sequence[KeyField]) -> bool:
    """Whether another field leads the key than before, so that rows which lay together no longer do."""
    varying = [index[part.name] for part in fields if part.name in index and not single(part)]
    return bool(varying) and varying[0] != min(varying)


def _orderly(made: ModelSchema, query: Query) -> bool:
    """Whether the order of the fields serves the query, if their codecs were of fixed width and sorted."""
    named = (query.between, query.starting)
    fields = tuple(
        evolve(part, codec=Text(width=9)) if part.asked and part.name in (*query.equal, *named) else part
        for part in made.key.fields
    )
    return serves(RowKey(fields, made.key.delimiter), with_tenant(made, query))


def _finer_in_front(made: ModelSchema, query: Query) -> bool:
    """Whether a finer field stands in front of one that the query gives: see KEY016."""
    return finer_in_front(made, query) is not None


def finer_in_front(model: ModelSchema, query: Query) -> tuple[KeyField, KeyField] | None:
    """The first field that the query gives behind a finer one that it does not give, and that finer one."""
    given = {*query.equal, *query.where}
    written = [part for part in model.key.asked if part in model.key.fields]
    for at, coarse in enumerate(written):
        if coarse.name in given and coarse.codec.kind is not Kind.TIME and not coarse.optional:
            for finer in written[:at]:
                if finer.name not in given and _finer(finer, coarse):
                    return finer, coarse
    return None


def _finer(part: KeyField, than: KeyField) -> bool:
    known = part.cardinality is not None and than.cardinality is not None
    return part.codec.kind is not Kind.TIME and known and (part.cardinality or 0) > (than.cardinality or 0)
