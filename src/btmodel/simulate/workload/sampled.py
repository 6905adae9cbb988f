"""Sampled row keys of a live table."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from btmodel.errors import SimulationRefused, UndecodableKey
from btmodel.rows import RowKeyCodec
from btmodel.schema import ModelSchema

# Read at the most, of one table.
MOST_KEYS = 10_000


def sampled_keys(
    instance: str, model: ModelSchema, note: Callable[[str], None], most: int = MOST_KEYS
) -> tuple[bytes, ...]:
    """Row keys of the table of ``model`` in ``instance``; ``note`` is told of those that are none of the model.

    A local file that is not there is not made. Raises what :func:`btmodel.client.connect` does, :class:`MissingTable`, and :class:`SimulationRefused` for
    a table without a row of the model.
    """
    # Here, because they load grpc, which nothing else of a simulation has a use for.
    from btmodel.client._sync.database import Database
    from btmodel.client.sampling import Bounds, sample
    from btmodel.client.target import resolve

    families = [family.id for family in model.families]
    with Database(resolve(instance, makes_file=False)) as database:
        found = sample(database, model.table, families, Bounds(rows=most))
    codec = RowKeyCodec(model)
    keys = [key for key, _ in found.rows if _is_key(codec, key)]
    if not keys:
        raise SimulationRefused(f"table {model.table} in {instance}: wanted rows of {model.name}, got none")
    if strange := len(found.rows) - len(keys):
        note(f"{strange:,} of {len(found.rows):,} sampled rows are none of {model.name}, and left out")
    return tuple(keys)


def _is_key(codec: RowKeyCodec, key: bytes) -> bool:
    try:
        codec.decode(key)
    except UndecodableKey:
        return False
    return True


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
