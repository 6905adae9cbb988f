"""What is worked out of names and descriptions is worked out once: a review asks for it again with each fix that it proves."""

import re
from collections.abc import Callable

import pytest

from btmodel.codecs.key import HexDigest, Text
from btmodel.design import own_ids_said
from btmodel.design.changes_said import described_changing
from btmodel.design.own_ids_said import found_by_own_id
from btmodel.design.questions_said import Reader
from btmodel.schema import KeyField, ModelSchema

Make = Callable[..., ModelSchema]
CABINET = KeyField("cabinet", Text(width=8), 4_000)
SPOKEN = "A meter. Its cabinet changes when it is moved."


def test_the_patterns_of_a_name_are_compiled_once(a_model: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another model, and another field of that name, are read with the same ones."""
    assert described_changing(a_model(CABINET, doc=SPOKEN), CABINET)
    compiled: list[str] = []
    compile_ = re.compile

    def noted(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return compile_(text, flags)

    monkeypatch.setattr(re, "compile", noted)
    assert described_changing(a_model(CABINET, doc=f"{SPOKEN} It is read daily."), CABINET)
    assert [text for text in compiled if "cabinet" in text] == []


def test_a_description_is_read_once_for_the_id_of_a_row(
    a_model: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader of sentences takes longer to be made than to be asked."""
    made: list[ModelSchema] = []

    def reader(model: ModelSchema) -> Reader:
        made.append(model)
        return Reader(model)

    monkeypatch.setattr(own_ids_said, "Reader", reader)
    claim = KeyField("claim_id", HexDigest(16), 40_000_000)
    model = a_model(claim, name="Claim", doc="A claim. An adjuster opens a claim by its id.")
    assert [found_by_own_id(model) for _ in range(3)] == ["claim_id"] * 3
    assert len(made) == 1
