"""Wrong declarations: each is one DeclarationError, where it is written, that names the thing."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

import btmodel as bt
from btmodel.errors import DeclarationError

F = bt.family("f", gc=bt.keep_all())
Declare = Callable[[], object]
WRONG: list[tuple[Declare, str]] = []


def wrong(message: str) -> Callable[[Declare], Declare]:
    """Put a declaration into the table of wrong ones, with what its error must say."""

    def into_table(declare: Declare) -> Declare:
        WRONG.append((declare, message))
        return declare

    return into_table


def model(
    body: dict[str, Any], annotations: dict[str, Any], bases: tuple[type, ...] = (bt.Model,), **settings: Any
) -> type:
    """The class ``Wrong`` with a key, and what else is given."""
    name = {"name": bt.key(bt.Text(width=3), cardinality=9), "f": F}
    body = {"__module__": __name__, "__qualname__": "Wrong", **name, **body}
    body["__annotations__"] = {"name": str, **annotations}
    made: type = type(bt.Model)("Wrong", bases, body, **{"table": "wrong", **settings})  # type: ignore[misc]
    return made


class Tabled(bt.Model, table="tabled"):
    """A model with a table of its own."""

    name: str = bt.key(bt.Text(width=3), cardinality=9)
    f = F
    value: int = bt.column("v", f)


@wrong(r"Wrong: unknown class keyword 'tabel' \(did you mean table\?\)")
def misspelled_keyword() -> object:
    return model({}, {}, tabel="x")


@wrong(
    r"unknown class keyword 'qqq' \(known: table, delimiter, events, bucket, timestamp, nodes, atomic, max_key, existing, lateness, allow\)"
)
def unknown_keyword() -> object:
    return model({}, {}, qqq="x")


@wrong(
    r'Wrong: deletion_protection is not a class keyword: .*table=bt\.table\("ID", deletion_protection=\.\.\.\)'
)
def setting_as_keyword() -> object:
    return model({}, {}, table="x", deletion_protection=True)


@wrong(r"Wrong.*unknown class keyword 'evnts' \(did you mean events\?\)")
def misspelled_keyword_without_table() -> object:
    class Wrong(bt.Model, evnts="5/s"):
        pass

    return Wrong


@wrong(r"slots are named by the calendar: expected the bucket minute, .*got datetime\.timedelta\(days=28\)")
def slots_of_a_length() -> object:
    class Wrong(bt.Model, table="t", bucket=timedelta(days=28)):
        at: datetime = bt.key(bt.EpochBucket(bt.PaddedInt(4), timedelta(days=28)))
        f = bt.family("f", gc=bt.keep_all())
        power: bt.Slots[int] = bt.slots(f, every="1h", qualifier="%H")

    return Wrong


@wrong(r"bucket=datetime\.timedelta\(days=28\) needs a key field of spans of 28 days, such as EpochBucket\(")
def length_without_its_field() -> object:
    class Wrong(bt.Model, table="t", bucket=timedelta(days=28)):
        at: datetime = bt.key(bt.EpochBucket(bt.PaddedInt(4), timedelta(days=27)))
        f = bt.family("f", gc=bt.keep_all())
        power: bt.History[int] = bt.history("p", f)

    return Wrong


@wrong(r"Wrong.*bucket.*table")
def keyword_that_needs_a_table() -> object:
    class Wrong(bt.Model, bucket="day"):
        pass

    return Wrong


@wrong(r"Wrong\.value has no annotation: give its type")
def column_without_annotation() -> object:
    return model({"value": bt.column("v", F)}, {})


@wrong(r"Wrong\.other has no annotation")
def key_without_annotation() -> object:
    return model({"other": bt.key(bt.PaddedInt(2), cardinality=9)}, {})


@wrong(r"Wrong\.value: the annotation 'Nowhere' does not resolve: name 'Nowhere' is not defined")
def annotation_that_does_not_resolve() -> object:
    return model({"value": bt.column("v", F)}, {"value": "Nowhere"})


@wrong(r"Wrong\.value: an annotated attribute is declared with key")
def annotation_without_declaration() -> object:
    return model({}, {"value": int})


@wrong(r"Wrong\.value: an annotated attribute is declared with key")
def annotated_plain_default() -> object:
    return model({"value": 5}, {"value": int})


@wrong(r"Wrong\.value: expected the annotation int \| None of a column that rows may lack, got int")
def default_none_without_optional() -> object:
    return model({"value": bt.column("v", F, default=None)}, {"value": int})


@wrong(r"Wrong\.value: no default codec for .*complex.*: give codec=")
def no_codec_for_the_type() -> object:
    return model({"value": bt.column("v", F)}, {"value": complex})


@wrong(r"Wrong\.value: no default codec for ")
def no_codec_for_a_union() -> object:
    return model({"value": bt.column("v", F)}, {"value": int | str})


@wrong(r"Wrong\.value: no default codec for ")
def no_codec_for_a_complex_number() -> object:
    return model({"value": bt.column("v", F)}, {"value": complex})


@wrong(r"Wrong\.value: Json: .*complex.* has no form in JSON")
def no_codec_for_a_list() -> object:
    return model({"value": bt.column("v", F)}, {"value": list[complex]})


@wrong(r"Wrong\.value: expected the annotation History\[\.\.\.\]")
def history_annotated_otherwise() -> object:
    return model({"value": bt.history("v", F)}, {"value": int})


@wrong(r"Wrong\.value: expected the annotation History\[\.\.\.\]")
def history_without_a_type() -> object:
    return model({"value": bt.history("v", F)}, {"value": bt.History})


@wrong(r"Wrong\.value: family 'g' is not of this model")
def family_of_nobody() -> object:
    return model({"value": bt.column("v", bt.family("g", gc=bt.keep_all()))}, {"value": int})


@wrong(r"Wrong declares family 'f' twice")
def family_twice() -> object:
    return model({"g": bt.family("f", gc=bt.max_versions(1))}, {})


@wrong(r"Wrong\.other: mirror 'g:X': expected FAMILY:QUALIFIER with a family of the model \(f\)")
def mirror_to_an_unknown_family() -> object:
    return model({"other": bt.key(bt.PaddedInt(2), cardinality=9, mirror="g:X")}, {"other": int})


@wrong(r"Wrong\.other: mirror 'X': expected FAMILY:QUALIFIER")
def mirror_without_a_family() -> object:
    return model({"other": bt.key(bt.PaddedInt(2), cardinality=9, mirror="X")}, {"other": int})


@wrong(r"Wrong\.other: mirror: Utf8\(.*\) holds str, but the key field holds int")
def mirror_of_another_type() -> object:
    return model({"other": bt.key(bt.PaddedInt(2), cardinality=9, mirror=("f:X", bt.Utf8()))}, {"other": int})


@wrong(r"Wrong\.other: mirror: expected 'FAMILY:QUALIFIER', got 5")
def mirror_of_a_number() -> object:
    return model({"other": bt.key(bt.PaddedInt(2), cardinality=9, mirror=5)}, {"other": int})  # type: ignore[arg-type]


@wrong(r"Wrong: bucket='day' needs a key field of whole days")
def bucket_without_a_field() -> object:
    return model({"value": bt.history("v", F)}, {"value": bt.History[int]}, bucket="day")


@wrong(r"Wrong: bucket='day', but no history")
def bucket_without_a_history() -> object:
    return model({"day": bt.key(bt.DateText())}, {"day": date}, bucket="day")


@wrong(
    r"Wrong.*bucket: expected one of minute, hour, day, week, month, year, or a length such as timedelta\(days=28\), got 'dya'"
)
def bucket_misspelled() -> object:
    return model({}, {}, bucket="dya")


@wrong(r"Wrong.*events: expected a rate such as '5000/s'.*got 5000")
def rate_of_a_number() -> object:
    return model({}, {}, events=5000)


@wrong(r"Wrong: table: expected the id of a table, or bt\.table\(\.\.\.\), got 5")
def table_of_a_number() -> object:
    return model({}, {}, table=5)


@wrong(r"Wrong: delimiter: expected text or bytes, got 5")
def delimiter_of_a_number() -> object:
    return model({}, {}, delimiter=5)


@wrong(r"Wrong.*allow.*'KEY001'")
def allow_of_a_text() -> object:
    return model({}, {}, allow="KEY001")


@wrong(r"Wrong.*allow.*KEY001")
def allow_without_reasons() -> object:
    return model({}, {}, allow=["KEY001"])


@wrong(r"Wrong: Tabled has a table of its own")
def two_tables() -> object:
    return model({}, {}, bases=(Tabled,))


@wrong(r"Wrong: Tabled has a table of its own")
def inheritance_without_a_second_table() -> object:
    class Wrong(Tabled):
        pass

    return Wrong


class Stamped:
    """Declares a column, and is no model."""

    created: int = bt.column("cr", F)


class StampedAgain(Stamped):
    """Has it from there."""


class Kept:
    """Declares only a family."""

    m = bt.family("m", gc=bt.keep_all())


@wrong(r"Wrong: Stamped declares created and is no model.*write class Stamped\(bt.Model\), without table=")
def base_that_is_no_model() -> object:
    class Wrong(Stamped, bt.Model, table="wrong"):
        id: str = bt.key(bt.Text(max_length=9))

    return Wrong


@wrong(r"Wrong: Stamped declares created and is no model")
def base_behind_the_model() -> object:
    return model({}, {}, bases=(bt.Model, StampedAgain))


@wrong(r"Wrong: Kept declares m and is no model")
def base_with_a_family_alone() -> object:
    class Wrong(Kept, bt.Model):
        pass

    return Wrong


@wrong(r"Wrong has no key field: declare at least one key")
def no_key() -> object:
    class Wrong(bt.Model, table="wrong"):
        f = F
        value: int = bt.column("v", f)

    return Wrong


@wrong(r"Wrong\._value: this name is taken, or begins with an underscore")
def name_with_an_underscore() -> object:
    return model({"_value": bt.column("v", F)}, {"_value": int})


@wrong(r"Wrong\.row_key: this name is taken")
def name_that_is_taken() -> object:
    return model({"row_key": bt.column("v", F)}, {"row_key": int})


HERE = re.escape(__file__) + r":\d+: "


@wrong(HERE + "key: expected a key codec such as .* got <class 'str'>")
def key_without_codec() -> object:
    return bt.key(str)  # type: ignore[arg-type]


@wrong(HERE + "key: expected a key codec such as .* got nothing")
def key_of_nothing() -> object:
    return bt.key()  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "function",
    [
        *(bt.column, bt.history, bt.slots, bt.marks, bt.mapping, bt.members, bt.counter),
        *(bt.family, bt.constant, bt.derived, bt.salt, bt.table),
    ],
    ids=lambda one: one.__name__,
)
def test_a_declaration_of_nothing(function: Any) -> None:
    """It is a wrong declaration, with its place and what it takes, as other wrong ones are."""
    name = function.__name__
    with pytest.raises(
        DeclarationError, match=rf"^{HERE}{name}: expected {name}\(\w+.*\), got nothing: missing"
    ):
        function()
    with pytest.raises(DeclarationError, match=rf"^{HERE}{name}: expected {name}\("):
        function(*[None] * 20)


@wrong(HERE + r"Wrong\.number: cardinality: expected a number from 1 on, got 0")
def cardinality_of_nothing() -> object:
    return model({"number": bt.key(bt.PaddedInt(2), cardinality=0)}, {"number": int})


@wrong(HERE + "family 'f': expected a rule such as .* got 5")
def family_with_a_number_for_a_rule() -> object:
    return bt.family("f", gc=5)  # type: ignore[arg-type]


@wrong(HERE + "column: expected a qualifier, text or bytes, got 5")
def column_of_a_number() -> object:
    return bt.column(5, F)  # type: ignore[call-overload]


@wrong(HERE + "column 'v': expected a family.*, got 'f'")
def column_of_a_family_in_words() -> object:
    return bt.column("v", "f")  # type: ignore[call-overload]


@wrong(HERE + "column 'v': expected a cell codec, got ")
def column_with_a_key_codec() -> object:
    return bt.column("v", F, codec=bt.PaddedInt(2))  # type: ignore[call-overload]


@wrong(
    HERE
    + r"column 'v': expected a cell codec, got PaddedInt\(digits=2\): write AsInKey\(PaddedInt\(digits=2\)\)$"
)
def column_with_the_codec_of_a_key() -> object:
    return bt.column("v", F, codec=bt.PaddedInt(2))  # type: ignore[call-overload]


@wrong(HERE + r"column 'v': expected a cell codec, got the class Int64: write Int64\(\.\.\.\)$")
def column_with_the_class_of_a_codec() -> object:
    return bt.column("v", F, codec=bt.Int64)  # type: ignore[call-overload]


@wrong(HERE + r"key: expected a key codec such as .* got the class Text: write Text\(\.\.\.\)$")
def key_with_the_class_of_a_codec() -> object:
    return bt.key(bt.Text)  # type: ignore[arg-type]


@wrong(HERE + r"Wrong\.v: default: expected text, got 0")
def column_with_a_default_of_another_type() -> object:
    v = bt.column("v", F, default=0)
    return model({"f": F, "v": v}, {"v": str})


@wrong(
    HERE
    + r"column 'v': default: expected a value that rows can share, got \[\], .*: give default_factory=list"
)
def column_with_a_default_that_changes() -> object:
    return bt.column("v", F, default=[])


@wrong(HERE + r"Wrong\.number: unknown argument 'sequental' \(did you mean sequential\?\)")
def unknown_figure_of_a_key() -> object:
    number = bt.key(bt.PaddedInt(2), sequental=True)  # type: ignore[call-overload]
    return model({"number": number}, {"number": int})


@wrong(HERE + r"Wrong\.number: sequential: expected True or False, got 1")
def sequential_in_part() -> object:
    number = bt.key(bt.PaddedInt(2), sequential=1)  # type: ignore[call-overload]
    return model({"number": number}, {"number": int})


@wrong(HERE + r"Wrong\.v: unknown argument 'entries' \(known: every, keep, max_size, size\)")
def figure_of_another_shape() -> object:
    v: Any = bt.history("v", F, entries=5)  # type: ignore[call-overload]
    return model({"v": v}, {"v": bt.History[int]})


@wrong(HERE + r"Wrong\.v: size: expected a number from 0 on, got -1")
def size_below_nothing() -> object:
    return model({"v": bt.column("v", F, size=-1)}, {"v": int})


@wrong(HERE + r"Wrong\.v: increments: expected a rate above 0, got '0/s'")
def increments_of_no_rate() -> object:
    return model({"v": bt.column("v", F, increments="0/s")}, {"v": int})


@wrong(HERE + r"Wrong\.v: keep: expected a rule such as .* got 5")
def keep_a_number() -> object:
    v = bt.column("v", F, keep=5)  # type: ignore[call-overload]
    return model({"v": v}, {"v": int})


@wrong(
    HERE
    + r"query: between: expected one field, got \('lat', 'lng'\): rows are in the order of one key.*geohash"
)
def ranges_of_two_fields() -> object:
    wrong: Any = ("lat", "lng")
    return bt.query(between=wrong)


@wrong(HERE + "query: span= is the time between the ends of between=")
def span_of_no_range() -> object:
    return bt.query("id", span="1day")


@wrong(HERE + r"query: only: expected names, as \(\"bid\", \"ask\"\), got 'bid'")
def only_a_text() -> object:
    return bt.query("id", only="bid")


@wrong("Wrong: nodes: expected a number of nodes from 1 on, got 0")
def no_node() -> object:
    return model({}, {}, nodes=0)


@wrong(r"Wrong: lateness: expected a length of time such as '15min'.*, got '2 moons'")
def late_by_no_length_of_time() -> object:
    return model({}, {}, lateness="2 moons")


@wrong(r"Wrong: lateness: expected how late events are written at most, as '2d' or a timedelta, got .*\(0\)")
def late_by_nothing() -> object:
    return model({}, {}, lateness=timedelta(0))


@wrong(
    r"Wrong: timestamp: expected the name of a key field that is a datetime, got 'number': as a timestamp, a number is .* 1970"
)
def sequence_as_timestamp() -> object:
    return model({"number": bt.key(bt.PaddedInt(6))}, {"number": int}, timestamp="number")


@wrong(r"Wrong: atomic: expected fields of the key \(name\), got 'user'")
def atomic_by_what_is_no_key() -> object:
    return model({}, {}, atomic="user")


@wrong(r"Wrong\.last: newest: no time follows the given fields in the key \{name\}")
def newest_without_a_time() -> object:
    return model({"last": bt.query(scan="all", newest=True)}, {})


@pytest.mark.parametrize(("declare", "message"), WRONG, ids=[declare.__name__ for declare, _ in WRONG])
def test_a_wrong_declaration_is_refused_by_name(declare: Declare, message: str) -> None:
    """A wrong declaration is a DeclarationError that says which class or line, what was expected and what came."""
    with pytest.raises(DeclarationError, match=message):
        declare()


def test_the_class_that_the_wrong_ones_are_made_of_is_right() -> None:
    """What the table of wrong declarations is built on is itself a good model."""
    good = model({"value": bt.column("v", F, default=None)}, {"value": int | None}, events="5/s")
    assert bt.schema_of(good).columns[0].codec == bt.Int64()


def test_every_setting_of_a_table_has_a_hint() -> None:
    """What ``bt.table`` takes beside the id is what a class keyword of that name is told about."""
    from inspect import signature

    from btmodel.declare.keywords import SETTINGS

    assert list(signature(bt.table).parameters) == ["id", *SETTINGS]


def test_a_refused_declaration_is_named_and_hides_no_other_problem() -> None:
    """The field, and all else that is wrong with the class, in one error, in the order of the body; what follows from it is not said."""
    with pytest.raises(DeclarationError) as refused:

        class Wrong(bt.Model, table="wrong", evnts="1/s"):
            name: str = bt.key()  # type: ignore[call-overload]
            day: date = bt.key(bt.DateText(), cardinalty=3)  # type: ignore[call-overload]
            f = bt.family("f", gc="1d")  # type: ignore[arg-type]
            g = bt.family("g", gc=bt.keep_all())
            value: int = bt.column("v", f)
            other: int = bt.column("o", "g")  # type: ignore[arg-type]
            odd: complex = bt.column("w", g)
            by_name = bt.query("name", "name")

    said = [line.partition(": ")[2] for line in str(refused.value).splitlines()]
    assert [line.partition(": ")[0] for line in said] == [
        "Wrong.name",
        "Wrong.f",
        "Wrong.other",
        "Wrong.by_name",
        "Wrong",
        "Wrong.day",
        "Wrong.odd",
    ]
    assert said[0] == "Wrong.name: key: expected a key codec such as bt.Text(width=6), got nothing"
    assert "evnts" in said[4]


def test_a_refused_declaration_of_a_class_that_is_no_model() -> None:
    """It is refused all the same, as is one that stands in no class."""
    with pytest.raises((DeclarationError, RuntimeError)) as refused:

        class Plain:
            name: str = bt.key()  # type: ignore[call-overload]

    assert "Plain.name: key: expected a key codec" in str(refused.value.__cause__ or refused.value)
    with pytest.raises(DeclarationError, match=r": key: expected a key codec"):
        bt.key()  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("annotation", "default", "said"),
    [
        (Decimal | str, {"default": None}, "no default codec for decimal.Decimal | str: give codec="),
        (Decimal | str | None, {"default": None}, "no default codec for decimal.Decimal | str"),
        (Decimal | str, {}, "no default codec for decimal.Decimal | str: give codec="),
        (
            complex,
            {},
            "no default codec for complex: give codec=, a bt.CellCodec of your own for one, or annotate a type",
        ),
        (
            int,
            {"default": None},
            "expected the annotation int | None of a column that rows may lack, got int",
        ),
    ],
)
def test_an_annotation_that_chooses_no_codec(annotation: Any, default: dict[str, Any], said: str) -> None:
    """The advice is one that helps: no union of types has a codec, with None or without."""
    with pytest.raises(DeclarationError) as refused:
        model({"v": bt.column("v", F, **default)}, {"v": annotation})
    assert said in str(refused.value)


def test_a_codec_is_shown_as_it_was_given() -> None:
    """Without the arguments that it has by default, also inside another one."""
    with pytest.raises(
        DeclarationError, match=r"Wrong\.day: Text\(width=6\) holds str, but the annotation says date"
    ):
        model({"day": bt.key(bt.Text(width=6))}, {"day": date})
    with pytest.raises(DeclarationError, match=r"got Text\(max_length=6\)$"):
        bt.Descending(bt.Text(max_length=6))
    with pytest.raises(
        DeclarationError, match=r"^Text\(\): expected either width= or max_length=, in bytes$"
    ):
        bt.Text()


@pytest.mark.parametrize("file", ["<stdin>", "<ipython-input-3-5d2e>", "models.txt", "models.py"])
def test_a_place_is_named_once(file: str) -> None:
    """Each line of the error begins with its place, whatever the file of the class is called."""
    source = (
        "import btmodel as bt\nclass M(bt.Model, table='m'):\n    id: str = bt.key(bt.Text(max_length=9))\n"
        "    f = bt.family('f', gc=bt.max_versions(1))\n    a: int = bt.column('a', f, codec=3)\n    b: int = bt.column('b', f, size=-3)\n"
    )
    with pytest.raises(DeclarationError) as raised:
        exec(compile(source, file, "exec"), {"__name__": "m"})
    lines = str(raised.value).splitlines()
    assert [line.split(" ")[0] for line in lines] == [f"{file}:5:", f"{file}:6:"]
    assert str(raised.value).count(f"{file}:") == 2
