"""Settings of a table, in words: what a model states of it besides its families."""

from collections.abc import Iterator
from datetime import timedelta

from btmodel.schema import ModelSchema
from btmodel.schema.gc import told_age


def stated(model: ModelSchema) -> Iterator[str]:
    """Each setting that ``model`` states of its table: ``changes can be read for 3 days``."""
    settings = model.settings
    if settings.deletion_protection is not None:
        yield "protected from deletion" if settings.deletion_protection else "not protected from deletion"
    yield from _period(settings.change_stream, "changes can be read for {}", "no change stream")
    yield from _period(settings.automated_backups, "daily backups are kept for {}", "no automated backups")
    cold = "cells are in infrequent access from an age of {} on"
    yield from _period(settings.tiered_storage, cold, "no tiered storage")
    if model.row_key_schema is not None:
        yield "with a row key schema" if model.row_key_schema else "no row key schema"
    if model.renamed_from is not None:
        yield f"renamed from {model.renamed_from}"


def _period(period: timedelta | None, words: str, none: str) -> Iterator[str]:
    if period is not None:
        yield words.format(told_age(period)) if period else none
