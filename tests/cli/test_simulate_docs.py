"""docs/simulate.md is true: its commands run, its figures are what comes, and its lists are complete."""

import os
import re
import shlex
from pathlib import Path

import pytest
from user_project import Run

from btmodel.cli.simulation.printing import valued
from btmodel.simulate.cluster.cluster import Assumptions, described
from btmodel.simulate.workload import read_file
from examples.demo import FIRST_TRY
from tests.forked_commands import Commands

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "simulate.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


COMMANDS = [line.partition(" #")[0].strip() for line in blocks("sh")[0].splitlines()]


def test_the_answer_in_the_page_is_what_comes(run: Run, project: Path) -> None:
    """The model of the page, simulated by its command, prints the lines of the page, up to its dots."""
    (project / "shop" / "models.py").write_text(blocks("python")[0])
    done = run(*shlex.split(blocks("sh")[1])[1:])
    assert done.returncode == 0, done.stderr
    shown = blocks("text")[0].rstrip().removesuffix("...").splitlines()
    assert [line.rstrip() for line in done.stdout.splitlines()][: len(shown)] == shown


def test_the_picture_of_the_readme_is_what_comes(run: Run, project: Path) -> None:
    """The class of the README, simulated by its command beside the proposed key: the picture but for the letters of another font."""
    from matplotlib.image import imread

    readme = (ROOT / "README.md").read_text()
    (shown,) = re.findall(r"^```py\n(.*?)^```", readme, re.M | re.S)
    (command,) = re.findall(r"`btmodel (simulate [^`]+)`", readme)
    imports = "from datetime import datetime\nfrom decimal import Decimal\n\nimport btmodel as bt\n\n\n"
    (project / "shop" / "models.py").write_text(imports + shown)
    done = run(*shlex.split(command), "--brief")
    assert done.returncode == 0, done.stderr
    now, kept = (imread(path)[:, :, :3] for path in (project / "hotspot.png", ROOT / "docs" / "hotspot.png"))
    assert "](docs/hotspot.png)" in readme
    assert now.shape == kept.shape
    assert abs(now - kept).mean() < 0.02


def test_the_maps_alone(run: Run, project: Path) -> None:
    """With ``--maps`` comes the sentence, then the maps and the nodes, and nothing else."""
    (project / "first_try.py").write_text(FIRST_TRY)
    done = run("simulate", "Quote", "-m", "first_try", "--nodes", "10", "--for", "1h", "--maps")
    assert done.returncode == 0, done.stderr
    assert "Quote: QUOTE  rows written in ranges of keys" in done.stdout
    assert "Load of the nodes of proposed key" in done.stdout
    assert "Assumed, because" not in done.stdout
    assert "after a day" not in done.stdout


@pytest.mark.parametrize("command", [one for one in COMMANDS if one.startswith("btmodel simulate ")])
def test_the_commands_of_the_page_run(command: str, tmp_path: Path, commands: Commands) -> None:
    """Each command that the page begins with does what it says, here for a short time, on the models of examples/."""
    words = shlex.split(command)[1:]
    words = [str(tmp_path / word) if word.startswith("quote.") else word for word in words]
    done = commands.run([*words, "--for", "1h", "--step", "10min"], ROOT, os.environ, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "nodes" in done.stdout or "node" in done.stdout


def test_every_assumption_is_in_the_page() -> None:
    """Name, default, what it decides and what it is taken from: as the answer has them."""
    for one in described(Assumptions()):
        row = f"| `{one.name.replace('_', '-')}` | {valued(one, one.default)} | {one.decides} | {one.taken_from} |"
        assert row in PAGE, row


def test_the_file_in_the_page_is_read(tmp_path: Path) -> None:
    """The workload that the page shows as TOML is one."""
    path = tmp_path / "load.toml"
    path.write_text(blocks("toml")[0])
    found = read_file(path)
    assert found.cluster == {"nodes": 10}
    assert found.models["Quote"].reads == {"by_symbol": "100/s:50"}


def test_every_option_is_in_the_page() -> None:
    """What the help lists of the workload and of alternatives, the page tells."""
    from btmodel.cli.simulation import options

    for option in re.findall(r'"(--[a-z]+)"', Path(options.__file__).read_text()):
        assert option in PAGE, option
