"""Indexes, rollups and authorized views of a live table, read back into declarations.

The query of a view is taken apart, and declared again of one of the table's models. Only a declaration whose query is that of the view,
word for word, is taken.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from btmodel.codecs.key import Bytes, Constant
from btmodel.errors import BtmodelError, DeclarationError
from btmodel.guess.model import AuthorizedGuess, ModelGuess, suppressions
from btmodel.guess.names import attribute, class_name, unused
from btmodel.lint import errors, review
from btmodel.rows.key_codec import RowKeyCodec
from btmodel.rows.planner import Planner
from btmodel.schema import (
    AuthorizedView,
    Column,
    Family,
    KeepAll,
    KeyField,
    ModelSchema,
    Query,
    RowKey,
    Stamp,
    TableView,
    View,
    ViewKind,
)
from btmodel.schema.limits import KEY_BYTES
from btmodel.schema.view import VIEW_FAMILY, VIEWS, subsets_of
from btmodel.sql.views import (
    FUNCTIONS,
    ViewSource,
    ViewText,
    Written,
    aggregate,
    compared,
    definition,
    key_codecs,
    parsed,
    source,
    written,
)


@frozen
class ViewGuess:
    """A view of a live table as a declaration.

    ``of`` says of each attribute that is not constant which one of the other model it is made of (None: of the rows), and by
    which function (None: it is a copy). ``where`` are the values of attributes in its condition; None of one that has to be there.
    """

    schema: ModelSchema
    of: Mapping[str, tuple[str | None, str | None]]
    where: tuple[tuple[str, Any], ...]
    deletion_protection: bool | None

    def made_of(self, name: str) -> str | None:
        """The attribute of the other model that this one is made of; None of a constant, and of a count of rows."""
        return self.of.get(name, (None, None))[0]


def guess_view(view: TableView, models: Sequence[ModelGuess], taken: Collection[str]) -> ViewGuess | str:
    """The view as a declaration by a name that is not ``taken``; the reason, where there is none that has its query."""
    text = parsed(view.query)
    if text is None:
        return "its query is of another form than btmodel writes"
    name = unused(class_name(view.id), taken)
    for model in models:
        readings = (
            _ViewReading(view, text, model.schema, delimiter) for delimiter in _delimiters(text, model.schema)
        )
        found = [made for reading in readings if (made := reading.guess(name)) is not None]
        if found:
            return min(found, key=_effort)
    return "no declaration of a model above has its query"


def _delimiters(text: ViewText, model: ModelSchema) -> Iterator[bytes]:
    """What may stand between the fields of its key, likely ones first: also what its texts may not hold."""
    literals = [part for one in text.key if isinstance(one, bytes) for part in (one, one[:1], one[-1:])]
    letters = re.findall(r"\\x\{([0-9a-f]{2})\}\]", "".join(one for one in text.key if isinstance(one, str)))
    yield from dict.fromkeys((model.key.delimiter, b"#", *literals, *map(bytes.fromhex, letters), b""))


def _effort(view: ViewGuess) -> tuple[int, int]:
    """How odd its key is, and how much it has to say: the same bytes may be a delimiter, a constant, or what stands behind one field.

    Between two fields, ``#x#x-y#`` is two constants: a constant seldom begins or ends with what separates fields, and what separates them
    seldom has letters or digits. A delimiter is rarely longer than a byte. A key of nothing but constants is one literal, and is declared as
    one constant: no query shows how many there were.
    """
    key = view.schema.key
    constants = [part.codec.text for part in key.fields if isinstance(part.codec, Constant)]
    ends = [key.delimiter, *(part.ends for part in key.fields if part.ends is not None)]
    odd = sum(not (text[:1].isalnum() and text[-1:].isalnum()) for text in constants)
    odd += sum(any(map(str.isalnum, end.decode("latin-1"))) for end in ends)
    longer = max(len(key.delimiter) - 1, 0)
    return odd, len(key.fields) + sum(part.ends is not None for part in key.fields) + longer


@frozen
class _ViewField:
    """A field of a view's key: what it is made of, None of a constant, with its bytes in SQL."""

    field: KeyField
    of: str | None
    made: Written

    def ending(self, ends: bytes) -> "_ViewField":
        """The same field with something else behind it than the key's delimiter."""
        return evolve(self, field=evolve(self.field, ends=ends))


