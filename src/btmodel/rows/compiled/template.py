"""A row's usual bytes as one regular expression, which proves and splits most rows.

Servers send the rows of a table mostly alike: the names in front of the values are the same, in the same
order, and only keys, timestamps, values and lengths differ. An expression with the names in it compares
all of a row in one step. It cannot count, so lengths are looked at behind it. A row of any other
form, as one with a value of 128 bytes or with a line feed, is left to the walk.
"""

import re
from collections.abc import Iterator
from struct import Struct

from attrs import define, field

from btmodel.codecs.inline import FunctionSource
from btmodel.rows.compiled.walk import CHUNK, COMMIT, KEY, STAMP, VALUE, ColumnPlace, family_name, value_head
from btmodel.schema import RowKey

TRIES = 8  # rows of other forms, one behind the other, after which the rest of a message is not tried
SMALL = 128  # what is as long, or longer, has a length of several bytes
# A timestamp of this century.
STAMPED = rb"[\x80-\xff]{7}[\x00-\x7f]"


def usual(key: RowKey, families: list[list[ColumnPlace]]) -> bool:
    """Whether rows can be of the form: all but open sizes must be known to be small."""
    cells = [len(place.name) + (place.size or 1) for places in families for place in places]
    names = [len(family_name(places[0].family)) for places in families]
    return key.least + max(cells) + max(names) + 16 < SMALL


