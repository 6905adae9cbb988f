"""The settings of a table in a few words."""

from collections.abc import Iterator

from btmodel.schema import TableSettings
from btmodel.schema.gc import age_text


def stated(settings: TableSettings) -> Iterator[str]:
    """Each setting that is on."""
    if settings.deletion_protection:
        yield "deletion protection"
    if settings.change_stream:
        yield f"change stream of {age_text(settings.change_stream)}"
    if settings.automated_backups:
        yield f"daily backups kept for {age_text(settings.automated_backups)}"
    if settings.tiered_storage:
        yield f"tiered storage from {age_text(settings.tiered_storage)}"
    if settings.row_key_schema:
        yield "row key schema"
