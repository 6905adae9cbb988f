"""The figures of rollups that are of the wrong kind: sums of what has a value at each moment, and of maxima."""

from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from attrs import evolve

from btmodel.codecs.cell import Float64
from btmodel.design.series import unit
from btmodel.design.value_hints import extreme, level_said, said_extreme
from btmodel.estimates import timed
from btmodel.lint.finding import Fix
from btmodel.schema import Column, ModelSchema, View

_MINUTE = timedelta(minutes=1)


class WrongSum(NamedTuple):
    """A sum of ``of``, an attribute of the table, and the functions that make what is meant, with why, in words; ``said`` is whether a description says so."""

    column: Column
    of: str
    functions: tuple[str, ...]
    why: str
    said: bool


def wrong_sums(model: ModelSchema) -> Iterator[WrongSum]:
    """Each sum of a rollup over several moments of something whose value at each moment, or whose largest value, is what is summed up."""
    view = model.view
    if view is None or view.source is None or not _over_moments(model, view.source):
        return
    functions, source = dict(view.functions), view.source
    for name, of in view.sums:
        column = next((column for column in model.columns if column.name == name), None)
        if column is None or of is None or functions.get(name) != "sum":
            continue
        said = said_extreme(source.doc, of) or said_extreme(model.doc, name)
        kind = said or extreme(of) or extreme(name)
        level = level_said(f"{source.doc} {model.doc}", of)
        if kind is not None:
            largest = "largest" if kind == "max" else "smallest"
            why = f"is the {largest} of several values, by the {'description' if said else 'name'}"
            yield WrongSum(column, of, (kind,), why, said is not None)
        elif (
            level is not None and "count" not in functions.values()
        ):  # with a count, readers make the mean of it
            why = f"has a value at each moment, {f'as the description says {level[0]!r}' if level[1] else 'by its name'}"
            yield WrongSum(column, of, ("average", "max"), why, level[1])


def _over_moments(model: ModelSchema, source: ModelSchema) -> bool:
    """Whether a group of the rollup has rows of several moments: its time is coarser than that of the table, or it has none.

    Of the moments of a minute, the values of many things may well be added up.
    """
    fine, coarse = ([unit(part) for part in timed(each)] for each in (source, model))
    if not fine or None in fine or None in coarse:
        return False
    span = min((each for each in coarse if each is not None), default=None)
    if span is None:
        return True
    things = {part.name for part in source.key.asked if part not in timed(source)}
    of_all = bool(things - {part.name for part in model.key.asked})
    return span > min(each for each in fine if each is not None) and not (of_all and span <= _MINUTE)


def right_figures(model: ModelSchema, wrong: WrongSum) -> Iterator[Fix]:
    """The average or the largest value in the place of a sum."""
    assert model.view is not None
    for function in wrong.functions:
        codec = Float64() if function == "average" else wrong.column.codec
        made = evolve(wrong.column, codec=codec)
        kind = f"{codec.python_type.__name__}{'' if made.required else ' | None'}"
        columns = tuple(made if each == wrong.column else each for each in model.columns)
        view = _with_function(model.view, made.name, function)
        text = f'declare `{made.name}: {kind} = bt.{function}_of("{wrong.of}")`'
        largest = wrong.functions[1:] and function != "average"
        yield Fix(
            f"{text[8:]} for the largest" if largest else text,
            (evolve(model, columns=columns, view=view),),
            alternative=bool(largest),
        )


def _with_function(view: View, name: str, function: str) -> View:
    """The view, one of whose columns is made by another function."""
    return evolve(
        view, functions=tuple((each, function if each == name else of) for each, of in view.functions)
    )
