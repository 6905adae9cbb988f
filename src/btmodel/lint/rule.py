"""The interface of a rule, its suppression, and its page."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from attrs import field, frozen

from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level, literal
from btmodel.on_demand import pattern
from btmodel.schema import Location, ModelSchema
from btmodel.value import Value
from btmodel.words import near

Subject = TypeVar("Subject")
# What these rules find of a key, its queries and its cells is true of a view as well; the others are about what is written and kept.
OF_VIEWS = frozenset(
    {
        *(f"KEY{number:03}" for number in (1, 2, 3, 6, 8, 9, 10, 11, 19, 20)),
        "QRY001",
        "FAM006",
        "FAM007",
        "QRY006",
        "TAB007",
        "TAB008",
        "TAB009",
    }
)


def _text(doc: str | None) -> str:
    return doc or ""  # python -OO drops docstrings


class Rewritten(Enum):
    """What is written again where the advice of a rule is followed and rows exist already: all of it, a family, or cells."""

    ROWS = "rows"
    FAMILY = "family"
    CELLS = "cells"


@frozen(eq=False, repr=False)
class Rule(Value, Generic[Subject]):
    """A rule: a check of a subject, and the page that explains it.

    The subject is one model, or all models together, or the suppressions of a model;
    the tables in :mod:`btmodel.lint.catalogue` say which. ``levels`` are those that its
    findings can have, the usual one first. Where ``limit`` is true, its errors are
    hard limits of the service, which no suppression can allow. ``rewrites`` is what its fixes change of rows that are stored; None
    where they change only what can change at any time, as queries, GC rules and estimates, or where something is wrong. ``slow`` is whether even
    its errors say that rows are read or written slowly, and never that a query would get wrong rows, that cells would be
    lost, or that the service refuses them. A rule on several models that ``sees_views`` is given the views, too, as they may serve
    what it would find on their tables.
    """

    id: str
    name: str
    check: Callable[[Subject], Iterable[Finding]]
    page: str = field(converter=_text, repr=False)
    levels: tuple[Level, ...] = (Level.ERROR,)
    limit: bool = False
    rewrites: Rewritten | None = field(kw_only=True)
    slow: bool = False
    sees_views: bool = False

    @property
    def allowable(self) -> bool:
        """Whether there are findings of it that a model can allow."""
        return not self.limit or any(level is not Level.ERROR for level in self.levels)

    @property
    def address(self) -> str | None:
        """Its page on the site of this version; None for a package that names no site."""
        site = _site()
        return site and f"{site}/rules/{self.id}/"

    def finding(
        self,
        model: ModelSchema,
        message: str,
        *,
        why: str,
        fix: str | Fix | Callable[[], Iterable[Fix]],
        part: str | None = None,
        at: Location | None = None,
        level: Level | None = None,
        edit: ArgumentEdit | None = None,
        said: str | None = None,
    ) -> Finding:
        """A finding of this rule on ``model``; ``part`` is the field that is meant, ``at`` its line, ``said`` the sentence of the description.

        ``fix`` is the suggested fix, which may be words alone, or what works out the ways to fix it: see :attr:`Finding.ways`.
        ``edit`` is the fix in words as a change of the declaration.
        """
        level = level or self.levels[0]
        return Finding(
            rule=self.id,
            name=self.name,
            level=level,
            limit=self.limit and level is Level.ERROR,
            module=model.module,
            model=model.name,
            field=part,
            location=at or model.location,
            message=message,
            why=why,
            fix=fix if isinstance(fix, str) else "",
            edit=edit,
            said=said,
            ways=None if isinstance(fix, str) else _one(fix) if isinstance(fix, Fix) else fix,
        )


def _one(fix: Fix) -> Callable[[], Iterable[Fix]]:
    return lambda: (fix,)


class Suppressions(NamedTuple):
    """A model's suppressions, and what the rules found on it before any of them counted.

    ``rules`` holds the rules that were applied in full, or in part where a model is
    looked at without the others of its project: ``partial`` holds the ids of those.
    """

    model: ModelSchema
    found: tuple[Finding, ...]
    rules: Mapping[str, Rule[Any]]
    partial: frozenset[str] = frozenset()

    def reason(self, id: str) -> str:
        """The reason given for ``id``, without blanks around it; empty where none is."""
        return str(self.model.allow.get(id) or "").strip()

    def cover(self, finding: Finding) -> bool:
        """Whether the model allows ``finding``: with a reason, and where it is no hard limit."""
        return not finding.limit and bool(self.reason(finding.rule))

    def without(self, id: str) -> ArgumentEdit | None:
        """The change of the class that drops ``id`` from its suppressions."""
        return allowing({each: why for each, why in self.model.allow.items() if each != id})

    def hit(self, id: str) -> tuple[Finding, ...]:
        """The findings of the rule ``id``, suppressed or not."""
        return tuple(finding for finding in self.found if finding.rule == id)


def allowing(allow: Mapping[str, str]) -> ArgumentEdit | None:
    """The change of a class after which it allows just that; None for what is no text, and cannot be shown as such."""
    if not all(isinstance(each, str) for item in allow.items() for each in item):
        return None
    return ArgumentEdit("allow", literal(dict(allow)))


EXAMPLES = ("Example", "Use instead")
SECTIONS = ("What it finds", "Why", *EXAMPLES, "Allow", "Source")


_ID = pattern("([A-Z]+)[-_ ]*([0-9]*)")


def near_ids(wrong: str, ids: Iterable[str]) -> list[str]:
    """The ids that ``wrong`` may have meant, the likeliest first: the same number, of a group called so or nearly so.

    ``KEY1`` and ``KEYS001`` are KEY001; a number that no rule has is near to nothing.
    """
    found = _ID.fullmatch(wrong.strip().upper())
    if found is None or not found[2]:
        return []
    groups: dict[str, dict[int, str]] = {}
    for id in sorted(ids):
        known = _ID.fullmatch(id)
        if known and known[2]:
            groups.setdefault(known[1], {})[int(known[2])] = id
    alike = [found[1]] if found[1] in groups else near(found[1], groups)[:1]
    number = int(found[2])
    return [groups[group][number] for group in alike if number in groups[group]]


@cache
def _site() -> str | None:
    """Where the site of this version is: ``Documentation`` of the package's addresses, with the version; None where it has none."""
    from importlib.metadata import PackageNotFoundError, metadata  # only here, as below

    try:
        about = metadata("btmodel")
    except PackageNotFoundError:  # sources that are not installed
        return None
    addresses = dict(each.split(", ", 1) for each in about.get_all("Project-URL") or ())
    address = addresses.get("Documentation")
    return address and f"{address.rstrip('/')}/{about['Version']}"


class RulePage(NamedTuple):
    """A page taken apart: its title line, and the text of each section by its heading.

    ``Example`` and ``Use instead`` hold Python that runs: a model that the rule
    flags, and the same model fixed.
    """

    title: str
    sections: dict[str, str]

    @classmethod
    def parse(cls, text: str) -> "RulePage":
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
            raise ValueError(f"{title}: expected the sections {SECTIONS}, got {tuple(sections)}")
        return cls(title, {name: dedent("\n".join(body)).strip() for name, body in sections.items()})
