"""Shows what differs where the machines, which are no test files themselves, assert."""

import pytest

pytest.register_assert_rewrite("tests.stateful.machine", "tests.stateful.event_machine")
