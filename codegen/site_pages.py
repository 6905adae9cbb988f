"""Which page of the site shows which file of the repository. Nothing is imported here but what the build of a package has."""

import posixpath
import re

# Pages that are not in docs/, and the files that they are made of.
PROJECT = {
    "index.md": "README.md",
    "project/architecture.md": "ARCHITECTURE.md",
    "project/contributing.md": "CONTRIBUTING.md",
    "project/changelog.md": "CHANGELOG.md",
    "project/revisions.md": "migrations/README.md",
}
LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)(?=[)#])")


def page_of(source: str) -> str:
    """The page that shows a file or folder of the repository."""
    pages = {file: page for page, file in PROJECT.items()}
    if source in pages:
        return pages[source]
    if source.startswith("docs/"):
        return source.removeprefix("docs/")
    name = posixpath.basename(source)
    if source.startswith("examples") and "." not in name and name != "Dockerfile":  # a folder
        return "examples/index.md"
    return f"{source}.md" if source.startswith("examples/") and not source.endswith(".md") else source
