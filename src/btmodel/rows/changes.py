"""Changes of rows as a change stream reports them, as bytes and as values of a model; and how far a stream was read."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from attrs import define, field

from btmodel.codecs.aware_times import from_micros
from btmodel.errors import SettingsError, UndecodableCell, UndecodableKey
from btmodel.rows.cells import Cell
from btmodel.rows.mutations import Add, Delete
from btmodel.rows.mutations import Change as Step
from btmodel.rows.row import RowCodec

K = TypeVar("K")


class Partition(NamedTuple):
    """The row keys from ``start`` up to ``end``, which is empty where it is the end of the table."""

    start: bytes
    end: bytes

    def __str__(self) -> str:
        return f"[{self.start!r}, {self.end!r})" if self.end else f"[{self.start!r}, end)"


Tokens = dict[Partition, str]


class RawChange(NamedTuple):
    """One atomic change of a row, in the bytes of the table: what was done, in its order.

    ``micros`` is when it was committed, in microseconds since 1970. Old values are not in it.
    """

    key: bytes
    by: Literal["user", "gc"]
    micros: int
    tiebreaker: int
    cluster: str
    steps: tuple[Step, ...]


class Change(Generic[K]):
    """One atomic change of a row of a model; Bigtable does not report what the row held before.

    ``raw`` holds the bytes. Values are decoded when they are first asked for: what cannot be decoded is kept, and raises nothing.
    """

    def __init__(self, raw: RawChange, codec: RowCodec[Any], make: Callable[[bytes], K | None]) -> None:
        self.raw = raw
        self._codec = codec
        self._make = make

    @property
    def raw_key(self) -> bytes:
        """The row key in bytes."""
        return self.raw.key

    @cached_property
    def key(self) -> K | None:
        """The row key as fields; None for one that is not of the model, or that is a hash of columns."""
        try:
            return self._make(self.raw.key)
        except UndecodableKey:
            return None

    @property
    def by(self) -> Literal["user", "gc"]:
        """Who made it: a ``user``, or garbage collection."""
        return self.raw.by

    @property
    def at(self) -> datetime:
        """When it was committed, in UTC. Of the changes of one row the later one holds; of equal times, the greater ``tiebreaker``."""
        return from_micros(self.raw.micros)

    @property
    def tiebreaker(self) -> int:
        """Orders changes of a row that were committed at the same time in several clusters."""
        return self.raw.tiebreaker

    @property
    def cluster(self) -> str:
        """The id of the cluster that took the write; empty for garbage collection."""
        return self.raw.cluster

    @property
    def steps(self) -> tuple[Step, ...]:
        """All that was done, in its order: cells that were set, ``Delete``, and amounts that were added (``Add``)."""
        return self.raw.steps

    @cached_property
    def id(self) -> str:
        """The same text whenever this change is delivered again, and another one for every other change.

        Inferred: two changes of a row in one cluster differ in their time, their tiebreaker or in what they do.
        """
        raw = self.raw
        content = repr((raw.key, raw.micros, raw.tiebreaker, raw.cluster, raw.by, raw.steps))
        return blake2b(content.encode(), digest_size=16).hexdigest()

    @property
    def set(self) -> dict[str, Any]:
        """The values that were set, by attribute. A mapping, a set or a history holds just those entries that were set."""
        return self._read.set

    @property
    def added(self) -> dict[str, Any]:
        """The amounts that were added to counters, by attribute, in the form that the attribute has."""
        return self._read.added

    @property
    def deleted(self) -> dict[str, frozenset[Any]]:
        """The attributes from which cells were deleted, each with the entries of a mapping or set: none where all of it was.

        What was set after it in the same change is in ``set``. The times of deleted versions are in ``steps``.
        """
        return self._read.deleted

    @property
    def unknown(self) -> tuple[Step, ...]:
        """What was done to cells that the model does not declare, or to a row whose key it does not."""
        return self._read.unknown

    @property
    def undecoded(self) -> tuple[UndecodableCell, ...]:
        """The errors of cells that were set to bytes which their codec does not read."""
        return self._read.undecoded

    @cached_property
    def deletes_row(self) -> bool:
        """Whether every family of the model was deleted, and nothing set after it: which is how a stream reports a deleted row."""
        left = {family.id for family in self._codec.model.families}
        for step in self.raw.steps:
            if not isinstance(step, Delete):
                return False
            if step.qualifier is None:
                left.discard(step.family or "")
        return not left

    def __repr__(self) -> str:
        done = [f"{name}={value!r}" for name, value in self.set.items()]
        done += [f"{name}+={value!r}" for name, value in self.added.items()]
        done += [f"deleted {name}" for name in self.deleted]
        done += [str(step) for step in self.unknown]
        summary = "deleted the row" if self.deletes_row else ", ".join(done)
        return f"<Change of {self.key or self.raw.key!r} by {self.by} at {self.at.isoformat()}: {summary}>"

    @cached_property
    def _read(self) -> "_ChangedAttributes":
        if not self._codec.keys.fits(self.raw.key):
            return _ChangedAttributes({}, {}, {}, self.raw.steps, ())
        return _read(self.raw, self._codec)


class _ChangedAttributes(NamedTuple):
    set: dict[str, Any]
    added: dict[str, Any]
    deleted: dict[str, frozenset[Any]]
    unknown: tuple[Step, ...]
    undecoded: tuple[UndecodableCell, ...]


def _read(raw: RawChange, codec: RowCodec[Any]) -> _ChangedAttributes:
    """What a change does to the attributes of a model: its steps are done in their order to a row without cells."""
    cells: dict[tuple[str, bytes], dict[int, bytes]] = {}
    added: dict[tuple[str, bytes], dict[int, int]] = {}
    deleted: dict[str, frozenset[Any]] = {}
    unknown: list[Step] = []
    for step in raw.steps:
        if isinstance(step, Cell):
            cells.setdefault(step[:2], {})[step.timestamp] = step.value
        elif isinstance(step, Add):
            amounts = added.setdefault((step.family, step.qualifier), {})
            amounts[step.timestamp] = amounts.get(step.timestamp, 0) + step.amount
        else:
            for place in [place for place in cells if _covers(step, place)]:
                cells[place] = {at: value for at, value in cells[place].items() if not _within(step, at)}
            names = codec.deleted(step)
            for name, entries in names.items():
                whole = name in deleted and not deleted[name]
                deleted[name] = (
                    frozenset() if whole or not entries else deleted.get(name, frozenset()) | entries
                )
            if not names:
                unknown.append(step)
    values, strange, undecoded = codec.read_cells(raw.key, _newest_first(cells))
    amounts_of = {
        place: {at: (amount % 2**64).to_bytes(8) for at, amount in amounts.items()}
        for place, amounts in added.items()
    }
    counted, strange_too, undecoded_too = codec.read_cells(raw.key, _newest_first(amounts_of))
    unknown += [
        *strange,
        *(
            Add(cell.family, cell.qualifier, cell.timestamp, int.from_bytes(cell.value, signed=True))
            for cell in strange_too
        ),
    ]
    return _ChangedAttributes(values, counted, deleted, tuple(unknown), (*undecoded, *undecoded_too))


def _covers(step: Delete, place: tuple[str, bytes]) -> bool:
    return step.family in (None, place[0]) and step.qualifier in (None, place[1])


def _within(step: Delete, at: int) -> bool:
    return step.start <= at and (not step.end or at < step.end)


def _newest_first(cells: dict[tuple[str, bytes], dict[int, bytes]]) -> Iterator[Cell]:
    for (family, qualifier), versions in cells.items():
        for at in sorted(versions, reverse=True):
            yield Cell(family, qualifier, at, versions[at])


# Tokens of btmodel's own: where a partition has none of the service yet, the time from which it is to be read.
_SINCE = "@"


def since_token(micros: int) -> str:
    """What stands for a token of a partition that is to be read from a time on, in microseconds."""
    return f"{_SINCE}{micros}"


def since_of(token: str) -> int | None:
    """The time that :func:`since_token` was given; None for a token of the service."""
    return int(token[1:]) if token.startswith(_SINCE) else None


def covers(partition: Partition, tokens: Iterable[Partition]) -> bool:
    """Whether the partitions of ``tokens`` cover a partition exactly."""
    reached = partition.start
    found = sorted(tokens)
    for part in found:
        if part.start != reached:
            return False
        reached = part.end
    return bool(found) and reached == partition.end


@define
class Positions:
    """How far each partition of a stream was read: its tokens, each for the part of it that it is of.

    A partition that comes of a merge waits until its tokens cover it.
    """

    tokens: dict[Partition, Tokens] = field(factory=dict)

    @property
    def ready(self) -> list[Partition]:
        """The partitions that can be read."""
        return [partition for partition, tokens in self.tokens.items() if covers(partition, tokens)]

    def reach(self, partition: Partition, token: str) -> None:
        """A partition was read up to ``token``."""
        self.tokens[partition] = {partition: token}

    def close(self, partition: Partition, followers: Iterable[tuple[Partition, Partition, str]]) -> None:
        """A partition has ended, and goes on in others: ``followers`` are these, each with a part of it and its token."""
        del self.tokens[partition]
        for follower, part, token in followers:
            self.tokens.setdefault(follower, {})[part] = token

    def as_text(self, table: str) -> str:
        """The positions in the stream of a table, as JSON."""
        partitions = [
            {
                "start": partition.start.hex(),
                "end": partition.end.hex(),
                "tokens": [[part.start.hex(), part.end.hex(), token] for part, token in tokens.items()],
            }
            for partition, tokens in self.tokens.items()
        ]
        return json.dumps({"table": table, "partitions": partitions})

    @classmethod
    def of_text(cls, text: str, table: str) -> "Positions":
        """The positions that :meth:`as_text` wrote of this table. Raises :class:`SettingsError` for those of another one, and another text."""
        try:
            found = json.loads(text)
            if isinstance(found, list):  # as they were written before the table stood beside them
                found = {"table": table, "partitions": found}
            of, positions = str(found["table"]), cls(dict(map(_tokens, found["partitions"])))
            if not positions.ready or _has_gap(part for token in positions.tokens.values() for part in token):
                raise ValueError("partitions that have every row key")
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            raise SettingsError(
                f"the stored positions in the change stream of {table}: expected the JSON that btmodel saved, got another text: give the "
                "reader a store of its own, or remove what is stored to begin anew"
            ) from error
        if of != table:
            raise SettingsError(
                f"the stored positions in the change stream of {table}: expected positions of this table, got those of {of}: give each "
                "reader a store of its own"
            )
        return positions


def _tokens(data: Mapping[str, Any]) -> tuple[Partition, Tokens]:
    tokens = {_partition(start, end): str(token) for start, end, token in data["tokens"]}
    for since in map(since_of, tokens.values()):
        from_micros(since or 0)  # which raises for a time that there cannot be
    return _partition(data["start"], data["end"]), tokens


def _has_gap(parts: Iterable[Partition]) -> bool:
    """Whether a row key lies in none of the parts: the changes of its row would never be read."""
    reached = b""
    for part in sorted(parts):
        if part.start > reached:
            return True
        if not part.end:
            return False
        reached = max(reached, part.end)
    return True


def _partition(start: str, end: str) -> Partition:
    return Partition(bytes.fromhex(start), bytes.fromhex(end))
