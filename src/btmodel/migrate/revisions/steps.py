"""Data steps: the functions of a revision that change rows, once its tables are there."""

from pathlib import Path

from btmodel.errors import MigrationError
from btmodel.migrate.instance import Instance
from btmodel.migrate.journal import Journal
from btmodel.migrate.revisions.revision import Revision


def run(step: str, revision: Revision, folder: Path, instance: Instance, journal: Journal) -> None:
    """Run the function ``step`` of ``revision``, whose code is in ``folder``, from where it stopped before.

    Raises :class:`MigrationError`.
    """
    raise MigrationError(f"{folder / revision.id}.py: {step}: this btmodel cannot run data steps")
