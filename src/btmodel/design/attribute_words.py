"""The words by which a description may speak of the attributes of a model, and of its rows."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import get_origin

from btmodel.codecs.cell.record import is_class
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.words import words

# Words behind a name that say no more than that it is one, and other words for the same.
GENERIC = frozenset(
    words(
        "id ids no nr num number numbers code codes key ref identifier hash digest uuid guid sha md5 hex column field"
    )
)
SAME = {"mail": "email", "telephone": "phone", "mobile": "phone", "cellphone": "phone", "msisdn": "phone"}
_ADDRESSED = frozenset(words("email ip mac"))
# What a row is called behind the name of what it is about.
_CONTAINERS = frozenset(
    words(
        "profile record row entry info information detail details data state status document entity card sheet"
    )
)


def attributes(model: ModelSchema) -> Mapping[str, tuple[str, ...]]:
    """The words of each attribute by which rows may be asked for, without those that say only that it is a number or an id."""
    columns = (
        column.name for column in model.columns if column.shape.plain and _in_hand(column.codec.python_type)
    )
    return {name: _core(words(name)) for name in (*(part.name for part in model.key.asked), *columns)}


def named(known: Mapping[str, tuple[str, ...]], phrase: Sequence[str]) -> tuple[str, ...]:
    """The one attribute of ``known`` that a phrase names, or none: its name, its end, or its name with more in front."""
    core = _core([part for word in phrase for part in words(word.replace("e-mail", "email"))] or [""])
    if core == ("",) or core[-1] in GENERIC:
        return ()
    same = [name for name, parts in known.items() if parts == core]
    ends = [name for name, parts in known.items() if parts[-len(core) :] == core]
    begun = [name for name, parts in known.items() if core[-len(parts) :] == parts]
    found = next((names for names in (same, ends, begun) if names), [])
    return tuple(found) if len(found) == 1 else ()


def things(model: ModelSchema) -> frozenset[str]:
    """What the description may call a row, in the singular: after the model, its table, its first words and the last field of its key."""
    name = [word.lower() for word in words(model.name)]
    called = [*name[-1:], *words(model.table)[-1:], *caption(model.doc)]
    called += [word for word in name[:-1] if name[-1] in _CONTAINERS]
    called += [_core(words(part.name))[-1] for part in model.key.asked[-1:]]
    return frozenset(map(singular, called)) - GENERIC


# What ends like the plural of a word with a y, and is none.
_NO_PLURALS = frozenset(words("series movies selfies cookies rookies species calories"))


def singular(word: str) -> str:
    """The singular of a word, in lower case, and that which btmodel takes for it."""
    word = word.lower().strip("`").replace("e-mail", "email")
    if word.endswith("ies") and len(word) >= len("cities") and word not in _NO_PLURALS:
        word = f"{word[:-3]}y"
    elif word.endswith(("sses", "ches", "shes", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return SAME.get(word, word)


def _in_hand(kind: type) -> bool:
    """Whether a reader may have just that value in hand: no measurement, and no list."""
    held = get_origin(kind) or kind  # of ``list[int]``, a list: it is no class itself from Python 3.13 on
    return not any(is_class(held, one) for one in (float, Decimal, list, tuple, set, frozenset, dict))


def _core(parts: Sequence[str]) -> tuple[str, ...]:
    """The words of a name that say what it is the name of."""
    core = [singular(part) for part in parts]
    while len(core) > 1 and core[-1] in GENERIC:
        core.pop()
    if len(core) > 1 and core[-1] == "address" and core[-2] in _ADDRESSED:
        core.pop()
    return tuple(core)


_CAPTION = pattern(
    r"(?i)^(?:an?|the|one|all)\s+((?:[\w-]+\s+){0,3}?[\w-]+)(?=[,.;:]|\s+(?:of|that|which|who|in|on|at|by|from|for|with|and|or|to|is|are|as)\b|$)"
)


def caption(doc: str) -> Sequence[str]:
    """What the first words of a description call a row."""
    found = _CAPTION.match(" ".join(doc.split()))
    return found[1].split()[-1:] if found else ()
