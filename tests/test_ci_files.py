"""What other repositories use of this one: the action for GitHub, the hooks for pre-commit and the image of the server do what they say."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from attrs import evolve, field, frozen

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"] if "run" in step}

MODELS = '''\
"""A model with a warning: nobody can read its keys."""

import btmodel as bt


class User(bt.Model, table="USER"):
    """A user."""

    id: bytes = bt.key(bt.Bytes(width=16))

    f = bt.family("f", gc=bt.max_versions(1))
    city: str = bt.column("c", f)
'''
SETTINGS = """\
[tool.btmodel]
models = ["models"]
instance = "here"

[tool.btmodel.instances]
here = "local:"
"""
# Writes down how it is called, and knows one comment if COMMENT is set.
GH = """\
#!/bin/sh
for word in "$@"; do printf '%s\\n' "$word" >>"$CALLS"; done
case " $* " in
*" --paginate "*) [ -z "$COMMENT" ] || echo "$COMMENT" ;;
*) [ -z "$REFUSED" ] ;;
esac
"""
HOSTILE = "$(touch pwned) `touch pwned`;touch${IFS}pwned\n& touch pwned | 'touch pwned' \"touch pwned\" --> ::error::x"


@frozen
class Runner:
    """Runs the steps of the action in a project, as GitHub's runner would."""

    folder: Path
    inputs: dict[str, str] = field(factory=dict)
    environment: dict[str, str] = field(factory=dict)

    def run(self, id: str) -> subprocess.CompletedProcess[str]:
        """Run one step; its variables are what its expressions give."""
        step = STEPS[id]
        variables = {name: self._value(text) for name, text in step.get("env", {}).items()}
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder,
            env=self._environment() | variables | self.environment,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def _environment(self) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("BTMODEL", "PYTEST"))
        }
        temporary = {
            name: str(self.folder / name)
            for name in ("RUNNER_TEMP", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "CALLS")
        }
        (self.folder / "RUNNER_TEMP").mkdir(exist_ok=True)
        return kept | temporary | {
            "PATH": f"{self.folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_REPOSITORY": "ann/shop",
            "GITHUB_WORKSPACE": str(self.folder),
        }  # fmt: skip

    def _value(self, text: str) -> str:
        known = {f"inputs.{name}": one["default"] for name, one in ACTION["inputs"].items()}
        known |= {f"inputs.{name}": value for name, value in self.inputs.items()}
        known |= {
            "github.event.pull_request.number": "7",
            "steps.review.outputs.failed": self.output("failed"),
        }
        return known[re.fullmatch(r"\$\{\{ (\S+) \}\}", text)[1]]  # type: ignore[index]

    def output(self, name: str) -> str:
        """What the steps have put out so far."""
        path = self.folder / "GITHUB_OUTPUT"
        lines = path.read_text().splitlines() if path.exists() else []
        return dict(line.split("=", 1) for line in lines).get(name, "")

    def calls(self) -> list[str]:
        """The words of all calls of gh."""
        path = self.folder / "CALLS"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one model, and a gh that writes down how it is called."""
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "models.py").write_text(MODELS)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gh").write_text(GH)
    (tmp_path / "bin" / "gh").chmod(0o755)
    return tmp_path


def test_inputs_are_variables_and_no_part_of_a_script() -> None:
    """No expression stands in a ``run``, and each step that names an input passes it as a variable."""
    for step in STEPS.values():
        assert "${{" not in step["run"], step


def test_a_pull_request_is_reviewed_and_its_plan_is_commented(project: Path) -> None:
    """Findings are annotations and SARIF, a warning fails only once all is written, and the plan becomes one comment."""
    runner = Runner(project, {"instance": "here"}, {"COMMENT": "", "REFUSED": ""})
    reviewed = runner.run("review")
    assert (reviewed.returncode, runner.output("failed")) == (0, "true"), reviewed.stderr
    assert re.search(r"^::warning file=\S*models\.py,line=9,", reviewed.stdout, re.M)
    [run] = json.loads((project / "RUNNER_TEMP" / "btmodel.sarif").read_text())["runs"]
    assert {result["ruleId"] for result in run["results"]} >= {"KEY006"}
    planned = runner.run("plan")
    assert (planned.returncode, runner.output("pending")) == (0, "true"), planned.stderr
    assert "`create-table:USER`" in (project / "GITHUB_STEP_SUMMARY").read_text()
    assert runner.run("comment").returncode == 0
    body = project / "RUNNER_TEMP" / "btmodel-plan.md"
    assert runner.calls()[-4:] == ["POST", "repos/ann/shop/issues/7/comments", "--field", f"body=@{body}"]
    assert runner.run("verdict").returncode == 1
    the_next_run_replaces_its_comment(runner)


def the_next_run_replaces_its_comment(runner: Runner) -> None:
    """A comment that begins with the mark of the instance is edited; where the token may not, the job goes on with a warning."""
    [mark, *_] = (runner.folder / "RUNNER_TEMP" / "btmodel-plan.md").read_text().splitlines()
    assert evolve(runner, environment={"COMMENT": "99", "REFUSED": ""}).run("comment").returncode == 0
    assert any(f'startswith("{mark}")' in call for call in runner.calls())
    assert runner.calls()[-4:-2] == ["PATCH", "repos/ann/shop/issues/comments/99"]
    refused = evolve(runner, environment={"COMMENT": "", "REFUSED": "yes"}).run("comment")
    assert refused.returncode == 0
    assert "::warning::" in refused.stdout


def test_hostile_inputs_are_only_text(project: Path) -> None:
    """Whatever stands in an input, nothing of it is executed, and btmodel refuses it by its name."""
    runner = Runner(project, {"models": HOSTILE, "instance": HOSTILE, "strict": HOSTILE})
    reviewed = runner.run("review")
    assert "'$(touch'" in reviewed.stdout + reviewed.stderr
    planned = runner.run("plan")
    assert planned.returncode == 1
    assert "pending" not in (project / "GITHUB_OUTPUT").read_text()
    commented = Runner(project, runner.inputs, {"PULL_REQUEST": HOSTILE}).run("comment")
    assert commented.returncode == 1
    assert not list(project.rglob("pwned"))


def test_a_plan_fits_into_a_comment(project: Path) -> None:
    """A plan of more than 60,000 characters is cut, at the end of a line."""
    fake = project / "btmodel" / "__main__.py"
    fake.parent.mkdir()
    fake.write_text(
        "print('\\n'.join(['<details>', *('| `\\u00e9` |' * 9 for _ in range(2000))])); raise SystemExit(2)\n"
    )
    (project / "btmodel" / "__init__.py").touch()
    runner = Runner(project, {"instance": "here"})
    assert runner.run("plan").returncode == 0
    text = (project / "RUNNER_TEMP" / "btmodel-plan.md").read_text()
    assert 59_000 < len(text) < 65_536
    assert text.endswith("|\n\n</details>\n\nThe rest is in the log of `btmodel migrate plan`.\n")


def test_the_hooks_run(project: Path) -> None:
    """Each hook is a command that succeeds in a project without findings."""
    (project / "models.py").write_text(
        MODELS.replace("bytes = bt.key(bt.Bytes(width=16))", "str = bt.key(bt.Text(width=16))")
    )
    runner = Runner(project)
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    for command in ("btmodel migrate new first", *(hook["entry"] for hook in hooks)):
        done = subprocess.run(
            shlex.split(command), cwd=project, env=runner._environment(), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_container_of_the_server_starts(tmp_path: Path) -> None:
    """What the Dockerfile's CMD starts is healthy, takes the migration of the compose file, and ends in order; what it copies is there."""
    folder = ROOT / "examples" / "server"
    text = (folder / "Dockerfile").read_text()
    for sources in re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE):
        assert all((ROOT / source).exists() for source in sources.split())
    [command] = [json.loads(one) for one in re.findall(r"^CMD (\[.*\])$", text, re.MULTILINE)]
    [check] = [json.loads(one) for one in re.findall(r"^HEALTHCHECK .*CMD (\[.*\])$", text, re.MULTILINE)]
    service = yaml.safe_load((folder / "compose.yml").read_text())["services"]["migrate"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    here = {"/data/dev.db": str(tmp_path / "dev.db"), "0.0.0.0": "127.0.0.1", "8086": port}
    path = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    served = subprocess.Popen([here.get(word, word) for word in command], env=path, cwd=tmp_path)
    try:
        healthy = [word.replace("8086", port) for word in check]
        while subprocess.run(healthy, env=path, stderr=subprocess.DEVNULL).returncode:
            assert served.poll() is None
        subprocess.run(
            service["command"],
            cwd=folder / service["volumes"][0].partition(":")[0],
            env=path | service["environment"] | {"BIGTABLE_EMULATOR_HOST": f"127.0.0.1:{port}"},
            check=True,
        )
    finally:
        served.terminate()
    assert served.wait(20) == 0
