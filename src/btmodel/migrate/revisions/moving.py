"""The revisions of a move to another row key: the new table, the backfill, and the switch of reads."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import attrs
from attrs import frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.parts import enums_of
from btmodel.declare import digest, salt, schema_of
from btmodel.errors import MigrationError
from btmodel.lint import errors, review
from btmodel.migrate.changes.results import same_rows
from btmodel.migrate.data import MoveStep
from btmodel.migrate.data.moved_models import OLD, family_pairs, family_places, refusal, tighter
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.new import checked, id_on
from btmodel.migrate.revisions.old_columns import OldColumn, Past, former_places, newest_place, old_columns
from btmodel.migrate.revisions.past_moves import rewriting
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.steps import load
from btmodel.migrate.tables.layouts import reads_all, takes_all
from btmodel.recorded.layouts import recorded_cell, recorded_part
from btmodel.schema import (
    Column,
    Family,
    KeyField,
    KeyPart,
    Layout,
    ModelSchema,
    RowKey,
    Shape,
    Table,
)
from btmodel.schema.bucket import Bucket, TimeBucket, bucket_of
from btmodel.schema.key import Derived
from btmodel.schema.layout import layout_of
from btmodel.schema.model import WRITTEN, Stamp

_SALT = re.compile(r"by _checksum\((\d+)\) of ([\w, ]+) in \(.*\)")
_DIGEST = re.compile(r"by _sha256\((\d+)\) of ([\w, ]+)")


@frozen
class KeyMove:
    """A model whose rows get other keys: the ``old`` one, as recorded, the ``new`` one, as declared.

    ``shared`` says whether other models have, or had, rows in one of the tables, ``recorded`` is the old table, and ``stays`` are the models that
    still declare it.
    """

    old: ModelSchema
    new: ModelSchema
    shared: bool
    recorded: Table
    stays: tuple[str, ...] = ()

    @property
    def unmoved(self) -> tuple[Family, ...]:
        """The recorded families of the old table for whose cells the new one has no family."""
        places = family_places(self.old, self.new)
        columns = {column.family for column in self.old.columns}
        return tuple(one for one in self.recorded.families if one.id not in {*places, *columns})

    @property
    def tighter(self) -> tuple[tuple[Family, Family], ...]:
        """The families of the old table that keep cells which their family in the new one deletes, each with that."""
        return tighter(self.recorded.families, self.new.families, family_pairs(self.old, self.new))

    @property
    def given(self) -> Mapping[str, str | None]:
        """For each attribute that a new row must or may have: that of the old row, or None where it has none of this name and type."""
        old = dict(_types(self.old))
        return {
            name: name if old.get(name) == kind else None
            for name, kind in _types(self.new)
            if name in old or name in _required(self.new)
        }

    @property
    def dropped(self) -> tuple[str, ...]:
        """The attributes of old rows that new ones do not have."""
        return tuple(name for name, _ in _types(self.old) if name not in self.new.attributes)

    @property
    def lacks_cells(self) -> bool:
        """Whether old rows may have nothing but what is in the new key, or is dropped: then the new one has no cell, and so does not exist."""
        stays = any(column.required and column.shape.plain for column in self.new.columns)
        mirrored = any(field.mirror for field in self.new.key.fields)
        kept = {column.name for column in self.new.columns}
        return not (stays or mirrored) and any(column.name not in kept for column in self.old.columns)


def _types(schema: ModelSchema) -> Iterator[tuple[str, object]]:
    for field in schema.key.asked:
        yield field.name, (Shape.VALUE, None, field.codec.python_type)
    for column in schema.columns:
        names = column.names.python_type if column.names else None
        yield column.name, (column.shape, names, column.codec.python_type)
    if schema.stamp.stored and schema.stamp.attribute:
        yield schema.stamp.attribute, (Shape.VALUE, None, datetime)


def _required(schema: ModelSchema) -> set[str]:
    fields = {field.name for field in schema.key.asked if not field.optional}
    columns = {column.name for column in schema.columns if column.shape.plain and column.required}
    stamp = {schema.stamp.attribute} if schema.stamp.required and schema.stamp.attribute else set[str]()
    return fields | columns | stamp


def key_moves(models: Sequence[ModelSchema], before: Iterable[Table], graph: Graph) -> tuple[KeyMove, ...]:
    """The moves that ``models`` declare from tables that are recorded in ``before`` to tables that are not, nor were in any revision of ``graph``.

    Raises :class:`MigrationError` for a move that cannot be made.
    """
    known = {table.id: table for table in before}
    if not any(model.moved_from in known for model in models):
        return ()
    past, found = past_of(graph), []
    had = {table.id for table in past.tables}
    for new in models:
        old = known.get(new.moved_from or "")
        if old is None:
            continue
        if new.table in {*known, *had}:
            raise MigrationError(
                f"table {new.table!r}: moved_from={old.id!r}: expected a table that no revision has or had, got one that may have rows of its own: declare {new.name} with "
                f"another id, or, to add its rows to {new.table!r}, leave moved_from= out, and write the step that does it with `btmodel migrate new MESSAGE "
                f"--data {new.name}`"
            )
        layout = _layout(new, old)
        same_table = [model for model in models if model.table == new.table]
        shared = len(old.layouts) > 1 or len(same_table) > 1 or _had_others(old.id, layout, past.tables)
        stays = tuple(model.name for model in models if model.table == old.id and model.moved_to is None)
        move = KeyMove(_old(new, old, layout, past), _with_families(new, same_table, old), shared, old, stays)
        why = _shared_views(old, new, models) or refusal(move.old, new)
        if why:
            raise MigrationError(f"table {new.table!r}: moved_from={old.id!r}: {why}")
        found.append(move)
    return tuple(found)


def past_of(graph: Graph) -> Past:
    """The tables and the rewriting steps of all revisions; raises :class:`MigrationError` for a step that cannot be loaded."""
    revisions = tuple(graph.revisions.values())
    tables = tuple(table for revision in revisions for table in revision.tables)
    return Past(tables, tuple(model for _, model in rewriting(revisions, graph.folder)))


def _had_others(table: str, layout: Layout, past: Iterable[Table]) -> bool:
    """Whether other models have had rows in a table, which a move of these leaves there, as does a model that is not declared any more."""
    layouts = (one for before in past if before.id == table for one in before.layouts)
    return any(not same_rows(one, layout) for one in layouts)


def _with_families(new: ModelSchema, models: Iterable[ModelSchema], old: Table) -> ModelSchema:
    """``new`` with those families of the other ``models`` of its table that the ``old`` one has: their cells come along."""
    known = {family.id for family in new.families}
    others = {family.id: family for model in models for family in model.families if family.id not in known}
    more = (others[family.id] for family in old.families if family.id in others)
    return attrs.evolve(new, families=(*new.families, *more))


def _shared_views(old: Table, new: ModelSchema, models: Iterable[ModelSchema]) -> str | None:
    """Why tables cannot stand beside each other while rows move, as views of both would have one id."""
    taken = {view.id for view in old.views}
    for model in models:
        view = model.view
        if view and view.of_table == new.table and view.definition.id in taken:
            id = view.definition.id
            return (
                f"{model.name} is the view {id!r}, which the old table has until it is dropped: expected another id, such as "
                f'view="{id}_2"'
            )
    return None


def _layout(new: ModelSchema, old: Table) -> Layout:
    """The recorded rows that move: those of the model with the same name, or of the only one."""
    named = [layout for layout in old.layouts if layout.model == new.name]
    if not named and len(old.layouts) != 1:
        names = ", ".join(layout.model for layout in old.layouts) or "none"
        raise MigrationError(
            f"table {new.table!r}: moved_from={old.id!r}: expected the recorded model {new.name}, or one alone, got {names}: "
            "call the model as it was called"
        )
    return (named or list(old.layouts))[0]


def _old(new: ModelSchema, table: Table, layout: Layout, past: Past) -> ModelSchema:
    """The model that was recorded, with the recorded names of its attributes, or those that the new one gives to the same columns."""
    declared = layout_of(new)
    where = f"table {table.id!r}: model {layout.model}"
    fields = tuple(_field(where, part, declared, new) for part in layout.key)
    behind = [part.behind.encode() for part in layout.key]
    delimiter = max(behind[:-1] or [b"#"], key=behind.count)
    fields = tuple(
        attrs.evolve(field, ends=None if at == len(behind) - 1 or behind[at] == delimiter else behind[at])
        for at, field in enumerate(fields)
    )
    fields = _with_mirrors(fields, layout, declared, new)
    taken = {field.name for field in fields}
    mirrored = {(field.mirror.family, field.mirror.qualifier.decode()) for field in fields if field.mirror}
    columns = []
    cells = [cell for cell in layout.cells if tuple(cell.cell.split(":", 1)) not in mirrored]
    for one in old_columns(where, table.id, layout, cells, new, past):
        column = _column(where, one, declared, new)
        name = column.name
        while name in taken:
            name += "_"
        taken.add(name)
        columns.append(attrs.evolve(column, name=name))
    families = {column.family for column in columns} | {family for family, _ in mirrored}
    found = ModelSchema(
        name=f"{OLD}{layout.model}",
        module="",
        doc="",
        table=table.id,
        key=RowKey(fields, delimiter),
        families=tuple(family for family in table.families if family.id in families),
        columns=tuple(columns),
        bucket=_bucket(new, fields, columns),
        stamp=_stamp(new.stamp, taken, {field.name for field in fields}),
        moved_to=None if new.table == table.id else new.table,
    )
    return attrs.evolve(found, allow={finding.rule: "as recorded" for finding in errors(review(found))})


def _bucket(new: ModelSchema, fields: Iterable[KeyField], columns: Sequence[Column]) -> TimeBucket | None:
    """The bucket of the recorded rows: a record does not name it, but slots and the time in the key say it."""
    for column in columns:
        if column.slots is not None:
            return column.slots.bucket
    if new.bucket is None or not any(column.eventful for column in columns):
        return None
    known = {unit.granularity for unit in Bucket}
    spans = [
        span for field in fields if (span := field.codec.granularity) in known or isinstance(span, timedelta)
    ]
    if new.bucket.granularity in spans:
        return new.bucket
    return bucket_of(spans[-1]) if spans else None


def _stamp(declared: Stamp, taken: Collection[str], key: Collection[str]) -> Stamp:
    """Which timestamps old rows get when they are written: those of new ones, as a record does not say it."""
    name = declared.attribute
    if name is None:
        return declared
    fits = name not in taken if declared.stored else name in key
    return declared if fits else WRITTEN


def recorded_model(
    name: str, models: Sequence[ModelSchema], before: Iterable[Table], graph: Graph
) -> ModelSchema:
    """The model called ``name`` as it is recorded in ``before``, the last tables of ``graph``.

    Raises :class:`MigrationError` if none is, or several are, and for what cannot be written as code.
    """
    found = [(table, layout) for table in before for layout in table.layouts if layout.model == name]
    if len(found) != 1:
        known = sorted({layout.model for table in before for layout in table.layouts})
        raise MigrationError(
            f"--data: expected a recorded model of one table, got {name!r}, which {len(found) or 'no'} tables have; recorded are "
            f"{', '.join(known) or 'none'}"
        )
    table, layout = found[0]
    nothing = ModelSchema(name, "", "", table.id, RowKey((), b"#"), (), ())
    declared = next((model for model in models if model.name == name), nothing)
    return attrs.evolve(_old(declared, table, layout, past_of(graph)), moved_to=None)


def _field(where: str, part: KeyPart, declared: Layout, new: ModelSchema) -> KeyField:
    for known, field in zip(declared.key, new.key.fields, strict=True):
        if (known.codec, known.name) == (part.codec, part.name):
            return attrs.evolve(field, mirror=None, location=None)
    made = recorded_part(part)
    if any(enums_of(made.codec)):
        # Code cannot name an enum that was recorded; one that has got more members since reads the same.
        for known, field in zip(declared.key, new.key.fields, strict=True):
            if known.name == part.name and takes_all(attrs.evolve(known, behind=part.behind), part):
                return attrs.evolve(field, mirror=None, location=None)
    derived = _derived(made.derived)
    if made.codec is None or any(enums_of(made.codec)) or (made.derived and derived is None):
        raise MigrationError(
            f"{where}: key field {part.name} was recorded as {part.codec}, which cannot be written without its class: write the move "
            "as a data step, with the old model as it was declared"
        )
    return KeyField(part.name, made.codec, derived=derived, optional=made.optional)


def _derived(text: str) -> Derived | None:
    """How a field was derived, where btmodel's own functions do that."""
    if found := _SALT.fullmatch(text):
        return salt(*found[2].split(", "), buckets=int(found[1])).derived
    if found := _DIGEST.fullmatch(text):
        return digest(*found[2].split(", "), size=int(found[1])).derived
    return None


