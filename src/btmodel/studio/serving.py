"""The server of the page and its gate: who may ask, from which page, and what a browser may do with an answer."""

import errno
import hmac
import secrets
import socket
import sys
from contextlib import suppress
from urllib.parse import urlencode

import uvicorn
from attrs import define, field
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from btmodel.errors import SettingsError

HOST = "127.0.0.1"
_SECRET_BYTES = 32
_LARGEST_HEAD = (
    256 * 1024
)  # bytes of an address and its headers: a column may have a name of 16 KiB, of any bytes
# Nothing comes from elsewhere, nothing goes elsewhere, and only our own files are run or are styles.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; frame-src 'self'; "
    "form-action 'self'; frame-ancestors 'self'; base-uri 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",  # with no-referrer, browsers say "null" as the origin of a form
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_REFUSED = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>btmodel studio</title></head>
<body><h1>{title}</h1><p>{text}</p></body></html>
"""


@define
class Secrets:
    """What lets somebody in: the ``token`` of the address that is printed, tickets for one use, and what a browser keeps.

    Made anew for each run, and known to its process and to the readers of its terminal.
    """

    token: str = field(factory=lambda: secrets.token_urlsafe(_SECRET_BYTES), repr=False)
    session: str = field(factory=lambda: secrets.token_urlsafe(_SECRET_BYTES), repr=False)
    form: str = field(factory=lambda: secrets.token_urlsafe(_SECRET_BYTES), repr=False)
    _tickets: set[str] = field(factory=set, repr=False, init=False)

    def ticket(self) -> str:
        """A token for one use: other users of this machine may see the command line of a browser that is started."""
        made = secrets.token_urlsafe(_SECRET_BYTES)
        self._tickets.add(made)
        return made

    def admits(self, given: str) -> bool:
        """Whether a token is the right one, or a ticket, which it then is no more."""
        if given in self._tickets:
            self._tickets.discard(given)
            return True
        return same(given, self.token)


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that does not show where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


@define
class Gate:
    """Refuses requests for other hosts, from other sites, and without the token; sets the headers of all answers.

    A page of another site can send requests to this port, and can give the port a name of its own: the first is
    refused by the cookie, which it cannot send, and by the origin of a form; the second by the host.
    """

    app: ASGIApp
    secrets: Secrets
    port: int

    @property
    def cookie(self) -> str:
        """Its name; cookies do not belong to a port, so the port is a part of it."""
        return f"btmodel-studio-{self.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # a web socket is never accepted

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope)
        answer = self._answer(request) or self.app
        await answer(scope, receive, with_headers)

    def _answer(self, request: Request) -> Response | None:
        """The answer to what does not pass, and the cookie for a user who comes with the token; None for what passes."""
        host = request.headers.get("host", "")
        if host not in {f"{name}:{self.port}" for name in (HOST, "localhost")}:
            return refused(
                "Wrong host",
                f"btmodel studio answers at http://{HOST}:{self.port} alone, and this request names another host.",
            )
        given = request.query_params.get("token")
        if given is not None and request.method == "GET":
            return self._entered(request, given)
        if not same(request.cookies.get(self.cookie, ""), self.secrets.session):
            return refused(
                "No token",
                "Open the whole address that <code>btmodel studio</code> has printed: it ends with a token, which is "
                "new for each run.",
            )
        if request.method not in ("GET", "HEAD") and request.headers.get("origin") != f"http://{host}":
            return refused("Wrong origin", "This form does not come from a page of btmodel studio.")
        return None

    def _entered(self, request: Request, given: str) -> Response:
        if not self.secrets.admits(given):
            return refused(
                "Wrong token", "Open the address that <code>btmodel studio</code> has printed last."
            )
        rest = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
        path = "/" + request.url.path.lstrip("/")  # two slashes would name a host
        answer = RedirectResponse(f"{path}?{urlencode(rest)}" if rest else path, 303)
        answer.set_cookie(self.cookie, self.secrets.session, httponly=True, samesite="strict", path="/")
        return answer


def refused(title: str, text: str) -> Response:
    """A page that says why nothing is shown."""
    return HTMLResponse(_REFUSED.format(title=title, text=text), 403)


def listening(port: int) -> socket.socket:
    """A socket at a port of this machine's own address; 0 is a free one. Raises :class:`SettingsError` where it is in use."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there, it would let others take the port
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen()  # a browser may come before the server is ready
    except OSError as error:
        found.close()
        why = "it is in use" if error.errno == errno.EADDRINUSE else error.strerror or str(error)
        raise SettingsError(
            f"cannot listen on {HOST}:{port}: {why}: stop what uses the port, or choose another with --port (0 takes a free one)"
        ) from None
    return found


def server_of(app: ASGIApp) -> uvicorn.Server:
    """The server of an application. Nothing is logged of requests, whose addresses hold the token and row keys."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http="h11",
            h11_max_incomplete_event_size=_LARGEST_HEAD,
            log_level="error",
            access_log=False,
            server_header=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
    )


def serve(app: ASGIApp, at: socket.socket) -> None:
    """Answer requests until Ctrl-C."""
    with suppress(KeyboardInterrupt):
        server_of(app).run(sockets=[at])
