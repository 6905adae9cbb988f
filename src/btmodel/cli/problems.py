"""What a review could not read, and what it left out, as values that programs get: of which kind, where, and what came of it."""

import re

from attrs import frozen

from btmodel.errors import BtmodelError, DeclarationError, GenerationError, SettingsError

# A place in front of a message, or in brackets behind it.
_IN_FRONT = re.compile(r"(?s)(?P<file>.+?\.py|<[^>\n]+>):(?P<line>[0-9]+): (?P<rest>.*)")
_BEHIND = re.compile(r"(?s)(?P<rest>.*) \((?P<file>[^()\n]+|.+\.py):(?P<line>[0-9]+)\)")
# By the class of the error; a module is one that does not import, does not exist, or declares no model.
_KINDS: dict[type[BtmodelError], str] = {
    DeclarationError: "declaration",
    SettingsError: "module",
    GenerationError: "query",
}


@frozen
class Problem:
    """Something that could not be read or checked. ``notes`` say what came of it, such as that the rest of a module is not reviewed.

    ``text`` is all of that in one text, as people read it.
    """

    kind: str
    file: str | None
    line: int | None
    message: str
    notes: tuple[str, ...]
    text: str

    @classmethod
    def of(cls, error: BtmodelError) -> "Problem":
        """What an error says, taken apart."""
        text = str(error)
        said, *notes = text.split("\n  ")
        found = _IN_FRONT.fullmatch(said) or _BEHIND.fullmatch(said)
        kind = next((kind for each, kind in _KINDS.items() if isinstance(error, each)), "other")
        if found is None:
            return cls(kind, None, None, said, tuple(notes), text)
        return cls(kind, found["file"], int(found["line"]), found["rest"], tuple(notes), text)

    def as_json(self) -> dict[str, object]:
        """The problem as a dict of JSON values. The keys are a contract: they are only ever added to."""
        return {
            "kind": self.kind,
            "file": self.file,
            "line": self.line,
            "message": self.message,
            "notes": list(self.notes),
        }


@frozen
class LeftOut:
    """Something that is not reviewed, which is no error: a class without a table, or queries in SQL where nothing reads them."""

    kind: str
    name: str | None
    message: str

    def as_json(self) -> dict[str, object]:
        """It as a dict of JSON values."""
        return {"kind": self.kind, "name": self.name, "message": self.message}
