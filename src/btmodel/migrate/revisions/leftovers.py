"""What earlier revisions left: it is live, was declared or copied once, and stays until its drop is allowed."""

from collections.abc import Iterable

import attrs

from btmodel.migrate.changes import Drift, UndeclaredLayout, UndeclaredSetting
from btmodel.migrate.changes.renamed import RenamedFamily, RenamedTable
from btmodel.migrate.plan import Plan
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.templates import concrete
from btmodel.schema import Table


def leftovers(plan: Plan, applied: Iterable[Revision]) -> tuple[Drift, ...]:
    """The drift of ``plan`` that the ``applied`` revisions, or what was recorded of them, explain; all else came by other hands."""
    before = [table for one in applied for table in concrete(one.tables, plan.live)[0]]
    return tuple(one for one in plan.drift if _is_left(one, before))


def _is_left(one: Drift, before: Iterable[Table]) -> bool:
    if isinstance(one, RenamedFamily | RenamedTable | UndeclaredLayout):
        return True  # recorded by a run
    tables = [table for table in before if table.id == one.table_id]
    if isinstance(one, UndeclaredSetting):
        return any(attrs.asdict(table.settings)[one.setting] == one.live for table in tables)
    if one.family_id is not None:
        return any(table.family(one.family_id) is not None for table in tables)
    return bool(tables)
