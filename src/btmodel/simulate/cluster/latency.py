"""How long requests wait: behind the backlog of their node, and behind each other."""

from math import log

import numpy as np

from btmodel.simulate.arrays import Array

_ROUNDS = 60
# A queue in front of a node that is just full is longer than any, and takes for ever to get so.
_FULLEST = 0.99


def percentile(load: Array, backlog: Array, requests: Array, service: float, share: float = 0.99) -> Array:
    """The seconds within which ``share`` of all requests of a step are answered, from steps by nodes.

    A request waits for the backlog of its node, in seconds, and then as in a queue of random arrivals (M/M/1), where the
    mean time is ``service / (1 - load)``.
    """
    means = service / (1 - np.minimum(load, _FULLEST))
    weights = requests / np.maximum(requests.sum(axis=1, keepdims=True), 1e-300)
    low = np.zeros(len(load))
    high = backlog.max(axis=1) + means.max(axis=1) * -log(1 - share) * 2
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        late = np.exp(-np.maximum(middle[:, None] - backlog, 0.0) / means)
        enough = (weights * late).sum(axis=1) <= 1 - share
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(requests.sum(axis=1) > 0, high, 0.0)
