"""Findings and their fixes."""

import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

import attrs
from attrs import evolve, frozen

from btmodel import design
from btmodel.schema import Family, KeyField, Location, ModelSchema
from btmodel.schema.names import placeholders
from btmodel.value import Value
from btmodel.words import printable

if TYPE_CHECKING:  # rules are loaded with every model, and few find anything
    from btmodel.design.proposal import Design

# Of a declaration: what its bytes, or the name of its cells, are made of.
_WRITTEN = ("codec", "id", "mirror", "qualifier")


@frozen(eq=False, repr=False)
class ArgumentEdit(Value):
    """A change of one argument of the declaration that a finding points at, after which it is gone.

    ``argument`` is the name of the argument, of a class its keyword, whether it is given by
    name or by position; of those without a name, as of ``bt.query``, it is the number, from 0 on.
    ``text`` is the Python expression that it becomes, with the names of this package behind
    ``bt.``. An argument that is not there yet is added.
    """

    argument: int | str
    text: str

    @property
    def rewrites(self) -> bool:
        """Whether rows that exist already are not found, or not read, any more: it changes what is written."""
        return self.argument in _WRITTEN

    def as_json(self) -> dict[str, int | str]:
        """The edit as a flat dict of JSON values."""
        return {"argument": self.argument, "text": self.text}


def codec_named(text: str) -> ArgumentEdit | None:
    """The change of a key field to the codec that ``text`` names, as in "`bt.PaddedInt(6)`"; None where it says more."""
    found = re.fullmatch("`(bt\\.[^`]+)`", text)
    return ArgumentEdit("codec", found[1]) if found else None


def family_renamed(model: ModelSchema, family: Family, id: str) -> ArgumentEdit | None:
    """The change of a family's id, where nothing else names it and no other family has the new one."""
    mirrored = any(part.mirror and part.mirror.family == family.id for part in model.key.fields)
    taken = any(other.id == id for other in model.families)
    return None if mirrored or taken or placeholders(family.id) else ArgumentEdit("id", literal(id))


def literal(value: str | dict[str, str]) -> str:
    """Python for a text, or a dict of texts, with double quotes; half a surrogate pair is written as its escape."""
    import json  # here: rules are loaded with every model, and few find anything

    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace").decode()


