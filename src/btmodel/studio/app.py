"""The addresses of the studio, and what each shows."""

import sys
import traceback
from collections.abc import Callable
from typing import Any, TypeAlias
from urllib.parse import parse_qsl

from attrs import frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from btmodel.declare import Model, schema_of
from btmodel.errors import (
    BtmodelError,
    MissingRow,
    MissingTable,
    NotAllowed,
    QueryRefused,
    ServerError,
    SettingsError,
    SimulationRefused,
    Unanswered,
    Unavailable,
    ValueRefused,
    raised,
)
from btmodel.repository.any_repository import AnyRepository
from btmodel.studio import browsing, overview
from btmodel.studio import row as one_row
from btmodel.studio.pages import file, link, page, style
from btmodel.studio.serving import same
from btmodel.studio.state import Studio
from btmodel.words import as_text, printable, raw_key

_LARGEST_FORM = 4 * 1024 * 1024  # bytes
Handler: TypeAlias = Callable[[Studio, Request], Response]
Refused = (QueryRefused, ValueRefused, SettingsError)


@frozen
class ModelPage:
    """What a page of a model is about: its name in addresses, its class, and the values that complete its table."""

    name: str
    model: type[Model]
    parameters: dict[str, str]

    @classmethod
    def of(cls, studio: Studio, request: Request) -> "ModelPage":
        """The model of a request. Raises :class:`SettingsError` for one that is none."""
        name = request.path_params["name"]
        given = request.query_params
        parameters = {one.removeprefix("of."): value for one, value in given.items() if one.startswith("of.")}
        return cls(name, studio.model(name), parameters)

    @property
    def path(self) -> str:
        """The address of the model."""
        return f"/models/{self.name}"

    @property
    def pairs(self) -> list[tuple[str, object]]:
        """The parameters of the table, for addresses."""
        return [(f"of.{name}", value) for name, value in self.parameters.items()]

    def rows(self, studio: Studio) -> AnyRepository:
        """Its rows. Raises :class:`QueryRefused` while parameters of its table are missing."""
        return studio.repository(self.model, self.parameters)

    def shown(self, studio: Studio, tab: str) -> dict[str, Any]:
        """What every page of a model needs."""
        return {
            "place": self,
            "schema": schema_of(self.model),
            "text": studio.text(self.name),
            "tab": tab,
            "can_edit": studio.can_edit(schema_of(self.model)),
        }


def app_of(studio: Studio) -> Starlette:
    """The application, to be put behind the gate."""

    def route(path: str, handler: Handler, *methods: str) -> Route:
        # Each answer is made in a thread of its own, as all calls to the server wait.
        return Route(path, _guarded(studio, handler), methods=list(methods or ("GET",)))

    async def no_page(request: Request, error: Exception) -> Response:
        """What Starlette refuses: an unknown address, or method."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        return _failed(studio, status, "There is no such page", "Choose a model or a table on the left.")

    model_path = "/models/{name}"
    return Starlette(
        routes=[
            route("/", _home),
            route("/migrations", _migrations),
            route(model_path, _rows),
            route(f"{model_path}/row", _row),
            route(f"{model_path}/schema", _schema),
            route(f"{model_path}/load", _load),
            route(f"{model_path}/load/picture", _picture),
            route(f"{model_path}/new", _new),
            route(f"{model_path}/new", _create, "POST"),
            route(f"{model_path}/edit", _edit),
            route(f"{model_path}/edit", _change, "POST"),
            route(f"{model_path}/delete", _ask),
            route(f"{model_path}/delete", _delete, "POST"),
            route("/tables/{id}", _table),
            route("/tables/{id}/row", _table_row),
            route("/tables/{id}/value", _value),
            Route("/studio.css", lambda _: Response(style(), media_type="text/css")),
            Route("/studio.js", lambda _: Response(file("studio.js"), media_type="text/javascript")),
            Route("/studio.svg", lambda _: Response(file("studio.svg"), media_type="image/svg+xml")),
        ],
        exception_handlers={HTTPException: no_page},
    )


def _guarded(studio: Studio, handler: Handler) -> Callable[[Request], Any]:
    """The handler, whose errors become pages that say what to do."""

    async def answer(request: Request) -> Response:
        if request.method == "POST":
            refused = await _refused_form(studio, request)
            if refused is not None:
                return refused
        return await run_in_threadpool(_answer, studio, handler, request)

    return answer


async def _refused_form(studio: Studio, request: Request) -> Response | None:
    """Read the form of a request; the answer where it is too large or lacks the token of our forms."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_FORM:
            return _failed(studio, 413, "The form is too large", "Use `btmodel put` for a row of this size.")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=5_000)
    except (UnicodeDecodeError, ValueError):
        return _failed(
            studio, 400, "The form cannot be read", "Go back, load the page again, and send it anew."
        )
    request.state.form = dict(pairs)
    if not same(request.state.form.get("token", ""), studio.form):
        return _failed(studio, 403, "This form is too old", "Go back, load the page again, and send it anew.")
    if not studio.edit:
        return _failed(
            studio,
            403,
            "Nothing can be changed",
            "Start `btmodel studio --edit` to change rows. Nothing was written.",
        )
    return None


