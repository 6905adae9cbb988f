"""What became of live tables between two looks at them, in words: for a plan that does not fit any more."""

from collections.abc import Iterable, Iterator

from btmodel.migrate.changes.base import described
from btmodel.migrate.changes.stated import stated
from btmodel.migrate.natural import natural
from btmodel.schema import Table


def moved(before: Iterable[Table], now: Iterable[Table]) -> tuple[str, ...]:
    """Each table, family, rule, setting and record that is another one, from what to what."""
    then, there = ({table.id: table for table in tables} for tables in (before, now))
    ids = sorted(then.keys() | there.keys(), key=natural)
    return tuple(line for id in ids for line in _moved(id, then.get(id), there.get(id)))


def _moved(id: str, then: Table | None, now: Table | None) -> Iterator[str]:
    if then is None or now is None:
        if then is not now:
            yield f"table {id} {'is new' if then is None else 'is gone'}"
        return
    yield from _families(then, now)
    old, new = (", ".join(stated(table.settings)) or "no settings" for table in (then, now))
    if old != new:
        yield f"table {id} had {old}, and has {new}"
    elif (then.settings.row_key_schema or "") != (now.settings.row_key_schema or ""):
        yield f"table {id} has another row key schema"
    known, found = ({one.model: one for one in table.layouts} for table in (then, now))
    models = [name for name in sorted(known.keys() | found.keys()) if known.get(name) != found.get(name)]
    if models:
        yield f"how the rows of {id} are written was recorded anew, of {', '.join(models)}"


def _families(then: Table, now: Table) -> Iterator[str]:
    for name in sorted({family.id for table in (then, now) for family in table.families}, key=natural):
        old, new = then.family(name), now.family(name)
        subject = f"family {now.id}.{name}"
        if old is None and new is not None:
            yield f"{subject} is new, and {described(new)}"
        elif new is None and old is not None:
            yield f"{subject} is gone"
        elif old is not None and new is not None and old != new:
            was, is_ = (described(one).removeprefix("keeps ") for one in (old, new))
            yield f"{subject} kept {was}, and keeps {is_}{' with another type of cells' if was == is_ else ''}"
