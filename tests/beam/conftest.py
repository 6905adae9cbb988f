"""Tests of pipelines: they run with Apache Beam alone, which has an environment of its own (`make test-beam`)."""

import sys
from importlib.util import find_spec
from pathlib import Path

if find_spec("apache_beam") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    # Pipelines run the moves of the tests of migrations.
    sys.path.insert(1, str(Path(__file__).parents[1] / "migrate"))
