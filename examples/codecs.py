"""Codecs of one's own, for a key field and for a cell: small frozen classes, with the standing of the built-in ones."""

from datetime import timedelta

from attrs import frozen

import btmodel as bt

MACHINE = b"machine_"
MOST_DIGITS = 10
# 100 years of 365 days, in seconds.
CENTURY = 36_500 * 86_400
SECOND = timedelta(seconds=1)


@frozen
class MachineName(
    bt.KeyCodec[int],
    kind=bt.Kind.TEXT,  # it is a name, and nobody asks for the machines between two numbers
    length=bt.Length(len(MACHINE) + 1, len(MACHINE) + MOST_DIGITS),
    alphabet=frozenset(MACHINE + b"0123456789"),
    meaning=f"machine_ and a number of up to {MOST_DIGITS} digits",
):
    """The number of a machine as its name in a row key: 4223421 is ``machine_4223421``.

    The names do not sort as the numbers do: ``machine_10`` sorts below ``machine_9``.
    """

    def encode(self, value: int) -> bytes:
        """The word and the number."""
        if type(value) is not int or not 0 <= value < 10**MOST_DIGITS:
            raise bt.ValueRefused(f"the number of a machine, of up to {MOST_DIGITS} digits", value)
        return b"%s%d" % (MACHINE, value)

    def decode(self, raw: bytes) -> int:
        """The number. Zeros on the left are refused: two names of one machine would be two rows."""
        digits = raw.removeprefix(MACHINE)
        if digits.isdigit() and len(digits) <= MOST_DIGITS and raw == b"%s%d" % (MACHINE, int(digits)):
            return int(digits)
        raise ValueError(f"expected {self.meaning}, got {raw!r}")


@frozen
class WholeSeconds(
    bt.CellCodec[timedelta],
    typical_size=5,
    max_size=10,
    meaning="whole seconds, as decimal text of up to 10 digits",
):
    """A length of time as a number of seconds, in decimal text: ``90``. Less than a century, and not negative."""

    def encode(self, value: timedelta) -> bytes:
        """The digits. A part of a second is refused: cutting it off would change the value in silence."""
        if not isinstance(value, timedelta) or value % SECOND or not 0 <= value // SECOND < CENTURY:
            raise bt.ValueRefused("a timedelta of whole seconds, from 0 up to a century", value)
        return b"%d" % (value // SECOND)

    def decode(self, raw: bytes) -> timedelta:
        """The length of time."""
        seconds = int(raw) if raw.isdigit() and len(raw) <= 10 else CENTURY
        if seconds >= CENTURY or raw != b"%d" % seconds:
            raise ValueError(f"expected {self.meaning}, got {raw!r}")
        return timedelta(seconds=seconds)
