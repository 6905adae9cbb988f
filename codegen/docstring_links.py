"""Makes links of the roles in docstrings, for the reference of the site: griffe, which reads them for mkdocstrings, loads this."""

import re
from typing import Any

from griffe import Extension, Object

import btmodel  # noqa: F401 (lists its names)
from btmodel.on_demand import TABLES

ROLE = re.compile(r":(?:class|func|meth|mod|data|attr):`~?([\w.]+)`")

PUBLIC = TABLES["btmodel"]


class DocstringLinks(Extension):
    """A public name becomes a link to where the reference shows it, every other one the code that it is."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of each class, function, attribute or module that griffe has read."""
        if obj.docstring is not None:
            obj.docstring.value = ROLE.sub(linked, obj.docstring.value)


def linked(role: re.Match[str]) -> str:
    """The Markdown of one role."""
    name = role[1].rpartition(".")[2]
    return f"[`{name}`][btmodel.{name}]" if name in PUBLIC else f"`{name}`"
