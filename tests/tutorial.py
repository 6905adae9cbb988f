"""Follows the pages of docs/tutorial as a reader would: writes their files, runs their commands, and compares what is printed.

A block with a title is a file of the project. A ``sh`` block holds commands; the ``text`` block after it is what they print, and a line ``...``
there stands for any lines. Commands must succeed unless ``<!-- exits with 1 -->`` stands in front. ``<!-- for the reader -->`` marks a
block that is not run, such as an installation.
"""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from tests.forked_commands import Commands

CHECKOUT = str(Path(__file__).parents[1])

BLOCK = re.compile(
    r'^(?:<!-- (?P<note>[^\n]*) -->\n)?```(?P<language>\w*)(?: title="(?P<title>[^"]+)")?\n(?P<body>.*?)^```$',
    re.M | re.S,
)
NOT_KEPT = shutil.ignore_patterns(
    ".*",
    "__pycache__",
    "*.db*",
    "generated",
    "dist",
    "*.egg-info",
    "*.html",
    "*.png",
    "*.parquet",
    "squashed",
)


# A line that needs no shell: words, texts in quotes, and a comment.
ALONE = re.compile(r"""(?:btmodel|python \w+\.py)(?: +(?:[-\w./=:,@]+|"[^"$`\\]*"|'[^']*'))*(?: +#.*)?\n""")


@frozen
class Block:
    """A fenced block: where it is in its page, and what it holds."""

    start: int
    end: int
    note: str
    language: str
    title: str
    body: str


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page, in their order."""
    for found in BLOCK.finditer(page):
        groups = {name: value or "" for name, value in found.groupdict().items()}
        if groups["note"] != "for the reader":
            yield Block(start=found.start("body"), end=found.end("body"), **groups)


def parts(body: str) -> Iterator[str]:
    """The lines of a block that are ``btmodel``, or a program, alone, and what stands between them."""
    rest = ""
    for line in body.splitlines(keepends=True):
        if ALONE.fullmatch(line):
            if rest:
                yield rest
            yield line
            rest = ""
        else:
            rest += line
    if rest:
        yield rest


class Follower:
    """A reader who does what the pages say, in a folder."""

    def __init__(self, folder: Path, environment: dict[str, str], commands: Commands) -> None:
        self.folder = folder
        self._environment = environment
        self._commands = commands

    def follow(self, page: str) -> str:
        """Do what a page says. Returns the page with what its commands printed this time.

        Raises AssertionError with the command, and what it printed, if its exit code is another one than the page says.
        """
        parts, at, printed = [], 0, None
        for block in blocks(page):
            if block.title:
                self._write(block)
            elif block.language == "sh":
                printed = self._run(block)
            elif block.language == "text" and printed is not None:
                same = matches(block.body, printed)
                parts += [page[at : block.start], block.body if same else printed]
                at, printed = block.end, None
        return "".join([*parts, page[at:]])

    def _write(self, block: Block) -> None:
        path = self.folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.body)

    def _run(self, block: Block) -> str:
        expected = int(block.note.removeprefix("exits with ") or 0)
        printed, code = "", 0
        for part in parts(block.body):
            done = self._part(part)
            printed, code = printed + done.stdout, done.returncode
            if code:
                break
        assert code == expected, f"{block.body}ended with {code}:\n{printed}"
        return self._as_elsewhere(printed)

    def _part(self, part: str) -> "subprocess.CompletedProcess[str]":
        """Run a part of a block, in a shell unless it is ``btmodel`` or a program alone: that starts sooner where all is loaded."""
        if ALONE.fullmatch(part):
            name, *words = shlex.split(part, comments=True)
            if name == "btmodel":
                return self._commands.run(words, self.folder, self._environment, 120, merged=True)
            program, *arguments = words
            file = self.folder / program
            return self._commands.program(file, arguments, self.folder, self._environment, 120, merged=True)
        return subprocess.run(
            ["bash", "-euc", part],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )

    def _as_elsewhere(self, printed: str) -> str:
        """What is printed here, with the folder, the port, the user and the times that a page shows, and no trailing spaces."""
        shown = printed.replace(str(self.folder), "/home/ada/scooters").replace(CHECKOUT, "/home/ada/btmodel")
        shown = re.sub(r"(127\.0\.0\.1):\d+", r"\1:40123", shown)
        shown = re.sub(r"\([-\d]+ [:\d]+ UTC by \S+\)", "(2026-05-02 09:30:00 UTC by ada@laptop:4711)", shown)
        shown = re.sub(r"compared on [-\d]+ [:\d]+ UTC", "compared on 2026-05-02 09:30:00 UTC", shown)
        shown = re.sub(r" in \d+\.\d+s\b", " in 0.42s", shown)
        return re.sub(r"[ \t]+$", "", shown, flags=re.MULTILINE)


def matches(expected: str, printed: str) -> bool:
    """Whether a text is what was printed, but for the lines that ``...`` stands for."""
    pattern = "".join(
        r"(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in expected.splitlines(keepends=True)
    )
    return re.fullmatch(pattern, printed) is not None


def keep(project: Path, folder: Path) -> None:
    """Keep the files that the reader has written by the end of a chapter."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(project, folder, ignore=NOT_KEPT)


def files(folder: Path) -> dict[str, str]:
    """The files that people wrote in a folder."""
    found = (path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file())
    written = (path for path in found if "__pycache__" not in path.parts and path.parts[0][0] != ".")
    return {str(path): (folder / path).read_text() for path in written}
