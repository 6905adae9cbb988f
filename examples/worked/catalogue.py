"""A catalogue against a server."""

from collections.abc import Iterator

import btmodel as bt
from examples.catalogue import Article, OldArticle, Size
from examples.generated.article_repository import ArticleRepository
from examples.generated.old_article_repository import OldArticleRepository
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """An old article, and a new one, which two nights write."""
    OldArticleRepository(db).put(OldArticle(number="p-17", name="Shovel", size=Size(300, 1200, 90)))
    for _ in range(2):
        ArticleRepository(db).put(Article(number="p-42", name="Carrot seeds", size=Size(80, 120, 5)))


def ask(db: bt.Database) -> Iterator[Answer]:
    """Both kinds by the same model."""
    articles = ArticleRepository(db)
    for number in ("p-17", "p-42"):
        article = articles.get(number)
        yield Answer(f"How high is article {number}?", article and article.size.height)
    cells = [cell for key, found in db.cells("articles", b"p-42") for cell in found]
    yield Answer("How many cells has the article that was written twice?", len(cells))


EXAMPLE = Example("A catalogue", (Article, OldArticle), write, ask)
