"""Root transforms, which begin a pipeline: what type checkers know of them, for Beam's own operators have no types."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

from typing import TYPE_CHECKING, Generic, TypeVar

import apache_beam as beam
from apache_beam.pvalue import PBegin, PCollection

if TYPE_CHECKING:
    from typing import Self

    from apache_beam.pipeline import Pipeline

T = TypeVar("T")


class Root(beam.PTransform[PBegin, PCollection[T]], Generic[T]):
    """A source: ``pipeline | source`` and ``pipeline | "label" >> source`` are collections of ``T`` for type checkers, too."""

    if TYPE_CHECKING:

        def __ror__(self, left: Pipeline | PBegin, label: str | None = None) -> PCollection[T]: ...

        def __rrshift__(self, label: str) -> Self: ...
