"""Completion: in real shells, and by what btmodel tells them."""

import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from btmodel_codegen import TARGETS
from user_project import SETTINGS, Run

from btmodel.cli import COMMANDS
from btmodel.cli.migrate import COMMANDS as MIGRATIONS
from btmodel.lint import RULES

# What is typed before the tab, and what it becomes.
TYPED = [
    ("btmodel gen", "btmodel generate"),
    ("btmodel check --sel", "btmodel check --select"),
    ("btmodel check --select timestamp-f", "btmodel check --select timestamp-first"),
    ("btmodel rule COL00", "btmodel rule COL00"),
    ("btmodel show Or", "btmodel show Order"),
    ("btmodel migrate --instance prod", "btmodel migrate --instance production"),
    ("btmodel migrate plan --instance prod", "btmodel migrate plan --instance production"),
    ("btmodel check --live prod", "btmodel check --live production"),
    ("btmodel generate --target terr", "btmodel generate --target terraform"),
    ("btmodel simulate Or", "btmodel simulate Order"),
    ("btmodel simulate --from prod", "btmodel simulate --from production"),
    ("btmodel completion fi", "btmodel completion fish"),
    ("btmodel -m ", "btmodel -m shop.models"),
]
Offers = Callable[[str], list[str]]


@pytest.fixture
def instances(project: Path) -> Path:
    """The project, with names for two instances."""
    (project / "pyproject.toml").write_text(
        SETTINGS + '[tool.btmodel.instances]\ndev = "local:dev.db"\nproduction = "projects/p/instances/i"\n'
    )
    return project


