"""Checks of a model's schema as a whole, besides the rules of the review; and the names of generated members, which queries and columns may not have."""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from itertools import combinations
from typing import NamedTuple

from btmodel.codecs.key import Kind
from btmodel.errors import DeclarationError
from btmodel.schema import RowKey
from btmodel.schema.bucket import Bucket
from btmodel.schema.column import refuse_families
from btmodel.schema.gc import keeps_for_ever
from btmodel.schema.lookup import Access, access, time_of
from btmodel.schema.model import ModelSchema, Query, ends_early
from btmodel.schema.names import Location, is_parameter, placeholders

_ORDERED_SEPARATOR = b"\0\x01"


def _check_key(schema: ModelSchema) -> None:
    """Refuse a model without a row key. One of constants alone is a table's, or a model's, only row."""
    if not schema.key.fields:
        raise DeclarationError(
            f"{schema.location}: {schema.name} has no key field: declare at least one key(...), "
            "or a constant(...), where there is a single row"
        )


def _check_cells(schema: ModelSchema) -> None:
    """Refuse a model that no row can be written of: a row without cells does not exist."""
    if not schema.columns and not any(part.mirror for part in schema.key.fields):
        raise DeclarationError(
            f"{schema.location}: {schema.name} has no cell to write, and a row without cells does not exist: "
            "declare a column(...), or a mirror= of a key field; in an index, a copy of one, covered(), and in a rollup a count()"
        )


def _check_bucket(schema: ModelSchema) -> None:
    """Refuse a bucket that no key field names, one without events, and rows that an event alone cannot begin."""
    if schema.bucket is None:
        return
    field = schema.bucket_field
    if field is None or field.codec.python_type not in (date, datetime):
        wanted = (
            f"of whole {schema.bucket.granularity}s, such as DateText() for days, IsoWeek() for weeks or TimeText('%Y%m%d%H') for hours"
            if isinstance(schema.bucket, Bucket)
            else f"of spans of {schema.bucket.words}, such as EpochBucket(EpochSeconds(), {schema.bucket.granularity!r})"
        )
        raise DeclarationError(
            f"{schema.location}: {schema.name}: bucket={schema.bucket.granularity!r} needs a key field {wanted}"
        )
    if not schema.series:
        raise DeclarationError(
            f"{schema.location}: {schema.name}: bucket={schema.bucket.granularity!r}, but no history(...), slots(...) or marks(...) to hold its events"
        )
    for column in schema.columns:
        if column.required:
            raise DeclarationError(
                f"{column.location}: {schema.name}.{column.name}: a row of a bucket begins with its first event, "
                "which has no such cell: declare the column as optional, `| None` with default=None"
            )


def _check_stamp(schema: ModelSchema) -> None:
    """Refuse a time of the plain cells that a row may be without: it would be lost in silence."""
    if not schema.stamp.required:
        return
    place = f"{schema.location}: {schema.name}.{schema.stamp.attribute}"
    if not any(column.stamped for column in schema.columns) and not any(
        part.mirror for part in schema.key.fields
    ):
        raise DeclarationError(f"{place}: no plain cell could hold it: declare a column(...), or a mirror=")
    if schema.bucket is not None:
        raise DeclarationError(
            f"{place}: a row of a bucket begins with its first event, which has no such time: "
            "declare it as optional, `| None` with default=None"
        )


def _check_expiry(schema: ModelSchema) -> None:
    """Refuse cells whose timestamps are no end of life in a model whose plain cells have one: they would not be read."""
    other = next((column for column in schema.columns if not column.stamped), None)
    if schema.stamp.expires and other is not None:
        raise DeclarationError(
            f"{other.location or schema.location}: {schema.name}.{other.name}: expected columns, mappings and sets alone, as "
            f"{schema.stamp.attribute!r} is the end of life that lies in the timestamps of all cells: "
            "put it into another model of the table's key"
        )


def _check_derived(schema: ModelSchema) -> None:
    """Refuse a derived field that is made from what not every row holds."""
    known = {part.name for part in schema.key.asked}
    made = {name for part in schema.key.fields for name in (part.derived.of if part.derived else ())}
    for part in schema.key.unstored:
        if part.name not in made:
            raise DeclarationError(
                f"{part.location}: {schema.name}.{part.name}: with stored=False expected a derived field that is made from it"
            )
    known |= {column.name for column in schema.columns if column.required}
    for part in schema.key.fields:
        for name in part.derived.of if part.derived else ():
            if name not in known:
                raise DeclarationError(
                    f"{part.location}: {schema.name}.{part.name} is made from {name!r}, which is no key field "
                    f"or column that every row has (those are: {', '.join(sorted(known)) or 'none'})"
                )
        for value in (part.derived.values if part.derived else None) or ():
            if schema.key.blurred(part, part.codec.encode(value)):
                raise DeclarationError(
                    f"{part.location}: {schema.name}.{part.name}: values: expected values that do not contain the "
                    f"delimiter {schema.key.behind(part).decode(errors='replace')!r}, got {value!r}"
                )


