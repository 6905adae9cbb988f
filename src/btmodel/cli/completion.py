"""``btmodel completion``: what makes a shell complete the words of ``btmodel``."""

import click
from click.shell_completion import get_completion_class

from btmodel.cli.terminal import echo


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, options and names in SHELL.

    Switch it on with a line in ~/.bashrc or ~/.zshrc: eval "$(btmodel completion bash)", or zsh.
    For fish: btmodel completion fish > ~/.config/fish/completions/btmodel.fish

    Exit code 0: printed.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, "btmodel", "_BTMODEL_COMPLETE").source()
    # Click's script for fish ends a value, or its description, at the first comma in it.
    echo(script.replace('string split ","', 'string split --max 1 ","') if shell == "fish" else script)
