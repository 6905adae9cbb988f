"""For users' tests: Hypothesis strategies that make valid instances of a model.

Needs the extra: ``pip install 'btmodel[testing]'``. The pytest fixtures are in
:mod:`btmodel.pytest_plugin`, which pytest finds by itself.
"""

from btmodel.testing.strategies import instances, values

__all__ = ["instances", "values"]