def _check_delimiters(schema: ModelSchema) -> None:
    """Refuse a delimiter behind the last field, where nothing follows."""
    last = schema.key.fields[-1] if schema.key.fields else None
    if last and last.ends is not None:
        raise DeclarationError(
            f"{last.location}: {schema.name}.{last.name}: ends= is the delimiter between a field and the "
            "next one, and no field follows this one"
        )


def _check_optional(schema: ModelSchema) -> None:
    """Refuse a key field that rows may lack anywhere but at the end, and where its absence could not be seen."""
    for part in schema.key.fields:
        if part.optional and part is not schema.key.fields[-1]:
            raise DeclarationError(
                f"{part.location}: {schema.name}.{part.name}: only the last field of a key may be left out"
            )
        if part.optional and not _shows_its_end(schema.key):
            raise DeclarationError(
                f"{part.location}: {schema.name}.{part.name}: a field that may be left out needs a delimiter "
                "and another field in front of it, or one that marks its own end, and may not be empty itself"
            )
        if part.optional and part is schema.bucket_field:
            raise DeclarationError(f"{part.location}: {schema.name}.{part.name}: every row has its bucket")


def _check_sizes(schema: ModelSchema) -> None:
    """Refuse a typical size that no value has, and a bound that no key is within."""
    for part in schema.key.asked:
        length = part.codec.length
        if part.size is not None and not length.least <= part.size <= length.most:
            raise DeclarationError(
                f"{part.location}: {schema.name}.{part.name}: size: expected {length.least:,} to {length.most:,} bytes, which its "
                f"codec writes, got {part.size:,}"
            )
    if schema.key.bound is not None and schema.key.bound < schema.key.least:
        raise DeclarationError(
            f"{schema.location}: {schema.name}: max_key: expected at least the {schema.key.least:,} bytes of the shortest key, "
            f"got {schema.key.bound:,}"
        )


def _shows_its_end(key: RowKey) -> bool:
    """Whether a key shows that it lacks its last field: by the delimiter, or by its end where none is needed."""
    if len(key.fields) == 1:
        return False
    before, last = key.fields[-2:]
    placed = before.fixed is not None or before.codec.self_ending
    return bool(key.behind(before)) or (placed and last.codec.length.least > 0)


def _check_newest(schema: ModelSchema) -> None:
    """Refuse a query for the newest rows where no time shows which those are."""
    for query in schema.queries:
        found = access(schema.key, query)
        if query.newest and isinstance(found, Access) and time_of(schema.key, found) is None:
            raise DeclarationError(
                f"{query.location}: {schema.name}.{query.name}: newest: no time follows the given fields in "
                f"the key {schema.key.shape}: {_ways_to_newest(schema.key, query)}"
            )


def _ways_to_newest(key: RowKey, query: Query) -> str:
    """What puts the time of the rows behind the fields that the query gives."""
    time = next((part for part in key.asked if part.codec.kind is Kind.TIME and part in key.fields), None)
    if time is None:
        return "leave out newest=True, or add a time to the key"
    front = key.fields[: key.fields.index(time)]
    others = [part.name for part in front if part.asked and part.name not in query.equal]
    if not others:
        return "leave out newest=True"
    return f"give {' and '.join(others)}, too, or move {time.name} in front of {others[0]}, in this key or in that of a second table"


def _check_atomic(schema: ModelSchema) -> None:
    """Refuse an entity that is identified by what is no field of the key."""
    known = [part.name for part in schema.key.asked]
    for name in schema.atomic:
        if name not in known:
            raise DeclarationError(
                f"{schema.location}: {schema.name}: atomic: expected fields of the key ({', '.join(known)}), got {name!r}"
            )


def _check_sql(schema: ModelSchema) -> None:
    """Refuse queries in SQL of what the model lacks, and of tables whose names are not known before they are connected to."""
    for query in schema.sql_queries:
        where = f"{query.location}: {schema.name}.{query.name}"
        if schema.parameters:
            raise DeclarationError(
                f"{where}: expected a table whose name is known, got {schema.table!r}: a query in SQL names its table; ask `db.sql` where the name is known"
            )
        for parameter in query.parameters:
            if parameter.attribute is not None and parameter.attribute not in schema.sql_attributes:
                raise DeclarationError(
                    f"{where}: {parameter.name}: expected an attribute whose value is one of a key field or of a cell ({', '.join(schema.sql_attributes)}), "
                    f"got {parameter.attribute!r}"
                )


