"""The page of a rule: the docstring of its file, in a fixed form."""

from attrs import frozen

EXAMPLES = ("Example", "Use instead")
SECTIONS = ("What it finds", "Why", *EXAMPLES, "Allow", "Source")


@frozen
class Page:
    """A page taken apart: its title line, and the text of each section by its heading.

    ``Example`` and ``Use instead`` hold Python that runs: a model that the rule
    flags, and the same model mended.
    """

    title: str
    sections: dict[str, str]

    @classmethod
    def parse(cls, text: str) -> "Page":
        """The page that ``text`` holds; ``ValueError`` where it is not of the form."""
        from textwrap import (
            dedent,  # only here: rules are loaded with every model, and their pages are seldom read
        )

        title, *lines = text.strip().splitlines()
        sections: dict[str, list[str]] = {}
        body: list[str] = []
        for line in lines:
            if line.strip() and not line.startswith(" "):
                body = sections[line] = []
            else:
                body.append(line)
        if tuple(sections) != SECTIONS:
            raise ValueError(f"{title}: wanted the sections {SECTIONS}, got {tuple(sections)}")
        return cls(title, {name: dedent("\n".join(body)).strip() for name, body in sections.items()})
