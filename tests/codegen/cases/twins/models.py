"""Models that are written together: by their attributes, by functions, to tables that are named at run time."""

from datetime import date

import btmodel as bt


class Person(bt.Model, table="person", events="1/s"):
    """A person, by number."""

    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    email: str | None = bt.column("email", d, default=None)
    name: str = bt.column("name", d)
    born: date = bt.column("born", d)


class ByName(bt.Model, table="by_name", events="1/s"):
    """People by name: each has a row of its own."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    born: date = bt.column("born", d)


class ByEmail(bt.Model, table="by_email", events="1/s"):
    """The people who have an address, by it."""

    email: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    number: int = bt.column("number", d)


class BornOn(bt.Model, table="born_on", events="1/s"):
    """The last one who was written of those that were born on a day."""

    born: date = bt.key(bt.DateText(), cardinality=40_000)

    d = bt.family("d", gc=bt.max_versions(1))
    number: int = bt.column("number", d)


class OfRegion(bt.Model, table="people-{PEOPLE}-of-{db}", events="1/s"):
    """The people of a region, in a table of its own, whose parameters are called as other things are."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    also = bt.family("e_{str}", gc=bt.max_versions(1))
    born: date = bt.column("born", d)
    email: str | None = bt.column("email", also, default=None)


class TwinRepository(bt.Model, table="model-with-a-table-whose-name-is-as-long-as-can-be", events="1/s"):
    """A model with the name of a class of the runtime."""

    number: int = bt.key(bt.PaddedInt(6), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    name: str = bt.column("name", d)


class ModelWithANameThatFillsMostOfALineOfCode(bt.Model, table="long", events="1/s"):
    """A long name."""

    name: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)

    d = bt.family("d", gc=bt.max_versions(1))
    number: int = bt.column("number", d)


def by_email(person: Person) -> ByEmail | None:
    """The row of an address; None where there is none."""
    return None if person.email is None else ByEmail(email=person.email, number=person.number)


class Copier:
    """What can be called, and has no name."""

    def __call__(self, row: TwinRepository) -> ModelWithANameThatFillsMostOfALineOfCode:
        """The row of the same name and number."""
        return ModelWithANameThatFillsMostOfALineOfCode(name=row.name, number=row.number)


PEOPLE = bt.twins(Person, ByName)
PEOPLE_AND_ALL_THAT_IS_KNOWN_OF_THEM_IN_A_NAME_THAT_FILLS_A_LINE_TWINS = bt.twins(
    Person, ByName, (ByEmail, by_email), (BornOn, lambda one: BornOn(born=one.born, number=one.number))
)
_born = bt.twins(Person, BornOn)
ofRegion = bt.twins(Person, OfRegion)
TwinRepositories = bt.twins(TwinRepository, (ModelWithANameThatFillsMostOfALineOfCode, Copier()))
Callable = bt.twins(ByName, BornOn)
SAME = PEOPLE
put = bt.twins(ByName, BornOn)
__hidden = bt.twins(Person, BornOn)
