"""Shows what differs where the machine, which is no test file itself, asserts."""

import pytest

pytest.register_assert_rewrite("tests.stateful.machine")
