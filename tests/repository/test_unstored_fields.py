"""Keys made from values that no row holds, and from fields that a row may lack."""

from collections.abc import Callable
from hashlib import sha256

import pytest
from notes import generated

import btmodel as bt
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.lint import review


class Session(bt.Model, table="SESSION", events="10/s"):
    """A session, which is found by a token that no row holds."""

    id = bt.digest("token", size=4)
    user: str = bt.key(bt.Text(max_length=9), cardinality=1000)
    token: str | None = bt.key(bt.Text(max_length=80), stored=False, cardinality=1_000_000)

    f = bt.family("f", gc=bt.max_versions(1))
    seen: int = bt.column("s", f)

    of_token = bt.query("token")


ID = sha256(b"secret").hexdigest()[:8].encode()


def test_the_key_holds_a_hash_of_what_is_given() -> None:
    """And nothing else of the row holds it: a row that was read lacks it."""
    assert Session.row_key(token="secret", user="jo") == ID + b"#jo"
    assert Session.read_key(ID + b"#jo") == (None, "jo")
    mutation = bt.mutation_of(Session(token="secret", user="jo", seen=1))
    assert "secret" not in str(mutation)
    assert Session.row_key(token="a#b", user="jo") == sha256(b"a#b").hexdigest()[:8].encode() + b"#jo"
    assert str(Session.of_token.plan(token="secret").ranges[0]).startswith(f"[b'{ID.decode()}#'")


def test_rows_are_written_and_found_by_it(database: Callable[..., bt.Database]) -> None:
    """By the generated repository, whose methods take it, and as columns of Arrow."""
    repository = generated(Session).SessionRepository(database(Session))
    repository.put_many([Session(token="secret", user=user, seen=1) for user in ("jo", "al")])
    assert repository.get("secret", "jo") == Session(token=None, user="jo", seen=1)
    assert repository.get("other", "jo") is None
    assert [row.user for row in repository.of_token("secret")] == ["al", "jo"]
    assert repository.of_token("secret").to_arrow().column("user").to_pylist() == ["al", "jo"]
    assert repository.of_token("secret").delete() == 2
    assert repository.get("secret", "jo") is None


def test_the_review_asks_for_no_readable_value() -> None:
    """It is hashed so that no key holds it."""
    assert [finding for finding in review(bt.schema_of(Session)) if finding.rule == "KEY004"] == []


def test_a_row_that_was_read_has_no_key_again() -> None:
    """Its key cannot be made without what is not stored."""
    with pytest.raises(
        ValueRefused, match=r"Session.token: .*no row holds it, so it is given wherever a key is made"
    ):
        bt.key_of(Session(token=None, user="jo", seen=1))


def test_declarations_that_cannot_work_are_refused() -> None:
    """Of what no field is made from, of a type that does not say None, and in a place in the key."""
    with pytest.raises(
        DeclarationError, match="with stored=False expected a derived field that is made from it"
    ):

        class Unused(bt.Model, table="ROW"):
            user: str = bt.key(bt.Text(max_length=9), cardinality=10)
            token: str | None = bt.key(bt.Text(max_length=9), stored=False)
            f = bt.family("f", gc=bt.max_versions(1))
            seen: int = bt.column("s", f)

    with pytest.raises(DeclarationError, match=r"with stored=False expected an annotation with \| None"):

        class Plain(bt.Model, table="ROW"):
            id = bt.digest("token")
            token: str = bt.key(bt.Text(max_length=9), stored=False)  # type: ignore[assignment]
            f = bt.family("f", gc=bt.max_versions(1))
            seen: int = bt.column("s", f)

    with pytest.raises(DeclarationError, match="expected stored=False alone"):
        bt.key(bt.Text(max_length=9), stored=False, default=None)  # type: ignore[call-overload]


class Note(bt.Model, table="NOTE", events="10/s"):
    """A salt of a field that a row may lack."""

    shard = bt.salt("user", "topic", buckets=2)
    user: str = bt.key(bt.Text(max_length=9), cardinality=1000)
    topic: str | None = bt.key(bt.Text(max_length=9), default=None)

    f = bt.family("f", gc=bt.max_versions(1))
    text: str = bt.column("t", f)

    of_user = bt.query("user")


def test_a_field_is_made_from_one_that_a_row_may_lack(database: Callable[..., bt.Database]) -> None:
    """What a row lacks counts as empty; its key comes back, and is checked."""
    for topic in (None, "tea"):
        key = Note.row_key(user="jo", topic=topic)
        assert Note.read_key(key) == ("jo", topic)
        other = (b"1" if key[:1] == b"0" else b"0") + key[1:]
        with pytest.raises(bt.UndecodableKey, match="which follows from user, topic"):
            Note.read_key(other)
    repository = generated(Note).NoteRepository(database(Note))
    notes = [Note(user="jo", topic=topic, text="x") for topic in (None, "tea")]
    repository.put_many(notes)
    assert sorted(repository.of_user("jo"), key=lambda note: note.topic or "") == notes
    assert repository.get("jo", None) == notes[0]
