"""Values that begin with a given part: every row of every small table, against what was asked."""

from itertools import product
from typing import Any

import pytest
from schemas import begins, model_of

from btmodel.codecs.key import Bytes, EscapedText, KeyCodec, PaddedInt, Repeated, ReversedDomain, Text
from btmodel.errors import ValueRefused
from btmodel.rows import Planner, RowKeyCodec, RowRange
from btmodel.rows.read import RangeOrder
from btmodel.schema import Derived, KeyField, Query, RowKey

LETTERS = ["".join(text) for size in range(4) for text in product("p->", repeat=size)]
PIECES = [text.encode() for text in LETTERS]
DOMAINS = ["".join(text) for size in range(5) for text in product("p-.", repeat=size)]
PATHS: list[Any] = [path for size in range(4) for path in product(["", "p", ">", "p>"], repeat=size)]
FIELDS: dict[str, tuple[KeyCodec[Any], list[Any]]] = {
    "text": (Text(max_length=3), LETTERS),
    "text that may be empty": (Text(max_length=3, min_length=0), LETTERS),
    "text of one width": (Text(width=2), LETTERS),
    "bytes": (Bytes(max_length=3), PIECES),
    "text that ends by itself": (EscapedText(3), LETTERS),
    "domain": (ReversedDomain(4), DOMAINS),
    "path": (Repeated(Text(max_length=2, min_length=0), "-", most=3), PATHS),
    "path of two": (Repeated(Text(width=1), "-", least=2, most=2), PATHS),
}
ENDS = [b"-", b"->", b"--", b">-", b"p-p", b"p\x1f", b"p.", b"."]
QUERY = Query("q", (), starting="k0")


def tables(codec: KeyCodec[Any], values: list[Any], ends: bytes) -> list[tuple[RowKey, dict[bytes, Any]]]:
    """Keys that begin with a field, or consist of it, each with the values of the field by their row keys."""
    field = KeyField("k0", codec)
    behind = KeyField("k1", Text(max_length=2, min_length=0))
    found = []
    for rest in ((), (behind,), (KeyField("k1", Text(max_length=2), optional=True),)):
        fields = (evolved(field, ends), *rest) if rest else (field,)
        key = RowKey(fields, b"#")
        rows = {}
        for value, other in product(values, ["", "-", ">", "p", ">p"] if rest else [None]):
            given = {"k0": value, **({"k1": other or (None if rest[0].optional else "")} if rest else {})}
            try:
                rows[RowKeyCodec(model_of(key)).encode(given)] = value
            except ValueRefused:
                continue
        found.append((key, rows))
    return found


def evolved(field: KeyField, ends: bytes) -> KeyField:
    """``field`` with a delimiter of its own."""
    return KeyField(field.name, field.codec, ends=ends)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("name", FIELDS)
def test_a_beginning_finds_its_rows_and_no_others(name: str, ends: bytes) -> None:
    """Every row whose value begins with the part is in one range, no other row is in any, and the ranges are in order.

    Refused is only what cannot be told from the delimiter, and what no value begins with.
    """
    codec, values = FIELDS[name]
    for key, rows in tables(codec, values, ends):
        assert rows
        planner = Planner(model_of(key))
        for start in values:
            try:
                ranges = planner.query(QUERY, {"k0": start}).ranges
            except ValueRefused:
                assert may_be_refused(key, start)
                continue
            assert list(ranges) == sorted(ranges, key=lambda span: span.start)
            for raw, value in rows.items():
                read = sum(span.holds(raw) for span in ranges)
                assert read == begins(codec, value, start), (key.shape, start, raw, ranges)


def may_be_refused(key: RowKey, start: Any) -> bool:
    """Whether the bytes of a beginning are none, too many, or run into a delimiter."""
    field = key.fields[0]
    try:
        stem = field.codec.stem(start)
    except ValueRefused:
        return True
    assert stem is not None
    delimiter = key.behind(field)
    begun = any(stem.endswith(delimiter[:size]) for size in range(1, len(delimiter)))
    placed = field.fixed is not None or field.codec.self_ending
    runs = not placed and (delimiter in stem or (begun and len(key.fields) > 1))
    return runs or len(stem) > field.codec.length.most


