"""What makes no sense of a workload is refused in a sentence, before anything is computed with it."""

from datetime import timedelta
from pathlib import Path

import pytest

from btmodel.cli.simulation.run import keys_in
from btmodel.codecs.key import EpochMillis, Text
from btmodel.errors import SimulationRefused
from btmodel.schema import KeyField, Query, Rate
from btmodel.simulate.cluster import Assumptions, described
from btmodel.simulate.cluster.cluster import assumptions_of
from btmodel.simulate.declared_workload import reads_of, workload_of
from btmodel.simulate.workload import Stated, Weighted, asked_of, distribution_of, read_file
from tests.simulate.workloads import workload

MODEL = workload("user", "at", queries=(Query("newest", ("user",), between="at"),)).model


@pytest.mark.parametrize("name", [one.name.replace("_", "-") for one in described(Assumptions())])
@pytest.mark.parametrize("value", ["nan", "inf", "-1", "0", "1e308", "1e-308"])
def test_no_assumption_is_beyond_what_can_be_computed_with(name: str, value: str) -> None:
    """The refusal names the assumption as it is written."""
    with pytest.raises(SimulationRefused, match=f"{name}: expected a number from"):
        assumptions_of({name: value})


def test_weights_that_cannot_be_summed_up_are_refused() -> None:
    """Each is a number, but not all of them together."""
    with pytest.raises(SimulationRefused, match="too large"):
        Weighted((("a", 1e308), ("b", 1e308)))


@pytest.mark.parametrize("text", ["nan%:5", "inf%:5", "-90%:5", "%:5"])
def test_a_share_that_is_none_is_no_value(text: str) -> None:
    """A slip of the pen does not make one value of all."""
    user = asked_of(MODEL)[0]
    with pytest.raises(SimulationRefused, match="expected uniform, zipf"):
        distribution_of(user, text, "Row.user")


@pytest.mark.parametrize("rows", ["nan", "inf", "-1", "0", "1e300", "many"])
def test_reads_of_no_number_of_rows_are_refused(rows: str) -> None:
    """No table has so many rows."""
    with pytest.raises(SimulationRefused, match="expected a number of rows above 0"):
        reads_of(MODEL, {"newest": f"1/s:{rows}"})


def test_a_file_may_begin_with_a_byte_order_mark_and_say_that_there_was_no_history(tmp_path: Path) -> None:
    """Editors write the one, and the command line takes the other."""
    path = tmp_path / "load.toml"
    path.write_bytes(b'\xef\xbb\xbf[Row]\nhistory = "0"\n[Other]\nhistory = 0\n')
    models = read_file(path).models
    assert models["Row"].history == models["Other"].history == timedelta(0)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("nodes = true", "a whole number"), ("nodes = 1.5", "a whole number"), ("storage = 1", "text")],
)
def test_what_is_wrong_of_a_cluster_is_told_in_words(tmp_path: Path, text: str, wanted: str) -> None:
    """And not by the name of a type of Python."""
    path = tmp_path / "load.toml"
    path.write_text(f"[cluster]\n{text}\n")
    with pytest.raises(SimulationRefused, match=f"expected {wanted}, got"):
        read_file(path)


def test_a_file_that_is_not_there_is_named_once(tmp_path: Path) -> None:
    """With what the system says of it."""
    with pytest.raises(SimulationRefused) as caught:
        read_file(tmp_path / "none.toml")
    assert str(caught.value) == f"{tmp_path / 'none.toml'}: No such file or directory"


def test_keys_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    """It is no part of the first key."""
    model = workload(KeyField("user", Text(max_length=20)), KeyField("at", EpochMillis())).model
    path = tmp_path / "keys"
    path.write_bytes(b"\xef\xbb\xbfanna#1767571200000\r\nanna#1767571200001\n")
    assert keys_in(path, model, str.encode) == (b"anna#1767571200000", b"anna#1767571200001")


def test_nobody_counts_what_the_clock_gives() -> None:
    """A figure that would change nothing is refused."""
    told = Stated(events=Rate(5.0), counts={"user": 9, "at": 7})
    with pytest.raises(SimulationRefused, match="at: its values follow the clock, so it takes no count"):
        workload_of(MODEL, told)
