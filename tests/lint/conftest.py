"""What the tests of the rules share: a schema built from values, without a class."""

from collections.abc import Callable
from typing import Any

import pytest

from btmodel.codecs.key import KeyCodec, PaddedInt
from btmodel.schema import Family, KeyField, Location, ModelSchema, RowKey
from btmodel.schema.gc import max_versions


@pytest.fixture
def a_model() -> Callable[..., ModelSchema]:
    """Makes a model that no rule flags, with the parts given changed."""

    def make(
        *fields: KeyField | tuple[str, KeyCodec[Any]], delimiter: bytes = b"#", **changes: Any
    ) -> ModelSchema:
        parts = fields or (KeyField("id", PaddedInt(6), sequential=False),)
        key = tuple(part if isinstance(part, KeyField) else KeyField(*part) for part in parts)
        values: dict[str, Any] = {
            "name": "Thing",
            "module": "shop.models",
            "doc": "",
            "table": "THING",
            "key": RowKey(key, delimiter),
            "families": (Family("data", max_versions(1), location=Location("models.py", 4)),),
            "columns": (),
            "location": Location("models.py", 1),
        }
        return ModelSchema(**(values | changes))

    return make