def _answer(studio: Studio, handler: Handler, request: Request) -> Response:
    try:
        return handler(studio, request)
    except MissingTable as error:
        hint = "If a model declares it, `btmodel migrate` makes it: see Migrations."
        return _failed(studio, 404, "There is no such table", f"{error}. {hint}")
    except MissingRow as error:
        return _failed(studio, 404, "There is no such row", f"{error}.")
    except NotAllowed as error:
        return _failed(studio, 403, "The service does not permit that", f"{error}.")
    except (Unavailable, Unanswered) as error:
        hint = "Check that the server runs and can be reached from here; this page asks again each time it is loaded."
        return _failed(studio, 502, "The instance does not answer", f"{error}. {hint}")
    except ServerError as error:
        return _failed(studio, 400, "The server refuses that", f"{error}.")
    except SettingsError as error:
        return _failed(studio, 404, "There is no such page", f"{error}.")
    except BtmodelError as error:
        return _failed(studio, 400, "This query cannot be run", f"{error}.")
    except Exception as error:  # of a codec of the user's, or ours: the others should go on
        print(printable(traceback.format_exc()), file=sys.stderr)
        return _failed(
            studio,
            500,
            "That failed",
            f"{raised(error)}. The terminal of btmodel studio shows where.",
        )


def _failed(studio: Studio, status: int, title: str, text: str) -> Response:
    return page(studio, "failed.html.jinja", status, title=title, text=text)


def _home(studio: Studio, request: Request) -> Response:
    return page(studio, "home.html.jinja", tables=overview.tables_of(studio))


def _migrations(studio: Studio, request: Request) -> Response:
    return page(studio, "migrations.html.jinja", pending=overview.pending_of(studio))


def _rows(studio: Studio, request: Request) -> Response:
    place = ModelPage.of(studio, request)
    asked = browsing.Submitted.of(dict(request.query_params))
    form = browsing.form_of(place.model, asked)
    shown = {
        **place.shown(studio, "rows"),
        "asked": asked,
        "sizes": browsing.SIZES,
        "filters": browsing.filters_of(schema_of(place.model)),
        "key": browsing.KEY,
    }
    found: browsing.RowPage | None = None
    plan = share = measured = ""
    waits = _waits(place, asked, form)
    if not waits:
        try:
            ready = browsing.ready(studio, place.model, asked)
            plan = str(ready.plan)
            if request.query_params.get("measure") == "yes":
                measured, share = browsing.measured(ready), browsing.table_share(studio, ready.plan)
            found = browsing.rows_of(ready, place.model, asked)
        except Refused as error:
            form = browsing.refused_at(form, place.model, error)
    status = 400 if form.error or any(one.error for one in form.inputs) else 200
    return page(
        studio, "rows.html.jinja", status, form=form, found=found, plan=plan, share=share, measured=measured,
        waits=waits, **shown,
    )  # fmt: skip


