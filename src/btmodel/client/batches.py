"""Batches of a bulk write: bounded in rows, cells and bytes, so that memory stays flat."""

from collections.abc import Iterable, Iterator

from btmodel.client.changes import refuse_unsendable
from btmodel.errors import BtmodelError, ValueRefused
from btmodel.rows import Mutation
from btmodel.schema.figures import MUTATIONS_A_REQUEST

ROWS = 1_000
BYTES = 4 * 1024 * 1024

Encoded = Mutation | BtmodelError
Batch = list[tuple[int, Encoded]]


def batches(mutations: Iterable[Encoded]) -> Iterator[Batch]:
    """The mutations in batches, each with its index; what could not be encoded comes as its error."""
    batch: Batch = []
    cells = size = 0
    for index, mutation in enumerate(map(_checked, mutations)):
        more_cells, more_bytes = (0, 0)
        if isinstance(mutation, Mutation):
            more_cells, more_bytes = mutation.count, mutation.size
        full = len(batch) == ROWS or cells + more_cells > MUTATIONS_A_REQUEST or size + more_bytes > BYTES
        if batch and full:
            yield batch
            batch, cells, size = [], 0, 0
        batch.append((index, mutation))
        cells += more_cells
        size += more_bytes
    if batch:
        yield batch


def _checked(mutation: Encoded) -> Encoded:
    """``mutation``, or the error where no request could hold it."""
    try:
        if isinstance(mutation, Mutation):
            refuse_unsendable(mutation)
    except ValueRefused as error:
        return error
    return mutation
