"""Pages from templates, in which every text is quoted and no hidden character is left."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode

from btmodel_codegen.prose import printable, prose
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from btmodel.studio.state import Studio
from btmodel.words import as_text, counted, size_text

_MOST_PARTS = 32  # as wide as a drawn part of a key gets, in bytes
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("btmodel.studio"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        bytes=as_text, size=size_text, hex=hex_lines, when=when, prose=prose, counted=counted
    )
    environment.globals["link"] = link
    return environment


def page(studio: Studio, template: str, status: int = 200, /, **values: object) -> Response:
    """A page, with the navigation of the studio around it."""
    text = _environment().get_template(template).render(studio=studio, **values)
    return HTMLResponse(printable(text), status)


def link(path: str, given: Iterable[tuple[str, object]] = (), **more: object) -> str:
    """An address within the studio; what is None or empty is left out."""
    pairs = [*given, *more.items()]
    query = urlencode([(name, str(value)) for name, value in pairs if value not in (None, "", False)])
    return f"{path}?{query}" if query else path


@cache
def style() -> str:
    """The style sheet: that of the schema page, and what the studio adds."""
    schema = (files("btmodel_codegen") / "templates" / "schema.css").read_text(encoding="utf-8")
    widths = "".join(f".b{count}{{--bytes:{count}}}" for count in range(_MOST_PARTS + 1))
    return f"{schema}\n{file('studio.css')}\n{widths}\n"


@cache
def file(name: str) -> str:
    """A file that pages link to: the script, without which everything works, too, and the icon."""
    return (files("btmodel.studio") / "templates" / name).read_text(encoding="utf-8")


def when(micros: int) -> str:
    """A cell's timestamp as a time in UTC, or as its number where no calendar has it."""
    try:
        return (_EPOCH + timedelta(microseconds=micros)).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
    except (OverflowError, ValueError):
        return f"{micros:,} µs"


def hex_lines(raw: bytes) -> str:
    """Bytes as hexadecimal digits, 16 a line."""
    return "\n".join(raw[at : at + 16].hex(" ") for at in range(0, len(raw), 16))
