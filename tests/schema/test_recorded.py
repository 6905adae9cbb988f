"""Tables as plain data: what is written is read back, and what is wrong in it is told with its place."""

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from whole_tables import whole_tables

from btmodel.errors import DeclarationError
from btmodel.recorded.tables import as_data, from_data
from btmodel.schema import (
    CellLayout,
    Family,
    KeyPart,
    Layout,
    MaxVersions,
    Table,
    TableSettings,
)


@given(whole_tables())
def test_what_is_written_is_read_back(table: Table) -> None:
    """Through JSON and back, a table is what it was: names of models and fields, and renamings, too."""
    [read] = from_data(json.loads(json.dumps(as_data([table]))), "here")
    assert repr(read) == repr(table)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], r"x: expected names and values, got \[\]"),
        ({"T": {"famillies": {}}}, "x: table 'T': 'famillies' is not known: expected families, renamed_from"),
        (
            {"T": {"families": {"f": {"gc": {"max_age": "1w"}}}}},
            r'family \'f\', gc: expected a time such as "7d"',
        ),
        ({"T": {"families": {"f": {}}}}, "x: table 'T', family 'f', gc: expected max_versions"),
        ({"T": {"families": {"f": {"gc": {"max_versions": True}}}}}, "max_versions: expected a number"),
        ({"T": {"families": {"f": {"gc": {"keep": "everything"}, "aggregate": "avg"}}}}, "got 'avg'"),
        ({"T": {"settings": {"deletion_protection": "no"}}}, "deletion_protection: expected true or false"),
        ({"T": {"settings": {"change_stream": "99999999999d"}}}, "expected a time of up to"),
        (
            {"T": {"models": {"M": {"key": [{"name": "a"}]}}}},
            "model 'M', key: expected name, codec and behind",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(data: Any, message: str) -> None:
    """Data of another shape is one error, which names the table and what in it."""
    with pytest.raises(DeclarationError, match=message):
        from_data(data, "x")


def test_the_form_on_disk() -> None:
    """The form is a contract: this is how it looks."""
    table = Table(
        "QUOTE",
        (Family("MD", MaxVersions(1)),),
        TableSettings(deletion_protection=True, change_stream=timedelta(days=7)),
        (
            Layout(
                "Quote", (KeyPart("Text(width=6)", "", "exchange"),), (CellLayout("MD:BID", "value Utf8()"),)
            ),
        ),
    )
    assert as_data([table]) == {
        "QUOTE": {
            "families": {"MD": {"gc": {"max_versions": 1}}},
            "settings": {"deletion_protection": True, "change_stream": "7d"},
            "models": {
                "Quote": {
                    "key": [{"name": "exchange", "codec": "Text(width=6)", "behind": ""}],
                    "cells": {"MD:BID": "value Utf8()"},
                }
            },
        }
    }
