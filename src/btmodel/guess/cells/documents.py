"""JSON documents in cells."""

import json
from collections.abc import Sequence
from typing import Any

from btmodel.codecs.cell import Json
from btmodel.guess.cells.base import CellGuess, fits

_OPEN = {b"{": dict[str, Any], b"[": list[Any]}


def document(values: Sequence[bytes]) -> CellGuess | None:
    """JSON, objects or lists throughout. The spaces between its parts say nothing, so they may change."""
    kinds = {value[:1] for value in values}
    type_ = _OPEN.get(kinds.pop()) if len(kinds) == 1 else None
    if type_ is None:
        return None
    codec: Json[Any] = Json(type_)
    if fits(codec, values):
        return CellGuess(codec, "JSON documents")
    if all(_same(codec, value) for value in values):
        return CellGuess(codec, "JSON documents, with other spaces or escapes than this codec writes")
    return None


def _same(codec: Json[Any], value: bytes) -> bool:
    """Whether the document comes back, though perhaps not to the byte."""
    try:
        # As text: 1.0 and 1 are equal, and not the same.
        again = json.loads(codec.encode(codec.decode(value)))
        return json.dumps(again) == json.dumps(json.loads(value))
    except (ValueError, OverflowError, RecursionError):
        return False
