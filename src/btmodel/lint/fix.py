"""A fix: the change of a declaration that mends a finding."""

import json
import re

from attrs import frozen

from btmodel.schema import Family, ModelSchema
from btmodel.schema.parameters import placeholders

# Of a declaration: what its bytes, or the name of its cells, are made of.
_WRITTEN = ("codec", "id", "mirror", "qualifier")


@frozen
class Fix:
    """A change of one argument of the declaration that a finding points at, after which it is gone.

    ``argument`` is the name of the argument, of a class its keyword, whether it is given by
    name or by position; of those without a name, as of ``bt.query``, it is the number, from 0 on.
    ``text`` is the Python expression that it becomes, with the names of this package behind
    ``bt.``. An argument that is not there yet is added.
    """

    argument: int | str
    text: str

    @property
    def rewrites(self) -> bool:
        """Whether rows that exist already are not found, or not read, any more: it changes what is written."""
        return self.argument in _WRITTEN

    def as_json(self) -> dict[str, int | str]:
        """The fix as a flat dict of JSON values."""
        return {"argument": self.argument, "text": self.text}


def codec_named(text: str) -> Fix | None:
    """The change of a key field to the codec that ``text`` names, as in "`bt.PaddedInt(6)`"; None where it says more."""
    found = re.fullmatch("`(bt\\.[^`]+)`", text)
    return Fix("codec", found[1]) if found else None


def family_renamed(model: ModelSchema, family: Family, id: str) -> Fix | None:
    """The change of a family's id, where nothing else names it and no other family has the new one."""
    mirrored = any(part.mirror and part.mirror.family == family.id for part in model.key.fields)
    taken = any(other.id == id for other in model.families)
    return None if mirrored or taken or placeholders(family.id) else Fix("id", literal(id))


def literal(value: str | dict[str, str]) -> str:
    """Python for a text, or a dict of texts, with double quotes; half a surrogate pair is written as its escape."""
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace").decode()