@pytest.fixture
def offers(run: Run, instances: Path) -> Offers:
    """What the shell is told that can stand for the last word of a line, which may be empty; nothing is printed."""

    def asked(line: str) -> list[str]:
        words = line.split(" ")
        told = run(_BTMODEL_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
        assert told.stderr == ""
        return [one.partition(",")[2] for one in told.stdout.splitlines() if one]

    return asked


def test_everything_with_a_name_is_offered(offers: Offers, instances: Path) -> None:
    """Commands, options, rules, models, modules, instances and targets, those of the project included."""
    (instances / "templates").mkdir()
    (instances / "templates" / "mine.txt.jinja").write_text("{{ mark }}")
    with (instances / "pyproject.toml").open("r+") as file:
        text = file.read()
        file.seek(0)
        file.write(text.replace("models =", 'templates = "templates"\nmodels ='))
    assert offers("btmodel ") == list(COMMANDS)
    assert offers("btmodel migrate ") == list(MIGRATIONS)
    assert "--select" in offers("btmodel check --")
    assert sorted(offers("btmodel rule ")) == sorted(rule.id for rule in RULES)
    assert offers("btmodel check --ignore KEY001,timestamp") == ["KEY001,timestamp-first"]
    assert offers("btmodel show ") == ["Order"]
    assert offers("btmodel simulate Order --field ") == ["shop=", "number="]
    assert offers("btmodel simulate --read ") == ["of_shop="]
    assert "split-bytes=" in offers("btmodel simulate --assume split")
    assert offers("btmodel simulate --storage ") == ["ssd", "hdd"]
    assert offers("btmodel simulate --bucket hour,d") == ["hour,day"]
    assert offers("btmodel -m ") == offers("btmodel check ") == ["shop.models"]
    assert offers("btmodel migrate --instance ") == ["dev", "production"]
    assert offers("btmodel generate --target ") == [*TARGETS, "mine.txt"]


def test_revisions_are_offered(offers: Offers, instances: Path) -> None:
    """The ids of the revisions are offered wherever one is asked for, of files that cannot be read, too."""
    assert offers("btmodel migrate apply --to ") == []
    (instances / "migrations").mkdir()
    for name in ("0001_orders.toml", "0002_sizes.toml", "README.md"):
        (instances / "migrations" / name).write_text("")
    for line in ("apply --to ", "rollback --to ", "baseline ", "squash ", "merge --take "):
        assert offers(f"btmodel migrate {line}") == ["0001_orders", "0002_sizes"]


@pytest.mark.parametrize(
    "wrong",
    [
        "1 / 0",
        "class :",
        "import sys; print('loud'); print('loud', file=sys.stderr); sys.exit(3)",
        "import nothing",
    ],
)
def test_a_broken_module_says_nothing_into_the_shell(wrong: str, offers: Offers, instances: Path) -> None:
    """Whatever a module of the user's does when it is imported, the shell gets no traceback and no text."""
    (instances / "shop" / "models.py").write_text(wrong + "\n")
    assert offers("btmodel show ") == []
    assert "--json" in offers("btmodel show --")
    assert offers("btmodel migrate --instance ") == ["dev", "production"]


def test_broken_settings_say_nothing_into_the_shell(offers: Offers, instances: Path) -> None:
    """Where the settings cannot be read, what needs none is offered, and nothing else."""
    (instances / "pyproject.toml").write_text("[tool.btmodel")
    assert offers("btmodel show ") == offers("btmodel migrate --instance ") == []
    assert offers("btmodel chec") == ["check"]


def test_completing_loads_nothing_heavy(run: Run, instances: Path) -> None:
    """To offer commands, no command is loaded; and grpc never is."""
    for line, unwanted in [
        ("btmodel ", ["btmodel.cli.check", "jinja2", "rich", "grpc"]),
        ("btmodel migrate --instance ", ["jinja2", "grpc"]),
        ("btmodel show ", ["jinja2", "grpc"]),
        ("btmodel generate --target ", ["grpc"]),
    ]:
        words = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        loaded = run(_BTMODEL_COMPLETE="bash_complete", PYTHONPROFILEIMPORTTIME="1", **words).stderr
        assert "btmodel.cli.group" in loaded
        assert [name for name in unwanted if name in loaded] == []


class Terminal:
    """An interactive shell at a terminal of its own."""

    def __init__(self, command: list[str], folder: Path, setup: str) -> None:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = {**os.environ, "PATH": path, "TERM": "dumb", "PS1": "$ ", "HOME": str(folder)}
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        self.type(setup + "; echo re''ady\n")
        self.wait_for("ready\r\n")

    def type(self, keys: str) -> None:
        """Type."""
        os.write(self._terminal, keys.encode())

    def wait_for(self, wanted: str, seconds: float = 30) -> str:
        """All that comes until ``wanted`` has come."""
        seen, end = "", time.monotonic() + seconds
        while wanted not in seen and time.monotonic() < end:
            if select.select([self._terminal], [], [], 0.1)[0]:
                seen += os.read(self._terminal, 4096).decode(errors="replace")
        assert wanted in seen, seen
        return seen

    def close(self) -> None:
        """End the shell."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._terminal)


SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], 'eval "$(btmodel completion bash)"'),
    "zsh": (
        ["zsh", "-f", "-i"],
        'autoload -U compinit; compinit -u -D; unsetopt prompt_cr prompt_sp; eval "$(btmodel completion zsh)"',
    ),
}


@pytest.fixture(params=SHELLS)
def terminal(request: pytest.FixtureRequest, instances: Path) -> Iterator[Terminal]:
    """A real shell, with completion switched on as the help of ``btmodel completion`` says."""
    command, setup = SHELLS[request.param]
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    opened = Terminal(command, instances, setup)
    yield opened
    opened.close()


def test_a_tab_completes_in_bash_and_zsh(terminal: Terminal) -> None:
    """In a real shell, a tab completes the word, and what stands then runs."""
    for typed, becomes in TYPED:
        terminal.type(f"{typed}\t")
        terminal.wait_for(becomes.removeprefix(typed) or typed)
        terminal.type("\x15")
    terminal.type("btmodel rule timestamp-f\t\n")
    assert "KEY001" in terminal.wait_for("Use instead")


def test_fish_completes(run: Run, instances: Path) -> None:
    """fish offers what the tab would take."""
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    (instances / "btmodel.fish").write_text(run("completion", "fish").stdout)
    for typed, becomes in TYPED:
        found = subprocess.run(
            ["fish", "--no-config", "-c", f"source btmodel.fish; complete -C '{typed}'"],
            cwd=instances,
            env={**os.environ, "PATH": path, "HOME": str(instances)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert found.stderr == ""
        offered = [line.partition("\t")[0] for line in found.stdout.splitlines()]
        assert all(one.startswith(becomes.split(" ")[-1]) for one in offered), offered
        assert offered, typed


# What zsh hands to its own functions is printed.
ZSH = """
compdef() { }
compadd() { }
_describe() { print -rl -- $completions_with_descriptions }
eval "$(btmodel completion zsh)"
words=(btmodel ""); CURRENT=2
_btmodel_completion
"""
BASH = """
eval "$(btmodel completion bash)"
COMP_WORDS=(btmodel check --ignore KEY001,timest); COMP_CWORD=3
_btmodel_completion btmodel
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = """
btmodel completion fish | source
complete -C "btmodel "
complete -C "btmodel check --ignore KEY001,timest"
"""


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["bash", "--norc", "-c", BASH], ["KEY001,timestamp-first"]),
        (["zsh", "-f", "-c", ZSH], [f"{name}:{one.help}" for name, one in COMMANDS.items()]),
        (
            ["fish", "--no-config", "-c", FISH],
            [*(f"{name}\t{one.help}" for name, one in COMMANDS.items()), "KEY001,timestamp-first\tKEY001"],
        ),
    ],
    ids=["bash", "zsh", "fish"],
)
def test_values_and_descriptions_come_whole(command: list[str], told: list[str], instances: Path) -> None:
    """A comma ends neither a value nor, in the shells that show them, its description."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "HOME": str(instances)}
    found = subprocess.run(
        command, cwd=instances, env=environment, capture_output=True, text=True, timeout=60
    )
    assert (found.stderr, sorted(found.stdout.splitlines())) == ("", sorted(told))


def test_every_shell_gets_a_script_and_no_other(run: Run) -> None:
    """The scripts are printed, and a shell that is none of the three is refused by name."""
    for shell in ("bash", "zsh", "fish"):
        printed = run("completion", shell)
        assert (printed.returncode, printed.stderr) == (0, "")
        assert "_BTMODEL_COMPLETE" in printed.stdout
    refused = run("completion", "tcsh")
    assert refused.returncode == 2
    assert "'bash', 'zsh', 'fish'" in refused.stderr