def _with_mirrors(
    fields: Iterable[KeyField], layout: Layout, declared: Layout, new: ModelSchema
) -> tuple[KeyField, ...]:
    """The fields with the cells that repeat them: recorded like columns, and declared by the new model still."""
    ours = {cell.cell: cell.codec for cell in declared.cells}
    known = {cell.cell for cell in layout.cells if ours.get(cell.cell) == cell.codec}
    mirrors = {field.name: field.mirror for field in new.key.fields if field.mirror}
    found = []
    for field in fields:
        mirror = mirrors.get(field.name)
        cell = mirror and f"{mirror.family}:{mirror.qualifier.decode(errors='backslashreplace')}"
        found.append(attrs.evolve(field, mirror=mirror if cell in known else None))
    return tuple(found)


def _column(where: str, old: OldColumn, declared: Layout, new: ModelSchema) -> Column:
    cell, *others = old.cells
    by_place = former_places(new).get(cell.cell)
    named = next((column for column in new.columns if column.name == old.name), None)
    texts = {one.cell: one.codec for one in declared.cells}
    required = cell.required is not False or bool(others and named is not None and named.required)
    made = recorded_cell(cell)
    has_enum = made is not None and any(enums_of((made.codec, made.names)))
    family, _, name = cell.cell.partition(":")
    for ours in (named, by_place):
        text = None if ours is None else texts.get(ours.cell)
        if ours is None or text is None:
            continue
        if text == cell.codec or (has_enum and reads_all(text, cell.codec)):
            called, qualifier = old.name or ours.name, name.removesuffix("...") if ours.open else name
            raw = qualifier.encode() if by_place is None else by_place.qualifier
            found = attrs.evolve(
                ours, name=called, family=family, qualifier=raw, required=required, location=None
            )
            return newest_place(attrs.evolve(found, renamed_from=None), others)
    if made is None or has_enum or not made.whole or not isinstance(made.codec, CellCodec):
        raise MigrationError(
            f"{where}: column {cell.cell} was recorded as {cell.codec}, which cannot be written without its class: write the move as a "
            "data step, with the old model as it was declared"
        )
    qualifier = name.removesuffix("...") if made.shape.open else name
    called = old.name or re.sub("[^0-9a-z]+", "_", (qualifier or family).lower()).strip("_")
    if not called.isidentifier():
        called = f"column_{called}"
    found = Column(
        called,
        family,
        qualifier.encode(),
        made.codec,
        required,
        made.shape,
        made.names,
        made.slots,
        made.spans,
    )
    return newest_place(found, others)


