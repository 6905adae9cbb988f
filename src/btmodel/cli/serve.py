"""``btmodel serve``: run the local server."""

from pathlib import Path

import click

from btmodel.cli.terminal import echo


@click.command()
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep the data in this file; without it, in memory.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Listen on this address.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8086,
    show_default=True,
    help="Listen on this port; 0 chooses a free one.",
)
@click.option(
    "--replicated", is_flag=True, help="Report two clusters, and refuse what a replicated instance refuses."
)
@click.option(
    "--gc",
    type=click.Choice(["lazy", "eager"]),
    default="lazy",
    show_default=True,
    help="Collect garbage in the background (lazy), or before any read (eager).",
)
@click.option(
    "--backup",
    type=click.Path(path_type=Path),
    metavar="TO",
    help="Copy --file to TO and exit; another process may be serving it.",
)
def serve(file: Path | None, host: str, port: int, replicated: bool, gc: str, backup: Path | None) -> None:
    """Serve the Bigtable API from one file until Ctrl-C.

    The server is stricter than Google's emulator. Set BIGTABLE_EMULATOR_HOST for other clients; btmodel finds the server
    of a file by the instance name local:FILE.

    Exit code 0: stopped by Ctrl-C, or copied; 1: the file or the port is not available.
    """
    from btmodel.server.process import Server, run
    from btmodel.server.running import LOCAL
    from btmodel.server.store import backup as copy

    if backup is not None:
        if file is None:
            raise click.UsageError("--backup needs --file, the file to copy")
        copy(file, backup)
        echo(f"copied {file} to {backup}")
        return

    def ready(address: str) -> None:
        echo(f"Serving {file or 'a database in memory'}. Press Ctrl-C to stop. Point clients at it:\n")
        echo(f"  export BIGTABLE_EMULATOR_HOST={address}\n")
        echo(f"The instance is {LOCAL}; every other instance path works too.\n")

    run(Server(path=file, host=host, port=port, replicated=replicated, eager_gc=gc == "eager"), ready)
