"""Key fields and families, on the right-hand side of a declaration.

These functions are typed for the reader of the model: ``key`` seems to return the value
of the attribute. What they do return is a record of the declaration, which the
metaclass turns into the schema.
"""

from typing import Any, TypeVar, Unpack, cast, overload

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.declare.declared import (
    REQUIRED,
    ConstantDeclaration,
    KeyDeclaration,
    Required,
    declares,
    delimiter,
    here,
)
from btmodel.declare.figures import KeyFigures
from btmodel.errors import DeclarationError, shown
from btmodel.schema import Aggregate, Family, GcRule
from btmodel.schema.figures import FAMILY_ID, FAMILY_ID_MEANING

T = TypeVar("T")


@overload
def key(
    codec: KeyCodec[T],
    *,
    mirror: "str | tuple[str, CellCodec[T]] | None" = None,
    ends: str | bytes | None = None,
    **figures: Unpack[KeyFigures],
) -> T: ...
@overload
def key(codec: KeyCodec[T], *, default: None, **figures: Unpack[KeyFigures]) -> T | None: ...
@declares
def key(
    codec: KeyCodec[Any] | None = None,
    *,
    mirror: "str | tuple[str, CellCodec[Any]] | None" = None,
    default: Required | None = REQUIRED,
    ends: str | bytes | None = None,
    **figures: Unpack[KeyFigures],
) -> Any:
    """A field of the row key. Fields stand in the key in the order of their declaration.

    ``codec`` says how the value becomes bytes. ``mirror`` names a
    cell, as ``"MD:SYMBOL"``, that repeats the value for readers of the raw table, in
    the field's own text or in the codec given with it: ``("METER:ID", DecimalText())``.
    With ``default=None`` the last field of the key may be None: the row key then ends
    before the delimiter in front of it. ``ends`` is what stands behind the field, where it
    is not the delimiter of the class.

    The ``figures`` are what the review reasons with. ``cardinality`` is the number of distinct
    values that are expected; ``sequential`` whether they are given one after the other, as
    from a counter; ``domain`` whether they are names of internet domains; ``tenant`` whether they tell
    whose data a row is; ``pii`` whether they tell who a person is (where it is not said, the
    field's name is judged).
    """
    location = here()
    if not isinstance(codec, KeyCodec):
        came = "nothing" if codec is None else shown(codec)
        raise DeclarationError(f"{location}: key: wanted a key codec such as bt.Text(width=6), got {came}")
    if default is not None and default is not REQUIRED:
        raise DeclarationError(
            f"{location}: key: the only default is None (a key without it), got {default!r}"
        )
    if default is None and mirror is not None:
        raise DeclarationError(f"{location}: key: a field that rows may lack has no mirror")
    return KeyDeclaration(codec, mirror, default, figures, location, delimiter("key", ends, location))


@declares
def constant(text: str, *, ends: str | bytes | None = None) -> str:
    """A part of the row key that is the same in every row, such as ``LoL``; ``ends`` as for :func:`key`."""
    return cast(str, ConstantDeclaration(Constant(text), here(), delimiter("constant", ends, here())))


@declares
def family(
    id: str, *, gc: GcRule | None = None, aggregate: str | None = None, renamed_from: str | None = None
) -> Family:
    """A column family: its id in the table and its garbage-collection rule, which must be stated.

    A name in braces, as in ``"{tenant}"``, is filled in when the repository is made.
    ``aggregate`` ("sum", "min" or "max") makes it a family of numbers that are added to
    at write time; its columns are declared with :func:`counter`. ``renamed_from`` is the
    id of the family of the same table whose cells this one takes over.
    """
    if not isinstance(id, str):
        raise DeclarationError(f"{here()}: family: wanted its id as text, got {id!r}")
    if gc is not None and not isinstance(gc, GcRule):
        raise DeclarationError(f"{here()}: family {id!r}: wanted a rule such as max_versions(1), got {gc!r}")
    return Family(id, gc, _aggregate(id, aggregate), _former(id, renamed_from), location=here())


def _aggregate(id: str, value: str | None) -> Aggregate | None:
    try:
        return None if value is None else Aggregate(value)
    except ValueError:
        names = ", ".join(one.value for one in Aggregate)
        raise DeclarationError(
            f"{here(3)}: family {id!r}: aggregate: wanted one of {names}, got {value!r}"
        ) from None


def _former(id: str, value: object) -> str | None:
    if value is None:
        return None
    what = f"{here(3)}: family {id!r}: renamed_from"
    if not isinstance(value, str) or not FAMILY_ID.fullmatch(value):
        raise DeclarationError(f"{what}: wanted the id that it had ({FAMILY_ID_MEANING}), got {value!r}")
    if value == id:
        raise DeclarationError(f"{what}: wanted the id that it had before, got its own")
    return value
