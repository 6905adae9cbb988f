"""What a table has besides its column families: settings of the table as a whole."""

from datetime import timedelta

from attrs import asdict, evolve, frozen

# A change stream, backups or tiered storage of this length are none at all.
OFF = timedelta(0)


@frozen
class TableSettings:
    """The settings of a table that the Admin API changes in place (google.bigtable.admin.v2.Table).

    None means that nothing is stated, so that whatever is live stays; a live table states all of them.
    ``change_stream`` is how long changes can be read (1 to 7 days), ``automated_backups`` how long each
    daily backup is kept (3 to 90 days), ``tiered_storage`` the age from which cells move to infrequent
    access (30 days or more); zero, ``OFF``, means that there is none. ``row_key_schema`` is the key in
    Bigtable's own encodings as the JSON text that :func:`btmodel.schema.key_schema.row_key_schema`
    describes, with sorted keys; empty where there is none.
    """

    deletion_protection: bool | None = None
    change_stream: timedelta | None = None
    automated_backups: timedelta | None = None
    tiered_storage: timedelta | None = None
    row_key_schema: str | None = None

    def over(self, live: "TableSettings") -> "TableSettings":
        """What a table that has ``live`` has once these are set: what is not stated stays."""
        stated = {name: value for name, value in asdict(self).items() if value is not None}
        return evolve(live, **stated)


# What most models state.
UNSTATED = TableSettings()
# What a table has that was made without any.
ALL_OFF = TableSettings(False, OFF, OFF, OFF, "")
