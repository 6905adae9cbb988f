"""The README as the description of a package: a hook of hatchling, which pyproject.toml names.

Its links, to files of the repository, lead to the pages of the site of that version, if ``[project.urls]`` has their address, ``Documentation``.
"""

import posixpath
import sys
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from site_pages import LINK, page_of


class Description(MetadataHookInterface):
    """Gives a package its description."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add ``readme``, which pyproject.toml calls dynamic."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        if address := metadata.get("urls", {}).get("Documentation"):
            text = linked(text, f"{address.rstrip('/')}/{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def linked(readme: str, site: str) -> str:
    """The README with links to the pages of a site."""

    def to_page(found: Any) -> str:
        page = page_of(posixpath.normpath(found[1]))
        stem = page.removesuffix(".md")
        if stem == page:
            return f"{site}/{page}"  # a picture
        return f"{site}/{posixpath.join(stem if posixpath.basename(stem) not in ('README', 'index') else posixpath.dirname(stem), '')}"

    return LINK.sub(to_page, readme)
