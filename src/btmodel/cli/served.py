"""How a declared query is served, in words."""

from attrs import frozen

from btmodel.schema import Access, AccessKind, ModelSchema, Query, Unserved, access


@frozen
class Served:
    """A query as people ask it, and the reads that answer it; ``reads`` is how many, 0 where nothing serves it."""

    asks: str
    how: str
    kind: str
    reads: int


def served(model: ModelSchema, query: Query) -> Served:
    """How the key of ``model`` serves ``query``."""
    found = access(model.key, query)
    if isinstance(found, Unserved):
        return Served(_asks(query), f"not served: {found.why}", "unserved", 0)
    values = found.scattered.derived.values if found.scattered and found.scattered.derived else None
    count = len(values) if values else 1
    return Served(_asks(query), _how(found, count), found.kind.name.lower(), count)


def _asks(query: Query) -> str:
    parts = [*query.equal]
    parts += [f"{query.between} from..to"] if query.between else []
    parts += [f"{query.starting} beginning with..."] if query.starting else []
    given = ", ".join(parts) or "nothing"
    return f"{given} → {', '.join(query.only)}" if query.only else given


def _how(found: Access, count: int) -> str:
    if count == 1:
        return found.kind.value
    rows = {AccessKind.POINT: "rows", AccessKind.RANGE: "ranges of rows"}.get(found.kind, "prefixes")
    return f"{count} {rows}, one for each {found.scattered.name if found.scattered else ''}"
