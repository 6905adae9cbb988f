"""Typed classes of rows and their twins: a module for each variable that holds some."""

from collections.abc import Sequence

from btmodel.described import made
from btmodel.errors import GenerationError
from btmodel.schema import TwinsSchema
from btmodel.schema.names import is_name
from btmodel_codegen.importable import refuse_hidden
from btmodel_codegen.naming import Names, Place, free, refuse_parameters, spelt
from btmodel_codegen.python_text import GUARD, class_head, docstring, import_blocks, snake_case
from btmodel_codegen.render import render
from btmodel_codegen.repositories import BUILT_IN, DATABASES, FLAVOURS
from btmodel_codegen.signatures import key_parameters

NEEDED: tuple[Place, ...] = (
    ("collections.abc", "Callable"),
    ("collections.abc", "Iterable"),
    ("typing", "TYPE_CHECKING"),
    GUARD,
    ("btmodel.repository", "AnyIterable"),
    ("btmodel.repository", "AsyncTwinRepository"),
    ("btmodel.repository", "TwinRepository"),
)
# Methods, and parameters besides those that complete ids: within the classes they hide what is imported by such a name.
HIDING = ("self", "put", "put_many", "delete", "delete_many", "delete_key", "row", "rows", "progress")


def files(twins: Sequence[TwinsSchema]) -> dict[str, str]:
    """A module for each of them, called as its variable is: ``scores_twins.py`` of ``SCORES``."""
    texts: dict[str, str] = {}
    for twin in twins:
        name = f"{_snake(twin)}_twins.py"
        if name in texts:
            raise GenerationError(f"two twins would be written to {name}: rename {_origin(twin)}")
        texts[name] = _module(twin, name)
    return texts


def _module(twins: TwinsSchema, file: str) -> str:
    _refuse_names(twins)
    names, one_to_one = _names(twins), twins.one_to_one
    refuse_hidden(twins.source)
    model = names.place((twins.source.module, twins.source.name))
    return render(
        "twins.py.jinja",
        file=file,
        origin=_origin(twins),
        module_doc=docstring(f"Rows of {twins.source.name}, each written together with its twins.", 0),
        imports=import_blocks(NEEDED, names.imported, _origin(twins)),
        flavours=FLAVOURS,
        heads={
            flavour: class_head(
                f"{flavour.prefix}{_class(twins)}", f"{flavour.prefix}TwinRepository[", [model]
            )
            for flavour in FLAVOURS
        },
        doc=docstring(_class_doc(twins), 4),
        model=model,
        twins=names.place((twins.module, twins.name)),
        db=_db(twins),
        parameters=twins.parameters,
        put_doc=docstring(_put_doc(twins), 8),
        put_many_doc=docstring(_put_many_doc(twins), 8),
        replace_doc=docstring(_replace_doc(twins), 8),
        delete_doc=docstring(_delete_doc(twins), 8) if one_to_one else "",
        delete_many_doc=docstring(_delete_many_doc(twins), 8) if one_to_one else "",
        delete_key_doc=docstring(_delete_key_doc(twins), 8),
        key=key_parameters(twins.source, names) if one_to_one else (),
    )


def _class_doc(twins: TwinsSchema) -> str:
    source = twins.source
    itself = [f"- {source.table}: the {source.name} itself."]
    lines = []
    for twin in twins.others:
        how = made(twin).replace("`", "``")
        lines.append(f"- {twin.model.table}: its {twin.model.name}, {how}.")
    lines = lines + itself if twins.source_last else itself + lines
    return "\n".join(
        [
            f"Rows of {source.name}, each written together with its twins.",
            "",
            "Their tables, in the order of writing:",
            "",
            *lines,
        ]
    )


def _put_doc(twins: TwinsSchema) -> str:
    text = (
        "Each is written whole or not at all, but not all at once. Where one of them cannot be encoded, nothing is "
        "sent. Where one fails, the later ones are not tried: :class:`TwinsFailed` says what is in which table. "
        f"Writing again is safe.{_left(twins)}"
    )
    return _docstring(f"Write a row and its twins, to {_tables(twins)}.", text)


def _put_many_doc(twins: TwinsSchema) -> str:
    text = (
        f"Each batch goes to {_tables(twins)}. Each row is atomic on its own, and memory stays flat. Rows that fail do not stop the others, and are not "
        "tried in the later tables: :class:`TwinsFailed` lists each one, by table, at the end or after 1,000 of "
        "them. Writing again is safe. ``progress`` is called with the number of rows that were tried, after each "
        f"batch.{_left(twins)}"
    )
    return _docstring("Write any number of rows, each with its twins, and return how many they are.", text)


