"""Users and their logins against a server."""

from collections.abc import Iterator
from datetime import timedelta

import btmodel as bt
from examples.generated.login_repository import LoginRepository
from examples.generated.user_repository import UserRepository
from examples.users import FIRST_LOGIN, Login, User, newest_of_all
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Three users, one after the other, and three logins of the first."""
    UserRepository(db).put_many(
        User(id=id, profile={"name": name, "languages": ["en"]})
        for id, name in ((4711, "Corrie"), (4712, "Jo"), (4713, "Sam"))
    )
    LoginRepository(db).put_many(
        Login(user=4711, at=FIRST_LOGIN + timedelta(hours=hours), address=f"192.0.2.{hours + 1}")
        for hours in range(3)
    )


def ask(db: bt.Database) -> Iterator[Answer]:
    """A user; the newest login; those between two times, which come from the newest on, too."""
    user = UserRepository(db).get(4712)
    yield Answer("What is user 4712 called?", user and user.profile["name"])
    logins = LoginRepository(db).of_user(4711)
    newest = logins.first()
    yield Answer("From where did user 4711 log in last?", newest and newest.address)
    first_two = LoginRepository(db).of_user(4711, FIRST_LOGIN, FIRST_LOGIN + timedelta(hours=2))
    yield Answer("And in the first two hours?", [row.address for row in first_two])


EXAMPLE = Example("Users and logins", (User, Login), write, ask, refused=(newest_of_all,))
