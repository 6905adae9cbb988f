r"""RE2 patterns over bytes, matched in linear time.

The service matches whole keys, qualifiers and values with RE2 in Latin-1 mode. Python's re would accept other
patterns (look-around, back-references), refuse some (\C, \z, POSIX classes), and can take exponential time
while holding the interpreter's lock, so that one request could stop the server. Here a pattern is parsed by
RE2's grammar and run as an automaton over bytes whose states are made when they are first reached.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

from attrs import define, field, frozen

from btmodel.server.request_errors import RequestError, invalid

ANY = (1 << 256) - 1


def bits_of(chars: str) -> int:
    """The set of some characters."""
    return sum(1 << ord(char) for char in set(chars))


def span(first: int, last: int) -> int:
    """The set of the bytes from one to another, both included."""
    return (1 << (last + 1)) - (1 << first)


_DIGITS = span(48, 57)
_UPPER, _LOWER = span(65, 90), span(97, 122)
_SPACES = bits_of("\t\n\f\r ")
_WORDS = _DIGITS | _UPPER | _LOWER | bits_of("_")
PERL = {"d": _DIGITS, "s": _SPACES, "w": _WORDS}
POSIX = {
    "alnum": _DIGITS | _UPPER | _LOWER,
    "alpha": _UPPER | _LOWER,
    "ascii": span(0, 127),
    "blank": bits_of("\t "),
    "cntrl": span(0, 31) | 1 << 127,
    "digit": _DIGITS,
    "graph": span(33, 126),
    "lower": _LOWER,
    "print": span(32, 126),
    "punct": span(33, 47) | span(58, 64) | span(91, 96) | span(123, 126),
    "space": _SPACES | 1 << 11,
    "upper": _UPPER,
    "word": _WORDS,
    "xdigit": _DIGITS | span(65, 70) | span(97, 102),
}


@cache
def folded(byte: int) -> int:
    """A byte in both of its cases."""
    char = chr(byte)
    return sum(1 << ord(c) for c in {char, char.lower(), char.upper()} if len(c) == 1 and ord(c) < 256)


def fold(chars: int) -> int:
    """A set of bytes in both of their cases."""
    both = chars
    for byte in range(256):
        if chars >> byte & 1:
            both |= folded(byte)
    return both


@cache
def unicode_category(name: str) -> int | None:
    """The Latin-1 characters of a general category such as L or Lu; None when there is no such category."""
    if name == "Any":
        return ANY
    categories = [unicodedata.category(chr(byte)) for byte in range(256)]
    known = {"C", "L", "M", "N", "P", "S", "Z"}
    if not name or name[0] not in known or len(name) > 2:
        return None
    return sum(1 << byte for byte, category in enumerate(categories) if category.startswith(name))


NEWLINE = 1 << 10
MOST_STEPS = 20_000
MOST_REPEATS = 1_000
MOST_NESTED = 100

#: escape -> the assertion it stands for
ASSERTIONS = {"A": "text start", "z": "text end", "b": "word edge", "B": "no word edge"}
_CONTROLS = {"a": 7, "f": 12, "t": 9, "n": 10, "r": 13, "v": 11}

#: builds the steps that match something and then go on at a position; answers where they begin
Node = Callable[["Program", int], int]


@define
class AutomatonStep:
    """One position of the automaton: bytes to read and go on, or positions to go to for nothing."""

    reads: int = 0  # a set of bytes, one bit each
    target: int = -1
    free: tuple[int, ...] = ()
    assertion: str | None = None


@define
class Program:
    """The automaton of a pattern."""

    steps: list[AutomatonStep] = field(factory=list)
    start: int = 0
    end: int = 0
    asserts: bool = False
    literal: bytes | None = None

    def add(self, step: AutomatonStep) -> int:
        """Append a step and answer its position."""
        if len(self.steps) >= MOST_STEPS:
            raise invalid("Invalid regex: pattern too large - compile failed")
        self.steps.append(step)
        return len(self.steps) - 1


def parse(pattern: bytes) -> Program:
    """Compile a pattern; INVALID_ARGUMENT when RE2 would refuse it."""
    parser = _PatternParser(pattern.decode("latin-1"))
    node = parser.alternatives()
    if parser.rest():
        raise parser.error("unexpected )")
    program = Program(asserts=parser.asserts)
    program.end = program.add(AutomatonStep())
    program.start = node(program, program.end)
    program.literal = bytes(parser.literal) if parser.is_literal else None
    return program


class _PatternParser:
    """Reads a pattern from left to right; what it returns are nodes."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._depth = text, 0, 0
        self._fold = self._multiline = self._dotall = False
        self.asserts = False
        self.literal = bytearray()
        self.is_literal = True

    def rest(self) -> str:
        return self._text[self._at :]

    def error(self, text: str) -> RequestError:
        return invalid(f"Invalid regex: {text} in '{self._text}'")

    def _peek(self, expected: str) -> bool:
        return self._text.startswith(expected, self._at)

    def _take(self, expected: str) -> bool:
        if self._peek(expected):
            self._at += len(expected)
            return True
        return False

    def _next(self) -> str:
        if self._at >= len(self._text):
            raise self.error("unexpected end")
        self._at += 1
        return self._text[self._at - 1]

    def alternatives(self) -> Node:
        branches = [self._sequence()]
        while self._take("|"):
            self.is_literal = False
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else _either(branches)

    def _sequence(self) -> Node:
        nodes: list[Node] = []
        while self._at < len(self._text) and not self._peek("|") and not self._peek(")"):
            atoms = self._atoms()
            last = atoms.pop() if atoms else _nothing
            nodes += [*atoms, self._repeated(last)]
        return _sequence(nodes)

    def _repeated(self, node: Node) -> Node:
        """The node with the repetition operator that follows it, if one does."""
        start = self._at
        counts = self._counts()
        if counts is None:
            return node
        if node is _nothing:
            raise self.error(f"no argument for repetition operator: {self._text[start : self._at]}")
        if self._counts() is not None:
            raise self.error(f"bad repetition operator: {self._text[start : self._at]}")
        self.is_literal = False
        return _repeat(node, *counts)

    def _counts(self) -> tuple[int, int | None] | None:
        """The counts of a repetition operator that comes next, if one does; the second is None for no end."""
        simple: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        char = self._text[self._at : self._at + 1]
        if char in simple:
            self._at += 1
            counts = simple[char]
        elif char == "{" and (braces := self._braces()) is not None:
            counts = braces
        else:
            return None
        self._take("?")  # lazy or greedy makes no difference to a full match
        return counts

    def _braces(self) -> tuple[int, int | None] | None:
        end = self._text.find("}", self._at)
        least, comma, most = self._text[self._at + 1 : end].partition(",")
        if end < 0 or not _is_number(least) or not (most == "" or _is_number(most)):
            return None  # then the brace is a plain character
        low = int(least[:9])
        high = low if not comma else int(most[:9]) if most else None
        if max(low, high or 0) > MOST_REPEATS or (high is not None and high < low):
            raise self.error(f"invalid repetition size: {self._text[self._at : end + 1]}")
        self._at = end + 1
        return low, high

    def _atoms(self) -> list[Node]:
        """The next atom; several for a quoted stretch, none for a group that only sets flags."""
        char = self._next()
        if char == "(":
            return self._group()
        if char == "\\" and self._take("Q"):
            quoted, _, _ = self.rest().partition("\\E")
            self._at += len(quoted) + 2 * self._peek(quoted + "\\E")
            return [self._char(ord(c)) for c in quoted] or [_nothing]
        return [self._atom(char)]

    def _atom(self, char: str) -> Node:
        if char in "*+?":
            raise self.error(f"no argument for repetition operator: {char}")
        if char == "[":
            return self._set(self._class())
        if char == ".":
            return self._set(ANY if self._dotall else ANY & ~NEWLINE)
        if char == "^":
            return self._assert("line start" if self._multiline else "text start")
        if char == "$":
            return self._assert("line end" if self._multiline else "text end")
        if char == "\\":
            return self._escape()
        return self._char(ord(char))

    def _char(self, byte: int) -> Node:
        self.literal.append(byte)
        bits = folded(byte) if self._fold else 1 << byte
        if bits != 1 << byte:
            self.is_literal = False
        return _reads(bits)

    def _set(self, bits: int) -> Node:
        self.is_literal = False
        return _reads(fold(bits) if self._fold else bits)

    def _assert(self, assertion: str) -> Node:
        self.is_literal, self.asserts = False, True
        return lambda program, goal: program.add(AutomatonStep(free=(goal,), assertion=assertion))

    def _group(self) -> list[Node]:
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise self.error("expression nests too deeply")
        flags = (self._fold, self._multiline, self._dotall)
        if self._take("?") and self._group_head():
            self._depth -= 1
            return []  # flags for the rest of the enclosing group
        node = self.alternatives()
        if not self._take(")"):
            raise self.error("missing )")
        self._fold, self._multiline, self._dotall = flags
        self._depth -= 1
        return [node]

    def _group_head(self) -> bool:
        """Read what follows (? ; True when the group ends with its flags."""
        if self._take("P<") or (self._peek("<") and not self._peek("<=") and not self._peek("<!")):
            self._take("<")
            name, closed, _ = self.rest().partition(">")
            if not closed or not name.isidentifier():
                raise self.error(f"invalid named capture group: {name}")
            self._at += len(name) + 1
            return False
        on = True
        while True:
            char = self._next()
            if char in ":)":
                return char == ")"
            if char == "-" and on:
                on = False
            elif char == "i":
                self._fold = on
            elif char == "m":
                self._multiline = on
            elif char == "s":
                self._dotall = on
            elif char != "U":
                raise self.error(f"invalid perl operator: (?{char}")

    def _escape(self) -> Node:
        char = self._next()
        if char in ASSERTIONS:
            return self._assert(ASSERTIONS[char])
        if char == "C":
            return self._set(ANY)
        bits = self._class_escape(char)
        if bits is not None:
            return self._set(bits)
        byte = self._char_escape(char)
        return self._char(byte) if byte < 256 else self._set(0)

    def _class_escape(self, char: str) -> int | None:
        """The bytes of an escape that stands for several."""
        if char.lower() in PERL:
            bits = PERL[char.lower()]
        elif char in "pP":
            name = self._next()
            if name == "{":
                name, closed, _ = self.rest().partition("}")
                if not closed:
                    raise self.error("invalid character class range")
                self._at += len(name) + 1
            found = unicode_category(name.removeprefix("^"))
            if found is None:
                raise self.error(f"invalid character class range: \\{char}{{{name}}}")
            bits = ANY & ~found if name.startswith("^") else found
        else:
            return None
        return ANY & ~bits if char.isupper() else bits

    def _char_escape(self, char: str) -> int:
        """The code of an escape that stands for one character; it may be above 255, which matches nothing."""
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char == "x":
            return self._hex()
        if char in "01234567" and (char == "0" or self.rest()[:1] in tuple("01234567")):
            digits = char
            while len(digits) < 3 and self.rest()[:1] in tuple("01234567"):
                digits += self._next()
            return int(digits, 8)
        if char < "\x80" and not char.isalnum():
            return ord(char)
        raise self.error(f"invalid escape sequence: \\{char}")

    def _hex(self) -> int:
        """The code behind \\x: two digits, or any number of them in braces."""
        braced = self._take("{")
        digits = self.rest().partition("}")[0] if braced else self.rest()[:2]
        if not 1 + (not braced) <= len(digits) <= 8 or set(digits) - set("0123456789abcdefABCDEF"):
            raise self.error(f"invalid escape sequence: \\x{digits}")
        self._at += len(digits)
        if braced and not self._take("}"):
            raise self.error(f"invalid escape sequence: \\x{{{digits}")
        return int(digits, 16)

    def _class(self) -> int:
        """A bracketed class, read behind its opening bracket."""
        negated, bits, first = self._take("^"), 0, True
        while first or not self._peek("]"):
            if self._at >= len(self._text):
                raise self.error("missing ]")
            first = False
            if self._take("[:"):
                bits |= self._posix()
                continue
            low = self._class_item()
            if isinstance(low, tuple):
                bits |= low[0]
                continue
            high = low
            if self._peek("-") and not self._peek("-]"):
                self._next()
                end = self._class_item()
                if isinstance(end, tuple) or end < low:
                    raise self.error("invalid character class range")
                high = end
            if low < 256:
                bits |= span(low, min(high, 255))
        self._next()
        if self._fold:
            bits = fold(bits)
        return ANY & ~bits if negated else bits

    def _class_item(self) -> int | tuple[int]:
        """One character of a class, or a set of them in a tuple."""
        char = self._next()
        if char != "\\":
            return ord(char)
        char = self._next()
        bits = self._class_escape(char)
        return (bits,) if bits is not None else self._char_escape(char)

    def _posix(self) -> int:
        name, closed, _ = self.rest().partition(":]")
        bits = POSIX.get(name.removeprefix("^"))
        if not closed or bits is None:
            raise self.error(f"invalid character class range: [:{name}:]")
        self._at += len(name) + 2
        return ANY & ~bits if name.startswith("^") else bits


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _nothing(program: Program, goal: int) -> int:
    return goal


def _reads(bits: int) -> Node:
    return lambda program, goal: program.add(AutomatonStep(reads=bits, target=goal))


def _sequence(nodes: list[Node]) -> Node:
    def build(program: Program, goal: int) -> int:
        for node in reversed(nodes):
            goal = node(program, goal)
        return goal

    return build


def _either(branches: list[Node]) -> Node:
    return lambda program, goal: program.add(
        AutomatonStep(free=tuple(branch(program, goal) for branch in branches))
    )


def _repeat(node: Node, least: int, most: int | None) -> Node:
    def build(program: Program, goal: int) -> int:
        if most is None:
            loop = program.add(AutomatonStep())
            program.steps[loop].free = (node(program, loop), goal)
            goal = loop
        else:
            end = goal
            for _ in range(most - least):
                goal = program.add(AutomatonStep(free=(node(program, goal), end)))
        for _ in range(least):
            goal = node(program, goal)
        return goal

    return build


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
