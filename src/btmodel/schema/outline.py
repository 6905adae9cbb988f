"""The outline of a model: what the code of its repository is made of, as a short text to compare."""

import hashlib
import json

from btmodel.schema.layout import codec_text
from btmodel.schema.model import ModelSchema


def outline(model: ModelSchema) -> str:
    """The same text as long as the repository that was generated for ``model`` still goes with it.

    Names, shapes, codecs and queries count: its signatures and its documentation are made of them. Sizes and rules
    do not: a repository looks them up in the model.
    """
    key = [[part.name, part.asked, part.optional, codec_text(part.codec)] for part in model.key.fields]
    columns = [
        [column.name, column.shape.name, column.required, codec_text(column.codec), codec_text(column.names)]
        for column in model.columns
    ]
    queries = [
        [
            query.name,
            query.equal,
            query.between,
            query.starting,
            query.scan is not None,
            query.only,
            query.newest,
        ]
        for query in model.queries
    ]
    ids = [model.parameters, model.bucket and model.bucket.name, model.stamp.attribute]
    told = json.dumps([key, model.key.hashed, columns, queries, ids], default=list)
    return hashlib.sha256(told.encode()).hexdigest()[:12]
