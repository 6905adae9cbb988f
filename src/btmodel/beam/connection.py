"""The connections of workers, and what of a pipeline reaches them: the address of the instance, and what they can import."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

import pickle
import sys
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Self

import apache_beam as beam
from attrs import evolve, frozen

from btmodel.client.options import Options
from btmodel.client.target import Mixed, Target
from btmodel.errors import QueryRefused, reason

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database


@frozen
class Address:
    """An instance as workers connect to it: with the options of the connection that it was taken from."""

    instance: str
    host: str | None
    options: Options

    @classmethod
    def of(cls, db: Any, where: str) -> Self:
        """That of a connection of ``connect``. Raises :class:`QueryRefused` where its options cannot be pickled."""
        if not isinstance(db, Mixed):
            raise TypeError(f"{where}: expected a read or a repository of connect(...), got one of {db!r}")
        target: Target = db.target  # type: ignore[attr-defined]  # of a Database
        options: Options = evolve(db.options, on_call=None)  # type: ignore[attr-defined]
        try:
            pickle.dumps(options)
        except Exception as error:
            raise QueryRefused(
                f"{where}: the options of the connection cannot be sent to workers ({reason(error)}): give connect the path of a file "
                "of credentials that they have, or none"
            ) from None
        return cls(target.instance, target.address, options)

    def connect(self) -> "Database":
        """A connection of the worker's own."""
        from btmodel.client._sync.database import Database  # here: only workers need Google's client

        return Database(Target(self.instance, self.host, options=self.options))


class Connected(beam.DoFn):
    """A step with a connection of its own."""

    def __init__(self, address: Address) -> None:
        super().__init__()
        self._address = address

    def setup(self) -> None:
        """Connect, in the worker."""
        self._db = self._address.connect()

    def teardown(self) -> None:
        """Close the connection."""
        self._db.close()


def is_importable(thing: object, module: str, name: str) -> bool:
    """Whether workers can import ``thing`` by its name: not what a script, a notebook or a function made."""
    try:
        return module != "__main__" and attrgetter(name)(sys.modules[module]) is thing
    except (AttributeError, KeyError):
        return False


def refuse_unimportable(where: str, *classes: type[Any]) -> None:
    """Raise :class:`QueryRefused` for classes that workers could not import."""
    for class_ in classes:
        module, name = class_.__module__, class_.__qualname__
        if not is_importable(class_, module, name):
            raise QueryRefused(
                f"{where}: {name} does not reach workers, which cannot import it from {module}: declare the model in "
                "a module that they can import, and generate its repository there"
            )