def _constant(literal: bytes, ends: bytes | None) -> _ViewField | None:
    """A constant field; None of bytes that no declaration takes."""
    try:
        return _ViewField(KeyField("constant", Constant(literal.decode()), 1, ends=ends), None, Written(""))
    except (BtmodelError, ValueError):
        return None


def _named(parts: Sequence[_ViewField], names: Collection[str]) -> list[_ViewField]:
    """The fields with names that differ, also from ``names``."""
    taken = set(names)
    found: list[_ViewField] = []
    for part in parts:
        name = attribute(part.field.name, taken)
        taken.add(name)
        found.append(evolve(part, field=evolve(part.field, name=name)))
    return found


@frozen
class _ViewReading:
    """The reading of one view with one delimiter."""

    view: TableView
    text: ViewText
    model: ModelSchema
    delimiter: bytes

    def guess(self, name: str) -> ViewGuess | None:
        columns = self._columns()
        parts = self._parts({column.name for column, *_ in columns or ()})
        if columns is None or parts is None:
            return None
        key = RowKey(tuple(part.field for part in parts), self.delimiter)
        copied = {part.of for part in parts if part.field.codec == self._codec(part.of)}
        whole = copied.issuperset(field.name for field in self.model.key.asked)
        if any(function is not None for _, _, function in columns):
            kind = ViewKind.ROLLUP
        elif whole and not self.model.key.optional and not self.model.key.sources:
            kind = ViewKind.INDEX
        else:
            return None
        where = self._where(key, parts)
        if where is None:
            return None
        required_names = {name for name, _ in where}
        columns = [
            (
                evolve(column, required=True) if function is None and taken in required_names else column,
                taken,
                function,
            )
            for column, taken, function in columns
        ]
        of: dict[str, tuple[str | None, str | None]] = {
            part.field.name: (part.of, None) for part in parts if part.of is not None
        }
        of |= {column.name: (source_name, function) for column, source_name, function in columns}
        made = View(
            kind,
            self.model.name,
            self.model.module,
            self.model.table,
            self.view,
            (),
            source=self.model,
            sums=tuple(
                (column.name, of[column.name][0]) for column, *_ in columns if kind is ViewKind.ROLLUP
            ),
        )
        schema = ModelSchema(
            name=name,
            module="inspected",
            doc="",
            table=f"{VIEWS}{self.view.id}",
            key=key,
            families=(Family(VIEW_FAMILY, KeepAll()),),
            columns=tuple(column for column, *_ in columns),
            stamp=Stamp(fixed=0),
            view=made,
            events=self.model.events,
        )
        findings = errors(review(schema))
        if any(finding.limit for finding in findings):
            return None
        return ViewGuess(
            evolve(schema, allow=suppressions(findings)), of, where, self.view.deletion_protection
        )

    def _codec(self, name: str | None) -> Any:
        return next((field.codec for field in self.model.key.asked if field.name == name), None)

    def _sources(self) -> Iterator[tuple[str, ViewSource]]:
        """The attributes of the other model that SQL can find."""
        for name in (
            *(field.name for field in self.model.key.asked),
            *(column.name for column in self.model.columns),
        ):
            try:
                yield name, source(self.model, name)
            except DeclarationError:
                continue

    def _columns(self) -> list[tuple[Column, str | None, str | None]] | None:
        """Its columns, each with the attribute and the function that it is made by; None where one is made otherwise."""
        found = [self._column(name, expression) for name, expression in self.text.cells]
        return None if None in found else [one for one in found if one is not None]

    def _column(self, name: str, expression: str) -> tuple[Column, str | None, str | None] | None:
        if attribute(name, ()) != name:
            return None
        for of, one in (*self._sources(), (None, None)):
            if one is not None and expression == f"ANY_VALUE({one.raw})" and not self._codec(of):
                return _cell(name, one.codec, optional=one.may_lack), of, None
            for function in FUNCTIONS:
                if of is None and function != "count":
                    continue
                try:
                    made, codec = aggregate(function, one)
                except DeclarationError:
                    continue
                if made == expression:
                    partial = (
                        one is not None
                        and function not in ("count", "distinct")
                        and (one.may_lack or one.partial)
                    )
                    return _cell(name, codec, optional=partial), of, function
        return None

    def _parts(self, names: Collection[str]) -> list[_ViewField] | None:
        """The fields of its key, with names beside ``names``; None where one is no field that btmodel writes."""
        tail = self.text.key[-1] == "_key" and len(self.text.key) > 1
        pieces = self.text.key[:-1] if tail else self.text.key
        fields: list[_ViewField] = []
        for at, piece in enumerate(pieces):
            last = at + 1 == len(pieces) and not tail
            if isinstance(piece, bytes):
                constants = self._constants(piece, first=at == 0, last=last)
                # A field may end where a constant begins, and a constant where the next field does.
                touching, touched = bool(fields) and piece[:1].isalnum(), not last and piece[-1:].isalnum()
                if constants is None and (touching or touched):
                    constants = self._constants(piece, first=at == 0 or touching, last=last or touched)
                    if touching and constants is not None:
                        fields[-1] = fields[-1].ending(b"")
                else:
                    touched = False
                if constants is None and fields:
                    fields[-1] = fields[-1].ending(piece)
                    continue
                ends = b"" if constants is None else None
                made = [
                    _constant(constant, ends) for constant in ([piece] if constants is None else constants)
                ]
                if touched and made and made[-1] is not None:
                    made[-1] = made[-1].ending(b"")
            else:
                joined = not last and isinstance((*pieces, "")[at + 1], str)
                part = self._part(piece)
                made = [part.ending(b"") if part and joined and self.delimiter else part]
            if None in made:
                return None
            fields += [field for field in made if field is not None]
        return _named([*fields, *(self._tail() if tail else ())], names)

    def _tail(self) -> Iterator[_ViewField]:
        """The whole key of the other model, as the last fields."""
        fields = self.model.key.fields
        for field in fields:
            behind = self.model.key.behind(field)
            ends = None if field is fields[-1] or behind == self.delimiter else behind
            of = None if field.constant is not None else field.name
            made = Written("" if of is None else source(self.model, of).raw)
            yield _ViewField(KeyField(field.name, field.codec, ends=ends), of, made)

    def _constants(self, literal: bytes, *, first: bool, last: bool) -> list[bytes] | None:
        """The constants in what stands between two expressions; None where no such delimiters are around them."""
        ends = (*([] if first else [b""]), *([literal] if literal else []), *([] if last else [b""]))
        pieces = literal.split(self.delimiter) if self.delimiter else list(ends)
        if not first and pieces.pop(0):
            return None
        if not last and (not pieces or pieces.pop()):
            return None
        return None if b"" in pieces else pieces

    def _part(self, expression: str) -> _ViewField | None:
        """The field whose bytes are made by ``expression``, called like what it is made of."""
        for name, one in self._sources():
            if expression == one.raw and (copied := self._codec(name)):
                return _ViewField(KeyField(name, copied), name, Written(one.raw))
            if one.kind is None or one.value not in expression:
                continue
            about = [condition for condition in self.text.conditions if one.value in condition]
            for codec in key_codecs(expression, about):
                field = KeyField(name, codec)
                try:
                    made = written(RowKey((field,), self.delimiter), field, one)
                except DeclarationError:
                    continue
                if made.expression == expression and set(made.conditions) <= set(self.text.conditions):
                    return _ViewField(field, name, made)
        return None

    def _where(self, key: RowKey, parts: Sequence[_ViewField]) -> tuple[tuple[str, Any], ...] | None:
        """Its declared condition: as few of the conditions as give its query; None where none do."""
        raws = {one.raw: name for name, one in self._sources()}
        given = [compared(condition) for condition in self.text.conditions]
        known = [
            (condition, raws[one[0]], one[1])
            for condition, one in zip(self.text.conditions, given, strict=True)
            if one is not None and one[0] in raws
        ]
        absent = {name for name, one in self._sources() if one.may_lack}
        needed = absent.intersection(part.of for part in parts)
        for count in range(len(known) + 1):
            chosen = known[:count]
            if needed <= {name for _, name, _ in chosen} and self._query(
                key, parts, [one for one, *_ in chosen]
            ):
                values = [self._value(name, raw) for _, name, raw in chosen]
                return None if None in values else tuple(value for value in values if value is not None)
        return None

    def _value(self, name: str, raw: bytes | None) -> tuple[str, Any] | None:
        """An attribute with its value in a condition; None of one that no line of Python says."""
        if raw is None:
            return name, None
        codec: Any = source(self.model, name).codec
        try:
            value = codec.decode(raw)
            same = codec.encode(value) == raw and codec.decode(raw) == value
        except (BtmodelError, ValueError, OverflowError):
            return None
        return (name, value) if same and type(value) in (str, bytes, int, bool, float) else None

    def _query(self, key: RowKey, parts: Sequence[_ViewField], where: Sequence[str]) -> bool:
        """Whether the declaration has the query of the view."""
        pairs = [(part.field, part.made) for part in parts]
        taken = {part.field.name: part.of for part in parts}
        made = definition(self.model, key, pairs, taken, self.text.cells, where)
        return TableView(self.view.id, made).asked == self.view.asked


