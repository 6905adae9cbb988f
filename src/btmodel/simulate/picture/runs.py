"""Runs of buckets whose keys agree in a field: the boxes of an axis of keys."""

from collections.abc import Sequence

from attrs import frozen

from btmodel.simulate.picture.heat import Heat

_MOST_FIELDS = 3  # so that the axis leaves room for the map


@frozen
class Run:
    """Buckets from ``first`` to in front of ``end``, and what they have in the field."""

    first: int
    end: int
    text: str


def shown_fields(heat: Heat) -> Sequence[int]:
    """The first fields that are not the same in all buckets, or the first ones where all are the same."""
    columns = range(len(heat.fields))
    varying = [one for one in columns if len({_value(label, one) for label in heat.labels}) > 1]
    return (varying or list(columns))[:_MOST_FIELDS]


def runs(heat: Heat, field: int) -> Sequence[Run]:
    """The runs of a field; they end also where a field in front of it changes."""
    fronts = [tuple(label[: field + 1]) for label in heat.labels]
    firsts = [at for at, front in enumerate(fronts) if at == 0 or front != fronts[at - 1]]
    ends = [*firsts[1:], len(fronts)]
    return [
        Run(first, end, _value(heat.labels[first], field)) for first, end in zip(firsts, ends, strict=True)
    ]


def _value(label: Sequence[str], field: int) -> str:
    return label[field] if field < len(label) else ""
