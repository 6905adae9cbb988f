r"""RE2 patterns over bytes, matched in linear time.

The service matches whole keys, qualifiers and values with RE2 in Latin-1 mode. Python's re would accept other
patterns (look-around, back-references), refuse some (\C, \z, POSIX classes), and can take exponential time
while holding the interpreter's lock, so that one request could stop the server. Here a pattern is parsed by
RE2's grammar and run as an automaton over bytes whose states are made when they are first reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import frozen

from btmodel.server.re2_syntax import ANY, ASSERTIONS, Program, parse

# They are what conditions on long values are made of. The automaton of a long end that repeats itself is in thousands of
# positions at once, which takes seconds for a value of some kilobytes.


@frozen
class Ends:
    """The bytes with which a match must begin and end; the two do not overlap."""

    start: bytes
    end: bytes

    def match(self, data: bytes) -> bool:
        """Whether *data* has both."""
        long_enough = len(data) >= len(self.start) + len(self.end)
        return long_enough and data.startswith(self.start) and data.endswith(self.end)


def ends(program: Program) -> Ends | None:
    """The ends that a pattern asks for, if that is all: a literal, any bytes, and another literal."""
    start, at = _literal(program, program.start)
    step = program.steps[at]
    if len(step.free) != 2:
        return None
    inner, goal = step.free
    # A loop over any byte, and no choice of two.
    if program.steps[inner].reads != ANY or program.steps[inner].target != at:
        return None
    end, at = _literal(program, goal)
    return Ends(start, end) if at == program.end else None


def _literal(program: Program, at: int) -> tuple[bytes, int]:
    """The bytes that must come from a position on, and the position behind them."""
    found = bytearray()
    while (step := program.steps[at]).reads.bit_count() == 1:
        found.append(step.reads.bit_length() - 1)
        at = step.target
    return bytes(found), at


_MOST_STATES = 500  # of one pattern; past it they are forgotten and made anew

_BEGIN, _LINE, _WORD, _OTHER, _END = range(5)


def _category(byte: int) -> int:
    """The properties of a byte that an assertion can see."""
    if byte == 10:
        return _LINE
    char = chr(byte)
    return _WORD if byte < 128 and (char.isalnum() or char == "_") else _OTHER


_CATEGORIES = [_category(byte) for byte in range(256)]

_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "text start": lambda before, after: before == _BEGIN,
    "text end": lambda before, after: after == _END,
    "line start": lambda before, after: before in (_BEGIN, _LINE),
    "line end": lambda before, after: after in (_END, _LINE),
    "word edge": lambda before, after: (before == _WORD) != (after == _WORD),
    "no word edge": lambda before, after: (before == _WORD) == (after == _WORD),
}
assert set(_HOLDS) == set(ASSERTIONS.values()) | {"line start", "line end"}


class Pattern:
    """A compiled pattern; `matches` says whether it matches the whole of some bytes."""

    def __init__(self, pattern: bytes) -> None:
        self._program: Program = parse(pattern)
        self.literal = self._program.literal  #: the only bytes that match, when there are no others
        self.size = len(self._program.steps)  #: how much memory it may need, in steps
        self._ends = ends(self._program)
        self._states: dict[tuple[frozenset[int], int], _AutomatonState] = {}
        self._start = self._state(frozenset([self._program.start]), _BEGIN)

    def matches(self, data: bytes) -> bool:
        """Whether the whole of *data* matches."""
        if self.literal is not None:
            return data == self.literal
        if self._ends is not None:
            return self._ends.match(data)
        state = self._start
        for byte in data:
            state = state[byte]
            if state.dead:
                return False
        return state.accepts

    def _state(self, positions: frozenset[int], before: int) -> _AutomatonState:
        if not self._program.asserts:
            before = _OTHER
        state = self._states.get((positions, before))
        if state is None:
            if len(self._states) >= _MOST_STATES:
                self._states.clear()
            state = self._states[positions, before] = _AutomatonState(self, positions, before)
        return state

    def _reached(self, positions: Iterable[int], before: int, after: int) -> set[int]:
        """The positions that can be reached without reading a byte."""
        program, seen, todo = self._program, set(positions), list(positions)
        while todo:
            step = program.steps[todo.pop()]
            if step.assertion is None or _HOLDS[step.assertion](before, after):
                new = [target for target in step.free if target not in seen]
                seen.update(new)
                todo.extend(new)
        return seen


class _AutomatonState(dict[int, "_AutomatonState"]):
    """A state of the automaton: the positions that the bytes read so far can have led to."""

    def __init__(self, pattern: Pattern, positions: frozenset[int], before: int) -> None:
        super().__init__()
        self._pattern, self._positions, self._before = pattern, positions, before
        self.dead = not positions
        self.accepts = pattern._program.end in pattern._reached(positions, before, _END)

    def __missing__(self, byte: int) -> _AutomatonState:
        pattern, after = self._pattern, _CATEGORIES[byte]
        bit = 1 << byte
        steps = pattern._program.steps
        positions = frozenset(
            steps[position].target
            for position in pattern._reached(self._positions, self._before, after)
            if steps[position].reads & bit
        )
        state = self[byte] = pattern._state(positions, after)
        return state
