"""The public face: what is not listed here can move tomorrow."""

import inspect
import subprocess
import sys
from pathlib import Path

import btmodel
from btmodel.codecs import cell, key

ROOT = Path(__file__).parents[1]


def test_type_checkers_see_what_the_tables_list() -> None:
    """The imports for type checkers are what codegen/public_names.py makes of each table: a name is written once."""
    ran = subprocess.run(
        [sys.executable, "codegen/public_names.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr


def test_no_codec_for_users_is_left_out() -> None:
    """Every codec of the two packages is public, but for what stands behind a declaration of its own."""
    codecs = {*key.__all__, *cell.__all__}
    assert codecs - set(btmodel.__all__) == {
        "Constant",
        "DEFAULTS",
        "MappedCell",
        "MappedKey",
        "default_codec",
    }
    assert {"Text", "Utf8", "Model", "key", "connect", "BtmodelError", "History"} <= set(btmodel.__all__)


def test_public_names_are_there_and_say_what_they_are() -> None:
    """Every public name can be imported and has a docstring of its own."""

    def is_documented(thing: object) -> bool:
        own = inspect.ismodule(thing) or vars(thing).get("__doc__") or thing.__doc__
        return bool(own and (inspect.getdoc(thing) or "").strip())

    wrong = [name for name in btmodel.__all__ if not is_documented(getattr(btmodel, name))]
    assert not wrong, "\n".join(wrong)


def test_all_that_is_public_is_listed() -> None:
    """A star import gives the public names and nothing else; what is shown by ``dir`` includes them all."""
    space: dict[str, object] = {}
    exec("from btmodel import *", space)
    assert sorted(space.keys() - {"__builtins__"}) == btmodel.__all__ == sorted(set(btmodel.__all__))
