"""Text as GitHub Flavored Markdown, in which nothing is markup but what is meant to be."""

import re

from btmodel_codegen.grids import Grid
from btmodel_codegen.prose import Prose, TextRun

# A reference is text to every parser, wherever it stands; a backslash may meet another one, or the bar of a table.
_REFERENCES = {one: f"&#{ord(one)};" for one in "&<>\\|`$@"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_TEXT = str.maketrans(_REFERENCES | {one: f"\\{one}" for one in "*_[]~"})
_CODE = str.maketrans(_REFERENCES | {one: f"&#{ord(one)};" for one in "*_[]~:.!/"})
# What begins a list, a heading or a rule, where it stands first.
_MARKER = re.compile(r"^((?:[0-9]+(?=[.)](?:\s|$)))?)([-+#=.)])")


def text(value: str) -> str:
    """Words on one line."""
    return " ".join(value.split()).translate(_TEXT)


def code(value: str) -> str:
    """Code on one line: between backticks, or, where that says less than it should, between tags."""
    value = value.replace("\n", "\\n")
    plain = not re.search(r"[`|\\]", value) and value == value.strip() and value.isascii()
    return f"`{value}`" if plain else f"<code>{value.translate(_CODE)}</code>"


def inline(value: Prose) -> str:
    """A text of words and code: never the beginning of a list or a heading."""
    said = "".join(map(_run, value)).strip()
    return _MARKER.sub(r"\1\\\2", said)


def _run(run: TextRun) -> str:
    if not run.code:
        edges = " " * run.text[:1].isspace(), " " * run.text[-1:].isspace()
        return f"{edges[0]}{text(run.text)}{edges[1]}"
    return code(run.text) if run.link is None else f"[{code(run.text)}](#{run.link})"


def table(grid: Grid) -> str:
    """A table. Markdown has no titles of tables: they stand in front."""
    lines = [
        [text(heading.text) for heading in grid.headings],
        ["---:" if heading.number else "---" for heading in grid.headings],
        *([inline(entry.prose) for entry in row] for row in grid.rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def fenced(lines: list[str]) -> str:
    """Lines of code as they are, between fences longer than any in them."""
    longest = max(map(len, re.findall("`+", "\n".join(lines))), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *lines, fence])
