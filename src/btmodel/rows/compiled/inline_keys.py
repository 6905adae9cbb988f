"""The compiled key codec: one f-string to write, one split to read."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from btmodel.codecs.inline import MOST_KEPT, FunctionSource, InlineKey, key_inline
from btmodel.schema import KeyField, RowKey
from btmodel.schema.limits import KEY_BYTES

# An object with the fields of a key, the fields by name, or the key, to what the plain codec makes of it.
KeyWriter = Callable[[Any], bytes]
FieldsWriter = Callable[..., bytes]
KeyReader = Callable[[bytes], tuple[Any, ...]]

# Ends a guarded block: what is behind it asks the plain codec.
_NOT_TAKEN = "raise ValueError"


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
    lacking, or with delimiters that are not one ASCII character where they separate the fields.
    """
    delimiters = {key.behind(part) for part in key.fields[:-1] or key.fields}
    told_apart = len(delimiters) <= 1 and all(
        len(delimiter) == 1 and not delimiter.isalnum() for delimiter in delimiters
    )
    known = all(delimiter.isascii() for delimiter in delimiters) and 0 < key.least <= key.most <= KEY_BYTES
    if not known or key.bound is not None or not (told_apart or _all_fixed(key)):
        return None
    delimiter = "" if _all_fixed(key) else _delimiter(key)
    fields = []
    for at, part in enumerate(key.fields):
        few = part.cardinality is not None and part.cardinality <= MOST_KEPT
        inline = key_inline(part.codec, delimiter, few=few)
        if inline is None or part.derived or part.optional:
            return None
        fields.append(InlineField(part, inline, f"k{at}"))
    return fields


def write_key(
    source: FunctionSource,
    key: RowKey,
    fields: list[InlineField],
    given: str = "row.{}",
    refuse: str = "return None",
) -> str:
    """Add the lines that look at the fields of ``row``, and give the expression of its ``key``.

    ``given`` is how a field is named, ``refuse`` the statement for fields that the plain codec must be asked about.
    """
    asked = [field for field in fields if field.part.asked]
    for field in asked:
        source.line(f"{field.variable} = {given.format(field.part.name)}")
        source.name_all(field.inline.names, field.variable)
    _unless(source, [field.written(field.inline.takes) for field in asked], refuse)
    pieces = []
    for field in fields:
        behind = key.behind(field.part).decode("ascii") if field is not fields[-1] else ""
        constant = field.part.constant
        written = field.written(field.inline.written) if constant is None else _literal(constant)
        pieces += [written, _literal(behind)]
    return f'f"{"".join(pieces)}".encode()'


def read_key(source: FunctionSource, key: RowKey, fields: list[InlineField], refuse: str) -> dict[str, str]:
    """Add the lines that take ``key`` apart, and give the expression of each field.

    ``refuse`` is the statement for a key that the plain codec must be asked about.
    """
    checks = _take_apart(source, key, fields)
    for field in fields:
        source.name_all(field.inline.names, field.variable)
        if not field.inline.sized and not _all_fixed(key):
            length = field.part.codec.length
            size = f"len({field.variable})"
            fixed = length.fixed is not None
            checks.append(
                f"{size} == {length.most}" if fixed else f"{length.least} <= {size} <= {length.most}"
            )
        checks.append(field.written(field.inline.holds))
    _unless(source, checks, refuse)
    return {field.part.name: field.written(field.inline.read) for field in fields if field.part.asked}


def _take_apart(source: FunctionSource, key: RowKey, fields: list[InlineField]) -> list[str]:
    """Add the lines that put the bytes of each field into its variable, and give what must hold for that."""
    names = [field.variable for field in fields]
    if len(fields) == 1 and not _all_fixed(key):
        source.line(f"{names[0]} = key")
        return []
    if not _all_fixed(key):
        delimiter = key.behind(key.fields[0])
        if len(fields) > 2:
            source.line(f"{', '.join(names)} = key.split({delimiter!r})")
            return []
        # A second delimiter is seen with the second field.
        source.line(f"{names[0]}, between, {names[1]} = key.partition({delimiter!r})")
        return ["between"] if key.fields[1].codec.length.least == 0 else []
    checks, at = [f"len(key) == {key.most}"], 0
    for field in fields:
        end = at + field.part.codec.length.most
        source.line(f"{field.variable} = key[{at}:{end}]")
        behind = key.behind(field.part) if field is not fields[-1] else b""
        at = end + len(behind)
        checks += [f"key[{end + index}] == {one}" for index, one in enumerate(behind)]
    return checks


def key_writer(key: RowKey, plain: KeyWriter) -> KeyWriter:
    """The function from an object with the fields of ``key`` to the key; what it does not take, ``plain`` does."""
    writer: KeyWriter = _writer(key, plain, "row, /", "row", "row.{}")
    return writer


def fields_writer(key: RowKey, plain: Callable[[Mapping[str, Any], tuple[Any, ...]], bytes]) -> FieldsWriter:
    """The function from the fields of ``key``, given by name, to the key; ``plain`` does what it does not take."""
    writer: FieldsWriter = _writer(key, plain, "*given, **fields", "fields", "fields['{}']")
    return writer


def _writer(key: RowKey, plain: Callable[..., bytes], parameters: str, given: str, field: str) -> Any:
    fields = inline_fields(key)
    source = FunctionSource()
    with source.block(f"def write({parameters}):"):
        if fields is not None:
            with source.guarded("pass"):
                if given == "fields":
                    _unless(source, [f"len({given}) == {len(key.asked)}", "not given"], _NOT_TAKEN)
                source.line(f"return {write_key(source, key, fields, field, _NOT_TAKEN)}")
        source.line(f"return {source.name(plain)}({'fields, given' if given == 'fields' else given})")
    return source.function("write", f"key {key.shape}")


def key_reader(key: RowKey, plain: KeyReader) -> KeyReader:
    """The function from a key to its fields in their order; what it does not take, ``plain`` does."""
    fields = inline_fields(key)
    source = FunctionSource()
    with source.block("def read(key, /):"):
        if fields is not None:
            with source.guarded("pass"):
                values = read_key(source, key, fields, _NOT_TAKEN)
                source.line(f"return ({''.join(f'{value}, ' for value in values.values())})")
        source.line(f"return {source.name(plain)}(key)")
    reader: KeyReader = source.function("read", f"key {key.shape}")
    return reader


def _unless(source: FunctionSource, checks: list[str], refuse: str) -> None:
    wanted = [check for check in checks if check]
    if wanted:
        with source.block(f"if not ({' and '.join(wanted)}):"):
            source.line(refuse)


def _all_fixed(key: RowKey) -> bool:
    return all(part.fixed is not None for part in key.fields)


def _delimiter(key: RowKey) -> str:
    return key.behind(key.fields[0]).decode("ascii")


def _literal(text: str) -> str:
    """``text`` as it stands in an f-string between double quotes."""
    return repr(text)[1:-1].replace('"', '\\"').replace("{", "{{").replace("}", "}}")