def _check_open_columns(schema: ModelSchema) -> None:
    """Refuse two families of columns that begin alike: a cell could belong to either."""
    opened = [column for column in schema.columns if column.open]
    for one, other in combinations(opened, 2):
        short, long = sorted((one.qualifier, other.qualifier), key=len)
        if one.family == other.family and long.startswith(short):
            raise DeclarationError(
                f"{other.location}: {schema.name}.{other.name}: its columns cannot be distinguished from those of "
                f"{one.name!r}: give one of them a family of its own, or prefixes of which neither begins the other"
            )


def _check_first_timestamp(schema: ModelSchema) -> None:
    """Refuse cells at timestamp 0 in a family that collects by age: they would be gone at once."""
    for column in schema.columns:
        fixed = schema.stamp.fixed == 0 and column.stamped
        family = schema.family(column.family)
        endless = column.shape.summed and column.spans is None
        if family and (fixed or endless) and not keeps_for_ever(family.gc):
            what = "a counter lies" if endless else "with timestamp=0 it lies"
            fix = (
                ', or count spans of time by themselves, with every="1h"'
                if endless and not column.open
                else ""
            )
            raise DeclarationError(
                f"{column.location}: {schema.name}.{column.name}: {what} at timestamp 0, in 1970, and the rule of "
                f"its family {family.id!r} ({family.gc}) deletes what is so old: leave the age out of the rule{fix}"
            )


def _check_spans(schema: ModelSchema) -> None:
    """Refuse spans that are deleted while they are still counted: their age is that of their start."""
    for column in schema.columns:
        reason = ends_early(schema, column)
        if reason:
            raise DeclarationError(f"{column.location}: {schema.name}.{column.name}: {reason}")


def _check_names(schema: ModelSchema) -> None:
    """Refuse names that the repository of the model would need for something else."""
    for one in in_the_way(schema):
        raise DeclarationError(f"{one.location}: {schema.name}.{one.name}: {one.why}")


def _check_parameters(schema: ModelSchema) -> None:
    """Refuse names in braces that no constructor can have as a parameter, and ages of a table that migrations make."""
    for name in schema.parameters:
        if not is_parameter(name):
            raise DeclarationError(
                f"{schema.location}: {schema.name}: the id of a table or a family, or an age, has {{{name}}} in it: expected, "
                "in braces, the name of a parameter that completes it, as Python writes it and without two "
                f"underscores in front, such as {{day}}, got {name!r}; rename it"
            )
    for family in schema.families:
        if family.gc and family.gc.given and not (placeholders(schema.table) or placeholders(family.id)):
            raise DeclarationError(
                f"{family.location}: {schema.name}: family {family.id!r} keeps {family.gc}: an age can be given at run "
                f"time where the table or the family is named then, and {schema.table!r} is made by migrations; state the "
                "age, or a table with a name in braces"
            )


def _check_renamed(schema: ModelSchema) -> None:
    """Refuse families that take over what is declared still, and renamings to what is named at run time."""
    renamed = [family for family in schema.families if family.renamed_from is not None]
    if schema.parameters and (renamed or schema.renamed_from is not None):
        raise DeclarationError(
            f"{schema.location}: {schema.name}: renamed_from: a table that is named at run time "
            f"({', '.join(schema.parameters)}) is made when a program needs it, so it takes over nothing"
        )
    try:
        refuse_families(schema.table, schema.families)
    except DeclarationError as error:
        raise DeclarationError(f"{schema.location}: {schema.name}: {error}") from None


def _check_row_key_schema(schema: ModelSchema) -> None:
    """Refuse a row key schema of a key that Bigtable's encodings cannot express."""
    if not schema.row_key_schema:
        return
    from btmodel.schema.key_schema import row_key_schema  # few models have one, and it knows many codecs

    _, reasons = row_key_schema([schema])
    if reasons:
        raise DeclarationError(
            f"{schema.location}: {schema.name}: row_key_schema=True: Bigtable's encodings cannot express the key "
            f"{schema.key.shape}: {'; '.join(reasons)}; change these fields, or leave row_key_schema out"
        )


def _check_ordered_code(schema: ModelSchema) -> None:
    """Refuse a key that looks like Bigtable's ordered code and is not, unless it is stated to have no schema."""
    if schema.row_key_schema is False or _ORDERED_SEPARATOR not in map(schema.key.behind, schema.key.fields):
        return
    from btmodel.schema.key_schema import unlike_ordered_code

    if reasons := unlike_ordered_code(schema.key):
        raise DeclarationError(
            f"{schema.location}: {schema.name}: the delimiter 00 01 is what Bigtable's ordered code puts between "
            f"fields, and this key is not ordered code: {'; '.join(f'{schema.name}{why}' for why in reasons)}; "
            f'choose another delimiter, or say that no ordered code is meant: bt.table("{schema.table}", '
            "row_key_schema=False)"
        )