def _cell(name: str, codec: Any, *, optional: bool) -> Column:
    return Column(name, VIEW_FAMILY, name.encode(), codec, not optional)


# Values that a line of Python says without an import.
_PLAIN = (str, bytes, int, bool, float)
_REST = KeyField("", Bytes(max_length=KEY_BYTES, min_length=0))


def with_authorized(
    models: Sequence[ModelGuess], views: Sequence[AuthorizedView]
) -> tuple[tuple[ModelGuess, ...], list[str]]:
    """The ``models`` of a table, each with those of its authorized ``views`` that it can declare; and the others, each with the reason."""
    found: list[list[AuthorizedGuess]] = [[] for _ in models]
    why: list[str] = []
    for view in views:
        for at, model in enumerate(models):
            if (guess := _guess(view, model.schema)) is not None:
                found[at].append(guess)
                break
        else:
            why.append(undeclared_authorized(view, "no model above has just these rows and columns"))
    return tuple(map(_declaring, models, found)), why


def undeclared_authorized(view: AuthorizedView, why: str) -> str:
    """What to do about an authorized view that no guessed model declares."""
    return (
        f"authorized view {view.id!r} shows {view}: {why}: declare it with bt.table(..., authorized_views=[bt.authorized_view({view.id!r}, "
        "...)]) once a model has its columns"
    )


