"""How long the local server takes to start, and the pytest fixture to give a fresh instance.

    python tests/bench/fresh_instance_bench.py [--rounds 15]

Prints the median and the slowest, in milliseconds, from asking for an instance to having read from it.
"""

import argparse
import os
import statistics
import time

from btmodel import emulator, server
from btmodel.pytest_plugin import Instances
from examples.flights import AircraftFlight, AirportDeparture
from examples.generated.quote_repository import QuoteRepository
from examples.market import QUOTE_TIME, Quote, Trade
from examples.weather import WeatherDay

MODELS = [Quote, Trade, AircraftFlight, AirportDeparture, WeatherDay]


def main() -> None:
    """Measure starts, and instances of one table and of five."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    starts = []
    for _ in range(rounds):
        began = time.perf_counter()
        with server.start():
            starts.append(1000 * (time.perf_counter() - began))
    print(
        f"start of the server: median {statistics.median(starts):.0f} ms, slowest {max(starts):.0f} ms of {rounds}"
    )
    with server.start() as local:
        os.environ[emulator.VARIABLE] = local.host
        instances = Instances(local.host)
        instances(Quote)  # loads Google's client
        for models in (MODELS[:1], MODELS):
            times = []
            for _ in range(rounds):
                began = time.perf_counter()
                assert QuoteRepository(instances(*models)).get("NYSE", "IBM", QUOTE_TIME) is None
                times.append(1000 * (time.perf_counter() - began))
            print(
                f"fresh instance with {len(models)} tables, connected and read from: "
                f"median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms of {rounds}"
            )
        instances.close()


if __name__ == "__main__":
    main()
