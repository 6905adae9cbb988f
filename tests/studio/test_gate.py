"""Who may ask the studio: the token, the host, the origin and the token of forms; and what answers permit a browser."""

import subprocess
import sys
from pathlib import Path

import pytest

from btmodel.errors import SettingsError
from btmodel.studio.serving import Secrets, listening
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes
from tests.studio.conftest import Opened, Running

ROOT = Path(__file__).parents[2]


@pytest.fixture
def studio(opened: Opened) -> Running:
    """A studio of quotes that may be changed."""
    return opened(Quote, edit=True)


@pytest.mark.parametrize(
    "path", ["/", "/models/Quote", "/studio.css", "/models/Quote/load/picture", "/nowhere"]
)
def test_nothing_is_shown_without_the_token(studio: Running, path: str) -> None:
    """Without the cookie, with another one, or with a wrong token, the answer is 403 and says nothing of the instance."""
    with studio.stranger() as stranger:
        name = f"btmodel-studio-{studio.port}"
        answers = [
            stranger.get(path),
            stranger.get(path, params={"token": "wrong"}),
            stranger.get(path, params={"token": ""}),
            stranger.get(path, headers={"cookie": f"{name}=wrong"}),
            stranger.get(path, headers={"cookie": f"{name}={studio.secrets.token}"}),
            stranger.post(path),
        ]
    assert [one.status_code for one in answers] == [403] * 6
    assert all("QUOTE" not in one.text and "set-cookie" not in one.headers for one in answers)


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_have_not(studio: Running) -> None:
    """The address with the token leads to the same one without it; the cookie is HttpOnly and SameSite=Strict."""
    with studio.stranger() as stranger:
        answer = stranger.get("/models/Quote", params={"token": studio.secrets.token, "query": "by_symbol"})
        assert answer.status_code == 303
        assert answer.headers["location"] == "/models/Quote?query=by_symbol"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert studio.secrets.token.lower() not in cookie
        assert stranger.get("/").status_code == 200
        away = stranger.get(f"{studio.address}//evil.example/", params={"token": studio.secrets.token})
        assert away.headers["location"] == "/evil.example/"


def test_a_ticket_lets_in_once(studio: Running) -> None:
    """The address that a browser is started with is of no use to who reads it in the list of processes."""
    ticket = studio.secrets.ticket()
    with studio.stranger() as first, studio.stranger() as second:
        assert first.get("/", params={"token": ticket}).status_code == 303
        assert second.get("/", params={"token": ticket}).status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}", ""]
)
def test_another_host_is_refused(studio: Running, host: str) -> None:
    """A name that somebody gives to this address, to be of the same origin, opens nothing, though the cookie comes with it."""
    answer = studio.client.get("/", headers={"host": host.format(port=studio.port)})
    assert answer.status_code in (400, 403)
    assert "QUOTE" not in answer.text


def test_localhost_is_the_same_place(studio: Running) -> None:
    """The usual name of this machine is one of its own."""
    assert studio.client.get("/", headers={"host": f"localhost:{studio.port}"}).status_code == 200


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1:1"]
)
def test_a_form_of_another_site_is_refused(studio: Running, origin: str | None) -> None:
    """A form changes something only if it comes from a page of ours."""
    headers = {} if origin is None else {"origin": origin.format(port=studio.port)}
    answer = studio.client.post("/models/Quote/new", data={"token": studio.studio.form}, headers=headers)
    assert answer.status_code == 403
    assert "Wrong origin" in answer.text


def test_a_form_without_our_token_is_refused(studio: Running) -> None:
    """The token of a form is in our pages alone."""
    for token in ("", "wrong", studio.secrets.token):
        assert studio.post("/models/Quote/new", {"token": token}).status_code == 403


def test_without_edit_nothing_can_be_written(opened: Opened) -> None:
    """Whatever a request says, a studio that only reads changes nothing."""
    studio = opened(Quote)
    QuoteRepository(studio.studio.db).put_many(quotes := list(made_up_quotes(2)))
    key = Quote.row_key(
        exchange=quotes[0].exchange, symbol=quotes[0].symbol, quote_time=quotes[0].quote_time
    ).decode()
    for action in ("new", "edit", "delete"):
        answer = studio.post(f"/models/Quote/{action}", key=key)
        assert answer.status_code == 403
        assert "--edit" in answer.text
        assert studio.get(f"/models/Quote/{action}", key=key).status_code == 400
    assert len(list(studio.studio.db.cells("QUOTE"))) == 2
    assert "Edit" not in studio.get("/models/Quote/row", key=key).text


def test_answers_permit_nothing_from_elsewhere(studio: Running) -> None:
    """Each answer, refusals included, forbids other sources, frames of others, guessed types and keeping."""
    with studio.stranger() as stranger:
        for answer in (studio.get("/"), studio.get("/nowhere"), stranger.get("/")):
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["x-frame-options"] == "SAMEORIGIN"


def test_a_port_in_use_is_one_clear_error() -> None:
    """It names the port and the way out."""
    with listening(0) as at:
        port = at.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"127\.0\.0\.1:{port}: it is in use.*--port"):
            listening(port)


def test_only_this_machine_is_listened_to() -> None:
    """The socket is at the address of this machine alone."""
    with listening(0) as at:
        assert at.getsockname()[0] == "127.0.0.1"


def test_secrets_are_not_in_a_repr() -> None:
    """What a log or a traceback shows of them is nothing."""
    secrets = Secrets()
    ticket = secrets.ticket()
    shown = repr(secrets)
    assert not any(one in shown for one in (secrets.token, secrets.session, secrets.form, ticket))
    assert len(secrets.token) > 40


def test_a_missing_extra_is_told_with_the_command(tmp_path: Path) -> None:
    """Without Starlette, the command says how to install it, and the command line starts all the same."""
    hide = "import sys; sys.modules['starlette'] = None; from btmodel.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", hide, "studio"], capture_output=True, text=True, cwd=tmp_path, timeout=60
    )
    assert ran.returncode == 1
    assert 'pip install "btmodel[studio]"' in ran.stderr
    assert "Traceback" not in ran.stderr


def test_help_loads_no_web_server(tmp_path: Path) -> None:
    """The command line starts as quickly as before."""
    ask = "import sys; sys.argv = ['btmodel', 'studio', '--help']\nfrom btmodel.cli import main\ntry: main()\nexcept SystemExit: pass\nprint(sorted({'starlette', 'uvicorn', 'jinja2'} & set(sys.modules)))"
    ran = subprocess.run(
        [sys.executable, "-c", ask], capture_output=True, text=True, cwd=tmp_path, timeout=60
    )
    assert ran.stdout.splitlines()[-1] == "[]"
