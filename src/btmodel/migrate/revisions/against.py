"""Live held against the last revision that is applied."""

from collections.abc import Mapping

from attrs import frozen

from btmodel.migrate.changes import Facts, RenamedFamily, RenamedTable
from btmodel.migrate.instance import Instance
from btmodel.migrate.journal import Journal
from btmodel.migrate.plan import make_plan
from btmodel.migrate.reading import read_known
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import Standing
from btmodel.migrate.templates import concrete


@frozen
class AgainstLast:
    """The names of the changes that lead from what is live back to ``revision``, and of what it does not declare.

    ``drops`` has the command that drops each table and family that was renamed, by its name: ``QUOTE.MD``.
    """

    revision: Revision
    changes: tuple[str, ...]
    drift: tuple[str, ...]
    drops: Mapping[str, str]


def against_last(now: Standing, instance: Instance, journal: Journal) -> AgainstLast | None:
    """How live differs from the last applied revision; None where none is applied, or what is does not fit the files.

    It costs one list, one get for each table, and two reads of the journal: neither rows nor clusters are looked at. Raises
    :class:`btmodel.errors.ServerError`.
    """
    fits = not (now.edited or now.unknown or now.partly or len(now.tops) > 1)
    last = now.last if fits else None
    if last is None:
        return None
    facts = Facts(None, frozenset(), tuple(journal.copies()))
    wanted, there = concrete(last.tables, read_known(instance, journal))
    plan = make_plan(instance.instance, wanted, there, (), facts)
    drops = {
        one.subject: f"{now.command} --allow {one.end.name}"
        for one in plan.drift
        if isinstance(one, RenamedFamily | RenamedTable) and one.end is not None
    }
    return AgainstLast(
        last, tuple(one.name for one in plan.pending), tuple(one.name for one in plan.drift), drops
    )
