"""Strings under fields: read from the source of a model by the review, and by nothing else."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from btmodel.lint import review, review_all
from btmodel.lint.attribute_docstrings import with_attribute_docstrings

SCANS = '''import btmodel as bt


class Other:
    scan = 1
    """Random."""


class Scan(bt.Model, table="scans", events="25000/s"):
    """A scan of a parcel, which is read by its id."""

    scan: str = bt.key(bt.Text(width=26), cardinality=130_000_000_000)
    """A ULID that the backend
    gives to the scan."""

    s = bt.family("s", gc=bt.max_age(days=60))
    """What no field is, is not heard: kept for two years."""
    parcel: str = bt.column("p", s, size=18)
    "The number; see `label`."

    by_id = bt.query("scan")
'''

Load = Callable[[str], ModuleType]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    def loaded(source: str) -> ModuleType:
        path = tmp_path / "scans.py"
        path.write_text(source)
        spec = importlib.util.spec_from_file_location("scans_with_strings", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        return module

    return loaded


def test_strings_under_fields_are_part_of_the_description(load: Load) -> None:
    """Each stands behind the name of its field; strings under anything else do not count."""
    schema = load(SCANS.replace("25000/s", "20/s")).Scan.__schema__
    assert with_attribute_docstrings(schema).doc == (
        "A scan of a parcel, which is read by its id.\n\n"
        "Scan: A ULID that the backend gives to the scan.\n\n"
        "Parcel: The number; see `label`."
    )
    assert schema.doc == "A scan of a parcel, which is read by its id."


def test_a_fault_in_a_string_under_a_field_is_found(load: Load) -> None:
    """That the ids begin with the time stands under the field alone; an import, which reads no source, does not refuse it."""
    schema = load(SCANS).Scan.__schema__
    assert [finding.rule for finding in review_all([schema])] == ["KEY002"]
    assert review(schema) == ()
    silent = load(
        SCANS.replace("A ULID that the backend\n    gives", "An id that the backend\n    gives")
    ).Scan.__schema__
    assert review_all([silent]) == ()


@pytest.mark.parametrize("change", ["gone", "moved", "broken", "folder"])
def test_a_source_that_is_not_that_of_the_class_is_left_alone(
    load: Load, tmp_path: Path, change: str
) -> None:
    """The class may have come from a file that was changed, or is not there any more."""
    schema = load(SCANS).Scan.__schema__
    path = tmp_path / "scans.py"
    match change:
        case "gone":
            path.unlink()
        case "moved":
            path.write_text(f"\n\n\n{SCANS}")
        case "broken":
            path.write_text(SCANS + ")")
        case _:
            path.unlink()
            path.mkdir()
    assert with_attribute_docstrings(schema) is schema
