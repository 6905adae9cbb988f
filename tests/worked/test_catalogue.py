"""A catalogue: writes that can be repeated, and two encodings side by side."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

import btmodel as bt
from examples.catalogue import Article
from examples.generated.article_repository import ArticleRepository
from examples.worked.catalogue import EXAMPLE
from tests.worked.raw_cells import versions

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Open = Callable[..., bt.Database]


@pytest.fixture
def catalogue(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_an_article_that_is_written_twice_has_each_cell_once(catalogue: bt.Database) -> None:
    """At timestamp 0 the second writing replaces the first; the old size is packed, the new one JSON."""
    assert versions(catalogue, "articles") == {
        b"p-17": [(b"data:name", EPOCH, b"Shovel"), (b"data:size", EPOCH, b"\x01\x2c\x04\xb0\x00\x5a")],
        b"p-42": [
            (b"data:name", EPOCH, b"Carrot seeds"),
            (b"data:size", EPOCH, b'{"width":80,"height":120,"depth":5}'),
        ],
    }


def test_the_questions_have_answers(catalogue: bt.Database) -> None:
    """Both encodings are read by one model."""
    assert [answer.answer for answer in EXAMPLE.ask(catalogue)] == [1_200, 120, 2]


def test_an_old_article_is_written_in_the_new_encoding(catalogue: bt.Database) -> None:
    """Reading and writing a row moves it; nothing else is lost."""
    articles = ArticleRepository(catalogue)
    old = articles.get("p-17")
    assert isinstance(old, Article)
    articles.put(old)
    assert versions(catalogue, "articles")[b"p-17"] == [
        (b"data:name", EPOCH, b"Shovel"),
        (b"data:size", EPOCH, b'{"width":300,"height":1200,"depth":90}'),
    ]
    assert articles.get("p-17") == old
