"""A model as JSON, for programs. The keys are a contract: they are only ever added to."""

from collections.abc import Sequence
from typing import Any

from btmodel.codecs.meaning import meaning_of
from btmodel.described.samples import sample
from btmodel.described.served import served
from btmodel.printable import as_text
from btmodel.schema import Family, KeyField, ModelSchema, Query, TwinsSchema
from btmodel.schema.amount import Amount, Sizes
from btmodel.schema.sizes import Share, cells_of_row, key_size, row_size, shares

Json = dict[str, Any]


def as_json(model: ModelSchema, twins: Sequence[TwinsSchema] = ()) -> Json:
    """The model, its key, families, columns, queries and sizes, in bytes, and those of ``twins`` that it is among.

    A size has ``usual`` and ``largest``; each has its ``value``, null where a figure is missing, the
    ``missing`` figures, and ``least``, what is known without them.
    """
    return {
        "model": model.name,
        "module": model.module,
        "doc": model.doc,
        "table": model.table,
        "bucket": model.bucket.value if model.bucket else None,
        "events_per_second": model.events.per_second if model.events else None,
        "key": {
            "shape": model.key.shape,
            "bytes": _sizes(key_size(model.key)),
            "fields": [_field(model, part, number) for number, part in enumerate(model.key.fields, 1)],
        },
        "families": [_family(family) for family in model.families],
        "columns": [_column(share) for share in shares(model)],
        "queries": [_query(model, query) for query in model.queries],
        "twins": [_twins(one) for one in twins if model in one.models],
        "row": {"bytes": _sizes(row_size(model)), "cells": _sizes(cells_of_row(model))},
    }


def _field(model: ModelSchema, part: KeyField, number: int) -> Json:
    raw = sample(part, number)
    return {
        "field": part.name,
        "encoding": meaning_of(part.codec),
        "kind": part.codec.kind.value,
        "order": part.codec.order.name.lower(),
        "least_bytes": part.codec.length.least,
        "most_bytes": part.codec.length.most,
        "cardinality": part.cardinality,
        "constant": part.constant,
        "derived_from": list(part.derived.of) if part.derived else None,
        "optional": part.optional,
        "delimiter": as_text(model.key.behind(part)) if part is not model.key.fields[-1] else "",
        "example": None if raw is None else as_text(raw),
    }


def _family(family: Family) -> Json:
    return {
        "family": family.id,
        "keeps": None if family.gc is None else str(family.gc),
        "aggregate": family.aggregate.value if family.aggregate else None,
    }


def _column(share: Share) -> Json:
    return {
        "attribute": share.source.name,
        "family": share.family,
        "qualifier": as_text(share.begins),
        "shape": share.column.shape.name.lower() if share.column else "mirror",
        "encoding": meaning_of(share.codec),
        "value_bytes": _sizes(share.value),
        "cell_bytes": _sizes(share.cell),
        "cells": _sizes(share.cells),
    }


def _query(model: ModelSchema, query: Query) -> Json:
    found = served(model, query)
    return {
        "query": query.name,
        "equal": list(query.equal),
        "between": query.between,
        "starting": query.starting,
        "only": list(query.only),
        "read": found.kind,
        "reads": found.reads,
        "how": found.how,
    }


def _twins(twins: TwinsSchema) -> Json:
    """Models that are written together, in the order of writing."""
    return {"name": twins.name, "module": twins.module, "written": [_model(one) for one in twins.models]}


def _model(model: ModelSchema) -> Json:
    return {"model": model.name, "module": model.module, "table": model.table}


def _sizes(sizes: Sizes) -> Json:
    return {"usual": _amount(sizes.usual), "largest": _amount(sizes.largest)}


def _amount(amount: Amount) -> Json:
    return {"value": amount.value, "least": amount.least, "missing": list(amount.missing)}
