"""How a declared query is served, in words."""

from attrs import frozen

from btmodel.printable import as_text
from btmodel.schema import Access, AccessKind, ModelSchema, Query, RowKey, Unserved, access


@frozen
class Served:
    """A query as people ask it, and the reads that answer it; ``reads`` is how many, 0 where nothing serves it.

    ``given`` is what it gives, ``asks`` that and the columns it wants, ``rows`` the keys that are read:
    ``{sensor}#{day from..to}...``, and nothing where no key serves it.
    """

    given: str
    asks: str
    how: str
    rows: str
    kind: str
    reads: int


def served(model: ModelSchema, query: Query) -> Served:
    """How the key of ``model`` serves ``query``."""
    found = access(model.key, query)
    given = _given(query)
    asks = f"{given} → {', '.join(query.only)}" if query.only else given
    if isinstance(found, Unserved):
        return Served(given, asks, f"not served: {found.why}", "", "unserved", 0)
    values = found.scattered.derived.values if found.scattered and found.scattered.derived else None
    count = len(values) if values else 1
    rows = _rows(model.key, found)
    return Served(given, asks, _how(found, count), rows, found.kind.name.lower(), count)


def reads(model: ModelSchema, query: Query) -> str:
    """What a query reads: how many rows, in which order, and why where that is every row."""
    why = f" ({query.scan})" if query.scan else ""
    order = ", newest first" if query.newest else ""
    return f"{served(model, query).how}{order}{why}"


def _given(query: Query) -> str:
    parts = [*query.equal]
    parts += [f"{query.between} from..to"] if query.between else []
    parts += [f"{query.starting} beginning with..."] if query.starting else []
    return ", ".join(parts) or "nothing"


def _rows(key: RowKey, found: Access) -> str:
    """The keys of the rows that are read, drawn with the names of the fields as far as the read tells them."""
    told = [
        part.constant or f"{{{part.name}{': each' * (part == found.scattered)}}}" for part in found.prefix
    ]
    if found.between:
        told.append(f"{{{found.between.name}: from..to}}")
    if found.starting:
        told.append(f"{{{found.starting.name}...}}")
    whole = len(told) == len(key.fields) and not found.starting
    behind = [as_text(key.behind(part)) for part in key.fields[: len(told)]]
    if whole or found.between or found.starting:
        behind[-1:] = [""]
    text = "".join(name + end for name, end in zip(told, behind, strict=True))
    return text if whole or found.starting else f"{text}..."


def _how(found: Access, count: int) -> str:
    if count == 1:
        return found.kind.value
    rows = {AccessKind.POINT: "rows", AccessKind.RANGE: "ranges of rows"}.get(found.kind, "prefixes")
    return f"{count} {rows}, one for each {found.scattered.name if found.scattered else ''}"
