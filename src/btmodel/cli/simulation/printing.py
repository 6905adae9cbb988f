"""The answer of a simulation on a terminal, and as a table: a row for each measure, a column for each alternative."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from attrs import asdict, evolve, fields_dict, frozen, has
from rich import box
from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.style import Style
from rich.table import Table

from btmodel.cli.console import Console, PrintableText, Styled
from btmodel.schema import ModelSchema, Unserved, access
from btmodel.simulate import measures
from btmodel.simulate.answer import Answer, LoadSpread, TableAnswer, over_time
from btmodel.simulate.cluster.cluster import Assumed, Assumptions, described
from btmodel.simulate.cluster.outcome import BoundKind, LoadBound
from btmodel.simulate.measures import duration, figure, many, percent, rate
from btmodel.simulate.picture import ColorScale, Heat, Side, scale_of
from btmodel.simulate.picture.files import ticks
from btmodel.simulate.picture.heat import NOTHING, CharacterLine, Load, bar, colour, label_width, lines
from btmodel.simulate.sentence import LoadSentence
from btmodel.simulate.simulation import Compared, Simulated
from btmodel.simulate.table_growth import SPANS
from btmodel.words import counted, one_line, size_text


def bound_lines(bounds: Sequence[LoadBound], assumptions: Assumptions) -> Iterator[str]:
    """The bounds of tables, one line each, and the one for their sizes."""
    for one in bounds:
        where = f", most of them at {one.what}" if one.what else ""
        yield (
            f"{one.kind.value}: {percent(one.share)} of the writes of {one.table}{where}; "
            f"they need {percent(one.of_node)} of the capacity of a node{_until(one, assumptions)}"
        )
    yield "rows and bytes follow from the declarations alone, after garbage collection and without compression"


def _until(one: LoadBound, assumptions: Assumptions) -> str:
    """How long a table counts as small, which depends on an assumption."""
    if one.kind is not BoundKind.SMALL:
        return ""
    return f", for the first {duration(one.until)} (assuming that a table is small up to {size_text(assumptions.small_table)})"


def assumed_rows(assumptions: Assumptions) -> Iterator[tuple[str, str, str]]:
    """Each assumption: its name, its value, and what it decides."""
    for assumption in described(assumptions):
        source = (
            ""
            if assumption.value == assumption.default
            else f" (default: {valued(assumption, assumption.default)})"
        )
        yield (
            assumption.name.replace("_", "-"),
            valued(assumption, assumption.value),
            assumption.decides + source,
        )


def valued(one: Assumed, value: float) -> str:
    """The value of an assumption in its unit."""
    if one.unit == "bytes":
        return size_text(value)
    if one.unit == "seconds":
        return duration(value)
    return f"{figure(value)} {one.unit}"


def ranges_of(model: ModelSchema) -> int:
    """The ranges of the most expensive declared query that the key serves: one, or one per salt value; 0 without queries."""
    return max((_ranges(model, name) for name in (query.name for query in model.queries)), default=0)


def unserved(model: ModelSchema) -> tuple[str, ...]:
    """The declared queries for which the key is neither a key lookup, a prefix nor a range."""
    return tuple(query.name for query in model.queries if isinstance(access(model.key, query), Unserved))


def _ranges(model: ModelSchema, name: str) -> int:
    found = access(model.key, model.query(name))
    if isinstance(found, Unserved):
        return 0
    derived = found.scattered.derived if found.scattered else None
    return len(derived.values or ()) if derived else 1


_NONE = "-"
# The largest row gets its own line if it is this many times larger than the usual one.
_LARGER = 1.5


@frozen
class MeasureRow:
    """One measure for each alternative, in a ``group``; a ``firm`` row depends on no assumption."""

    group: str
    name: str
    texts: tuple[str, ...]
    firm: bool = False


def load_rows(answers: Sequence[Answer]) -> Iterator[MeasureRow]:
    """The load of the cluster, for all tables together."""

    def row(group: str, name: str, text: Callable[[Answer], str]) -> MeasureRow:
        return MeasureRow(group, name, tuple(map(text, answers)))

    yield row("writes", "nodes busy", lambda one: _busy(one.writes))
    yield row("writes", "on the hottest node", lambda one: _hottest(one.writes))
    if any(answer.reads for answer in answers):
        yield row("reads", "nodes busy", lambda one: _busy(one.reads))
        yield row("reads", "on the hottest node", lambda one: _hottest(one.reads))
    yield row("load", "hottest node, usual", lambda one: _share(one.load))
    yield row("load", "hottest node, peak", lambda one: _share(one.load_most))
    yield row("load", "p99 wait, usual", lambda one: duration(one.p99))
    yield row("load", "p99 wait, peak", lambda one: duration(one.p99_most))
    if any(answer.failed for answer in answers):
        yield row("load", "requests given up", lambda one: percent(one.failed))
    if any(answer.waiting > 1 for answer in answers):
        yield row("load", "backlog at the end", lambda one: duration(one.waiting))
    yield row("tablets", "at the end", lambda one: f"{one.tablets:,}")
    yield row("tablets", "splits, moves", lambda one: f"{one.splits:,}, {one.moves:,}")
    yield from _query_rows(answers)
    yield MeasureRow(
        "nodes", "needed for a spread load", tuple(f"{answer.need.load:,}" for answer in answers)
    )
    yield MeasureRow(
        "nodes", "needed for a year's data", tuple(f"{answer.need.storage:,}" for answer in answers)
    )


def _query_rows(answers: Sequence[Answer]) -> Iterator[MeasureRow]:
    """The cost of keys for reads, if it differs between alternatives."""
    models = [[table.workload.model for table in answer.tables] for answer in answers]
    ranges = [max(map(ranges_of, some)) for some in models]
    if max(ranges) > 1:
        yield MeasureRow(
            "queries", "ranges of one read", tuple(f"{ends or _NONE}" for ends in ranges), firm=True
        )
    lost = [sum(len(unserved(model)) for model in some) for some in models]
    if any(lost):
        yield MeasureRow("queries", "not served", tuple(f"{one:,}" for one in lost), firm=True)


def growth_rows(tables: Sequence[TableAnswer]) -> Iterator[MeasureRow]:
    """The growth of a table, which follows from the declarations alone."""

    for name in SPANS:
        after = [answer.growth.after[name] for answer in tables]
        pairs = list(zip(tables, after, strict=True))
        texts = {
            "rows": [many(one.rows) for one in after],
            "table": [_size(table, one.bytes) for table, one in pairs],
            "a row": [_size(table, one.row) for table, one in pairs],
        }
        if any(one.hottest_row > _LARGER * one.row for one in after):
            texts["the largest row"] = [_size(table, one.hottest_row) for table, one in pairs]
        yield from (
            MeasureRow(f"after {name}", what, tuple(found), firm=True) for what, found in texts.items()
        )


def grown(table: TableAnswer, span: str) -> tuple[str, ...]:
    """Rows, bytes, and the bytes of a usual and of the largest row, after a span."""
    after = table.growth.after[span]
    return (
        many(after.rows),
        _size(table, after.bytes),
        _size(table, after.row),
        _size(table, after.hottest_row),
    )


def _busy(spread: LoadSpread | None) -> str:
    return _NONE if spread is None else f"{spread.busy:,} of {spread.nodes:,}"


def _hottest(spread: LoadSpread | None) -> str:
    return _NONE if spread is None else _share(spread.hottest)


def _share(part: float) -> str:
    """A share, short enough for a column."""
    return percent(part).replace("less than ", "< ")


def _size(table: TableAnswer, count: float) -> str:
    return f"{'≥ ' if table.growth.missing else ''}{size_text(count)}"


_LINES, _COLUMNS = 16, 100  # of a map, at most
_LEAST, _MOST = 12, 26  # characters of the axis of keys
_FIGURES = 16  # characters behind the bar of a node
_NODES = 12  # that have a line each
_SHADES = " ·:-=+*#%@"  # where the terminal has no colours


def print_sides(console: Console, sides: Sequence[Side], what: Load, scale: ColorScale) -> None:
    """The writes or the reads of each table, and below them the load of the nodes; of alternatives one below the other.

    Keys run down, and time to the right. The scale is that of all that is compared.
    """
    alone = len(sides) == 1
    most = min(_MOST, max(console.width // 3, _LEAST))
    widths = (label_width(heat) for side in sides for heat in side.heats)
    margin = min(max([_LEAST, *widths]), most) + 1
    room = max(min(console.width - margin - _FIGURES, _COLUMNS), 10)
    for side in sides:
        for heat in side.heats:
            name = "" if alone else f"{side.name}: "
            _print_heat(console, heat, what, scale, (name, _LINES if alone else _LINES // 2, margin, room))
    if any(heat.rates(what).any() for side in sides for heat in side.heats):
        legend = _cut("", margin) + _legend(console, scale)
        legend.truncate(max(console.width, margin + room))
        console.print(legend, soft_wrap=True)
        console.print(
            PrintableText(measures.READ_A_MAP if scale.against_even else measures.READ_RATES, "dim")
        )
    for side in sides:
        of = "" if alone else f" of {measures.name(side.name)}"
        _print_nodes(console, side, of, (_NODES if alone else 0, margin, room))


def _print_heat(
    console: Console,
    heat: Heat,
    what: Load,
    scale: ColorScale,
    place: tuple[str, int, int, int],
) -> None:
    name, most, margin, room = place
    rates = heat.rates(what)
    verb = "written" if what == "writes" else "read"
    where = measures.name(name + heat.table)
    console.print(PrintableText.assemble((where, "bold"), f"  rows {verb} in ranges of keys"), soft_wrap=True)
    if not rates.any():
        console.print(PrintableText("  none", "dim"))
        return
    drawn = lines(heat, rates, scale, most, room)
    for line in drawn:
        shown = _coloured(line) if console.color_system else PrintableText(_shaded(line))
        console.print(_cut(line.label, margin) + shown, soft_wrap=True)
    console.print(_cut("", margin) + PrintableText(_axis(heat, len(drawn[0].halves)), "dim"), soft_wrap=True)


def _print_nodes(console: Console, side: Side, of: str, place: tuple[int, int, int]) -> None:
    """The busiest node of each moment and the mean of all, then at most so many nodes that are the busiest in the mean."""
    most, margin, room = place
    load = side.load
    if load is None or not load.size:
        return
    nodes = load.shape[1]
    means = load.mean(axis=0).tolist()
    busy = sorted((node for node in range(nodes) if means[node]), key=lambda node: -means[node])[:most]
    console.print(
        PrintableText.assemble((f"Load of the nodes{of}", "bold"), "  the mean, and the most"), soft_wrap=True
    )
    named = [("the busiest", load.max(axis=1)), ("the mean", load.mean(axis=1))] if nodes > 1 else []
    for name, values in [*named, *((f"node {node + 1}", load[:, node]) for node in sorted(busy))]:
        figures = f" {_percent(float(values.mean())):>6} {_percent(float(values.max())):>6}"
        console.print(_cut(name, margin) + _bar(bar(values, room)) + PrintableText(figures), soft_wrap=True)
    if nodes > len(busy) and most:
        less = "less busy" if all(means) or len(busy) == most else "idle"
        console.print(PrintableText(f"and {nodes - len(busy):,} {less}"))


def _cut(label: str, margin: int) -> Styled:
    shown = measures.cut(one_line(label), margin - 1)
    while cell_len(shown) >= margin:  # where characters are two cells wide
        shown = measures.cut(shown, len(shown) - 1)
    return PrintableText(set_cell_size(shown, margin))


def _percent(load: float) -> str:
    return f"{100 * load:.0f} %" if load == 0 or load >= 0.005 else "<1 %"


def _bar(characters: str) -> Styled:
    """A bar, in which full cells are red."""
    full = {True: "red", False: "cyan"}
    return PrintableText.assemble(
        *(("".join(run), full[same]) for same, run in groupby(characters, lambda one: one == "█"))
    )


def _rich(place: float) -> Color:
    return Color.from_rgb(*(NOTHING if place < 0 else colour(place)))


def _coloured(line: CharacterLine) -> Styled:
    text = PrintableText()
    for (upper, lower), same in groupby(line.halves):
        text.append("▀" * len(list(same)), Style(color=_rich(upper), bgcolor=_rich(lower)))
    return text


def _shaded(line: CharacterLine) -> str:
    hottest = [max(pair) for pair in line.halves]
    return "".join(" " if one < 0 else _SHADES[1 + round(one * (len(_SHADES) - 2))] for one in hottest)


def _axis(heat: Heat, columns: int) -> str:
    """The moments below a map; one that would touch the one in front of it is left out."""
    line = ""
    for tick in ticks(heat, max(columns // 10, 2)):
        place = min(round(tick.place * columns), columns - len(tick.text))
        if place >= len(line) + (2 if line else 0):
            line = line.ljust(place) + tick.text
    return line


def _legend(console: Console, scale: ColorScale) -> Styled:
    places: Sequence[float] = [at / 15 for at in range(16)]
    ramp = (
        PrintableText.assemble(*(("█", Style(color=_rich(place))) for place in places))
        if console.color_system
        else PrintableText(_SHADES[1:])
    )
    unit, comparison = ("\u00d7", " an even share;") if scale.against_even else ("", "")
    seen = f"seen: {measures.figure(scale.least)} to {measures.figure(scale.most)}/s"
    low, high = (f"{measures.figure(one)}{unit}" for one in (scale.low, scale.high))
    return PrintableText(f"{low} ") + ramp + PrintableText(f" {high}{comparison} {seen}", "dim")


_HOT, _FINE = "bold red", "bold green"
# Of more tables, the growth is in one table, and maps are drawn of the hottest.
_MOST_TABLES = 3


def print_answer(console: Console, result: Compared, *, against_even: bool) -> None:
    """Everything: the sentences, the figures, the heat maps and the nodes, and what rests on what."""
    print_sentences(console, result.said)
    first, sides = result.sides[0], result.all
    _print_heading(console, _heading(first))
    _print_rows(console, [run.scenario.name for run in sides], load_rows([run.answer for run in sides]))
    _print_growth(console, result)
    print_maps(console, result, against_even=against_even)
    _print_heading(console, "Firm, whatever the service does inside")
    bounds = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    for line in bound_lines(first.outcome.bounds, first.outcome.cluster.assumptions):
        bounds.add_row(" -", _marked(line))
    console.print(bounds)
    _print_heading(console, "Assumed, because it is not published (results marked * depend on it)")
    grid = Table(box=None, show_header=False, padding=(0, 0, 0, 2))
    for row in assumed_rows(first.outcome.cluster.assumptions):
        grid.add_row(*(PrintableText(part, "" if at < 2 else "dim") for at, part in enumerate(row)))
    console.print(grid)
    console.print(
        PrintableText(
            "  Another value: --assume split-bytes=200MiB. docs/simulate.md says what each is taken from.",
            "dim",
        )
    )


def print_maps(console: Console, result: Compared, *, against_even: bool) -> None:
    """The heat maps of all that is compared, and the load of its nodes."""
    drawn = [_drawn(run) for run in result.all]
    rates = [heat.writes for side in drawn for heat in side.heats]
    console.print()
    print_sides(console, drawn, "writes", scale_of(rates, against_even=against_even))


def print_sentences(console: Console, said: Sequence[LoadSentence]) -> None:
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
    console.print(PrintableText(title, "bold"), soft_wrap=True)


def _heading(first: Simulated) -> str:
    answer = first.answer
    tables = answer.tables
    shown = tables[0].workload.model.key.shape if len(tables) == 1 else counted(len(tables), "table")
    nodes = counted(answer.nodes, f"{first.outcome.cluster.storage.upper()} node")
    return f"{shown}  {rate(answer.events)} events/s for {duration(answer.seconds)} on {nodes}"


def _print_rows(console: Console, names: Sequence[str], rows: Iterable[MeasureRow]) -> None:
    """Figures, those of alternatives side by side; a star marks what rests on assumptions."""
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, collapse_padding=True, show_edge=False)
    grid.add_column("", style="dim", no_wrap=True)
    grid.add_column("", no_wrap=True)
    for name in names:
        grid.add_column(PrintableText(name), justify="right", overflow="fold")
    for group, some in groupby(rows, key=lambda row: row.group):
        for at, row in enumerate(some):
            grid.add_row(group if at == 0 else "", f"{row.name}{'' if row.firm else ' *'}", *row.texts)
    console.print(grid)


def _print_growth(console: Console, result: Compared) -> None:
    """The growth of tables: of one, by time; of its alternatives, side by side; of several tables, one line each."""
    sides = result.all
    first = sides[0].answer.tables
    console.print()
    if len(first) > 1:
        _print_grown(console, [(table.name, table) for table in first], ("a day", "a year"))
    elif len(sides) == 1:
        _print_grown(console, [("", table) for table in first], ("a day", "a month", "a year"))
    else:
        tables = [table for run in sides for table in run.answer.tables]
        _print_rows(console, [run.scenario.name for run in sides], growth_rows(tables))


def _print_grown(console: Console, tables: Sequence[tuple[str, TableAnswer]], spans: Sequence[str]) -> None:
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, collapse_padding=True, show_edge=False)
    for name in ("", "after", "rows", "table", "a row", "the largest row"):
        grid.add_column(name, justify="left" if name in ("", "after") else "right", no_wrap=True)
    for name, table in tables:
        for at, span in enumerate(spans):
            grid.add_row(name if at == 0 else "", span, *grown(table, span))
    console.print(grid)


def _drawn(first: Simulated) -> Side:
    """The tables to draw: if there are many, those with the most writes."""
    side = first.side
    if len(side.heats) <= _MOST_TABLES:
        return side
    hottest = sorted(side.heats, key=lambda heat: -float(heat.writes.sum()))[:_MOST_TABLES]
    return evolve(side, heats=hottest)


def _marked(text: str, style: str = "") -> PrintableText:
    found = PrintableText(text, style)
    found.highlight_regex("`[^`]+`", "bold")
    return found


def as_json(result: Compared) -> dict[str, Any]:
    """All of it, as values of JSON: the models as they are, and each alternative."""
    first = result.sides[0]
    cluster = first.outcome.cluster
    return {
        "cluster": {"nodes": cluster.nodes, "storage": cluster.storage},
        "seconds": first.answer.seconds,
        "step_seconds": first.outcome.step_seconds,
        "said": [asdict(one) for one in result.said],
        "alternatives": [_side(run) for run in result.all],
        "firm": [_bound(one) for one in first.outcome.bounds],
        "assumptions": [asdict(assumption) for assumption in described(cluster.assumptions)],
    }


def _bound(one: LoadBound) -> dict[str, Any]:
    found = asdict(one, filter=lambda attribute, _: attribute.name != "kind")
    return {"bound": one.kind.name.lower(), **found, "why": one.kind.value}


def _side(one: Simulated) -> dict[str, Any]:
    answer = one.answer
    # Those of the tables follow, and the time is that of all.
    names = [name for name in fields_dict(Answer) if name not in ("tables", "seconds")]
    figures = {name: _plain(getattr(answer, name)) for name in names}
    return {
        **figures,
        "tables": [_table(table) for table in answer.tables],
        "over_time": over_time(one.outcome),
    }


def _table(table: TableAnswer) -> dict[str, Any]:
    model = table.workload.model
    return {
        "model": model.name,
        "module": model.module,
        "table": model.table,
        "key": model.key.shape,
        "events": table.workload.writes,
        "fields": {name: str(found) for name, found in table.workload.fields.items()},
        "counts": dict(table.workload.counts),
        "ranges_of_a_read": ranges_of(model),
        "unserved": list(unserved(model)),
        "writes": table.writes and asdict(table.writes),
        "reads": table.reads and asdict(table.reads),
        "rows": table.rows,
        "bytes": table.bytes,
        "hottest": {
            "seconds": table.hottest.seconds,
            "load": table.hottest.load,
            "share": table.hottest.share,
            "start": _text(table.hottest.low),
            "end": None if table.hottest.high is None else _text(table.hottest.high),
        },
        "growth": asdict(table.growth),
    }


def _plain(value: Any) -> Any:
    return asdict(value) if has(type(value)) else value


def _text(key: bytes) -> str:
    return key.decode("utf-8", "backslashreplace")
