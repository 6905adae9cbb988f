"""Tables with every setting, on and off, in one model of several, and with what was renamed."""

from datetime import timedelta

import btmodel as bt


class Full(
    bt.Model,
    delimiter="\x1f",
    table=bt.table(
        "FULL",
        deletion_protection=True,
        change_stream=timedelta(days=1, hours=12),
        automated_backups="30d",
        tiered_storage="60d",
        row_key_schema=True,
        renamed_from="HALF",
    ),
):
    """A table with all that there is."""

    place: str = bt.key(bt.Text(max_length=20), cardinality=1_000)
    thing: str = bt.key(bt.Text(max_length=20), cardinality=1_000)

    f = bt.family("f", gc=bt.max_versions(1), renamed_from="g")
    value: int = bt.column("v", f)


class Off(
    bt.Model,
    delimiter="\x1f",
    table=bt.table(
        "OFF",
        deletion_protection=False,
        change_stream=False,
        automated_backups=False,
        tiered_storage=False,
        row_key_schema=False,
    ),
):
    """A table that is stated to have nothing."""

    place: str = bt.key(bt.Text(max_length=20), cardinality=1_000)

    f = bt.family("f", gc=bt.max_versions(1))
    value: int = bt.column("v", f)


class Some(bt.Model, table=bt.table("SOME", change_stream="7d", automated_backups="3d")):
    """A table with some settings, which this model states."""

    kind: str = bt.constant("some")
    place: str = bt.key(bt.Text(max_length=20), cardinality=1_000)

    f = bt.family("f", gc=bt.max_versions(1))
    value: int = bt.column("v", f)


class Other(bt.Model, table="SOME"):
    """A model of the same table, which states none."""

    kind: str = bt.constant("other")
    place: str = bt.key(bt.Text(max_length=20), cardinality=1_000)

    f = bt.family("f", gc=bt.max_versions(1))
    value: int = bt.column("v", f)
