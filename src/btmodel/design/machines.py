"""What names and descriptions say of machines, which may tell whose they are: the plates of vehicles, and addresses of network cards."""

from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.words import words

_PLATE = ("plate",)
# Of some machines, which may identify a person, or not.
_MAYBE = frozenset({("mac", "address"), _PLATE})
# Whose plates are those of people; a laboratory has others.
_VEHICLES = pattern(
    r"(?i)\b(cars?|vehicles?|trucks?|lorr(y|ies)|motor\w*|driv\w+|taxis?|cabs?|parking|park|tolls?|traffic|roads?|streets?|gates?|fines?|(number|licen[cs]e) plates?|licen[cs]e)\b"
)
# What has a plate that is given to its owner: a table of gates or roads may be about others.
_OWNED = pattern(
    r"(?i)\b((motor)?(cars?|bikes?)|vehicles?|trucks?|lorr(y|ies)|motorists?|drivers?|taxis?|(number|licen[cs]e) plates?)\b"
)


def perhaps_personal(model: ModelSchema, name: str) -> str | None:
    """The words of ``name`` that identify a person only if the machine belongs to one; None where none does."""
    parts = tuple(word.lower() for word in words(name))
    found = next((one for one in _MAYBE if parts[-len(one) :] == one), None)
    if found == _PLATE and not _VEHICLES.search(f"{' '.join(words(model.name))} {model.table} {model.doc}"):
        return None
    return None if found is None else " ".join(found)


def of_vehicles(model: ModelSchema, name: str) -> bool:
    """Whether ``name`` is that of the plates of vehicles, by the description, each of which a state gives to a person."""
    last = tuple(word.lower() for word in words(name))[-1:]
    return last == _PLATE and _OWNED.search(f"{' '.join(words(model.name))} {model.doc}") is not None
