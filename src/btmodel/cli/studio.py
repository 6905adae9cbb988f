"""``btmodel studio``: a local web page over an instance."""

import os
import sys
import webbrowser
from threading import Thread

import click

from btmodel.cli.connection import named_instance, reached
from btmodel.cli.group import instance_option, models_option
from btmodel.cli.models import model_classes, shown_twins
from btmodel.cli.terminal import echo
from btmodel.errors import SettingsError
from btmodel.on_demand import library
from btmodel.settings import read


@click.command()
@instance_option
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8087,
    show_default=True,
    help="Listen on this port; 0 chooses a free one.",
)
@click.option(
    "--open/--no-open",
    "open_",
    default=None,
    help="Open a browser, or do not; by default, one is opened from a terminal of a desktop.",
)
@click.option("--edit", is_flag=True, help="Allow rows to be written and deleted.")
@models_option
@click.pass_context
def studio(context: click.Context, instance: str | None, port: int, open_: bool | None, edit: bool) -> None:
    """Serve a web page over an instance: tables, models, rows, what queries read, load, pending migrations.

    The page is for this machine alone, and its address holds a token, which is new for each run. Rows are
    changed with --edit only; on an instance of the Bigtable service, you confirm each change by typing its id.

    Exit code 0: stopped by Ctrl-C; 1: an error, such as a port in use.
    """
    for name in ("starlette", "uvicorn"):
        library(name, "studio", "btmodel studio", SettingsError)
    # Here, as nothing else needs a web server.
    from btmodel.studio.app import app_of
    from btmodel.studio.serving import HOST, Gate, Secrets, listening, serve
    from btmodel.studio.state import Studio

    classes, settings = model_classes(context), read()
    twins = shown_twins(context) if classes else ()
    name = named_instance(instance)
    with listening(port) as socket, reached(name) as target:
        secrets = Secrets()
        state = Studio(
            target,
            name,
            classes,
            twins,
            settings.revisions,
            edit=edit,
            protected=target.host is None,
            form=secrets.form,
        )
        taken = socket.getsockname()[1]
        address = f"http://{HOST}:{taken}/?token="
        echo(
            f"btmodel studio of {target.instance}, {'rows can be changed' if edit else 'read only'}. Press Ctrl-C to stop.\n"
        )
        echo(f"  {address}{secrets.token}\n")
        sys.stdout.flush()
        if _has_browser() if open_ is None else open_:
            # Beside this thread, as a browser for terminals returns when it ends.
            Thread(target=webbrowser.open, args=(address + secrets.ticket(),), daemon=True).start()
        try:
            serve(Gate(app_of(state), secrets, taken), socket)
        finally:
            state.close()


def _has_browser() -> bool:
    """Whether somebody looks at this terminal on a desktop: over SSH there is no browser, or one that takes the terminal."""
    desktop = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return sys.stdout.isatty() and desktop and "SSH_CONNECTION" not in os.environ
