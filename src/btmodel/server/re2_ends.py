"""Patterns that ask for a beginning and an end, with any bytes between: told without running an automaton.

They are what conditions on long values are made of. The automaton of a long end that repeats itself is in thousands of
positions at once, which takes seconds for a value of some kilobytes.
"""

from __future__ import annotations

from attrs import frozen

from btmodel.server.re2_classes import ANY
from btmodel.server.re2_syntax import Program


@frozen
class Ends:
    """What bytes must begin and end with; the two do not overlap."""

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
