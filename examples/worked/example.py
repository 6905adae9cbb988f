"""What every worked system shows: its models, the values that it writes, the questions, a design that is refused."""

from collections.abc import Callable, Iterable

from attrs import frozen

import btmodel as bt


@frozen
class Answer:
    """A question to the tables, in the words of the people who ask it, and what came back."""

    question: str
    answer: object


@frozen
class Example:
    """A worked system.

    ``write`` writes its values into an instance that has the tables of ``models``,
    ``ask`` answers the questions. Each of ``refused`` declares a model that is refused,
    with the reason in the words of the rules.
    """

    title: str
    models: tuple[type[bt.Model], ...]
    write: Callable[[bt.Database], None]
    ask: Callable[[bt.Database], Iterable[Answer]]
    refused: tuple[Callable[[], object], ...] = ()
