"""The grammar of RE2 over bytes: a pattern becomes the steps of an automaton, or an error in RE2's words."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache

from attrs import define, field

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
