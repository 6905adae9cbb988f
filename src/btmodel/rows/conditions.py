"""Conditions: comparisons of columns, joined as logic does, as filters that find a cell where they hold."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

from attrs import field, frozen

from btmodel.errors import QueryRefused, shown
from btmodel.rows.cells import MILLISECOND
from btmodel.rows.comparisons import Comparison, IsAbsent, IsPresent, as_comparison, uncompared_sum
from btmodel.rows.filters import Filter, FirstCells, Rows, RowsWithout, Times, any_of, chain
from btmodel.rows.gc_filter import of_newest, of_plain
from btmodel.rows.mutations import Conditional, Mutation
from btmodel.schema import Column, ModelSchema, Shape
from btmodel.words import did_you_mean, near

# A condition is a tree of these. Each becomes a filter that finds a cell where it holds, in a row that has any cell.


@frozen
class Found:
    """Holds where a filter finds a cell."""

    filter: Filter


@frozen
class Not:
    """Holds where another test does not."""

    test: "Test"


@frozen
class All:
    """Holds where every one of some tests does."""

    tests: "tuple[Test, ...]"


@frozen
class AnyOf:
    """Holds where one of some tests does."""

    tests: "tuple[Test, ...]"


Test = Found | Not | All | AnyOf
ANY_CELL = FirstCells(1)


def negated(test: Test) -> Test:
    """What holds where ``test`` does not, with negations inside."""
    match test:
        case Not(inner):
            return inner
        case All(tests):
            return AnyOf(tuple(map(negated, tests)))
        case AnyOf(tests):
            return All(tuple(map(negated, tests)))
    return Not(test)


def holds_without_row(test: Test) -> bool:
    """Whether it holds where there is no row, in which no filter finds a cell."""
    match test:
        case Not(inner):
            return not holds_without_row(inner)
        case All(tests):
            return all(map(holds_without_row, tests))
        case AnyOf(tests):
            return any(map(holds_without_row, tests))
    return False


def passing(test: Test, then: Filter | None) -> Filter | None:
    """What ``then`` lets through, of rows where ``test`` holds; None stands for everything."""
    match test:
        case All(tests):
            lacking = [one.test for one in tests if isinstance(one, Not)]
            if found := [_finding(one) for one in tests if not isinstance(one, Not)]:
                then = Rows(_all(found), then)
            return RowsWithout(any_of([_finding(one) for one in lacking]), then) if lacking else then
        case Not(inner):
            return RowsWithout(_finding(inner), then)
    return Rows(_finding(test), then)


def _finding(test: Test) -> Filter:
    """Finds a cell where ``test`` holds, in a row that has any cell: of no row, no filter finds one."""
    match test:
        case Found(filter):
            return filter
        case AnyOf(tests):
            return any_of([_finding(one) for one in tests])
        case All(tests) if not any(isinstance(one, Not) for one in tests):
            return _all([_finding(one) for one in tests])
    found = passing(test, ANY_CELL)
    assert found is not None
    return found


def _all(filters: list[Filter]) -> Filter:
    """Finds a cell where each does; halved again and again, for the service takes no filters that are nested deeply."""
    half = len(filters) // 2
    return Rows(_all(filters[:half]), _all(filters[half:])) if half else filters[0]


def all_of(conditions: Iterable[Filter], then: Filter | None) -> Filter | None:
    """What ``then`` lets through, of rows in which every one of ``conditions`` finds a cell."""
    return passing(All(tuple(map(Found, conditions))), then)


def conditional(mutation: Mutation, test: Test, otherwise: Mutation | None = None) -> Conditional:
    """The mutation where ``test`` holds, and ``otherwise`` where it does not."""
    return Conditional(mutation, *asked(test), otherwise)


def asked(test: Test) -> tuple[Filter, bool]:
    """The filter that says whether ``test`` holds, and whether it does where a cell is found, or where none is.

    Where it holds without a row, the opposite is asked for: nothing can be found where there is nothing.
    """
    absent = holds_without_row(test)
    return _finding(negated(test) if absent else test), not absent


def later_than(model: ModelSchema, time: int) -> Test:
    """Whether the time of a row, which lies in the timestamps of its plain cells, is after ``time``, in microseconds."""
    later = chain([of_plain(model), Times(time + MILLISECOND, 0)])
    assert later is not None
    return Found(later)


@frozen
class Condition:
    """A condition on a row of one model, as ``when`` of its repository makes it.

    Conditions are combined with ``&``, ``|`` and ``~``.
    """

    model: ModelSchema = field(repr=lambda model: model.name)
    test: Test

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(self.model, All((*_parts(All, self.test), *_parts(All, self._other(other)))))

    def __or__(self, other: "Condition") -> "Condition":
        return Condition(self.model, AnyOf((*_parts(AnyOf, self.test), *_parts(AnyOf, self._other(other)))))

    def __invert__(self) -> "Condition":
        return Condition(self.model, negated(self.test))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a condition has no truth value until the server evaluates it: combine conditions with `&`, `|` and "
            "`~`, not with `and`, `or` and `not`"
        )

    def _other(self, other: object) -> Test:
        if not isinstance(other, Condition) or other.model != self.model:
            raise QueryRefused(
                f"{self.model.name}: expected a condition of the same model, as when(...) of its repository gives it, "
                f"got {_shown(other)}"
            )
        return other.test


def _parts(kind: type[All] | type[AnyOf], test: Test) -> tuple[Test, ...]:
    return test.tests if isinstance(test, kind) else (test,)


def when(
    model: ModelSchema, given: Iterable[Any], expected: Mapping[str, Any], what: str = "when"
) -> Condition:
    """The condition that all of ``given`` hold of a row, and its columns are as ``expected``, by their names.

    ``given`` are conditions, or what compares with a whole row. Raises :class:`QueryRefused` for nothing at all.
    """
    tests = tests_of(model, given, expected)
    if not tests:
        raise QueryRefused(
            f"{model.name}: {what}: expected at least one column, and the value that it must have, got none"
        )
    return Condition(model, tests[0] if len(tests) == 1 else All(tests))


def tests_of(model: ModelSchema, given: Iterable[Any], expected: Mapping[str, Any]) -> tuple[Test, ...]:
    """The tests of all that is given and expected of a row."""
    of_row = (_row_test(model, one) for one in given)
    return (*of_row, *(_column_test(model, name, value) for name, value in expected.items()))


def _row_test(model: ModelSchema, given: Any) -> Test:
    if isinstance(given, Condition) and given.model == model:
        return given.test
    if not isinstance(given, IsPresent):
        raise QueryRefused(
            f"{model.name}: expected columns by their names, a condition, as when(...) of its repository gives it, or "
            f"bt.present() or bt.absent() of the row, got {_shown(given)}"
        )
    return _signed(given, given.of_row(model))


def _shown(given: object) -> str:
    if isinstance(given, Condition):
        return f"one of {given.model.name}"
    return str(given) if isinstance(given, Comparison) else shown(given)


def _signed(comparison: Comparison[Any], filter: Filter) -> Test:
    found = Found(filter)
    return Not(found) if comparison.when_absent else found


def _column_test(model: ModelSchema, name: str, value: Any) -> Test:
    column, comparison = _column(model, name), as_comparison(value)
    if isinstance(comparison, IsPresent) and comparison.family is not None:
        raise QueryRefused(
            f"{model.name}.{name}: expected bt.present() or bt.absent() of the column, without a family, got {comparison}"
        )
    if not comparison.of_any_shape and column.shape.summed:
        number = f"row.{name}.total" if column.shape.spanned else f"(row.{name} or 0)"
        raise uncompared_sum(f"{model.name}.{name}", comparison, number)
    of_newest_version = column.shape is Shape.HISTORY and isinstance(value, Comparison)
    if not comparison.of_any_shape and not column.shape.plain and not of_newest_version:
        ways = "bt.present(), bt.absent()"
        if column.shape.entered:
            ways += " or bt.contains(...)"
        elif column.shape is Shape.HISTORY:
            ways += " or, of its newest version, bt.one_of(...), bt.at_least(...) and the like"
        raise QueryRefused(
            f"{model.name}.{name}: expected a column of one value to compare, or {ways}, got {comparison}"
        )
    if not column.also:
        return _signed(comparison, comparison.filter(model, column))
    found = AnyOf(tuple(_tests_of_places(model, column, comparison)))
    return negated(found) if comparison.when_absent else found


def _tests_of_places(model: ModelSchema, column: Column, comparison: Comparison[Any]) -> Iterator[Test]:
    """What is to hold of each place of a column: a cell there, and none in a place that counts more."""
    lacking: list[Test] = []
    for place in column.places:
        yield All((*lacking, Found(comparison.filter(model, place))))
        lacking.append(Not(Found(of_newest(model, place))))


def _column(model: ModelSchema, name: str) -> Column:
    columns = {column.name: column for column in model.seen}
    if name in columns:
        return columns[name]
    known = f"expected a column ({', '.join(columns) or 'the model has none'})"
    if name in {part.name for part in model.key.asked}:
        raise QueryRefused(
            f"{model.name}.{name}: {known}, got a field of the row key: declare a query with it"
        )
    raise QueryRefused(f"{model.name}: {known}, got {shown(name)}{did_you_mean(near(str(name), columns))}")


def if_absent(model: ModelSchema, mutation: Mutation) -> Conditional:
    """The mutation under the condition that the row has no cell of the model."""
    return conditional(mutation, when(model, (IsAbsent(),), {}).test)


def if_equal(model: ModelSchema, mutation: Mutation, expected: Mapping[str, Any]) -> Conditional:
    """The mutation under the condition that columns are as expected."""
    return conditional(mutation, when(model, (), expected).test)
