"""The answer of a simulation on a terminal."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from attrs import evolve
from rich import box
from rich.table import Table

from btmodel.cli.console import Console, Text
from btmodel.cli.heat_drawn import print_side
from btmodel.counted import counted
from btmodel.simulate.answer.answer import TableAnswer
from btmodel.simulate.answer.figures import Row, grown, growth_rows, load_rows
from btmodel.simulate.answer.rests import assumed_rows, firm_lines
from btmodel.simulate.answer.said import Said
from btmodel.simulate.answer.words import duration, rate
from btmodel.simulate.comparing import Compared
from btmodel.simulate.picture import Side, scale_of
from btmodel.simulate.simulated import Simulated

_HOT, _FINE = "bold red", "bold green"
# Of more tables, the growth is in one table, and maps are drawn of the hottest.
_MOST_TABLES = 3


def print_answer(console: Console, result: Compared) -> None:
    """Everything: the sentences, the figures, the heat maps and the nodes, and what rests on what."""
    print_sentences(console, result.said)
    first, sides = result.sides[0], result.all
    _print_heading(console, _heading(first))
    _print_rows(console, [one.scenario.name for one in sides], load_rows([one.answer for one in sides]))
    _print_growth(console, result)
    scale = scale_of([heat.writes for one in sides for heat in one.side.heats])
    console.print()
    print_side(console, _drawn(first), "writes", scale)
    _print_heading(console, "Firm, whatever the service does inside")
    bounds = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    for line in firm_lines(first.outcome.firm, first.outcome.cluster.assumptions):
        bounds.add_row(" -", _marked(line))
    console.print(bounds)
    _print_heading(console, "Assumed, because nobody publishes it: what is marked * rests on this")
    grid = Table(box=None, show_header=False, padding=(0, 0, 0, 2))
    for row in assumed_rows(first.outcome.cluster.assumptions):
        grid.add_row(*(Text(part, "" if at < 2 else "dim") for at, part in enumerate(row)))
    console.print(grid)
    console.print(
        Text(
            "  Another value: --assume split-bytes=200MiB. docs/simulate.md says what each is taken from.",
            "dim",
        )
    )


def print_sentences(console: Console, said: Sequence[Said]) -> None:
    """One sentence of each table, what is hot first."""
    for one in said:
        text = _marked(one.sentence)
        text.highlight_regex(r"[\d,]+ of [\d,]+ nodes busy", _FINE)
        text.stylize(_HOT if one.hot else _FINE, 0, len(one.table) + 1)
        console.print(text, soft_wrap=not console.is_terminal)
        for more in one.more:
            console.print(_marked(f"  {more}", "dim"), soft_wrap=not console.is_terminal)


def _print_heading(console: Console, title: str) -> None:
    console.print()
    console.print(Text(title, "bold"), soft_wrap=True)


def _heading(first: Simulated) -> str:
    answer = first.answer
    tables = answer.tables
    shown = tables[0].workload.model.key.shape if len(tables) == 1 else counted(len(tables), "table")
    nodes = counted(answer.nodes, f"{first.outcome.cluster.storage.upper()} node")
    return f"{shown}  {rate(answer.events)} events/s for {duration(answer.seconds)} on {nodes}"


def _print_rows(console: Console, names: Sequence[str], rows: Iterable[Row]) -> None:
    """Figures, those of alternatives side by side; a star marks what rests on assumptions."""
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, collapse_padding=True, show_edge=False)
    grid.add_column("", style="dim", no_wrap=True)
    grid.add_column("", no_wrap=True)
    for name in names:
        grid.add_column(Text(name), justify="right", overflow="fold")
    for group, some in groupby(rows, key=lambda row: row.group):
        for at, row in enumerate(some):
            grid.add_row(group if at == 0 else "", f"{row.name}{'' if row.firm else ' *'}", *row.texts)
    console.print(grid)


def _print_growth(console: Console, result: Compared) -> None:
    """What becomes of the tables: of one, by time; of alternatives of it, side by side; of several, a line each."""
    sides = result.all
    first = sides[0].answer.tables
    console.print()
    if len(first) > 1:
        _print_grown(console, [(table.name, table) for table in first], ("a day", "a year"))
    elif len(sides) == 1:
        _print_grown(console, [("", table) for table in first], ("a day", "a month", "a year"))
    else:
        tables = [table for one in sides for table in one.answer.tables]
        _print_rows(console, [one.scenario.name for one in sides], growth_rows(tables))


def _print_grown(console: Console, tables: Sequence[tuple[str, TableAnswer]], spans: Sequence[str]) -> None:
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, collapse_padding=True, show_edge=False)
    for name in ("", "after", "rows", "table", "a row", "the largest row"):
        grid.add_column(name, justify="left" if name in ("", "after") else "right", no_wrap=True)
    for name, table in tables:
        for at, span in enumerate(spans):
            grid.add_row(name if at == 0 else "", span, *grown(table, span))
    console.print(grid)


def _drawn(first: Simulated) -> Side:
    """What is drawn: of many tables, those with the most to do."""
    side = first.side
    if len(side.heats) <= _MOST_TABLES:
        return side
    hottest = sorted(side.heats, key=lambda heat: -float(heat.writes.sum()))[:_MOST_TABLES]
    return evolve(side, heats=hottest)


def _marked(text: str, style: str = "") -> Text:
    found = Text(text, style)
    found.highlight_regex("`[^`]+`", "bold")
    return found