# The code of a step of a revision: of its id, its moves, and whether it only compares.
Code = Callable[[str, Sequence[KeyMove], bool], str]


def moving_revisions(
    graph: Graph, declared: Iterable[Table], message: str, moves: Sequence[KeyMove], code: Code
) -> tuple[Revision, ...]:
    """The revisions that lead to ``declared`` by ``moves``: the new tables, the backfill, and the switch of reads.

    ``code`` writes the file beside a revision. Raises :class:`MigrationError` if there are two heads or the message is
    invalid.
    """
    title, head, after = checked(message), graph.head, tuple(declared)
    assert head is not None, "the old table is recorded"
    olds = {move.old.table for move in moves}
    kept = [table for table in head.tables if table.id in olds]
    both = tuple(sorted((*after, *kept), key=lambda table: table.id))
    expand = Revision(id_on((head,), title), title, (head.parent_link,), both)
    backfill = _with_steps(expand, f"{title}: backfill", both, moves, code, compares=False)
    switch = _with_steps(backfill, f"{title}: switch", after, moves, code, compares=True)
    for revision in (backfill, switch):
        check_models(graph.folder, revision, [(move.old, move.new) for move in moves])
    return expand, backfill, switch


def check_models(folder: Path, revision: Revision, wanted: Sequence[Sequence[ModelSchema]]) -> None:
    """Raise :class:`MigrationError` if the steps of ``revision`` do not declare the models that are ``wanted``, for each step."""
    for step, models in zip(load(revision, folder), wanted, strict=True):
        made = [step.model, step.target] if isinstance(step, MoveStep) else [step.model]
        for one, model in zip(made, models, strict=True):
            assert one is not None
            code = schema_of(one)
            there, other = layout_of(code), layout_of(model)
            if (there.key, there.cells, code.stamp) != (other.key, other.cells, model.stamp):
                raise MigrationError(
                    f"{model.name} of table {model.table!r} cannot be written as code (it would be {code.key.shape}, not {model.key.shape}, "
                    "or have other columns or timestamps): write a data step with --data-step, with the models as they were declared"
                )


def _with_steps(
    parent: Revision,
    title: str,
    tables: tuple[Table, ...],
    moves: Sequence[KeyMove],
    code: Code,
    *,
    compares: bool,
) -> Revision:
    id = id_on((parent,), title)
    steps = tuple(step_name(move, compares=compares) for move in moves)
    pairs = " and ".join(f"{move.old.table} and {move.new.table}" for move in moves)
    deployed = f"the application writes {pairs}, the old table first"
    if compares:
        reads = " and ".join(f"{move.new.table} instead of {move.old.table}" for move in moves)
        deployed = f"the application reads {reads}, and still writes both tables, the old one first"
    return Revision(
        id, title, (parent.parent_link,), tables, steps, code(id, moves, compares), deployed=deployed
    )


def step_name(move: KeyMove, *, compares: bool) -> str:
    """The name of the function of a move: ``move_quote``, or ``compare_quote``."""
    return f"{'compare' if compares else 'move'}_{_snake(move.new.name)}"


def step_of(verb: str, model: str) -> str:
    """The name of a function for the rows of a model: ``rewrite_quote``."""
    return f"{verb}_{_snake(model)}"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
