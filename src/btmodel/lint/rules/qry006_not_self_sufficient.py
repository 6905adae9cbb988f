"""QRY006 not-self-sufficient: a query that needs what its table or view lacks: an attribute, or rows that were just written

What it finds
    A name in the `only` or the `where` of a query that is neither a column nor a key field of
    the model. If it belongs to another model, the query is half of a join; if it is similar to
    a name of this model, it is misspelt.

    A view whose docstring, or that of its table, says that it is read right behind a write ("must see at once", "right after each vote", "must be up to date"), or that it decides
    what may be written ("only if there is none", "no kayak is lent twice", "sign-up reads it to see whether a nickname is free", "so that no two have the same").

Why
    Bigtable has no joins: data of another table needs a second read for each row. A row should
    have everything that its queries need, and no more. An unknown name is not read at all.

    The service fills a view after the write, with a delay that has no bound, so a read right after the write may miss the row.

Example
    from datetime import datetime
    from decimal import Decimal

    import btmodel as bt


    class Product(bt.Model, table="product"):
        product: str = bt.key(bt.Text(width=8), cardinality=50_000)

        data = bt.family("product", gc=bt.max_versions(1))
        title: str = bt.column("title", data)
        price: Decimal = bt.column("price", data)


    class Activity(bt.Model, table="activity", events="5000/s"):
        user: str = bt.key(bt.Text(width=10), cardinality=10_000_000)
        at: datetime = bt.key(bt.ReversedMillis())

        data = bt.family("activity", gc=bt.max_age(days=365))
        product: str = bt.column("product", data)

        sidebar = bt.query("user", newest=True, only=["product", "title"])

Use instead
    from datetime import datetime
    from decimal import Decimal

    import btmodel as bt


    class Product(bt.Model, table="product"):
        product: str = bt.key(bt.Text(width=8), cardinality=50_000)

        data = bt.family("product", gc=bt.max_versions(1))
        title: str = bt.column("title", data)
        price: Decimal = bt.column("price", data)


    class Activity(bt.Model, table="activity", events="5000/s"):
        user: str = bt.key(bt.Text(width=10), cardinality=10_000_000)
        at: datetime = bt.key(bt.ReversedMillis())

        data = bt.family("activity", gc=bt.max_age(days=365))
        product: str = bt.column("product", data)
        title: str = bt.column("title", data)

        sidebar = bt.query("user", newest=True, only=["product", "title"])

Allow
    Suppress it if the second table is small and the reader keeps it in memory; say which table
    it is.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (rows should be useful by
    themselves: denormalise, but only what is needed),
    https://cloud.google.com/bigtable/docs/schema-design (no joins),
    https://cloud.google.com/bigtable/docs/continuous-materialized-views (views are eventually consistent).
"""

from collections.abc import Iterator, Mapping, Sequence

from btmodel.design.hints import sentences
from btmodel.design.related_tables import by_name, identity, partner
from btmodel.lint.cells import blob_of
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema, Query
from btmodel.schema.model import View
from btmodel.schema.view import VIEWS, ViewKind
from btmodel.source_text import column_declaration
from btmodel.words import did_you_mean, near

