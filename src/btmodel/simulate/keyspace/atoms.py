"""Atoms: tuples of values of all variables of a key, each with its share of all events."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from attrs import frozen

from btmodel.errors import UndecodableKey
from btmodel.rows import RowKeyCodec
from btmodel.simulate.keyspace.plan import Variable
from btmodel.simulate.keyspace.strata import Stratum

# A value that a sample has as often as this comes often; what it has less often stands for others like it.
_OFTEN = 3


@frozen
class Atom:
    """One value of each variable. It stands for ``rows`` tuples, which have ``share`` of all events together.

    ``crowd`` are the variables of which it stands for several values.
    """

    values: Mapping[str, Any]
    share: float
    rows: float
    crowd: frozenset[str]


def atoms_of(variables: Sequence[Variable], most: int) -> list[Atom]:
    """About ``most`` atoms, whose shares are 1 together: what comes often is told apart by every variable."""
    drawing = _Drawing(variables, Random("atoms"))
    return list(drawing.below(0, Atom({}, 1.0, 1.0, frozenset()), float(most)))


class _Drawing:
    """Goes through the variables, and shares the number of atoms among their values."""

    def __init__(self, variables: Sequence[Variable], random: Random) -> None:
        self._variables = variables
        self._random = random
        self._known: dict[tuple[int, int], list[Stratum]] = {}

    def below(self, at: int, atom: Atom, most: float) -> Iterator[Atom]:
        if at == len(self._variables):
            yield atom
            return
        variable = self._variables[at]
        if at and (atom.crowd or most < 2):
            yield from self.below(at + 1, self._one(at, atom), most)
            return
        for one in self._strata(at, max(1, int(most))):
            crowd = atom.crowd | {variable.name} if one.crowd else atom.crowd
            values = {**atom.values, variable.name: one.value}
            found = Atom(values, atom.share * one.share, atom.rows * one.count, crowd)
            yield from self.below(at + 1, found, most * one.share)

    def _one(self, at: int, atom: Atom) -> Atom:
        """The atom with a value of the next variable that stands for all of its values."""
        variable = self._variables[at]
        some = self._strata(at, 1000)
        [one] = self._random.choices(some, [one.share for one in some])
        values = {**atom.values, variable.name: one.value}
        crowd = atom.crowd | {variable.name} if len(some) > 1 or one.crowd else atom.crowd
        return Atom(values, atom.share, atom.rows * variable.count, crowd)

    def _strata(self, at: int, most: int) -> list[Stratum]:
        if (at, most) not in self._known:
            self._known[at, most] = self._variables[at].draw(most)
        return self._known[at, most]


def sampled_atoms(codec: RowKeyCodec, keys: Sequence[bytes], names: Sequence[str], rows: float) -> list[Atom]:
    """The atoms of a real sample of keys: their values of the fields ``names``, as often as they come.

    ``rows`` is how many tuples of such values there are. Keys that are none of the model are left out.
    """
    found = Counter(_values(codec, keys, names))
    whole = sum(found.values())
    return [
        Atom(
            dict(zip(names, values, strict=True)),
            count / whole,
            1.0 if count >= _OFTEN else max(1.0, rows * count / whole),
            frozenset() if count >= _OFTEN else frozenset(names),
        )
        for values, count in found.items()
    ]


def _values(codec: RowKeyCodec, keys: Sequence[bytes], names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    for key in keys:
        try:
            parts = {part.name: part.codec.decode(raw) for part, raw in codec.split(key)}
        except (UndecodableKey, ValueError):
            continue
        if parts.keys() >= set(names):
            yield tuple(parts[name] for name in names)
