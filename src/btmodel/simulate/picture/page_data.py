"""What the script of a page draws, as one bundle of bytes."""

from collections.abc import Sequence
from datetime import UTC

import numpy as np
from numpy.typing import NDArray

from btmodel.simulate.picture import words
from btmodel.simulate.picture.colours import NOTHING, STOPS
from btmodel.simulate.picture.heat import Heat
from btmodel.simulate.picture.packed import LEVELS, Packed, bundle, packed
from btmodel.simulate.picture.scale import scale_of
from btmodel.simulate.picture.side import Counts, Side


def data(sides: Sequence[Side]) -> str:
    """Everything of ``sides``, compressed, in base64."""
    matrices: list[Packed] = []

    def placed(values: Counts) -> dict[str, object]:
        one = packed(values)
        matrices.append(one)
        lines, steps = one.levels.shape
        return {
            "matrix": len(matrices) - 1,
            "lines": lines,
            "steps": steps,
            "least": one.least,
            "most": one.most,
        }

    def of_nodes(side: Side) -> dict[str, object]:
        kinds = {"load": side.load, "p99": side.p99, "splits": side.splits, "moves": side.moves}
        # A line for each node, each of all steps.
        return {
            name: placed(np.atleast_2d(one.astype(np.float64).T))
            for name, one in kinds.items()
            if one is not None
        }

    facts: dict[str, object] = {
        "levels": LEVELS,
        "stops": STOPS,
        "nothing": NOTHING,
        "scales": {
            what: _scale([getattr(heat, what) for side in sides for heat in side.heats])
            for what in ("writes", "reads")
        },
        "sides": [
            {
                "name": words.name(side.name),
                "heats": [
                    {**_facts(heat), "writes": placed(heat.writes), "reads": placed(heat.reads)}
                    for heat in side.heats
                ],
                **of_nodes(side),
            }
            for side in sides
        ],
    }
    return bundle(facts, matrices)


def _scale(matrices: Sequence[NDArray[np.floating]]) -> dict[str, float]:
    scale = scale_of(matrices)
    return {"least": scale.least, "most": scale.most, "low": scale.low, "high": scale.high}


def _facts(heat: Heat) -> dict[str, object]:
    return {
        "table": words.name(heat.table),
        # As clocks show it there: the page writes no other time than the heat's own.
        "start": heat.start.replace(tzinfo=UTC).timestamp() * 1000,
        "zone": heat.start.tzname() or "",
        "seconds": heat.step_seconds,
        "fields": [words.name(one) for one in heat.fields],
        "labels": [[words.name(text) for text in one] for one in heat.labels],
        "low": [words.key(one) for one in heat.low],
        "rows": [float(f"{rows:.4g}") for rows in heat.rows.tolist()],
    }
