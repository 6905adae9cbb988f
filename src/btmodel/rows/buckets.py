"""Time buckets of rows: the label, and the events inside."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from btmodel.codecs.time import in_utc
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.schema import ModelSchema


class BucketSpan:
    """The spans of time that the rows of a model hold, and the key field that labels them."""

    def __init__(self, model: ModelSchema) -> None:
        bucket, field = model.bucket, model.bucket_field
        if bucket is None or field is None:
            raise QueryRefused(f"{model.name} declares no bucket, so its rows hold no events")
        self._model = model.name
        self.bucket = bucket
        self.field = field

    def label(self, time: datetime) -> date | datetime:
        """The bucket of ``time`` as the key field holds it: a date, or the time that it starts at."""
        start = self.bucket.start(time)
        return start.date() if self.field.codec.python_type is date else start

    def span(self, values: Mapping[str, Any]) -> tuple[datetime, datetime]:
        """The half-open span of time of the row with these key fields."""
        label = values[self.field.name]
        if not isinstance(label, datetime):
            label = datetime(label.year, label.month, label.day, tzinfo=UTC)
        return in_utc(label), self.bucket.next(label)

    def refuse_outside(self, values: Mapping[str, Any], histories: Iterable[str]) -> None:
        """Refuse a row that holds an event of another bucket, where no read would look for it."""
        start, end = self.span(values)
        for name in histories:
            for time in values[name]:
                if not start <= time < end:
                    wanted = f"times of the row's {self.bucket.noun}, from {start} up to {end}"
                    raise ValueRefused(wanted, time, where=f"{self._model}.{name}")
