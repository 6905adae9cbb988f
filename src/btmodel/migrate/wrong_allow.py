"""Names that allow nothing: why each is refused, and what was probably meant.

Another kind of change is never offered in the place of one: what drops a table is not nearly what drops a family.
"""

import difflib
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from btmodel.errors import MigrationError, some
from btmodel.migrate.changes import Change, Effect
from btmodel.migrate.natural import natural
from btmodel.schema.parameters import fits, placeholders

if TYPE_CHECKING:
    from btmodel.migrate.plan import Plan

_SHOWN = 5  # names that a message offers
_SLIP = 0.85  # how alike a kind of change is that was mistyped: "drop-famly", and not "drop-table"


class WrongAllow(MigrationError):
    """A name that allows nothing, or more than one thing.

    ``plans`` are those that it was said for, and ``headings`` what stands above each of them; none by default.
    """

    def __init__(self, message: str, plans: Sequence["Plan"], headings: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.plans = tuple(plans)
        self.headings = tuple(headings) or ("",) * len(self.plans)


def refuse_needless(
    allow: Iterable[str], known: Collection[str], plans: Sequence["Plan"], headings: Sequence[str] = ()
) -> None:
    """Raise :class:`WrongAllow` with every name in ``allow`` that is not ``known``; ``plans`` are those that it was said for."""
    wrong = [name for name in dict.fromkeys(allow) if name not in known]
    if wrong:
        where = plans[0].instance if plans else "this instance"
        changes = [change for plan in plans for change in plan.changes]
        told = "\n".join(_needless(name, known, changes, where) for name in wrong)
        raise WrongAllow(told, plans, headings)


def _needless(name: str, known: Collection[str], changes: Iterable[Change], instance: str) -> str:
    """Why ``--allow name`` is refused where only ``known`` names allow anything, and what was probably meant."""
    for change in changes:
        if change.name == name and change.effect is Effect.IMPOSSIBLE:
            return f"--allow {name}: this cannot be allowed: {(*change.details, change.summary)[0]}"
    return f"--allow {name}: nothing in {instance} needs that; {_hint(name, known)}"


def _hint(name: str, known: Collection[str]) -> str:
    kind, _, subject = name.partition(":")
    kinds = {one.partition(":")[0] for one in known}
    kind = next(iter(difflib.get_close_matches(kind, kinds, n=1, cutoff=_SLIP)), kind)
    subjects = {one.partition(":")[2]: one for one in known if one.startswith(f"{kind}:")}
    if placeholders(subject):
        of = [one for there, one in subjects.items() if fits(subject, there)]
        each = "each live table has a name of its own"
        return f"{each}: {_some(of)}" if of else f"{each}, and none of this kind has to be allowed"
    near = difflib.get_close_matches(subject, subjects, n=1)
    if near:
        return f"did you mean --allow {subjects[near[0]]}?"
    return f"what can be allowed: {_some(known)}" if known else "nothing has to be allowed"


def _some(names: Iterable[str]) -> str:
    return some(sorted(names, key=natural), _SHOWN)
