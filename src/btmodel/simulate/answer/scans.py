"""What a key costs those who read: the ranges of one read."""

from btmodel.schema import ModelSchema, Unserved, access


def ranges_of(model: ModelSchema) -> int:
    """The ranges of the dearest of the declared queries that the key serves: one, or one for each salt. 0 without any."""
    return max((_ranges(model, name) for name in (query.name for query in model.queries)), default=0)


def unserved(model: ModelSchema) -> tuple[str, ...]:
    """The declared queries that no key, prefix or range serves."""
    return tuple(one.name for one in model.queries if isinstance(access(model.key, one), Unserved))


def _ranges(model: ModelSchema, name: str) -> int:
    found = access(model.key, model.query(name))
    if isinstance(found, Unserved):
        return 0
    derived = found.scattered.derived if found.scattered else None
    return len(derived.values or ()) if derived else 1