def _declaring(model: ModelGuess, found: Sequence[AuthorizedGuess]) -> ModelGuess:
    schema = evolve(model.schema, authorized=tuple(guess.view for guess in found))
    return evolve(model, schema=schema, authorized=tuple(found))


def _guess(view: AuthorizedView, model: ModelSchema) -> AuthorizedGuess | None:
    """The view as a declaration of this model; None where it has other rows or columns than one can name."""
    where = _where(view, model)
    if where is None:
        return None
    if view.same == evolve(view, subsets=subsets_of(model.families, (), None)).same:
        return AuthorizedGuess(view, where, None)
    shown = [
        column
        for column in model.columns
        if all(view.shows(place.family, place.qualifier, open=place.open) for place in column.places)
    ]
    declared = evolve(view, subsets=subsets_of(model.families, model.key.fields, shown))
    if not shown or view.same != declared.same:
        return None
    return AuthorizedGuess(view, where, tuple(column.name for column in shown))


def _where(view: AuthorizedView, model: ModelSchema) -> tuple[tuple[str, Any], ...] | None:
    """The values of leading key fields that its rows have; None where no values give its row prefixes."""
    if b"" in view.row_prefixes:
        return () if len(view.row_prefixes) == 1 else None
    for count in range(1, len(model.key.fields)):
        values = _values(view.row_prefixes, model.key, count)
        if values and _gives(model, values, view.row_prefixes):
            return tuple(values.items())
    return None


def _values(prefixes: Sequence[bytes], key: RowKey, count: int) -> dict[str, Any] | None:
    """The values of the first ``count`` fields in these prefixes of keys, a list of several; None where one is no such prefix."""
    leading = RowKeyCodec(
        ModelSchema("", "", "", "", RowKey((*key.fields[:count], _REST), key.delimiter), (), ())
    )
    found: dict[str, list[Any]] = {}
    for prefix in prefixes:
        try:
            values = leading.decode(prefix)
        except BtmodelError:
            return None
        if values.pop(_REST.name) != b"" or not all(type(value) in _PLAIN for value in values.values()):
            return None
        for name, value in values.items():
            found.setdefault(name, []).extend([value] * (value not in found.get(name, ())))
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _gives(model: ModelSchema, values: dict[str, Any], prefixes: Sequence[bytes]) -> bool:
    """Whether a view that is declared with ``values`` has these row prefixes, and is not refused."""
    try:
        made = Planner(model).prefixes(Query("authorized_view", tuple(values)), values)
    except BtmodelError:
        return False
    return made == tuple(sorted(prefixes))
