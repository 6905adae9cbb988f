"""Game scores against a server."""

from collections.abc import Iterator
from datetime import date

import btmodel as bt
from examples.games import DayScore, FirstScore, PlayerScore, march_without_a_table, scores
from examples.generated.day_score_repository import DayScoreRepository
from examples.generated.first_score_repository import FirstScoreRepository
from examples.generated.player_score_repository import PlayerScoreRepository
from examples.generated.scores_twins import ScoresTwins
from examples.worked.example import Answer, Example

MARCH = date(2015, 3, 1), date(2015, 4, 1)


def write(db: bt.Database) -> None:
    """Every score to its two tables; the first try, too, which loses one of them."""
    ScoresTwins(db).put_many(scores())
    first = FirstScoreRepository(db)
    for score in scores():
        first.put(
            FirstScore(game=score.game, day=score.day, player=score.player, win=score.win, kda=score.kda)
        )


def ask(db: bt.Database) -> Iterator[Answer]:
    """One range each."""
    corrie = PlayerScoreRepository(db).of_player("LoL", "Corrie", *MARCH)
    yield Answer("How many LoL games did Corrie win in March?", sum(score.win for score in corrie))
    played = [score.player for score in DayScoreRepository(db).of_game("LoL", *MARCH)]
    yield Answer("Who played LoL in March?", ", ".join(played))
    only = FirstScoreRepository(db).get("LoL", date(2015, 3, 2))
    yield Answer("Who is left of the two players of March 2nd in the first try?", only and only.player)


EXAMPLE = Example(
    "Game scores", (PlayerScore, DayScore, FirstScore), write, ask, refused=(march_without_a_table,)
)
