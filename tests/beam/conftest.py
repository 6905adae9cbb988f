"""Tests of pipelines: they run with Apache Beam alone, which has an environment of its own (`make test-beam`)."""

from importlib.util import find_spec

if find_spec("apache_beam") is None:
    collect_ignore_glob = ["test_*.py"]
