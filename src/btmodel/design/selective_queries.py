"""Queries that give what their readers pick rows by, instead of picking among all that comes."""

from collections.abc import Callable, Iterable
from datetime import datetime

from attrs import evolve

from btmodel.design.proposal import serves
from btmodel.design.spread import MANY
from btmodel.schema import ModelSchema, Query
from btmodel.source_text import declaration


def given(query: Query, names: Iterable[str]) -> Query:
    """The query that gives ``names`` as well, and no longer picks by them; a scan that gives something is none."""
    names = [name for name in names if name not in query.equal]
    if not names:
        return query
    where = tuple(name for name in query.where if name not in names)
    return evolve(query, scan=None, equal=(*query.equal, *names), where=where)


def bounding(model: ModelSchema, query: Query, names: Iterable[str]) -> Query:
    """The query that gives ``names`` as :func:`given` has it; of a moment by which a scan picks, it asks for a range, as nobody scans for rows whose whole key is known."""
    names = list(names)
    moments = [
        part.name for part in model.key.asked if part.codec.python_type is datetime and part.name in names
    ]
    others = [name for name in names if name not in moments]
    if query.scan is None or len(moments) != 1 or not others or query.between or query.starting:
        return given(query, names)
    (moment,) = moments
    bounded = given(query, others)
    return evolve(bounded, between=moment, where=tuple(name for name in bounded.where if name != moment))


def asking(
    model: ModelSchema, picked: Callable[[Query], Iterable[str]], *, served: bool
) -> tuple[ModelSchema, str]:
    """The model whose queries give what is ``picked`` of each, and how those are then declared; no words where none does.

    With ``served`` only queries change that the key serves then.
    """
    pairs = [(query, bounding(model, query, picked(query))) for query in model.queries]
    queries = [new if not served or serves(model.key, new) else old for old, new in pairs]
    changed = [new for new, old in zip(queries, model.queries, strict=True) if new != old]
    if not changed:
        return model, ""
    declared = ", ".join(f"`{query.name} = {declaration(query)}`" for query in changed)
    return evolve(model, queries=tuple(queries)), declared


def giving(model: ModelSchema) -> tuple[ModelSchema, str]:
    """The model whose queries give the fields of the key, of many values, by which their readers pick rows, and how they are then declared."""
    fields = {part.name for part in model.key.asked if (part.cardinality or MANY) >= MANY}

    def picked(query: Query) -> Iterable[str]:
        if query.scan is not None or query.between in query.where:
            return ()
        return [name for name in query.where if name in fields]

    return asking(model, picked, served=False)