Owners = Mapping[str, Sequence[tuple[ModelSchema, Column]]]


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each name that a query reads or picks by and that the model does not have."""
    owners = _owners(models)
    known = by_name(models)
    for model in models:
        if model.view is not None:
            yield from _delayed(model, model.view)
            continue
        for query in model.queries:
            for name in dict.fromkeys((*query.only, *query.where)):
                if not _has(model, name):
                    together = [partner(model, other, known) for other in query.together]
                    what, fix = _owner_and_fix(model, query, name, _owner(owners, model, together, name))
                    yield RULE.finding(
                        model,
                        f"the query `{query.name}` needs `{name}`, which no row of {model.name} has{what}",
                        why="Bigtable has no joins: data of another table needs a second read for each row",
                        fix=fix,
                        part=query.name,
                        at=query.location,
                    )


_OWN_WRITES = pattern(r"(?i)\breads?[- ](?:(?:your|their|its|his|her|our)(?:[- ]own)?|after)[- ]writes?\b")
# What is read right behind a write, or decided by it, whatever else the sentence says.
_BEHIND_WRITES = pattern(
    r"(?i)\b(?:reads?|reading|asks?|decides?|checks?)\b.{0,40}\b(?:right|directly|immediately|straight) after\b"
    r"|\b(?:right|directly|immediately|straight) after (?:each|every|the|a|an|its|their) (?:\w+ )?(?:writes?|is written)\b"
    r"|\breads?\b.{0,40}\bas soon as\b|\bsees?\b.{0,40}\bat once\b|\bmust (?:always )?be (?:up to date|up-to-date|current|fresh)\b(?! by)"
    r"|\bstrongly consistent\b|\bnever (?:be )?stale\b|\bdecides? (?:\w+ ){0,4}(?:at once|immediately|right away)\b"
    r"|\b(?:needs?|must (?:see|include|have|know|find))\b.*\b(?:newest|latest|every|all|just)\b.*\b(?:at once|just|ago|newest|written|yet)\b"
    r"|\bmust (?:not|never) miss\b.*\b(?:ago|just|written)\b"
)
# What is decided by a view, and then written.
_DECIDES = pattern(
    r"(?i)\b(?:only if (?:there (?:is|are) (?:none|no\b)|it (?:is|has|finds) (?:free|none|no\b)|none|nothing)|(?:no \w+|nothing|none) (?:is|are|can be|may be) (?:\w+ )?twice"
    r"|never .*\btwice|refuses? (?:a|the) second|uniqueness|only once(?! (?:it|he|she|they|an?|the|all)\b)|(?:checks?|checked|looks?) .{0,40}\b(?:free|taken|before (?:it|a|the) \w+ (?:is|are) (?:inserted|written|put))"
    r"|is decided here)\b"
    r"|\b(?:so that|to make sure|makes? sure|ensur(?:e|es|ing)|guarantee(?:s|ing)?|enforc(?:e|es|ing))\b.{0,30}\b(?:no (?:two|other|second) (?:\w+ ){1,2}?(?:ha(?:s|ve)|gets?|shares?|uses?|takes?|holds?|owns?|bears?|is|are)\b|no one else\b|(?:is|are|be|stays?) unique\b|uniqueness\b|at most one\b)"
    r"|\b(?:prevents?|rejects?|refuses?|rules? out)\b.{0,20}\b(?:duplicates?|a second|an? (?:existing|taken|used))\b"
)
# What is looked up to know whether it is there already; and what says that something is then written.
_LOOKS = pattern(
    r"(?i)\b(?:sees?|asks?|reads?|finds? out|knows?|tests?|verif(?:y|ies)|determines?|tells?|learns?)\b.{0,50}\b(?:whether|if)\b.{0,50}"
    r"\b(?:free|taken|available|unused|vacant|occupied|claimed|given away|(?:already|still|not yet|yet) \w+|exists?|in use)\b"
)
_WRITES = pattern(
    r"(?i)\b(?:sign[- ]?ups?|registrations?|registers?|so that no|before\b.{0,40}\b(?:insert|creat|writ|add|book|claim|tak|giv|register|sell|sold|issu|redeem|accept|hand|enter|assign)\w*|creat(?:e|es|ed|ing)|inserts?|writes?|adds?|books?|claims?|takes?|otherwise|or else|if so|if not)\b"
)
_NEED_NOT = pattern(
    r"(?i)\b(?:need not|needn't|nobody|not need|not have to|no need|eventual\w*|not (?:at once|immediately|strongly)|may (?:be|lag|come|miss)|itself|"
    r"all at once)\b"
)
_MUST = pattern(r"(?i)\b(?:must|ha(?:s|ve) to|needs? to|at the latest|no later than)\b")
_AT_ONCE = pattern(
    r"(?i)\b(?:at once|immediately|instantly|right away|straight away|right after|without delay|as soon as|the moment|"
    r"(?:\d+|an?|one|two|three|four|five|six|ten|a few|few|some) (?:milli)?seconds? (?:after|of (?:being|its|the))|"
    r"(?:see|seen|sees|visible|appears?)\b.*\bwithin (?:\d+|an?|one|two|three|four|five|six|ten|a few|few|some)? ?(?:milli)?seconds?)\b"
)
_SEEN = pattern(
    r"(?i)\b(?:sees?|seen|visible|appears?|shows?|shown|found|finds?|knows?|known|opens?|counts?|counted|listed|valid|accepted|"
    r"refused?|rejected|blocked|stops?|there|works?|take effect|in force)\b"
)
# How fast a read is, and what may wait.
_OTHERWISE = pattern(
    r"(?i)\b(?:answers?|answered|respon\w+|loads?|latenc\w+|p9\d|need not|needn't|nobody|not need|not have to|no need|behind|stale|"
    r"not (?:at once|immediately)|eventual\w*|all at once|reads? take)\b"
)


def _delayed(model: ModelSchema, view: View) -> Iterator[Finding]:
    """A view whose description, or that of a table without other queries, says that it must be seen in no time."""
    source = view.source
    descriptions = [model.doc, *([source.doc] if source is not None and not source.queries else [])]
    spoken = (sentence for doc in descriptions for sentence in sentences(doc))
    said = next((sentence for sentence in spoken if _without_delay(sentence)), None)
    if said is None or not model.queries:
        return
    from textwrap import shorten  # only here: rules are loaded with every model, and few are views

    deciding = _decides(said)
    rows = "counters of a table that the program adds to"
    if view.kind is ViewKind.INDEX:
        rows = f"a table of its own with the key `{model.key.shape}`, written together with {view.of} (`bt.twins`)"
    yield RULE.finding(
        model,
        f"the view {view.definition.id.removeprefix(VIEWS)!r} lags behind {view.of_table!r} without a bound, and its description says: {shorten(said, 140, placeholder=' ...')}",
        why="the service fills a view after the write, so a read right after it may not find the row yet",
        fix=_taken(model)
        if deciding and view.kind is ViewKind.INDEX
        else f"make it {rows}; or ask {view.of} itself wherever it must be so fresh",
    )


def _taken(model: ModelSchema) -> str:
    """What decides instead of the view: a row of its own for each thing, which one writer alone can take."""
    first = next(part for part in model.key.asked)
    return (
        f"let one row for each `{first.name}` decide, in a table with the key `{{{first.name}}}`: a writer takes it by `put_if_absent`, or by `put_if` where it is never deleted, "
        "and only one of two gets it; the view may stay for what need not be so fresh"
    )


def _decides(sentence: str) -> bool:
    """Whether what may be written is decided by what a view shows."""
    looks = _LOOKS.search(sentence) is not None and _WRITES.search(sentence) is not None
    return looks or _DECIDES.search(sentence) is not None


def _without_delay(sentence: str) -> bool:
    if _NEED_NOT.search(sentence) is None and (
        _decides(sentence) or any(one.search(sentence) for one in (_OWN_WRITES, _BEHIND_WRITES))
    ):
        return True
    if _OTHERWISE.search(sentence):
        return False
    return all(one.search(sentence) for one in (_MUST, _AT_ONCE, _SEEN))


def _has(model: ModelSchema, name: str) -> bool:
    """Whether a row holds ``name``: an attribute, an entry of one, or what is inside of its cell."""
    head = name.partition(".")[0]
    return _attribute(model, name) or blob_of(model, name) is not None or _open(model, head)


def _attribute(model: ModelSchema, name: str) -> bool:
    names = {part.name for part in model.key.fields} | {column.name for column in model.columns}
    return name in names or name == model.stamp.attribute


def _open(model: ModelSchema, head: str) -> bool:
    return any(column.open and column.name == head for column in model.columns)


def _owners(models: Sequence[ModelSchema]) -> Owners:
    """The models that have each attribute; a key field is shown as the column that would repeat it."""
    found: dict[str, list[tuple[ModelSchema, Column]]] = {}
    for model in sorted(models, key=identity):
        for part in model.key.asked:
            column = Column(part.name, "", part.name.encode(), part.codec.mirror(), True)
            found.setdefault(part.name, []).append((model, column))
        for column in model.columns:
            found.setdefault(column.name, []).append((model, column))
    return found


def _owner(
    owners: Owners, model: ModelSchema, together: Sequence[ModelSchema | None], name: str
) -> tuple[ModelSchema, Column] | None:
    """Another model that has ``name``: one that the query is read with, one of this module, or any."""
    found = [(other, column) for other, column in owners.get(name, ()) if other is not model]
    found.sort(key=lambda one: (one[0] not in together, one[0].module != model.module))
    return found[0] if found else None


def _owner_and_fix(
    model: ModelSchema, query: Query, name: str, owner: tuple[ModelSchema, Column] | None
) -> tuple[str, str]:
    """What else is to be said of a name, and the fix."""
    names = [*(part.name for part in model.key.asked), *(column.name for column in model.columns)]
    alike = near(name, names)
    if owner is not None:
        other, column = owner
        added = column_declaration(name, column, _home(model, query))
        return f": {other.name} has it, in table {other.table!r}", (
            f"write it along with the row: `{added}`, as in {other.name}"
            + (f"; or write `{alike[0]}`, where that is meant" if alike else "")
        )
    if alike:
        return did_you_mean(alike), f"write `{alike[0]}` for `{name}`"
    return (
        "",
        f"declare `{name}` as a column of {model.name}, and write it along with the row; or leave it out",
    )


def _home(model: ModelSchema, query: Query) -> str:
    """The family that the query reads already, or else the first one of plain cells."""
    read = [column.family for column in model.columns if column.name in query.only]
    plain = [family.id for family in model.families if family.aggregate is None]
    return next((id for id in (*read, *plain) if id in plain), "data")


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "QRY006", "not-self-sufficient", check, page=__doc__, rewrites=None, levels=(Level.WARNING,)
)
