"""How long the review of a project takes, and how it grows with the number of its models.

    python -m tests.bench.review_bench

Prints milliseconds and microseconds a model, medians of several rounds.
"""

import statistics
import time

from attrs import evolve

import btmodel as bt
from btmodel.lint import errors, review_all
from btmodel.schema.figures import INSTANCE_TABLES
from examples.flights import AircraftFlight, AirportDeparture
from examples.market import Quote, Trade
from examples.weather import WeatherDay

MODELS = [bt.schema_of(model) for model in (Quote, Trade, AircraftFlight, AirportDeparture, WeatherDay)]


def main() -> None:
    """Review 125, 500 and 2,000 models."""
    for count in (125, 500, 2_000):
        models = [
            evolve(MODELS[number % len(MODELS)], name=f"M{number}", table=f"T{number}")
            for number in range(count)
        ]
        times = []
        for _ in range(7):
            began = time.perf_counter()
            assert not errors(review_all(models)) or count > INSTANCE_TABLES
            times.append(time.perf_counter() - began)
        median = statistics.median(times)
        print(f"review of {count:,} models: {1e3 * median:.0f} ms, {1e6 * median / count:.0f} us a model")


if __name__ == "__main__":
    main()
