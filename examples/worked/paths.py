"""Files and pages against a server."""

from collections.abc import Iterator

import btmodel as bt
from examples.generated.file_repository import FileRepository
from examples.generated.page_repository import PageRepository
from examples.paths import File, Page
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Four files, one of them in no folder; and a page in three languages."""
    FileRepository(db).put_many(
        File(owner="corrie", path=tuple(path.split("/")), kilobytes=len(path))
        for path in ("notes.txt", "photos/2021/garden.jpg", "photos/2021/shovel.jpg", "photos-old/a.jpg")
    )
    PageRepository(db).put_many(
        Page(page="welcome", language=language, text=text)
        for language, text in ((None, "Welcome!"), ("de", "Willkommen!"), ("fr", "Bienvenue !"))
    )


def ask(db: bt.Database) -> Iterator[Answer]:
    """A folder and what is below it; a page and its translations."""
    photos = FileRepository(db).below("corrie", ("photos",))
    yield Answer("What lies below photos?", ["/".join(row.path) for row in photos])
    pages = PageRepository(db)
    original = pages.get("welcome")
    yield Answer("What does the page say?", original and original.text)
    yield Answer("In which languages is it, too?", [row.language for row in pages.translations("welcome")])


EXAMPLE = Example("Files and pages", (File, Page), write, ask)
