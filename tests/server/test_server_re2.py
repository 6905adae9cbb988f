"""RE2 patterns: what they match, what is refused, and that no pattern takes long."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.server.re2 import Pattern
from btmodel.server.request_errors import RequestError

MATCHES = [
    (rb"a.*b", b"axxb", True),
    (rb"a.*b", b"ax\nb", False),
    (rb"a\C*b", b"ax\nb", True),
    (rb"a\C*a", b"a", False),
    (rb"ab\C*ba", b"aba", False),
    (rb"ab\C*|ba", b"aba", True),
    (rb"a\C?a", b"abba", False),
    (rb"a\C+a", b"aa", False),
    (rb"(?s)a.b", b"a\nb", True),
    (rb"\C", b"\xff", True),
    (rb"\Qa.b\E+", b"a.bb", True),
    (rb"\Qa.b", b"axb", False),
    (rb"[[:alpha:]]+\d{2,3}", b"abc12", True),
    (rb"[[:^digit:]]", b"1", False),
    (rb"(?i)ABC", b"aBc", True),
    (rb"(?i:a)B", b"Ab", False),
    (rb"(?i)[a-c]+\xe9", b"aBC\xc9", True),
    (rb"^a$", b"a", True),
    (rb"a$", b"a\n", False),
    (rb"(?m)^a$\n^b$", b"a\nb", True),
    (rb"\bfoo\b.*", b"foo bar", True),
    (rb"foo\B.*", b"foo bar", False),
    (rb"\x41\x{42}\103", b"ABC", True),
    (rb"\x{100}", b"\x00", False),
    (rb"[^a-c]]", b"d]", True),
    (rb"[]a]+", b"]a", True),
    (rb"[a\-z]+", b"a-z", True),
    (rb"x{,3}", b"x{,3}", True),
    (rb"", b"", True),
    (rb"a||b", b"", True),
    (rb"\pL\p{Nd}", b"z1", True),
    (rb"\PL", b"z", False),
    (rb"(?P<name>a)(?<other>b)", b"ab", True),
    (rb"a\.b", b"a.b", True),
    (rb"\xe9", b"\xe9", True),
]
REFUSED = [rb"(?=a)", rb"(?!a)", rb"(?<=a)b", rb"a++", rb"a**", rb"(a", rb"a)", rb"[a", rb"\1", rb"(a)\1",
           rb"*a", rb"a|*", rb"\Z", rb"a{1001}", rb"a{3,2}", rb"(?P<n", rb"(?#c)", rb"\x4", b"\\", rb"\pX",
           rb"[b-a]", rb"[[:no:]]", rb"(?i)*", rb"(a{1000}){1000}", b"(" * 500, rb"\y"]  # fmt: skip


@pytest.mark.parametrize(("pattern", "data", "expected"), MATCHES)
def test_matches(pattern: bytes, data: bytes, expected: bool) -> None:
    """A pattern must match the whole of what RE2 in Latin-1 mode matches."""
    assert Pattern(pattern).matches(data) is expected


@pytest.mark.parametrize("pattern", REFUSED)
def test_refuses(pattern: bytes) -> None:
    """What RE2 does not know must be INVALID_ARGUMENT."""
    with pytest.raises(RequestError, match=r"^INVALID_ARGUMENT: Invalid regex: "):
        Pattern(pattern)


def test_agrees_with_re() -> None:
    """Where Python's grammar is the same, the answer must be the same on random patterns and strings."""
    randomly, compared = random.Random(1), 0
    parts = [
        "a",
        "b",
        ".",
        "(a|b)",
        "(?:ab)",
        "*",
        "+",
        "?",
        "[ab]",
        "[^a]",
        "|",
        "{2}",
        "{1,}",
        "^",
        "$",
        r"\b",
        "\n",
    ]
    for _ in range(3_000):
        text = "".join(randomly.choice(parts) for _ in range(randomly.randrange(1, 7)))
        try:
            theirs = re.compile(text.replace("$", r"\Z").encode())
            ours = Pattern(text.encode())
        except (re.error, RequestError):
            continue
        for _ in range(5):
            data = "".join(randomly.choice("ab\n") for _ in range(randomly.randrange(6))).encode()
            assert ours.matches(data) == bool(theirs.fullmatch(data)), (text, data)
            compared += 1
    assert compared > 5_000


ENDS = st.binary(max_size=4).map(lambda raw: bytes(b"ab\n."[byte % 4] for byte in raw))


@given(
    start=ENDS, end=ENDS, data=ENDS.flatmap(lambda raw: ENDS.map(lambda more: raw + more)), both=st.booleans()
)
def test_a_beginning_and_an_end_agree_with_re(start: bytes, end: bytes, data: bytes, both: bool) -> None:
    """Of patterns of a beginning and an end, the answer is the same, also where the two would overlap."""
    data = start + data + end if both else data
    theirs = re.compile(re.escape(start) + rb"[\s\S]*" + re.escape(end))
    ours = Pattern(
        re.escape(start).replace(b"\\\n", b"\n") + rb"\C*" + re.escape(end).replace(b"\\\n", b"\n")
    )
    assert ours.matches(data) == bool(theirs.fullmatch(data))


@pytest.mark.parametrize(
    "pattern",
    [
        rb"(a*)*b",
        rb"(a|aa)+b",
        rb"(a?){50}a{50}",
        rb"(.*)(.*)(.*)(.*)b",
        b"a" * 5_000 + rb"\C*" + b"a" * 5_000 + b"b",
    ],
)
def test_takes_linear_time(pattern: bytes) -> None:
    """Patterns that keep a backtracking engine busy for years must come to an end."""
    assert not Pattern(pattern).matches(b"a" * 20_000)
