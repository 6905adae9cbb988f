"""Views of the flights: an index by destination, and a rollup of delays by carrier and day.

Their repositories are in ``generated``, which this wrote::

    btmodel generate -m examples.flights -m examples.views.arrivals --out examples/views/generated
"""
