"""Row keys: written as one f-string, and taken apart again."""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from btmodel.codecs.inline import InlineKey, key_inline
from btmodel.rows.compiled.source import Source
from btmodel.schema import KeyField, RowKey
from btmodel.schema.figures import KEY_BYTES

# A row to its key, and a key to its fields; None where the plain codec must be asked.
KeyWriter = Callable[[Any], bytes | None]
KeyReader = Callable[[bytes], dict[str, Any] | None]


@frozen
class InlineField:
    """A field of a key with its expressions, and the name of the variable that holds it."""

    part: KeyField
    inline: InlineKey
    variable: str

    def written(self, expression: str) -> str:
        """An expression of the inline form, of this field's variable."""
        return expression.replace("$", self.variable)


def inline_fields(key: RowKey) -> list[InlineField] | None:
    """The fields of ``key``; None where one of them has no inline form, or the key is of another kind.

    What follows from other attributes is left to the plain codec, and so are keys with a field that may be
    lacking, or with delimiters that are not one ASCII character where they tell the fields apart.
    """
    fields = []
    for at, part in enumerate(key.fields):
        inline = key_inline(part.codec)
        if inline is None or part.derived or part.optional:
            return None
        fields.append(InlineField(part, inline, f"k{at}"))
    delimiters = {key.behind(part) for part in key.fields[:-1] or key.fields}
    told_apart = len(delimiters) <= 1 and all(len(one) == 1 for one in delimiters)
    known = all(one.isascii() for one in delimiters) and 0 < key.least <= key.most <= KEY_BYTES
    return fields if known and (told_apart or _all_fixed(key)) else None


def write_key(source: Source, key: RowKey, fields: list[InlineField]) -> None:
    """Add the lines that make ``key`` of ``row``; they return None where the plain codec must be asked."""
    given = [field for field in fields if field.part.asked]
    for field in given:
        source.line(f"{field.variable} = row.{field.part.name}")
        source.name_all(field.inline.names, field.variable)
    _unless(source, [field.written(field.inline.takes) for field in given])
    pieces = []
    for field in fields:
        behind = key.behind(field.part).decode("ascii") if field is not fields[-1] else ""
        constant = field.part.constant
        written = field.written(field.inline.written) if constant is None else _literal(constant)
        pieces += [written, _literal(behind)]
    source.line(f'text = f"{"".join(pieces)}"')
    free = any(field.inline.free for field in fields)
    tells = free and not _all_fixed(key)
    count = f"text.count({_delimiter(key)!r}) == {_delimiters(key)}"
    _unless(source, ["text.isascii()"] * free + [count] * tells)
    source.line("key = text.encode()")


def read_key(source: Source, key: RowKey, fields: list[InlineField], refuse: str) -> dict[str, str]:
    """Add the lines that take ``key`` apart, and give the expression of each field.

    ``refuse`` is the statement for a key that the plain codec must be asked about.
    """
    source.line("text = key.decode()")
    checks = ["text.isascii()"]
    if _all_fixed(key):
        checks.insert(0, f"len(text) == {key.most}")
        at = 0
        for field in fields:
            end = at + field.part.codec.length.most
            source.line(f"{field.variable} = text[{at}:{end}]")
            behind = key.behind(field.part).decode("ascii") if field is not fields[-1] else ""
            at = end + len(behind)
            checks += [f"text[{end + index}] == {one!r}" for index, one in enumerate(behind)]
    else:
        names = "".join(f"{field.variable}, " for field in fields)
        source.line(f"{names}= text.split({_delimiter(key)!r})")
    for field in fields:
        source.name_all(field.inline.names, field.variable)
        if not _all_fixed(key):
            length = field.part.codec.length
            size = f"len({field.variable})"
            fixed = length.fixed is not None
            checks.append(
                f"{size} == {length.most}" if fixed else f"{length.least} <= {size} <= {length.most}"
            )
        checks.append(field.written(field.inline.holds))
    _unless(source, checks, refuse)
    return {field.part.name: field.written(field.inline.read) for field in fields if field.part.asked}


def key_writer(key: RowKey) -> KeyWriter | None:
    """The function from an object with the fields of ``key`` to the key; None where there is no fast one."""
    fields = inline_fields(key)
    if fields is None:
        return None
    source = Source()
    with source.block("def write(row):"), source.guarded("return None"):
        write_key(source, key, fields)
        source.line("return key")
    writer: KeyWriter = source.function("write", f"key {key.shape}")
    return writer


def key_reader(key: RowKey) -> KeyReader | None:
    """The function from a key to its fields by name; None where there is no fast one."""
    fields = inline_fields(key)
    if fields is None:
        return None
    source = Source()
    with source.block("def read(key):"), source.guarded("return None"):
        values = read_key(source, key, fields, "return None")
        source.line(f"return {{{', '.join(f'{name!r}: {value}' for name, value in values.items())}}}")
    reader: KeyReader = source.function("read", f"key {key.shape}")
    return reader


def _unless(source: Source, checks: list[str], refuse: str = "return None") -> None:
    wanted = [check for check in checks if check]
    if wanted:
        with source.block(f"if not ({' and '.join(wanted)}):"):
            source.line(refuse)


def _all_fixed(key: RowKey) -> bool:
    return all(part.fixed is not None for part in key.fields)


def _delimiter(key: RowKey) -> str:
    return key.behind(key.fields[0]).decode("ascii")


def _delimiters(key: RowKey) -> int:
    """How many delimiters there are, those of the constants among them."""
    delimiter = _delimiter(key)
    return len(key.fields) - 1 + sum(part.constant.count(delimiter) for part in key.fields if part.constant)


def _literal(text: str) -> str:
    """``text`` as it stands in an f-string between double quotes."""
    return repr(text)[1:-1].replace('"', '\\"').replace("{", "{{").replace("}", "}}")