class Level(Enum):
    """How grave a finding is. An error refuses the class; the others are collected and shown."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return _RANKS[self]


_RANKS = {level: rank for rank, level in enumerate(Level)}


@frozen(eq=False, repr=False)
class Fix(Value):
    """A way to fix a finding: in words, and as what it leads to.

    ``models`` are the model as the fix leaves it, and behind it the second tables that the fix adds. They are
    empty where words are all that there is, or where ``edit`` is the whole of the fix: see :mod:`btmodel.lint.proof`.
    ``otherwise`` continues the words with what else may be done, which depends on what no model says.
    ``replaced`` are the other models that the fix changes, as they were: they are reviewed together with this one.
    ``instead`` are pairs of names: an attribute that the models do not have any more, and the one that holds its values.
    ``as_if`` is an edit by which it is proved where words say more than a change of one argument, as "`bt.PaddedInt(9)` of the number + 1".
    An ``alternative`` is also said behind the first fix that holds, where it holds, too; its ``head`` are words that stand in front of it
    only where it is the first itself. A fix may keep ``longer`` what was deleted too soon.
    Where one of the models answers what another one is asked, they are reviewed ``together``, as replaced ones are.
    """

    text: str
    models: tuple[ModelSchema, ...] = ()
    edit: ArgumentEdit | None = None
    otherwise: str = ""
    replaced: tuple[ModelSchema, ...] = ()
    instead: tuple[tuple[str, str], ...] = ()
    alternative: bool = False
    longer: bool = False
    together: bool = False
    as_if: ArgumentEdit | None = None
    head: str = ""


def encoded(part: KeyField, instead: str) -> Fix:
    """The fix that gives a key field another codec, of which ``instead`` names the first that may do."""
    text, first = f"encode `{part.name}` as {instead}", re.search("`(bt\\.[^`]+)`", instead)
    as_if = ArgumentEdit("codec", first[1]) if first else None
    return Fix(text, edit=codec_named(instead), as_if=as_if)


def key_fixes(
    model: ModelSchema, words: "Callable[[Design], str]", otherwise: "Callable[[Design], str]" = lambda _: ""
) -> Callable[[], Iterable[Fix]]:
    """The fixes that change the key, the best first: all findings of a model try the same keys.

    ``words`` says each, and ``otherwise`` what else may be done.
    """

    def ways() -> Iterator[Fix]:
        asking, declared = design.giving(model)
        for each, models in design.led_to(asking) if declared else ():
            if each.key != model.key and not each.unserved:
                yield Fix(f"{words(each)}, with {declared}", models, otherwise=otherwise(each))
        for each, models in design.led_to(model):
            if each.key != model.key:
                yield Fix(words(each), models, otherwise=otherwise(each))

    return lambda: kept(model, ways())


def kept(model: ModelSchema, fixes: Iterable[Fix]) -> Iterator[Fix]:
    """The fixes of a key. A view whose key SQL does not make, such as a salted one, becomes a table with that key."""
    tables = []
    for fix in fixes:
        if not any(map(design.unkept, fix.models)):
            yield fix
        elif fix.models:
            tables.append(fix)
    if model.view is None:
        return
    # What changes of a row moves that of the table, as it moved that of the view.
    why = "owned twins move its rows"
    instead = (
        "in place of the view, declare a second table, and write both together, by `bt.twins`: with `owned=True`, "
        f'and `allow={{"KEY021": "{why}"}}`, where values of its key change'
    )
    for fix in tables if model.queries else ():
        made = tuple(
            evolve(
                each,
                view=None,
                table=each.table.rpartition("/")[2].lower(),
                allow={**each.allow, "KEY021": why},
            )
            for each in fix.models
        )
        yield Fix(f"{instead}; there, {fix.text}", made)
    yield Fix(
        f"begin the key with another field of `{model.view.of}` that has many values; or, {instead}, with a key that begins with one"
    )


@frozen(eq=False, repr=False)
class Finding(Value):
    """What a rule found: where, why it matters, and the suggested fix in terms of this model.

    ``field`` names the key field, column, family or query that is meant, or is None
    where the whole model is. ``limit`` is true where the service itself refuses what
    was found, which no suppression can change. ``edit`` is that fix as a change of one
    declaration, where it is no more than that. ``simulated`` is what a simulation shows of it; no rule fills it in,
    but ``btmodel check --simulate``. ``cost`` is what following the advice costs, where rows of the model exist already.
    ``said`` is the sentence of the model's description that it is about, where commands show its line, if they find it.

    ``ways`` works out the ways to fix it, the best first, of which the first that is proved becomes the ``fix``.
    A rule gives it; the findings of a review have none, but the ``models`` that their fix leads to, where it was proved.
    """

    rule: str
    name: str
    level: Level
    limit: bool
    module: str
    model: str
    field: str | None
    location: Location | None
    message: str
    why: str
    fix: str
    edit: ArgumentEdit | None = None
    simulated: str | None = None
    cost: str | None = None
    said: str | None = attrs.field(default=None, eq=False, repr=False)
    ways: Callable[[], Iterable[Fix]] | None = attrs.field(default=None, eq=False, repr=False)
    models: tuple[ModelSchema, ...] = attrs.field(default=(), eq=False, repr=False)

    @property
    def subject(self) -> str:
        """The model, or the part of it that is meant: ``Quote.bid``."""
        return self.model if self.field is None else f"{self.model}.{self.field}"

    @property
    def place(self) -> str:
        """The subject, and the source line where it is known: ``Quote.bid (models.py:7)``."""
        return self.subject if self.location is None else f"{self.subject} ({self.location})"

    def as_json(self) -> dict[str, str | int | bool | dict[str, int | str] | None]:
        """The finding as a dict of JSON values, flat but for its edit. The keys are a contract: they are only ever added to."""
        return {
            "rule": self.rule,
            "name": self.name,
            "level": self.level.value,
            "limit": self.limit,
            "module": self.module,
            "model": self.model,
            "field": self.field,
            "file": None if self.location is None else self.location.file,
            "line": None if self.location is None else self.location.line,
            "message": self.message,
            "why": self.why,
            "fix": self.fix,
            "edit": None if self.edit is None else self.edit.as_json(),
            "simulated": self.simulated,
            "cost": self.cost,
        }

    @property
    def order(self) -> tuple[str | int, ...]:
        """The sort key of findings: the model, then the level (errors first), then the rule and the place."""
        line = 0 if self.location is None else self.location.line
        return (self.module, self.model, self.level.rank, self.rule, line, self.field or "", self.message)

    def __str__(self) -> str:
        return printable(
            f"{self.place}: {self.level.value} {self.rule} {self.name}: {self.message}. "
            f"Why: {self.why}. Fix: {self.fix}."
        )
