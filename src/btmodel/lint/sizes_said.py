"""How large the values of a column are by a description: "one file for each section, of around 180 MB"."""

import re
from typing import NamedTuple

from btmodel.design.denials import denied
from btmodel.design.hints import sentences
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema
from btmodel.words import words

_UNITS = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_SIZE = pattern(
    r"(?i)(?<![\w.,])(\d[\d,]*(?:\.\d+)?)\s?(?:(k|m|g)i?b(?:ytes?)?|(kilo|mega|giga)bytes?)\b(?!\s?/|\s+(?:an?|per|each|every|in)\s+(?:second|minute|hour|day|week|month|year)\b)"
)
# What is one value of its own, and is written as bytes.
_FILES = (
    r"files?|scans?|images?|pictures?|photos?|pdfs?|documents?|blobs?|recordings?|videos?|clips?|payloads?|attachments?|dumps?|archives?|"
    r"volumes?|models?|frames?|waveforms?|bodies|body|tiles?|meshes|mesh|point clouds?"
)
# What is large together, or lies in another place.
_OTHERWISE = pattern(
    r"(?i)\b(?:tables?|rows?|totals?|altogether|together|in all|a (?:day|week|month|year)|per (?:day|week|month|year)|disks?|memory|ram|backups?|"
    r"buckets?|cloud storage|gcs|s3|object (?:store|storage)|elsewhere|split|parts?|chunks?|pieces?|less than|under|below|limit\w*)\b"
)


class SaidSize(NamedTuple):
    """The bytes of a value, and the words that say them."""

    bytes: int
    words: str


def size_said(model: ModelSchema, column: Column) -> SaidSize | None:
    """The largest size that the description gives for the values of ``column``, the only one of bytes; None where it gives none, or where one is declared."""
    if not model.doc or column.expected.size is not None or column.expected.max_size is not None:
        return None
    if [one for one in model.columns if one.codec.python_type is bytes and one.shape.plain] != [column]:
        return None
    about = re.compile(rf"(?i)\b(?:{_FILES}|{re.escape(words(column.name)[-1])}s?)\b")
    found = [
        SaidSize(int(float(number.replace(",", "")) * _UNITS[(short or long)[0].lower()]), whole)
        for sentence, before in _with_the_one_before(sentences(model.doc))
        if about.search(f"{before} {sentence}") and not _OTHERWISE.search(sentence)
        for whole, number, short, long in (
            (one[0], one[1], one[2], one[3])
            for one in _SIZE.finditer(sentence)
            if not denied(sentence[: one.start()])
        )
    ]
    return max(found, default=None)


def _with_the_one_before(said: list[str]) -> list[tuple[str, str]]:
    """Each sentence, and that in front of it, of which it may go on to speak."""
    return list(zip(said, ["", *said], strict=False))
