"""The commands, run as a shell runs them."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from user_project import MODELS, SETTINGS, Run

import btmodel as bt
from btmodel import emulator
from btmodel.cli import COMMANDS
from btmodel.lint import RULES, RulePage
from tests.forked_commands import COMMAND

ROOT = Path(__file__).parents[2]


def test_every_command_is_on_its_page_and_has_help(run: Run) -> None:
    """A command that the table lists has a line on the page of commands, and says what its exit codes mean."""
    page = (ROOT / "docs" / "commands.md").read_text()
    for name in COMMANDS:
        assert f"btmodel {name}" in page
        told = run(name, "--help").stdout
        assert COMMANDS[name].help
        assert name == "rule" or "Exit code 0" in told


def test_help_loads_nothing_heavy(run: Run) -> None:
    """``btmodel --help`` and ``check`` load neither grpc nor jinja2."""
    assert "Change the tables of an instance to match the models" in run("--help").stdout
    loaded = (
        run("--help", PYTHONPROFILEIMPORTTIME="1").stderr + run("check", PYTHONPROFILEIMPORTTIME="1").stderr
    )
    assert "btmodel.lint" in loaded
    assert "grpc" not in loaded
    assert "jinja2" not in loaded


def test_check_of_a_good_model_is_clean(run: Run) -> None:
    """A clean project is reported in one line, exit code 0."""
    checked = run("check")
    assert (checked.returncode, checked.stdout) == (0, "1 model reviewed: 0 errors, 0 warnings\n")


def test_check_shows_every_finding_with_its_place(run: Run, project: Path) -> None:
    """Two errors of one class are both shown, each with the rule, the source line and the fix."""
    text = MODELS.replace("bt.PaddedInt(8)", "bt.Int(8)").replace(", gc=bt.max_versions(1)", "")
    (project / "shop" / "models.py").write_text(text)
    checked = run("check")
    assert checked.returncode == 1
    assert "error KEY007 unpadded-number  Order.number" in checked.stdout
    assert "models.py:9" in checked.stdout
    assert "bt.PaddedInt(8)" in checked.stdout
    assert "error FAM004 no-gc-rule" in checked.stdout
    assert "Traceback" not in checked.stderr
    document = json.loads(run("check", "--json").stdout)
    assert {"KEY007", "FAM004"} <= {finding["rule"] for finding in document["findings"]}
    assert document["findings"][0]["file"].endswith("models.py")


def test_a_module_that_does_not_import_is_named_with_its_place(run: Run, project: Path) -> None:
    """The error names module, exception, file and line; the other modules are still reviewed."""
    (project / "shop" / "broken.py").write_text("import btmodel\n\n1 / 0\n")
    (project / "shop" / "wrong.py").write_text("class :\n")
    checked = run("check", "shop.models", "shop.broken", "shop.wrong", "shop.missing")
    assert checked.returncode == 1
    assert "module 'shop.broken' does not import: ZeroDivisionError: division by zero" in checked.stdout
    assert "broken.py:3)" in checked.stdout
    assert "wrong.py:1)" in checked.stdout
    assert "module 'shop.missing' does not exist" in checked.stdout
    assert "1 model reviewed" in checked.stdout
    generated = run("-m", "shop.broken", "generate")
    assert generated.returncode == 1
    assert generated.stderr.startswith("error: module 'shop.broken' does not import: ZeroDivisionError")
    assert not (project / "shop" / "generated").exists()


def test_a_declaration_that_is_wrong_is_told_with_its_place(run: Run, project: Path) -> None:
    """Every command says the file and the line of what no class has taken yet."""
    (project / "shop" / "wrong.py").write_text("import btmodel as bt\n\nKEPT = bt.max_age(10)\n")
    for arguments in (
        ("check", "shop.wrong"),
        ("-m", "shop.wrong", "migrate", "plan"),
        ("-m", "shop.wrong", "show"),
    ):
        told = run(*arguments)
        assert (
            f"{project / 'shop' / 'wrong.py'}:3: max_age: expected a timedelta" in told.stdout + told.stderr
        )
        assert told.returncode == 1


@pytest.mark.parametrize(
    "line",
    [
        "check",
        "explain a",
        "generate",
        "show",
        "simulate",
        "migrate",
        "migrate plan",
        "migrate new first",
        "migrate diff dev models",
        "migrate schema",
    ],
)
def test_modules_are_named_before_or_behind_the_command(line: str, run: Run, project: Path) -> None:
    """``-m`` says the same in both places, and modules named in both are all read."""
    command, *rest = line.split()
    for words in (
        ("-m", "absent", command, *rest),
        (command, "-m", "absent", *rest),
        (command, *rest, "--module", "absent"),
    ):
        done = run(*words)
        assert "module 'absent' does not exist" in done.stdout + done.stderr, words
    (project / "shop" / "more.py").write_text(
        MODELS.replace("class Order", "class Bill").replace("orders", "bills")
    )
    shown = run("-m", "shop.models", "show", "-m", "shop.more", "--json")
    assert {one["model"] for one in json.loads(shown.stdout)["models"]} == {"Order", "Bill"}
    assert "-m, --module MODULE" in run(*line.split(), "--help").stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("check", "1 model reviewed"),
        ("completion bash", "_BTMODEL_COMPLETE"),
        ("explain orders#1", "not a key of Order"),
        ("generate", "wrote"),
        ("init another", "wrote"),
        ("inspect local:", "no table"),
        ("migrate plan --instance local:", "create-table:orders"),
        ("rule COL001", "COL001"),
        ("serve --file dev.db --backup copy.db", "dev.db"),
        ("show Order", "Order"),
        ("simulate Order --count number=1000 --for 1h", "node"),
    ],
)
def test_every_command_starts(line: str, said: str, project: Path) -> None:
    """Each command loads what it needs: here it is started by itself, and elsewhere where all is loaded."""
    command = [COMMAND, *line.split()]
    done = subprocess.run(
        command, cwd=project, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    )
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_python_runs_it_as_a_module(project: Path) -> None:
    """``python -m btmodel`` is ``btmodel``, under that name."""
    command = [sys.executable, "-m", "btmodel", "check", "--json"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert json.loads(done.stdout)["findings"] == []
    helped = subprocess.run([*command[:3], "rule", "--help"], cwd=project, capture_output=True, text=True)
    assert helped.stdout.startswith("Usage: python -m btmodel rule")


def test_a_module_may_be_named_by_the_path_of_its_file(run: Run, project: Path) -> None:
    """The review of it is the same, in the project and from below ``src``; a file that is no module of the project is refused in a sentence."""
    named = run("check", "shop.models")
    assert (named.returncode, "1 model reviewed: 0 errors" in named.stdout) == (0, True)
    for path in ("shop/models.py", "./shop/models.py", str(project / "shop" / "models.py")):
        assert run("check", path).stdout == named.stdout, path
        assert run("-m", path, "show", "--json").stdout == run("-m", "shop.models", "show", "--json").stdout
    (project / "src" / "app").mkdir(parents=True)
    (project / "src" / "app" / "my-models.py").write_text(MODELS)
    (project / "src" / "app" / "ours.py").write_text(MODELS)
    assert run("check", "src/app/ours.py").returncode == 0
    for path, said in (
        (
            "shop/absent.py",
            "'shop/absent.py' does not exist: expected a module, such as app.models, or the path",
        ),
        ("src/app/my-models.py", "is not the file of a module of this project"),
        ("/etc/hostname", "is not the file of a module of this project"),
    ):
        refused = run("check", path)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert said in refused.stderr


def test_a_folder_names_the_modules_in_it_that_declare_models(run: Run, project: Path) -> None:
    """As of other tools that read source: of one folder, or of all; without revisions, tests, hidden folders and what declares none."""
    run("migrate", "new", "first")
    (project / "shop" / "job.py").write_text("raise SystemExit('a job ran: btmodel')\n")
    for folder in ("tests", ".hidden", "shop/deep"):
        (project / folder).mkdir()
        text = MODELS.replace("Order", folder.strip("./").title().replace("/", ""))
        (project / folder / "more.py").write_text(text.replace('"orders"', f'"{folder.strip("./")[-4:]}"'))
    (project / "venv").mkdir()
    (project / "venv" / "pyvenv.cfg").touch()
    (project / "venv" / "models.py").write_text("import btmodel\nclass A(B, table='x'): ...\n")
    (project / "another" / "app").mkdir(parents=True)
    (project / "another" / "pyproject.toml").touch()
    (project / "another" / "app" / "models.py").write_text(MODELS.replace("Order", "Other"))
    for folder in (".", "shop/", "./shop", str(project), ".."):
        checked = run("check", folder)
        if folder == "..":
            assert "declares a model" in checked.stderr or "is not the file" in checked.stderr
        else:
            assert (checked.returncode, "2 models reviewed" in checked.stdout) == (0, True), checked.stdout
    assert "2 models reviewed" in run("-m", "shop/", "check").stdout
    assert "1 model reviewed" in run("check", "tests/").stdout  # as it was asked for
    assert "no file in 'migrations/' declares a model" in run("check", "migrations/").stderr
    whole = run("check", "shop")
    assert "no model is declared in shop: for its modules, name its folder, shop/" in whole.stdout


def test_what_cannot_be_read_in_a_folder_is_told(run: Run, project: Path) -> None:
    """A file that does not parse is an error of the review, and nobody waits for a pipe."""
    (project / "shop" / "broken.py").write_text("import btmodel\nclass A(bt.Model, table='a'\n")
    (project / "shop" / "nested.py").write_text("import btmodel\nclass A: x = " + "(" * 500)
    os.mkfifo(project / "shop" / "pipe.py")
    (project / "shop" / "gone.py").symlink_to("nowhere.py")
    checked = run("check", "shop/")
    assert (checked.returncode, "1 model reviewed: 2 errors" in checked.stdout) == (1, True), checked.stdout
    assert "'shop.broken' does not import: SyntaxError" in checked.stdout
    assert "Traceback" not in checked.stdout + checked.stderr


def test_a_module_without_models_is_told(run: Run) -> None:
    """A module that declares nothing fails the check, as it fails the other commands."""
    checked = run("check", "json")
    assert checked.returncode == 1
    assert "no model is declared in json" in checked.stdout


def test_generate_for_one_module_keeps_the_files_of_the_others(run: Run, project: Path) -> None:
    """With -m, files of models that were not named stay."""
    (project / "shop" / "two.py").write_text(MODELS.replace("Order", "Bill").replace("orders", "bills"))
    assert run("generate").returncode == 0
    assert run("-m", "shop.two", "generate").returncode == 0
    kept = {path.name for path in (project / "shop" / "generated").iterdir()}
    assert {"order_repository.py", "bill_repository.py"} <= kept


def test_warnings_fail_with_strict_alone(run: Run, project: Path) -> None:
    """A warning is shown and passes; with --strict it fails."""
    text = MODELS.replace('bt.column("total", d)', 'bt.column("THE_TOTAL_OF_ORDER", d)')
    (project / "shop" / "models.py").write_text(text)
    assert "warning COL001 long-qualifier" in run("check").stdout
    assert (run("check").returncode, run("check", "--strict").returncode) == (0, 1)


def test_rules_are_listed_and_explained(run: Run) -> None:
    """``rule`` lists every rule; with an id or a name it prints the page; an unknown one is refused."""
    assert "KEY008" in run("rule").stdout
    page = run("rule", "KEY008").stdout
    assert page == run("rule", "ambiguous-boundary").stdout
    assert "Use instead" in page
    assert "no rule 'KEY999' (did you mean KEY?)" in run("rule", "KEY999").stderr
    keys = run("rule", "key").stdout
    assert "KEY008" in keys
    assert "QRY001" not in keys
    assert "no rule 'KEY01' (did you mean KEY001?)" in run("rule", "KEY01").stderr


def test_lists_of_rules_stay_lists(run: Run) -> None:
    """At 80 columns no name is cut, ids are in order, and the items of a list on a page have a line each."""
    listed = run("rule", COLUMNS="80").stdout
    assert all(rule.id in listed and rule.name in listed for rule in RULES)
    ids = re.findall("KEY[0-9]{3}|QRY[0-9]{3}", listed)
    assert ids == sorted(ids)
    bullets = RulePage.parse(next(rule.page for rule in RULES if rule.id == "KEY005")).sections[
        "What it finds"
    ]
    page = run("rule", "KEY005").stdout
    assert bullets.count("\n- ") == page.count("\n- ") > 1


def test_explain_takes_a_key_apart(run: Run) -> None:
    """A key of a model is shown field by field, exit code 0; for bytes that are none, why not, exit code 1."""
    explained = run("explain", "acme#00000042")
    assert explained.returncode == 0
    assert "Order, a row of table orders" in explained.stdout
    document = json.loads(run("explain", "--json", "acme#00000042").stdout)
    assert [(part["field"], part["bytes"], part["value"]) for part in document["models"][0]["fields"]] == [
        ("shop", "acme", "acme"),
        ("number", "00000042", "42"),
    ]
    wrong = run("explain", r"acme\x00#42")
    assert wrong.returncode == 1
    assert "not a key of Order" in wrong.stdout


def test_explain_takes_a_key_of_several_delimiters_apart(run: Run, project: Path) -> None:
    """Each field ends at its own delimiter, and may hold those of the others."""
    models = (
        MODELS.replace("max_length=12)", 'max_length=12), ends="/"')
        .replace("    number:", '    part: str = bt.key(bt.Text(max_length=9), ends="->")\n    number:')
        .replace('"shop", between', '"shop", "part", between')
    )
    (project / "shop" / "models.py").write_text(models)
    document = json.loads(run("explain", "--json", "a#c/x/y->00000042").stdout)
    assert [(part["field"], part["bytes"]) for part in document["models"][0]["fields"]] == [
        ("shop", "a#c"),
        ("part", "x/y"),
        ("number", "00000042"),
    ]
    assert "expected b'->' after part, and there is none" in run("explain", "a#c/x#00000042").stdout


def test_generate_writes_and_checks(run: Run, project: Path) -> None:
    """generate writes, --check passes; after a change of the model --check fails with a diff and writes nothing."""
    missing = run("generate", "--check")
    assert missing.returncode == 1
    assert "+class OrderRepository(Repository[Order, OrderKey, OrderRows]):" in missing.stdout
    assert not (project / "shop" / "generated").exists()
    assert run("generate").returncode == 0
    assert run("generate", "--check").returncode == 0
    (project / "shop" / "models.py").write_text(MODELS.replace("cardinality=500", "cardinality=600"))
    assert run("generate", "--check").returncode == 0
    (project / "shop" / "models.py").write_text(MODELS.replace("max_versions(1)", "max_versions(2)"))
    stale = run("generate", "--check")
    assert stale.returncode == 1
    assert "+" in stale.stdout
    assert "families=d:maxversions=2" in stale.stdout
    assert "maxversions=1" in (project / "shop" / "generated" / "tables.cbt.sh").read_text()


def test_the_settings_name_the_targets(run: Run, project: Path) -> None:
    """Without targets, what was always written is; with them, those alone, and the files of others go."""
    generated = project / "shop" / "generated"
    assert run("generate").returncode == 0
    always = {"__init__.py", "order_repository.py", "tables.cbt.sh", "tables.json"}
    assert {path.name for path in generated.iterdir()} == always
    (project / "pyproject.toml").write_text(f"{SETTINGS}targets = ['terraform', 'sql']\n")
    assert run("generate").returncode == 0
    assert {path.name for path in generated.iterdir()} == {"tables.tf", "tables.sql"}
    (project / "pyproject.toml").write_text(SETTINGS)
    assert run("generate").returncode == 0
    assert {path.name for path in generated.iterdir()} == always


def test_migrate_plans_asks_and_applies(run: Run, server: emulator.Emulator) -> None:
    """plan exits 2 while something differs; without a terminal nothing is applied unasked; then nothing is left."""
    instance = f"projects/cli/instances/i{uuid.uuid4().hex[:8]}"
    host = {emulator.VARIABLE: server.host}
    plan = run("migrate", "plan", "--instance", instance, **host)
    assert plan.returncode == 2
    assert "create-table:orders" in plan.stdout
    unasked = run("migrate", "--instance", instance, **host)
    assert unasked.returncode == 1
    assert "--yes" in unasked.stderr
    assert run("migrate", "--instance", instance, "--yes", **host).returncode == 0
    again = run("migrate", "plan", "--instance", instance, **host)
    assert again.returncode == 0
    assert "nothing to do" in again.stdout


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("[tool.btmodel]\nmodels = 'shop.models'", "models: expected a list, got 'shop.models'"),
        ("[tool.btmodel]\nmodel = ['shop.models']", "has no setting 'model' (did you mean models?)"),
        ("[tool.btmodel]\nmodels = [1]", "expected text, got 1"),
        ("[tool.btmodel]\ntargets = [1]", "expected text, got 1"),
        ("[tool.btmodel]\ntargets = 'cbt'", "targets: expected a list, got 'cbt'"),
        (f"{SETTINGS}targets = ['terrafrom']", "no target is called 'terrafrom' (did you mean terraform?)"),
        (
            f"{SETTINGS}targets = ['x']",
            "no target is called 'x' (known: cbt, json, repository, gcloud, terraform",
        ),
        (f"{SETTINGS}targets = []", "targets: expected at least one of cbt, json"),
        ("[tool.btmodel", "pyproject.toml: "),
        ("tool = 3", "expected a table [tool.btmodel], got 3"),
        ("[tool]\nbtmodel = 3", "expected a table [tool.btmodel], got 3"),
        ("", "no models: name their modules"),
    ],
)
def test_wrong_settings_are_one_sentence(run: Run, project: Path, settings: str, sentence: str) -> None:
    """Settings that cannot be read say which file and what was expected, exit code 1."""
    (project / "pyproject.toml").write_text(settings)
    told = run("generate")
    assert told.returncode == 1
    assert sentence in told.stderr
    assert len(told.stderr.strip().splitlines()) == 1


def test_commands_work_beside_a_program_that_uses_the_file(run: Run, project: Path) -> None:
    """While a program has a local file open, every command reaches it at the same server."""
    with bt.connect(f"local:{project / 'dev.db'}") as db:
        assert run("migrate", "--yes", "--instance", "local:dev.db").returncode == 0
        assert list(db.cells("orders")) == []
        for command in ("migrate plan --instance local:dev.db", "inspect local:dev.db"):
            beside = run(*command.split())
            assert (beside.returncode, f"server: {db.target.host}," in beside.stderr) == (0, True), (
                beside.stderr
            )
        refused = run("serve", "--file", "dev.db", "--port", "0")
        assert refused.returncode == 1
        assert "This server ends with the last program that uses the file" in refused.stderr
    assert run("migrate", "plan", "--instance", "local:dev.db").returncode == 0


def test_serve_serves_a_file_until_it_is_interrupted(run: Run, project: Path) -> None:
    """serve prints the address that clients need, keeps the data, and ends with Ctrl-C, exit code 0."""
    command = [str(Path(sys.executable).with_name("btmodel")), "serve", "--file", "dev.db", "--port", "0"]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        told = "".join(iter(served.stdout.readline, "\n")) + served.stdout.readline()
        host = told.rpartition("BIGTABLE_EMULATOR_HOST=")[2].strip()
        served.stdout.readline()
        assert "The instance is projects/btmodel/instances/local; every" in served.stdout.readline()
        assert run("migrate", "--yes", BIGTABLE_EMULATOR_HOST=host).returncode == 0
        beside = run("inspect", "local:dev.db", BIGTABLE_EMULATOR_HOST="")
        assert f"server: {host}, a local server of dev.db" in beside.stderr
        second = run("serve", "--file", "dev.db", "--port", "0")
        assert second.returncode == 1
        assert f"dev.db is already being served by process {served.pid}" in second.stderr
        assert run("serve", "--file", "dev.db", "--backup", "copy.db").stdout == "copied dev.db to copy.db\n"
        served.send_signal(signal.SIGINT)
        assert served.wait(10) == 0
    assert (project / "copy.db").stat().st_size > 0
    with socket.create_server(("127.0.0.1", 0)) as occupied:
        taken = run("serve", "--file", "dev.db", "--port", str(occupied.getsockname()[1]))
    assert taken.returncode == 1
    assert "error: cannot listen on 127.0.0.1:" in taken.stderr
    assert "Traceback" not in taken.stderr
