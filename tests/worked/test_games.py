"""Game scores: the bytes of the document, on real servers."""

from collections.abc import Callable

import pytest
from raw_cells import lines

import btmodel as bt
from examples.games import march_without_a_table
from examples.worked.games import EXAMPLE

Open = Callable[..., bt.Database]


@pytest.fixture
def games(database: Open) -> bt.Database:
    """The scores, in all their tables."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_the_rows_of_players_are_those_of_the_document(games: bt.Database) -> None:
    """Each game of each player has a row, called by game, player and day."""
    assert lines(games, "GAME_BY_PLAYER") == [
        (b"LoL#Corrie#20150301", "GAME", b"KDA", b"4.25"),
        (b"LoL#Corrie#20150301", "GAME", b"WIN", b"false"),
        (b"LoL#Corrie#20150303", "GAME", b"KDA", b"9.50"),
        (b"LoL#Corrie#20150303", "GAME", b"WIN", b"true"),
        (b"LoL#Jo#20150302", "GAME", b"KDA", b"7.00"),
        (b"LoL#Jo#20150302", "GAME", b"WIN", b"true"),
        (b"LoL#Sam#20150302", "GAME", b"KDA", b"7.00"),
        (b"LoL#Sam#20150302", "GAME", b"WIN", b"true"),
        (b"Starcraft#Eriko#20150303", "GAME", b"KDA", b"6.00"),
        (b"Starcraft#Eriko#20150303", "GAME", b"WIN", b"true"),
    ]


def test_the_second_table_has_the_same_cells_by_day(games: bt.Database) -> None:
    """The twin holds every score under game, day and player."""
    assert lines(games, "GAME_BY_DAY") == [
        (b"LoL#20150301#Corrie", "GAME", b"KDA", b"4.25"),
        (b"LoL#20150301#Corrie", "GAME", b"WIN", b"false"),
        (b"LoL#20150302#Jo", "GAME", b"KDA", b"7.00"),
        (b"LoL#20150302#Jo", "GAME", b"WIN", b"true"),
        (b"LoL#20150302#Sam", "GAME", b"KDA", b"7.00"),
        (b"LoL#20150302#Sam", "GAME", b"WIN", b"true"),
        (b"LoL#20150303#Corrie", "GAME", b"KDA", b"9.50"),
        (b"LoL#20150303#Corrie", "GAME", b"WIN", b"true"),
        (b"Starcraft#20150303#Eriko", "GAME", b"KDA", b"6.00"),
        (b"Starcraft#20150303#Eriko", "GAME", b"WIN", b"true"),
    ]


def test_two_players_of_one_day_share_a_row_in_the_first_try(games: bt.Database) -> None:
    """Of Jo and Sam on March 2nd, the newest cells are those of Sam: the key tells no player."""
    newest: dict[tuple[bytes, bytes], bytes] = {}
    for key, _, qualifier, value in lines(games, "GAME_FIRST_TRY"):
        newest.setdefault((key, qualifier), value)
    assert newest == {
        (b"LoL#20150301", b"KDA"): b"4.25",
        (b"LoL#20150301", b"PLAYER"): b"Corrie",
        (b"LoL#20150301", b"WIN"): b"false",
        (b"LoL#20150302", b"KDA"): b"7.00",
        (b"LoL#20150302", b"PLAYER"): b"Sam",
        (b"LoL#20150302", b"WIN"): b"true",
        (b"LoL#20150303", b"KDA"): b"9.50",
        (b"LoL#20150303", b"PLAYER"): b"Corrie",
        (b"LoL#20150303", b"WIN"): b"true",
        (b"Starcraft#20150303", b"KDA"): b"6.00",
        (b"Starcraft#20150303", b"PLAYER"): b"Eriko",
        (b"Starcraft#20150303", b"WIN"): b"true",
    }


def test_the_questions_are_answered(games: bt.Database) -> None:
    """Corrie won one game in March, four games were played, and Sam is left of the first try."""
    assert [one.answer for one in EXAMPLE.ask(games)] == [1, "Corrie, Jo, Sam, Corrie", "Sam"]


def test_all_games_of_march_are_not_served_by_the_table_of_players() -> None:
    """The question needs a table of its own, and the error draws its key."""
    with pytest.raises(bt.DeclarationError, match=r"QRY001 full-scan.*\n.*\n.*`\{game\}#\{day\}#\{player\}`"):
        march_without_a_table()
