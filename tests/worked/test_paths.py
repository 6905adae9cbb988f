"""Files and pages: a path as the last part of a key, and a last part that may be missing."""

from collections.abc import Callable

import pytest

import btmodel as bt
from examples.generated.file_repository import FileRepository
from examples.generated.page_repository import PageKey, PageRepository
from examples.worked.paths import EXAMPLE
from tests.worked.raw_cells import cells

Open = Callable[..., bt.Database]


@pytest.fixture
def paths(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_a_path_ends_the_key(paths: bt.Database) -> None:
    """Its parts are separated, and it may have any number of them up to 8."""
    assert cells(paths, "files") == {
        b"corrie#notes.txt": [(b"data:kilobytes", b"9")],
        b"corrie#photos-old/a.jpg": [(b"data:kilobytes", b"16")],
        b"corrie#photos/2021/garden.jpg": [(b"data:kilobytes", b"22")],
        b"corrie#photos/2021/shovel.jpg": [(b"data:kilobytes", b"22")],
    }


def test_a_missing_language_leaves_no_delimiter(paths: bt.Database) -> None:
    """The key of the original ends where the delimiter would stand."""
    assert cells(paths, "pages") == {
        b"welcome": [(b"data:text", b"Welcome!")],
        b"welcome#de": [(b"data:text", b"Willkommen!")],
        b"welcome#fr": [(b"data:text", b"Bienvenue !")],
    }


def test_the_questions_have_answers(paths: bt.Database) -> None:
    """A folder does not reach into another whose name begins alike; the original is no translation."""
    assert [answer.answer for answer in EXAMPLE.ask(paths)] == [
        ["photos/2021/garden.jpg", "photos/2021/shovel.jpg"],
        "Welcome!",
        ["de", "fr"],
    ]


def test_rows_are_found_by_what_their_keys_hold(paths: bt.Database) -> None:
    """Paths of different lengths, and keys with and without a language, come back as they were given."""
    files, pages = FileRepository(paths), PageRepository(paths)
    assert files.exists("corrie", ("photos", "2021", "shovel.jpg"))
    assert not files.exists("corrie", ("photos",))
    found = pages.get_many([PageKey("welcome", "de"), PageKey("welcome", None), PageKey("welcome", "es")])
    assert [page and page.language for page in found] == ["de", None, None]
    assert found[2] is None


def test_a_part_that_holds_the_separator_is_refused(paths: bt.Database) -> None:
    """Else one path could be written in two ways."""
    with pytest.raises(bt.ValueRefused, match=r"File\.path"):
        FileRepository(paths).exists("corrie", ("photos/2021", "shovel.jpg"))