@define
class Template:
    """Writes the code that matches a row; with ``repeats``, of a server that names row and family in each chunk.

    With ``stored``, all cells of the row have one timestamp, whose bytes are put into ``newest``. With ``apart``, the bytes of each
    value are a group of their own.

    In the generated code ``g`` is the match, ``h`` the length of the chunk that names the row, ``n`` that of its key; ``l``
    and ``n`` in front of a variable are the lengths of its chunk and of its value. ``tries`` is how many rows
    of other forms may come yet.
    """

    source: FunctionSource
    key: RowKey
    families: list[list[ColumnPlace]]
    repeats: bool = False
    stored: bool = False
    apart: bool = False
    _places: list[ColumnPlace] = field(init=False)
    _needed: set[str] = field(init=False)  # the variables of the cells that every row of the form has
    _last: int = field(init=False)  # the place of the last of them
    _pattern: list[bytes] = field(init=False, factory=list)
    _groups: list[str] = field(init=False, factory=list)
    _checks: list[str] = field(init=False, factory=list)
    # Of the cells with which a row may end: looked at from the last one on, until one is there.
    _last_checks: list[tuple[ColumnPlace, str]] = field(init=False, factory=list)
    # Values of a fixed size that all rows have: the groups in which they lie, how they lie there, and their variables.
    _joined: list[str] = field(init=False, factory=list)
    _layout: str = field(init=False, default=">")
    _filled: list[str] = field(init=False, factory=list)
    _within: bool = field(init=False, default=False)  # whether the last of these groups may go on

    def __attrs_post_init__(self) -> None:
        self._places = [place for places in self.families for place in places]
        self._needed = {place.variable for place in self._places if place.required}
        for at, places in enumerate(self.families):
            if at == 0 or any(place.required for place in places):
                self._needed.add(places[0].variable)  # which names the family
        self._last = max(at for at, place in enumerate(self._places) if place.variable in self._needed)
        self._write()

    @property
    def pattern(self) -> bytes:
        """The expression."""
        return b"".join(self._pattern)

    def match(self) -> None:
        """Add the lines that make ``g`` the match of the row at ``at``; None if it is of another form."""
        source = self.source
        match = source.name(re.compile(self.pattern, re.DOTALL).match)
        source.line(f"g = {match}(m, at) if tries else None")
        with source.block("if g is not None:"):
            source.line(f"{', '.join(self._groups)} = g.groups()")
            with source.block(f"if not ({' and '.join([*self._checks, *self._ending()])}):"):
                source.line("g = None")

    def take(self) -> None:
        """Add the lines that take the row that was matched."""
        source = self.source
        source.line("c = g.end()", f"tries = {TRIES}")
        if self._filled:
            unpack = source.name(Struct(self._layout).unpack)
            source.line(f"{', '.join(self._filled)}, = {unpack}({' + '.join(self._joined)})")
        for place in self._places:
            if place.layout is not None and place.variable not in self._needed:
                unpack = source.name(place.layout.unpack)
                source.line(f"{place.variable} = {place.variable} and {unpack}({place.variable})[0]")

    def _write(self) -> None:
        self._prefix()
        for places in self.families:
            optional = self._needed.isdisjoint(place.variable for place in places)
            self._pattern.append(b"(?:" if optional else b"")
            for place in places:
                self._cell(place, places)
            self._end_group()
            self._pattern.append(self._absent(places[0], places) if optional else b"")
        self._pattern.append(re.escape(COMMIT))

    def _ending(self) -> Iterator[str]:
        """The checks of the cells with which a row may end, one after the other: only the last one ends it."""
        yield "(ends := True)"
        for place, holds in reversed(self._last_checks):
            one = f"{holds} and not (ends := False)"
            yield one if place.variable in self._needed else f"({place.variable} is None or {one})"

    def _ends(self, place: ColumnPlace) -> bool | None:
        """Whether the row ends behind a cell; None where that depends."""
        if place is self._places[-1]:
            return True
        return None if self._places.index(place) >= self._last else False

    def _prefix(self) -> None:
        """The key, and in front of it the length of its chunk, which is that of the first cell, too."""
        least, most = self.key.least, min(self.key.most, SMALL - 1)
        self._pattern += [re.escape(bytes((CHUNK,))), b"(.)", re.escape(bytes((KEY,)))]
        self._groups.append("h")
        if least == most:
            self._pattern += [re.escape(bytes((most,))), b"(.{%d})" % most]
        else:
            # A family's tag cannot be part of a key that is text.
            self._pattern.append(rb"(.)([^\x12]{%d,%d}+)" % (least, most))
            self._groups.append("n")
            self._checks.append(f"n == {self._lengths(0)}[len(key)]")
        self._groups.append("key")
        self._checks.append("key > last")

    @property
    def _same_key(self) -> bytes:
        """The key once more."""
        size = b"" if "n" in self._groups else re.escape(bytes((self.key.most,)))
        named = [b"\\%d" % at for at, group in enumerate(self._groups, 1) if group in ("n", "key")]
        return re.escape(bytes((KEY,))) + size + b"".join(named)

    def _cell(self, place: ColumnPlace, places: list[ColumnPlace]) -> None:
        """One cell. Its chunk's length is part of the form, or looked at behind it, where it is not always the same."""
        first, ends = place is self._places[0], self._ends(place)
        repeated = self.repeats and not first
        same = place.size is not None and ends is not None and not first and not repeated
        needed = place.variable in self._needed
        joined = place.size is not None and needed and not self.apart
        wrapped = not needed and place is not places[0]
        family = family_name(place.family) if place is places[0] or repeated else b""
        head = bytes((VALUE, 0)) if place.size is None else value_head(place.size)
        size = len(family) + len(place.name) + STAMP + len(head) + (place.size or 0)
        if not (joined and same and not family):
            self._end_group()
        self._pattern.append(b"(?:" if wrapped else b"")
        if same:
            self._pattern.append(re.escape(bytes((CHUNK, size + len(COMMIT) * bool(ends)))))
        elif not first:
            self._pattern.append(re.escape(bytes((CHUNK,))) + b"(.)")
            self._groups.append(f"l{place.variable}")
        if not same:
            self._check_length(place, size)
        elif ends:
            self._last_checks.append((place, "True"))
        self._pattern.append(self._names(place, places) + self._stamped(first=first))
        if place.size is None:
            self._any_size(place)
        else:
            self._pattern.append(re.escape(head))
            self._one_size(place, place.size, joined=joined, skipped=2 + size - place.size)
        self._pattern.append(self._absent(place, places) if wrapped else b"")

    def _stamped(self, *, first: bool) -> bytes:
        """A timestamp."""
        if not self.stored:
            return STAMPED
        if not first:
            return b"(?P=newest)"
        self._groups.append("newest")
        return b"(?P<newest>" + STAMPED + b")"

    def _names(self, place: ColumnPlace, places: list[ColumnPlace]) -> bytes:
        """What stands in front of a timestamp."""
        repeated = self.repeats and place is not self._places[0]
        family = family_name(place.family) if place is places[0] or repeated else b""
        return self._same_key * repeated + re.escape(family + place.name)

    def _absent(self, place: ColumnPlace, places: list[ColumnPlace]) -> bytes:
        """The end of a group that may be passed over, but not where the cell with which it begins is there.

        Else that would be tried for each of them, in a row of another form.
        """
        return b"|(?!%s.%s))" % (re.escape(bytes((CHUNK,))), self._names(place, places))

    def _any_size(self, place: ColumnPlace) -> None:
        # Where a chunk follows, which begins with a line feed, nothing is to be given back. Where the row may end, only so much
        # that it does: what does not match was looked at again for each byte and all columns behind it.
        ends = self._ends(place)
        kept = b"+" if ends is False else b""
        behind = rb"(?=\n|%s)" % re.escape(COMMIT) if ends is None else b""
        self._pattern.append(re.escape(bytes((VALUE,))) + rb"(.)([^\n]{1,%d}%s)" % (SMALL - 1, kept) + behind)
        self._groups += [f"n{place.variable}", place.variable]
        self._check(place, f"n{place.variable} == {self._lengths(0)}[len({place.variable})]")

    def _one_size(self, place: ColumnPlace, size: int, *, joined: bool, skipped: int) -> None:
        value = b".{%d}" % size
        if not joined:
            self._pattern.append(b"(" + value + b")")
            self._groups.append(place.variable)
            return
        if self._within:
            self._layout += f"{skipped}x"
            self._pattern.append(value)
        else:
            self._within = True
            self._joined.append(f"w{len(self._joined)}")
            self._groups.append(self._joined[-1])
            self._pattern.append(b"(" + value)
        self._layout += place.layout.format[1:] if place.layout else f"{size}s"
        self._filled.append(place.variable)

    def _end_group(self) -> None:
        self._pattern.append(b")" if self._within else b"")
        self._within = False

    def _check_length(self, place: ColumnPlace, size: int) -> None:
        """Look at the length of a chunk with a cell of ``size`` bytes, and those of what has no size of its own."""
        first = place is self._places[0]
        length = "h" if first else f"l{place.variable}"
        keyed = first or self.repeats
        open_sizes = ["len(key)"] * keyed + [f"len({place.variable})"] * (place.size is None)
        ends = self._ends(place)
        size += 2 * keyed
        table = self._lengths(size + len(COMMIT) * bool(ends))
        if ends is None:
            table = f"({self._lengths(size + len(COMMIT))} if ends else {table})"
        holds = f"{length} == {table}[{' + '.join(open_sizes) or 0}]"
        if ends is False:
            self._check(place, holds)
        else:
            self._last_checks.append((place, holds))

    def _check(self, place: ColumnPlace, holds: str) -> None:
        self._checks.append(
            holds if place.variable in self._needed else f"({place.variable} is None or {holds})"
        )

    def _lengths(self, least: int) -> str:
        return self.source.name(lengths(least))


def lengths(least: int) -> list[bytes | None]:
    """A table of the lengths from ``least`` on, in one byte each, and of None where that is too small for them."""
    return [bytes((size,)) if size < SMALL else None for size in range(least, least + 2 * SMALL)]