def _replace_doc(twins: TwinsSchema) -> str:
    text = (
        "The stored row is read, and its twins that ``row`` does not have are deleted. Then all rows are written whole, to "
        f"{_tables(twins)}. Where something fails, the later ones are not tried: :class:`TwinsFailed` says what is done in which "
        "table. Replacing again is safe, and completes it. What somebody else writes meanwhile may leave a twin without its row."
    )
    return _docstring("Write a row and its twins in the place of those that are there.", text)


def _delete_doc(twins: TwinsSchema) -> str:
    stays = (
        ""
        if twins.source_last or twins.moving
        else ", and so the row itself stays as long as one of its twins"
    )
    text = (
        "The row must be as it was written, for the keys of its twins follow from its attributes. Where one fails, "
        f"the later ones are not tried{stays}: "
        ":class:`TwinsFailed` says what is done in which table. Deleting again is safe."
    )
    return _docstring(f"Delete a row and its twins, from {_tables(twins, back=True)}.", text)


def _delete_many_doc(twins: TwinsSchema) -> str:
    text = (
        f"Each batch is deleted from {_tables(twins, back=True)}. The rows must be as they were written, for the keys of their twins follow from their attributes. Rows that "
        "fail do not stop the others: :class:`TwinsFailed` lists each one, by table, at the end or after 1,000 of "
        "them. ``progress`` is called with the number of rows that were tried, after each batch."
    )
    return _docstring(
        "Delete any number of rows, each with its twins, and return how many they are.",
        text,
    )


def _delete_key_doc(twins: TwinsSchema) -> str:
    text = (
        "The row is read first, and the keys of its twins are computed from it; without a row, nothing happens. Says whether "
        "there was one. What somebody writes meanwhile may leave a twin without its row. As ``delete`` otherwise."
    )
    return _docstring(f"Delete the row of this key and its twins, from {_tables(twins, back=True)}.", text)


def _docstring(first: str, text: str) -> str:
    """The first line of a docstring, and the paragraph behind it."""
    return f"{first}\n\n{text}"


def _tables(twins: TwinsSchema, *, back: bool = False) -> str:
    tables = [model.table for model in twins.models]
    return ", then ".join(tables[::-1] if back and not twins.moving else tables)


def _left(twins: TwinsSchema) -> str:
    """What it means that a function gives no row."""
    functions = {twin.function for twin in twins.others if twin.function is not None}
    if not functions:
        return ""
    one = functions.pop() if len(functions) == 1 else ""
    given = f"``{one}``" if one.isidentifier() else "a function"
    return f" Where {given} gives None, what an earlier writing put there stays."


def _snake(twins: TwinsSchema) -> str:
    return snake_case(twins.name).strip("_").removesuffix("_twins")


def _class(twins: TwinsSchema) -> str:
    """``ScoresByDayTwins`` of ``SCORES_BY_DAY``."""
    return "".join(part.capitalize() for part in _snake(twins).split("_")) + "Twins"


def _origin(twins: TwinsSchema) -> str:
    return f"{twins.module}.{twins.name}"


def _names(twins: TwinsSchema) -> Names:
    """The names for what the module imports, none of which hides another, or is hidden within a class."""
    made = [f"{flavour.prefix}{_class(twins)}" for flavour in FLAVOURS]
    used = {name: (module, name) for module, name in NEEDED}
    used |= {name: ("builtins", name) for name in (*BUILT_IN, "str", "super")}
    used |= {name: ("btmodel", name) for name in DATABASES}
    used |= {name: ("", name) for name in made}
    places = [(twins.module, twins.name), (twins.source.module, twins.source.name)]
    key = twins.source.key if twins.one_to_one else None
    parts = {column.name: column for column in twins.source.columns if key and column.name in key.hashed}
    types = {part.codec.python_type for part in key.asked} if key else set()
    types |= {spelt(column.codec.annotation) for column in parts.values()}
    fields = {*(part.name for part in key.asked), *parts} if key else set()
    return Names.of(types, places, {*twins.parameters, *HIDING, *fields, _db(twins)}, used)


def _db(twins: TwinsSchema) -> str:
    """What the parameter for the connection is called."""
    return free("db", twins.parameters)


def _refuse_names(twins: TwinsSchema) -> None:
    """Refuse names that Python does not take."""
    if not is_name(_class(twins)) or not _snake(twins):
        raise GenerationError(f"{_origin(twins)}: no class can be called after {twins.name!r}; rename it")
    for model in twins.models:
        refuse_parameters(_origin(twins), model)
