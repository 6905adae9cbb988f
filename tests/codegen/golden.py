"""A test of each recorded case."""

import pytest

from tests.codegen.recorded import CASES, load, load_twins

__all__ = ["CASES", "case", "load", "load_twins"]

case = pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