@pytest.mark.parametrize(("ends", "codec"), [(b"->", Text(max_length=3)), (b"-\x1f", Text(max_length=3))])
def test_a_beginning_that_the_delimiter_may_have_made_is_refused(ends: bytes, codec: Text) -> None:
    """The row of ``p`` begins with the bytes ``p-``, too: who asks for ``p-`` and deletes must not delete ``p``."""
    key = RowKey((KeyField("k0", codec, ends=ends), KeyField("k1", codec)), b"#")
    with pytest.raises(
        ValueRefused, match=r"Row\.k0: expected .* that does not end as the delimiter '-.*' begins"
    ):
        Planner(model_of(key)).query(QUERY, {"k0": "p-"})


DOMAIN = KeyField("k0", ReversedDomain(20))


@pytest.mark.parametrize(
    ("fields", "ranges"),
    [
        ((DOMAIN,), (RowRange.of_key(b"com.google"), RowRange.of_prefix(b"com.google."))),
        (
            (evolved(DOMAIN, b":"), KeyField("k1", PaddedInt(1))),
            (RowRange.of_prefix(b"com.google."), RowRange(b"com.google:0", b"com.google::")),
        ),
        (
            (DOMAIN, KeyField("k1", PaddedInt(1), optional=True)),
            (
                RowRange.of_key(b"com.google"),
                RowRange(b"com.google#0", b"com.google#:"),
                RowRange.of_prefix(b"com.google."),
            ),
        ),
    ],
)
def test_the_domain_itself_is_found_with_those_below_it(
    fields: tuple[KeyField, ...], ranges: tuple[RowRange, ...]
) -> None:
    """Its row is one key, or the rows of one prefix, and the ranges come in the order of their keys."""
    planner = Planner(model_of(RowKey(fields, b"#")))
    assert planner.query(QUERY, {"k0": "google.com"}).ranges == ranges


@pytest.mark.parametrize(
    ("codec", "start", "key"),
    [
        (ReversedDomain(10), "google.com", b"com.google"),
        (Repeated(Text(width=1), most=2), ("a", "b"), b"a/b"),
        (Repeated(Text(width=1), least=2, most=2), ("a", "b"), b"a/b"),
    ],
)
def test_what_nothing_can_follow_is_found(codec: KeyCodec[Any], start: Any, key: bytes) -> None:
    """A path with all its parts, or a domain as long as can be, may be asked for as the others may."""
    assert (
        RowRange.of_key(key)
        in Planner(model_of(RowKey((KeyField("k0", codec),), b"#"))).query(QUERY, {"k0": start}).ranges
    )


def test_an_empty_key_is_never_asked_for() -> None:
    """No row has it: where a value is written as no bytes at all, only what goes on behind it is read."""
    empty = Text(max_length=2, min_length=0)
    path = RowKey((KeyField("k0", Repeated(empty, most=2)),), b"#")
    assert Planner(model_of(path)).query(QUERY, {"k0": ("",)}).ranges == (RowRange.of_prefix(b"/"),)
    lacking = RowKey((KeyField("k0", empty), KeyField("k1", empty, optional=True)), b"#")
    assert Planner(model_of(lacking)).query(Query("q", ("k0",)), {"k0": ""}).ranges == (
        RowRange.of_prefix(b"#"),
    )


def test_the_value_itself_is_found_behind_every_salt() -> None:
    """Each range of each salt is a read of its own, merged without the salt."""
    salt = KeyField("salt", PaddedInt(1), derived=Derived(("k1",), int, (0, 1)), ends=b":")
    plan = Planner(model_of(RowKey((salt, DOMAIN, KeyField("k1", PaddedInt(1))), b"#"))).query(
        QUERY, {"k0": "a.b"}
    )
    wholes = [RowRange(raw + b"0", raw + b":") for raw in (b"0:b.a#", b"1:b.a#")]
    below = [RowRange.of_prefix(raw) for raw in (b"0:b.a.", b"1:b.a.")]
    assert plan.ranges == (wholes[0], below[0], wholes[1], below[1])
    assert (plan.joined, plan.leads) == (RangeOrder.MERGED, (2, 2, 2, 2))