# In the order in which their findings are reported.
CHECKS: tuple[Callable[[ModelSchema], None], ...] = (
    _check_key,
    _check_cells,
    _check_bucket,
    _check_stamp,
    _check_expiry,
    _check_derived,
    _check_delimiters,
    _check_optional,
    _check_sizes,
    _check_newest,
    _check_atomic,
    _check_sql,
    _check_open_columns,
    _check_first_timestamp,
    _check_spans,
    _check_names,
    _check_parameters,
    _check_renamed,
    _check_row_key_schema,
    _check_ordered_code,
)


# The public names of repositories, which no query can have.
MEMBERS = frozenset(
    {
        "add",
        "append",
        "append_many",
        "apply_many",
        "changes",
        "clear",
        "delete",
        "delete_many",
        "delete_prefix",
        "edit",
        "event",
        "events",
        "exists",
        "extend",
        "get",
        "get_many",
        "increment",
        "increment_entry",
        "key",
        "key_of",
        "model",
        "newest_events",
        "put",
        "put_arrow",
        "put_cells",
        "put_if",
        "put_if_absent",
        "put_many",
        "remove",
        "replace",
        "replace_many",
        "rows",
        "through",
        "update",
        "update_many",
        "when",
        "with_options",
        "writer",
    }
)
# The method of a view's repository that leads to the table.
SOURCES = "sources"
# Also the name of a generated method, unless a declared query has it.
NEWEST = "newest"
# The time of an event, and parameters of the methods that read events.
OF_EVENTS = ("at", "start", "end", "on_error")


class Arguments(NamedTuple):
    """The names of the parameters that the method of a query takes.

    ``equal`` are those of the fields that are given, ``ends`` those of a range, with ``closed`` for which
    of them belong to it, and ``starting`` is that of what values begin with.
    """

    equal: tuple[str, ...]
    ends: tuple[str, ...] = ()
    closed: str | None = None
    starting: str | None = None

    @property
    def all(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.equal, *self.ends, *(one for one in (self.closed, self.starting) if one is not None))


def arguments(query: Query, found: Access) -> Arguments:
    """The names of the parameters for a query: short ones, unless a field that is given has such a name."""
    taken = set(query.equal)
    if found.between is not None:
        field = found.between.name
        ends = (f"{field}_start", f"{field}_end") if taken & {"start", "end"} else ("start", "end")
        return Arguments(query.equal, ends, f"{field}_closed" if "closed" in taken else "closed")
    starting = None if found.starting is None else f"{found.starting.name}_start"
    return Arguments(query.equal, starting=starting)


class InTheWay(NamedTuple):
    """A name of a model that a repository cannot take, where it is declared, and why."""

    name: str
    why: str
    location: Location | None


def in_the_way(model: ModelSchema) -> Iterator[InTheWay]:
    """The names of a model that meet those of its repository."""
    for query in model.queries:
        taken = query.name in MEMBERS or (model.view is not None and query.name == SOURCES)
        if taken or query.name.startswith("_"):
            why = "a repository has a method of this name; rename the query"
            yield InTheWay(query.name, why, query.location)
            continue
        twice = _twice(model, query)
        if twice is not None:
            why = f"two parameters would be called {twice}; rename the key field {twice}"
            yield InTheWay(query.name, why, query.location)
    for sql in model.sql_queries:
        if sql.name in MEMBERS or sql.name.startswith("_"):
            why = "a repository has a method of this name; rename the query"
            yield InTheWay(sql.name, why, sql.location)
        for parameter in sql.parameters:
            if not is_parameter(parameter.name):
                why = f"no parameter can be called {parameter.name}; rename it, in the query, too"
                yield InTheWay(sql.name, why, sql.location)
    if model.holds_events:
        fields = [part for part in model.key.asked if part is not model.bucket_field]
        places = {field.name: field.location for field in fields} | {
            column.name: column.location for column in model.series
        }
        for name, location in places.items():
            if name in OF_EVENTS:
                why = "events have a field, or a parameter, of this name; rename the attribute"
                yield InTheWay(name, why, location)


def _twice(model: ModelSchema, query: Query) -> str | None:
    """The name that two parameters of a query would have, or None."""
    found = access(model.key, query)
    if not isinstance(found, Access):
        return None
    names = arguments(query, found).all
    return next((name for name in names if names.count(name) > 1), None)
