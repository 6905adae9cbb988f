"""Game scores: who played what on which day, and how it went.

"How many games did Corrie win in March?" is one range of the key game, player, day.
"All games of March" is not: that question has a table of its own, written as a twin.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

import btmodel as bt


class PlayerScore(bt.Model, table="GAME_BY_PLAYER", events="10000/day"):
    """A player's day in a game: one row, whatever the other players do."""

    game: str = bt.key(bt.Text(max_length=20), cardinality=50)
    player: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
    day: date = bt.key(bt.DateText())

    results = bt.family("GAME", gc=bt.max_versions(1))
    win: bool = bt.column("WIN", results, codec=bt.FlagText())
    kda: Decimal = bt.column("KDA", results)

    of_player = bt.query("game", "player", between="day")


class DayScore(bt.Model, table="GAME_BY_DAY", events="10000/day"):
    """The same rows by day: what was played in March?"""

    game: str = bt.key(bt.Text(max_length=20), cardinality=50)
    day: date = bt.key(bt.DateText())
    player: str = bt.key(bt.Text(max_length=20), cardinality=100_000)

    results = bt.family("GAME", gc=bt.max_versions(1))
    win: bool = bt.column("WIN", results, codec=bt.FlagText())
    kda: Decimal = bt.column("KDA", results)

    of_game = bt.query("game", between="day")


SCORES = bt.twins(PlayerScore, DayScore)


class FirstScore(bt.Model, table="GAME_FIRST_TRY", events="10000/day"):
    """The first try: two players of one day have one key, so the later one replaces the earlier."""

    game: str = bt.key(bt.Text(max_length=20), cardinality=50)
    day: date = bt.key(bt.DateText())

    results = bt.family("GAME", gc=bt.max_versions(1))
    player: str = bt.column("PLAYER", results)
    win: bool = bt.column("WIN", results, codec=bt.FlagText())
    kda: Decimal = bt.column("KDA", results)


def march_without_a_table() -> object:
    """All games of March, asked of the table by player."""

    class Score(bt.Model, table="GAME"):
        game: str = bt.key(bt.Text(max_length=20), cardinality=50)
        player: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
        day: date = bt.key(bt.DateText())

        results = bt.family("GAME", gc=bt.max_versions(1))
        win: bool = bt.column("WIN", results, codec=bt.FlagText())

        of_game = bt.query("game", between="day")

    return Score


def scores() -> Iterator[PlayerScore]:
    """Five games of March 2015."""
    for game, player, day, win, kda in (
        ("LoL", "Corrie", 1, False, "4.25"),
        ("LoL", "Corrie", 3, True, "9.50"),
        ("LoL", "Jo", 2, True, "7.00"),
        ("LoL", "Sam", 2, True, "7.00"),
        ("Starcraft", "Eriko", 3, True, "6.00"),
    ):
        yield PlayerScore(game=game, player=player, day=date(2015, 3, day), win=win, kda=Decimal(kda))
