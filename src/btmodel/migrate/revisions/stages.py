"""The way from where an instance stands to a revision."""

from attrs import frozen

from btmodel.errors import MigrationError
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import Standing, refuse_unknown, refuse_what_does_not_fit


@frozen
class Stage:
    """A revision to apply, and the one at whose tables the plan aims.

    That is the revision itself, unless others are applied that it does not stand on, as where two
    branches met: its snapshot knows nothing of what they did and would undo it. The merge of both is then
    the aim. ``is_applied`` where it is recorded already, and live is held against it once more; ``before`` is the
    revision that comes before it.
    """

    revision: Revision
    aim: Revision
    is_applied: bool = False
    before: str | None = None


def stages(now: Standing, to: Revision | None = None) -> tuple[Stage, ...]:
    """What leads to ``to``, or else to the last revision, in order.

    Where all is applied it is the last revision alone, so that what was changed by hand comes
    out; none, where the instance is further than these files. Raises :class:`MigrationError` where what is
    applied does not fit the files, or ``to`` does not stand on it.
    """
    refuse_what_does_not_fit(now)
    target = to or now.graph.head
    if target is None:
        return ()
    way = now.graph.up_to(target.id)
    left = [one for one in way if one not in now.applied]
    if not left:
        ahead = now.unknown or any(one not in way for one in now.applied)
        return () if ahead else (Stage(target, target, is_applied=True),)
    refuse_unknown(now)
    if aside := [one.id for one in now.applied if one not in way]:
        raise MigrationError(
            f"{target.id} does not stand on {' and '.join(aside)}, which the instance has applied: join them with "
            "`btmodel migrate merge` and apply that, or go back with `btmodel migrate rollback`"
        )
    done = {one.id for one in now.applied}
    found: list[Stage] = []
    for place, one in enumerate(way):
        if one in left:
            done.add(one.id)
            aim = next(
                each for each in way[place:] if done <= {below.id for below in now.graph.up_to(each.id)}
            )
            found.append(Stage(one, aim, before=way[place - 1].id if place else None))
    return tuple(found)
