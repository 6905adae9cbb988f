"""What a module with declared models has beside them: its imports, and the enums that it declares itself."""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from attrs import frozen

from btmodel.schema import ModelSchema
from btmodel.schema.bucket import FixedBucket
from btmodel_codegen.attribute_code import types_of
from btmodel_codegen.enum_code import bases_of, enum_code
from btmodel_codegen.naming import Names, Place, classes, place_of
from btmodel_codegen.python_text import imports

# Names that every such module has.
_USED = ("bt", "data_step", "move", "rewrite")
# Packages whose names are no matter of the application.
_OTHERS = sys.stdlib_module_names | {"btmodel", "google", "numpy"}


@frozen
class ModelScope:
    """The names of a module for the classes and functions that its models need; ``enums`` are the declarations of those that it has itself."""

    enums: tuple[str, ...]
    _own: Mapping[Any, str]
    _names: Names

    def spell(self, named: Any) -> str:
        """How the module calls a class or a function."""
        return self._own.get(named) or self._names.own(named)

    def imports(self, always: Iterable[str]) -> str:
        """The lines of its imports: those of the standard library, then ``always`` and the others."""
        found = imports(self._names.imported)
        standard = [line for line in found if line.split()[1].partition(".")[0] in sys.stdlib_module_names]
        others = sorted(
            {*always, *found} - set(standard), key=lambda line: (not line.startswith("import"), line)
        )
        return "\n\n".join("\n".join(lines) for lines in (standard, others) if lines)

    @property
    def of_application(self) -> tuple[str, ...]:
        """The names that it imports of the application, as ``app.models.up``."""
        found = (
            f"{module}.{name.partition(' as ')[0]}"
            for module, name in self._names.imported
            if module.partition(".")[0] not in _OTHERS
        )
        return tuple(sorted(found))


def scope_of(
    schemas: Sequence[ModelSchema], taken: Collection[str], *, declares_enums: bool = True
) -> ModelScope:
    """The names for these models in a module that has the names in ``taken`` for classes and functions of its own.

    A revision declares the enums itself, as those of the application change. Raises :class:`GenerationError` for what cannot be imported.
    """
    needed = list(_needed(schemas))
    used = {*_USED, *taken}
    own: dict[Any, str] = {}
    enums: list[str] = []
    bases: list[Any] = []
    found = (each for each in classes(needed) if isinstance(each, type) and issubclass(each, Enum))
    for enum in (
        sorted(found, key=lambda each: (each.__qualname__, each.__module__)) if declares_enums else ()
    ):
        name = _free(enum.__name__, used)
        code = enum_code(enum, name)
        if code is not None:
            own[enum] = name
            used.add(name)
            enums.append(code)
            bases += bases_of(enum)
    others = {each for each in classes(needed) if each not in own}
    return ModelScope(tuple(enums), own, Names.of([*others, *bases], _places(schemas), used, {}))


def _free(name: str, used: Collection[str]) -> str:
    while name in used:
        name = f"_{name}"
    return name


def _needed(schemas: Sequence[ModelSchema]) -> Iterator[Any]:
    for schema in schemas:
        for parts in (schema.key.fields, schema.columns):
            for part in parts:
                yield from types_of(part)
        if isinstance(schema.bucket, FixedBucket):
            yield timedelta
        if schema.stamp.stored:
            yield datetime


def _places(schemas: Sequence[ModelSchema]) -> Iterator[Place]:
    """Where the functions of derived key fields are imported from; those of btmodel have functions of their own."""
    for schema in schemas:
        for field in schema.key.fields:
            if field.derived and not hasattr(field.derived.by, "func"):
                yield place_of(field.derived.by)
