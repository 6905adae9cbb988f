"""Why a module does not import, and where it stopped."""

import sysconfig
import traceback
from pathlib import Path
from types import FrameType

from attrs import frozen

import btmodel
from btmodel.declare import FollowUp, placed
from btmodel.errors import BtmodelError, DeclarationError, SettingsError

# What a user's module calls, where nothing is to be mended.
_CALLED = tuple(
    f"{folder}/"
    for folder in (Path(btmodel.__file__).parent, *map(sysconfig.get_path, ("stdlib", "purelib", "platlib")))
)


@frozen
class Stop:
    """An exception that came out of an import.

    ``modules`` are those that stopped by it: the one whose own line raised it, then those
    that import it. ``place`` is the innermost line of the user's code on the way.
    """

    error: BaseException
    modules: tuple[str, ...]
    place: str

    @classmethod
    def of(cls, name: str, error: BaseException) -> "Stop":
        """Why the import of the module ``name`` raised ``error``, which was caught by who asked for it."""
        # The first frame is that of who caught it.
        steps = list(traceback.walk_tb(error.__traceback__))[1:]
        began = [_module(frame) for frame, _ in steps if frame.f_code.co_name == "<module>"]
        return cls(error, tuple(dict.fromkeys(reversed([name, *began]))), _place(error, steps))

    @property
    def root(self) -> str:
        """What is to be mended: a module, or the file that does not parse, of which no line ran."""
        return _unparsed(self.error) or self.modules[0]

    @property
    def cause(self) -> BtmodelError | None:
        """The problem of a class that the module went on without, up to here; None where that is not why."""
        return next((error.problem for error in _chain(self.error) if isinstance(error, FollowUp)), None)

    def told(self) -> BtmodelError:
        """The error as one of ours."""
        if isinstance(self.error, DeclarationError):
            return DeclarationError(placed(str(self.error), self.place))
        kind, said = type(self.error).__name__, _said(self.error)
        why = f"{kind}: {said}" if said else kind
        return SettingsError(f"module {self.modules[0]!r} does not import: {why} ({self.place})")


def _chain(error: BaseException) -> list[BaseException]:
    """``error``, what it came of, what that came of, and so on; an error may be its own cause."""
    chain: list[BaseException] = []
    last: BaseException | None = error
    while last is not None and not any(last is one for one in chain):
        chain.append(last)
        last = last.__cause__ or last.__context__
    return chain


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as failed:  # it is anybody's class
        return f"its text cannot be read: {type(failed).__name__}"


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _unparsed(error: BaseException) -> str | None:
    """The file that does not parse, where that is what ``error`` says."""
    file = error.filename if isinstance(error, SyntaxError) else None
    return file if file and not file.startswith("<") else None


def _place(error: BaseException, steps: list[tuple[FrameType, int]]) -> str:
    if isinstance(error, SyntaxError) and _unparsed(error):
        return f"{error.filename}:{error.lineno}"
    places = [(frame.f_code.co_filename, line) for frame, line in steps]
    users = [(file, line) for file, line in places if not file.startswith((*_CALLED, "<"))]
    # A module that is installed is nobody's here, and one that is not there has no line.
    installed = [
        (file, line) for file, line in places if not file.startswith("<") and "importlib" not in file
    ]
    file, line = (users or installed or [("", 0)])[-1]
    return f"{file}:{line}" if file else "not found"
