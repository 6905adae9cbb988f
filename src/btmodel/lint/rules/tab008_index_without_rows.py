"""TAB008 index-without-rows: an index that lacks the rows without its covered columns

What it finds
    A view with `bt.Index` of which a row may lack all covered columns, if no condition (`where=`) names a column that a row may lack, and the index does not cover
    all columns of the table. It is information if the name or the docstring
    of the view speaks of one of these columns, as "resolved tickets" does of `resolution`, and not of "all" or "every".

Why
    The service keeps a row of a view for what the view has a cell of. A row of the table that has none of the covered columns is in no row of the index, and a query of the index does
    not return it, without an error.

Example
    import btmodel as bt


    class Parcel(bt.Model, table="PARCEL", events="90/s"):
        id: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        customer: str = bt.column("c", p, codec=bt.AsInKey(bt.HexDigest(10)), cardinality=3_000_000)
        kilograms: int = bt.column("k", p)
        complaint: str | None = bt.column("x", p, default=None, size=90, max_size=900)

        of_id = bt.query("id")


    class ParcelOfCustomer(bt.Index, of=Parcel, view="PARCEL_OF_CUSTOMER"):
        customer: str = bt.key(bt.HexDigest(10))
        id: str = bt.covered()
        complaint: str | None = bt.covered()

        of_customer = bt.query("customer")

Use instead
    import btmodel as bt


    class Parcel(bt.Model, table="PARCEL", events="90/s"):
        id: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        customer: str = bt.column("c", p, codec=bt.AsInKey(bt.HexDigest(10)), cardinality=3_000_000)
        kilograms: int = bt.column("k", p)
        complaint: str | None = bt.column("x", p, default=None, size=90, max_size=900)

        of_id = bt.query("id")


    class ParcelOfCustomer(bt.Index, of=Parcel, view="PARCEL_OF_CUSTOMER"):
        customer: str = bt.key(bt.HexDigest(10))
        id: str = bt.covered()
        kilograms: int = bt.covered()
        complaint: str | None = bt.covered()

        of_customer = bt.query("customer")

Allow
    Suppress it if every row has one of the columns, though the model lets rows lack each; say why.

Source
    https://cloud.google.com/bigtable/docs/continuous-materialized-views (a view holds what its query selects), and docs/views.md of this project: a row that has none of the columns
    that are covered has no row in the index.
"""

from collections.abc import Iterator

from attrs import evolve

from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema, View
from btmodel.schema.view import ViewKind
from btmodel.words import quoted, words

# Letters by which an adjective and its noun are alike, as "resolved" and `resolution`.
_STEM = 5
_ALL = pattern(r"(?i)\b(all|every|each|any|whole|complete|whether|both|or not)\b")


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag an index whose covered columns a row may all lack, and that is not said to be of the others alone."""
    view = model.view
    source = view.source if view is not None and view.kind is ViewKind.INDEX else None
    if view is None or source is None or not model.columns or _conditional(view, source):
        return
    copies = dict(view.fields)
    covered = {copies.get(one.name, one.name) for one in model.columns}
    held = [one for one in source.columns if one.name in covered]
    if any(one.required for one in held) or covered.issuperset(one.name for one in source.columns):
        return
    columns = quoted(one.name for one in model.columns)
    several = len(model.columns) > 1
    yield RULE.finding(
        model,
        f"the index covers {columns} alone, and a row of `{source.name}` may lack {'all of them' if several else 'it'}",
        why="a row of the table that has no covered column has no row in the index, so its queries leave it out without an error",
        fix=_ways(model, source),
        part=model.columns[0].name,
        at=model.columns[0].location,
        level=Level.INFO if _of_these(model) else Level.WARNING,
    )


def _conditional(view: View, source: ModelSchema) -> bool:
    """Whether the condition of the view names a column that rows may lack: which rows are meant is said then."""
    named = {each.partition(" = ")[0].strip() for each in view.where.split(", ")}
    return any(one.name in named and not one.required for one in source.columns)


def _of_these(model: ModelSchema) -> bool:
    """Whether the name or the description of the index speaks of a covered column, and of no other rows."""
    if _ALL.search(model.doc):
        return False
    said = [word.lower() for word in (*words(model.name), *words(model.doc))]
    stems = [words(one.name)[-1].lower()[:_STEM] for one in model.columns]
    return any(word.startswith(stem) for word in said for stem in stems)


def _ways(model: ModelSchema, source: ModelSchema) -> Fix:
    """The index with a column that each row has; or the condition that says which rows it has now."""
    present = ", ".join(f'"{one.name}": bt.present()' for one in model.columns[:1])
    only = (
        f"; or, if the rows without `{model.columns[0].name}` are not wanted, say so: `where={{{present}}}`"
    )
    always = sorted(filter(_is_always_there, source.columns), key=_size)
    free = next((one for one in always if one.name not in model.attributes), None)
    if free is None:
        return Fix(
            f"give `{source.name}` a small column that each row has, and cover it, too", otherwise=only
        )
    held = evolve(free, family=model.columns[0].family, qualifier=free.name.encode(), also=())
    text = f"cover a column that each row has, too: `{free.name}: {free.codec.python_type.__name__} = bt.covered()`"
    return Fix(text, (evolve(model, columns=(held, *model.columns)),), otherwise=only)


def _is_always_there(column: Column) -> bool:
    return column.shape.single and column.required


def _size(column: Column) -> int:
    """Bytes of the column; of one that says nothing, many."""
    return column.expected.size or column.codec.max_size or column.expected.max_size or 1 << 20


RULE: Rule[ModelSchema] = Rule(
    "TAB008", "index-without-rows", check, page=__doc__, rewrites=None, levels=(Level.WARNING, Level.INFO)
)
