"""Names in a generated module: under which name it imports each type that it spells."""

import builtins
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import count
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from attrs import frozen

from btmodel.errors import GenerationError
from btmodel.schema import ModelSchema
from btmodel.schema.names import is_name, is_parameter, is_private
from btmodel_codegen.literals import own_name, type_text

# Where a class is imported from: its module, and the name of it, or of the outermost class around it.
Place = tuple[str, str]


@frozen
class Names:
    """How a module spells types: each by its own name, unless something else in the module has it."""

    _bound: Mapping[Place, str]

    @classmethod
    def of(
        cls, types: Iterable[Any], places: Iterable[Place], taken: Collection[str], used: Mapping[str, Place]
    ) -> "Names":
        """The names for ``types``, and for what ``places`` are.

        Those in ``taken`` are attributes, methods and parameters, which would hide any type of this name; those
        in ``used`` stand for the one type that they are given with. A type that cannot have its name gets one
        that begins with an underscore, as no attribute does.
        """
        names = dict(used)
        bound: dict[Place, str] = {}
        found = classes(types)
        for class_ in found:
            refuse_unimportable(place_of(class_)[0], own_name(class_))
        for place in places:
            refuse_unimportable(*place)
        for place in sorted({*map(place_of, found), *places}):
            wanted = (name for name in _candidates(place[1]) if name not in taken)
            bound[place] = next(name for name in wanted if names.setdefault(name, place) == place)
        return cls(bound)

    def type(self, type_: Any) -> str:
        """How the module spells a type, which may be a generic one: ``dict[str, tuple[int, ...]]``."""
        return type_text(type_, self.own)

    def own(self, class_: Any) -> str:
        """How the module calls a class, or a function, that it imports."""
        return ".".join([self._bound[place_of(class_)], *own_name(class_).split(".")[1:]])

    def place(self, place: Place) -> str:
        """How the module calls what is imported from a place."""
        return self._bound[place]

    @property
    def imported(self) -> Iterator[tuple[str, str]]:
        """What must be imported, by module: ``date``, or ``date as _date``."""
        for (module, name), bound in self._bound.items():
            if bound != name:
                yield module, f"{name} as {bound}"
            elif module != builtins.__name__:
                yield module, name


def classes(types: Iterable[Any]) -> set[Any]:
    """The classes that generated code must import, or finds built in, to spell ``types``."""
    found: set[Any] = set()
    for type_ in types:
        origin = get_origin(type_)
        if origin is not None:
            found |= classes(get_args(type_)) | (set() if origin in (UnionType, Union) else {origin})
        elif not any(type_ is one for one in (None, NoneType, Ellipsis)):
            found.add(type_)
    return found


def spelt(type_: Any) -> Any:
    """``type_``, or Any in the place of one that generated code cannot name: a local one, a bare ``dict``."""
    try:
        for class_ in classes([type_]):
            refuse_unimportable(class_.__module__, class_.__qualname__)
            if not _held(class_):
                return Any
    except (AttributeError, GenerationError):
        return Any
    return Any if _bare(type_) else type_


def _bare(type_: Any) -> bool:
    """Whether a type, or one in it, lacks the types that it is of."""
    if get_origin(type_) is None:
        return _generic(type_)
    return any(map(_bare, get_args(type_)))


def _generic(class_: Any) -> bool:
    """Whether a class lacks the types that it is of; a NamedTuple has ``__class_getitem__`` from tuple, and lacks none."""
    return "__class_getitem__" in getattr(class_, "__dict__", ()) or bool(
        getattr(class_, "__parameters__", ())
    )


def refuse_unimportable(module: str, name: str) -> None:
    """Refuse what generated code could not import."""
    if module == "__main__":
        raise GenerationError(
            f"{name} is declared in a script that was run: move it to a module to import it from"
        )
    outer, *inner = name.split(".")
    # Every module has some names of Python's, such as `__class__`, whatever it declares.
    of_python = (is_private(outer) and outer.endswith("__")) or any(map(is_private, inner))
    if of_python or not all(map(is_name, f"{module}.{name}".split("."))):
        raise GenerationError(
            f"{module}.{name}: generated code cannot import this; declare it at the top of a module, "
            "under a name that Python does not reserve"
        )


def refuse_parameters(origin: str, model: ModelSchema) -> None:
    """Refuse names in the ids of ``model`` that no parameter can have, for the generated code of ``origin``."""
    for name in model.parameters:
        if not is_parameter(name):
            raise GenerationError(
                f"{origin}: {name!r}, in the ids of {model.name}, is not a valid parameter name; rename it"
            )


def _held(class_: Any) -> bool:
    """Whether the module of a class holds it under its own name."""
    found: Any = sys.modules.get(place_of(class_)[0])
    for name in class_.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is class_


def free(name: str, taken: Collection[str]) -> str:
    """``name``, with as many underscores behind it as it takes to be none of ``taken``."""
    while name in taken:
        name += "_"
    return name


def place_of(named: Any) -> Place:
    """Where generated code imports a class or a function from."""
    name = own_name(named).partition(".")[0]
    return _home(named, name), name


def _home(class_: Any, name: str) -> str:
    """The module to import a class from: some Pythons keep those of ``pathlib`` in ``pathlib._local``."""
    # Methods of classes that are written in C have no module.
    of = getattr(class_, "__self__", None)
    owner = of if isinstance(of, type) else getattr(class_, "__objclass__", builtins)
    module = str(getattr(class_, "__module__", None) or getattr(owner, "__module__", builtins.__name__))
    top, _, inner = module.partition(".")
    shown = getattr(sys.modules.get(top), name, None)
    hidden = inner.startswith("_") and top in sys.stdlib_module_names
    return top if hidden and getattr(shown, "__module__", None) == module else module


def _candidates(name: str) -> Iterator[str]:
    bare = name.lstrip("_")
    if not is_private(name):
        yield name
    yield f"_{bare}"
    yield from (f"_{bare}{number}" for number in count(2))
