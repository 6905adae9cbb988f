"""Real row keys, from a file of them."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from btmodel.errors import SimulationRefused, UndecodableKey
from btmodel.rows import RowKeyCodec
from btmodel.schema import ModelSchema


def keys_in(path: Path, model: ModelSchema, parse: Callable[[str], bytes]) -> tuple[bytes, ...]:
    r"""The keys in a file, one a line, which ``parse`` takes for bytes; empty lines are left out.

    Raises :class:`SimulationRefused`, with the line of a key that is none of ``model``.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise SimulationRefused(f"{path}: {error.strerror or error}") from None
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip("\r"))
    found = tuple(_checked(model, path, ((number, parse(line.rstrip("\r"))) for number, line in lines)))
    if not found:
        raise SimulationRefused(f"{path}: wanted row keys of {model.name}, one a line, got none")
    return found


def _checked(model: ModelSchema, path: Path, keys: Iterable[tuple[int, bytes]]) -> Iterator[bytes]:
    codec = RowKeyCodec(model)
    for number, key in keys:
        try:
            codec.decode(key)
        except UndecodableKey as error:
            raise SimulationRefused(f"{path}:{number}: no row key of {model.name}: {error.why}") from None
        yield key
