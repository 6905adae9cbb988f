"""Shell completion: ``btmodel completion``, and the names that it completes."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

import click
from click import Context, Parameter
from click.shell_completion import CompletionItem, get_completion_class

from btmodel.cli.terminal import echo


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script that completes commands, options and names in bash, zsh or fish.

    \b
    In ~/.bashrc:  eval "$(btmodel completion bash)"
    In ~/.zshrc:   eval "$(btmodel completion zsh)"
    For fish:      btmodel completion fish > ~/.config/fish/completions/btmodel.fish

    Exit code 0: printed.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, "btmodel", "_BTMODEL_COMPLETE").source()
    # Click's script for fish ends a value, or its description, at the first comma in it.
    echo(script.replace('string split ","', 'string split --max 1 ","') if shell == "fish" else script)


# Nothing here may fail or print: the command itself reports what is wrong when it runs.

# A value, and a word on it for shells that show one.
Offer = tuple[str, str | None]
_Complete = Callable[[Context, Parameter, str], list[CompletionItem]]


def _quietly(offers: Callable[[Context, str], Iterable[Offer]]) -> _Complete:
    """The values that begin as what is typed does; none where finding them fails."""

    def complete(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
        # Of a list, A,B,C, the last part is completed.
        before, comma, begun = incomplete.rpartition(",")
        with _silence():
            try:
                found = list(offers(context, begun))
            except (Exception, SystemExit):  # modules of the user's are imported, which can do anything
                return []
        return [
            CompletionItem(f"{before}{comma}{value}", help=word)
            for value, word in found
            if value.lower().startswith(begun.lower())
        ]

    return complete


def _rules(context: Context, begun: str) -> Iterator[Offer]:
    from btmodel.lint import RULES

    for rule in RULES:
        yield rule.id, rule.name
        if begun:  # without a letter to choose by, each rule is offered once
            yield rule.name, rule.id


def _models(context: Context, begun: str) -> Iterator[Offer]:
    from btmodel.cli.models import load_each

    for model in load_each(context)[0]:
        yield model.name, model.table


def _named(context: Context) -> list[Any]:
    """The models whose names are typed already, or all."""
    from btmodel.cli.models import load_each

    models = load_each(context)[0]
    names = context.params.get("names") or ()
    return [model for model in models if model.name in names] or models


def _fields(context: Context, begun: str) -> Iterator[Offer]:
    from btmodel.simulate.workload import asked_of

    models = {asked.name: model.name for model in _named(context) for asked in asked_of(model)}
    yield from ((f"{name}=", model) for name, model in models.items())


def _queries(context: Context, begun: str) -> Iterator[Offer]:
    models = {query.name: model.name for model in _named(context) for query in model.queries}
    yield from ((f"{name}=", model) for name, model in models.items())


def _assumptions(context: Context, begun: str) -> Iterator[Offer]:
    from btmodel.simulate.cluster.cluster import Assumptions, described

    for assumption in described(Assumptions()):
        yield f"{assumption.name.replace('_', '-')}=", assumption.decides


def _storages(context: Context, begun: str) -> Iterator[Offer]:
    from btmodel.simulate.cluster.cluster import LIMITS

    return ((name, None) for name in LIMITS)


def _buckets(context: Context, begun: str) -> Iterator[Offer]:
    from btmodel.schema import Bucket

    return ((bucket.value, None) for bucket in Bucket)


def _targets(context: Context, begun: str) -> Iterator[Offer]:
    from btmodel_codegen import targets_with

    from btmodel.settings import read

    settings = read()
    folder = settings.root / settings.templates if settings.templates else None
    for name in targets_with(context.params.get("templates") or folder):
        yield name, None


def _revisions(context: Context, begun: str) -> Iterator[Offer]:
    from btmodel.migrate.revisions.folder import files
    from btmodel.settings import read

    settings = read()
    for path in files(settings.revisions):
        yield path.stem, None


def _instances(context: Context, begun: str) -> Iterable[Offer]:
    from btmodel.settings import read

    return read().instances.items()


def _modules(context: Context, begun: str) -> Iterable[Offer]:
    from btmodel.settings import read

    return [(name, None) for name in read().models]


rule_names = _quietly(_rules)
model_names = _quietly(_models)
target_names = _quietly(_targets)
revision_ids = _quietly(_revisions)
instance_names = _quietly(_instances)
module_names = _quietly(_modules)
field_names = _quietly(_fields)
query_names = _quietly(_queries)
assumption_names = _quietly(_assumptions)
storage_names = _quietly(_storages)
bucket_names = _quietly(_buckets)


@contextmanager
def _silence() -> Iterator[None]:
    """Let nothing of this block, nor of its child processes, reach the shell."""
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        own = os.dup(2)
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(own, 2)
            os.close(own)
