"""The nightly job of the meters: copies the rows of a day from SENSOR to a table of that day.

``python -m examples.meters_job INSTANCE 20170726`` runs it by hand.

It may be stopped at any moment, and run again: every cell is copied with its timestamp,
so what was copied before is written over by itself.
"""

import sys
from collections.abc import Callable
from datetime import date, datetime

import btmodel as bt
from btmodel.rows import Mutation
from examples.generated.sensor_repository import SensorRepository
from examples.meters import SensorOfDay

# Rows that are read and written at a time: no request lasts long, however large the table is.
ROWS = 1_000


def copy_day(db: bt.Database, day: date, progress: Callable[[int], object] | None = None) -> int:
    """Copy the rows of ``day`` to their own table, which is made where it is missing; return how many.

    ``progress`` is called with the number of rows copied so far. Raises :class:`btmodel.WriteFailed`
    and other errors of the server; run it again, then.
    """
    name = f"{day:%Y%m%d}"
    bt.create_tables(db, SensorOfDay, day=name)
    table = bt.schema_of(SensorOfDay).bound({"day": name}).table
    # The server compares keys and sends no other rows.
    left = SensorRepository(db).of_all().matching(f"[0-9]{{10}}#{name}").limit(ROWS).plan
    copied = 0
    while rows := list(db.read(left)):
        copied += db.write_many(table, (Mutation(table, key, cells) for key, cells in rows))
        if progress is not None:
            progress(copied)
        left = left.after(rows[-1][0])
    return copied


def main(instance: str, day: str) -> None:
    """Copy a day, and say how far it is."""
    with bt.connect(instance) as db:
        copied = copy_day(db, datetime.strptime(day, "%Y%m%d").date(), lambda rows: print(rows, flush=True))
    print(f"{copied:,} rows of {day} copied")


if __name__ == "__main__":
    main(*sys.argv[1:])
