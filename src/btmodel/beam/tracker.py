"""How far the reader of a part has come, and where what it has not read yet may be given to another one."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

from typing import Any

from apache_beam.io.iobase import RestrictionProgress, RestrictionTracker
from apache_beam.transforms.core import RestrictionProvider

from btmodel.repository import Part

#: what is claimed once no row is left: no row key
END = None


class PartTracker(RestrictionTracker):
    """The claims of the reader of a part: the row keys that it has come to, in order."""

    def __init__(self, part: Part[Any]) -> None:
        self._part = part
        self._cut: bytes | None = None  # the first key that was given away
        self._last: bytes | None = None  # the last one that was claimed
        self._ended = False

    def current_restriction(self) -> Part[Any]:
        """What is left of the part, rows that were read included."""
        return self._part

    def try_claim(self, position: bytes | None) -> bool:
        """Whether the row of this key, or the end of the rows, is the reader's: it is not where it was given away."""
        if position is None:
            self._ended = True
            return True
        if self._cut is not None and position >= self._cut:
            self._ended = True
            return False
        self._last = position
        return True

    def try_split(self, fraction_of_remainder: float) -> tuple[Part[Any], Part[Any]] | None:
        """Keep a share of what is not read yet, and give away the rest; None where no key is known between its rows."""
        if self._ended:
            return None
        done = 0.0 if self._last is None else self._part.share_below(self._last)
        share = done + (1 - done) * fraction_of_remainder
        found = self._part.split(share) if 0 < share < 1 else None
        if found is None and self._last is not None and fraction_of_remainder == 0:
            found = self._part.cut(self._last + b"\0")
        if found is None:
            return None
        cut = found[1].plan.ranges[0].start
        if self._last is not None and cut <= self._last:
            return None
        self._part, self._cut = found[0], cut
        return found

    def current_progress(self) -> RestrictionProgress:
        """The bytes of the table that were read, and those that are left, as far as they can be known."""
        size = float(max(self._part.size, 1))
        done = 0.0 if self._last is None else self._part.share_below(self._last)
        done = size if self._ended else size * done
        return RestrictionProgress(completed=done, remaining=size - done)

    def check_done(self) -> None:
        """Raise ValueError where the reader left off before the end."""
        if not self._ended:
            raise ValueError(
                f"{self._part!r} was not read to its end: the last row was that of {self._last!r}"
            )

    def is_bounded(self) -> bool:
        """Yes: a part has an end."""
        return True


class Parts(RestrictionProvider):
    """Parts as restrictions of themselves."""

    def initial_restriction(self, element: Part[Any]) -> Part[Any]:
        """The whole part."""
        return element

    def create_tracker(self, restriction: Part[Any]) -> PartTracker:
        """The claims of its reader."""
        return PartTracker(restriction)

    def restriction_size(self, element: Part[Any], restriction: Part[Any]) -> int:
        """About how many bytes of the table lie in it."""
        return max(restriction.size, 1)
