"""Plans put in files, as an earlier version did: of no server in particular."""

from pathlib import Path

from btmodel.migrate import Plan
from btmodel.migrate.planning.saved import saved_text


def save(plan: Plan, path: Path) -> None:
    """Write ``plan`` to ``path``."""
    path.write_text(saved_text(plan), encoding="utf-8")
