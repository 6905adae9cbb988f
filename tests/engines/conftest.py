"""Tests of other engines: they have an environment of their own (`make test-engines`)."""

from importlib.util import find_spec

if find_spec("pyspark") is None or find_spec("ray") is None or find_spec("dask") is None:
    collect_ignore_glob = ["test_*.py"]