def _waits(place: ModelPage, asked: browsing.Submitted, form: browsing.QueryForm) -> str:
    """What the form still needs before it can be asked; nothing, if it can."""
    missing = [
        parameter for parameter in schema_of(place.model).parameters if parameter not in place.parameters
    ]
    if missing:
        return f"The name of the table is completed at run time: fill in {', '.join(missing)}."
    given = any(not name.startswith("of.") for name in asked.typed)
    return (
        "" if given or not any(one.required for one in form.inputs) else "Fill in the form to read its rows."
    )


def _row(studio: Studio, request: Request) -> Response:
    place = ModelPage.of(studio, request)
    rows, key = place.rows(studio), raw_key(request.query_params.get("key", ""))
    found = one_row.whole_of(studio, rows, key, _begin(request))
    return page(
        studio, "row.html.jinja", 200 if found.cells else 404, found=found, table=rows.table,
        done=request.query_params.get("done", ""), **place.shown(studio, "rows"),
    )  # fmt: skip


def _begin(request: Request) -> int:
    text = request.query_params.get("begin", "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _schema(studio: Studio, request: Request) -> Response:
    return page(studio, "schema.html.jinja", **ModelPage.of(studio, request).shown(studio, "schema"))


def _load(studio: Studio, request: Request) -> Response:
    place = ModelPage.of(studio, request)
    given = dict(request.query_params)
    picture, error, why = None, "", ""
    hot: tuple[overview.ShownTablet, ...] | None = None
    try:
        picture = overview.picture_of(place.model, overview.Wanted.of(given))
    except SimulationRefused as refused:
        error = str(refused)
    try:
        hot = overview.hot_tablets(studio, schema_of(place.model).bound(place.parameters))
    except BtmodelError as failed:
        why = str(failed)
    return page(
        studio, "load.html.jinja", picture=picture, error=error, hot=hot, why=why, span=overview.SPAN, given=given,
        **place.shown(studio, "load"),
    )  # fmt: skip


def _picture(studio: Studio, request: Request) -> Response:
    place = ModelPage.of(studio, request)
    found = overview.picture_of(place.model, overview.Wanted.of(dict(request.query_params)))
    # Its own policy permits its one script by its digest, and its styles.
    policy = "frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
    return HTMLResponse(found.html, headers={"content-security-policy": policy})


def _table(studio: Studio, request: Request) -> Response:
    id, given = request.path_params["id"], request.query_params
    prefix = given.get("prefix", "")
    found = one_row.raw_rows(studio, id, raw_key(prefix), raw_key(given.get("after", "")))
    return page(studio, "table.html.jinja", id=id, found=found, prefix=prefix)


def _table_row(studio: Studio, request: Request) -> Response:
    id, key = request.path_params["id"], raw_key(request.query_params.get("key", ""))
    begin = _begin(request)
    some, more = one_row.cells_of(studio, id, key, begin)
    seen = tuple(one_row.SeenCell(one, "", "", "") for one in some)
    found = one_row.SeenWhole(key, (), (), seen, begin, more)
    return page(studio, "row.html.jinja", 200 if some else 404, found=found, table=id, place=None, done="")


def _value(studio: Studio, request: Request) -> Response:
    given = request.query_params
    time = given.get("time", "")
    if not time.isdecimal() or len(time) > 19:
        raise QueryRefused("expected the address of a cell, as a row's page links it")
    raw = one_row.value_of(
        studio, request.path_params["id"], raw_key(given.get("key", "")), given.get("family", ""),
        raw_key(given.get("qualifier", "")), int(time),
    )  # fmt: skip
    if raw is None:
        return _failed(studio, 404, "There is no such cell", "It was deleted, or its time has come.")
    headers = {"content-disposition": 'attachment; filename="value.bin"'}
    return Response(raw, media_type="application/octet-stream", headers=headers)


def _editable(studio: Studio, request: Request) -> ModelPage:
    place = ModelPage.of(studio, request)
    if not studio.can_edit(schema_of(place.model)):
        what = (
            "Rows of a view are read only" if studio.edit else "Start `btmodel studio --edit` to change rows"
        )
        raise QueryRefused(f"{what}: nothing was written")
    return place


def _form_page(
    studio: Studio,
    place: ModelPage,
    form: one_row.RowForm,
    status: int = 200,
    texts: dict[str, str] | None = None,
) -> Response:
    return page(
        studio,
        "form.html.jinja",
        status,
        form=form,
        typed=(texts or {}).get("confirm", ""),
        **place.shown(studio, "rows"),
    )


def _new(studio: Studio, request: Request) -> Response:
    place = _editable(studio, request)
    return _form_page(studio, place, one_row.new_form(place.model))


def _create(studio: Studio, request: Request) -> Response:
    place, texts = _editable(studio, request), request.state.form
    form = one_row.new_form(place.model).given(texts)
    try:
        one_row.confirm(studio, texts)
        key = one_row.put_new(place.rows(studio), form)
    except (BtmodelError, TypeError) as error:
        return _form_page(studio, place, form.refused(_as_btmodel_error(error), place.model), 400, texts)
    return _to_row(place, key, "The row was written.")


def _as_btmodel_error(error: Exception) -> BtmodelError:
    return error if isinstance(error, BtmodelError) else BtmodelError(str(error))


def _edit(studio: Studio, request: Request) -> Response:
    place = _editable(studio, request)
    key = raw_key(request.query_params.get("key", ""))
    return _form_page(studio, place, one_row.form_of(studio, place.rows(studio), key)[0])


def _change(studio: Studio, request: Request) -> Response:
    place, texts = _editable(studio, request), request.state.form
    rows, key = place.rows(studio), raw_key(request.query_params.get("key", ""))
    old, cells = one_row.form_of(studio, rows, key)
    form = old.given(texts)
    try:
        one_row.confirm(studio, texts)
        changed = one_row.put_changed(rows, old, cells, form, texts.get("seen", ""))
    except (BtmodelError, TypeError) as error:
        return _form_page(studio, place, form.refused(_as_btmodel_error(error), place.model), 400, texts)
    return _to_row(place, key, f"Written: {', '.join(changed)}." if changed else "Nothing was changed.")


def _to_row(place: ModelPage, key: bytes, done: str) -> Response:
    return RedirectResponse(link(f"{place.path}/row", place.pairs, key=as_text(key), done=done), 303)


def _ask(studio: Studio, request: Request, error: str = "", status: int = 200) -> Response:
    place = _editable(studio, request)
    rows, key = place.rows(studio), raw_key(request.query_params.get("key", ""))
    found = one_row.whole_of(studio, rows, key, 0)
    if not found.cells:
        raise MissingRow(place.model.__name__, rows.table, key, ())
    return page(
        studio,
        "delete.html.jinja",
        status,
        found=found,
        error=error,
        table=rows.table,
        **place.shown(studio, "rows"),
    )


def _delete(studio: Studio, request: Request) -> Response:
    place = _editable(studio, request)
    rows, key = place.rows(studio), raw_key(request.query_params.get("key", ""))
    try:
        one_row.confirm(studio, request.state.form)
    except QueryRefused as error:
        return _ask(studio, request, str(error), 400)
    studio.db.delete(rows.table, key)
    return page(studio, "deleted.html.jinja", key=key, table=rows.table, **place.shown(studio, "rows"))
