"""The floors of the code: imports point down only, and each outside library has one room.

Every import counts, wherever it hides: in functions and under ``TYPE_CHECKING`` too.
"""

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import btmodel
from btmodel.on_demand import TABLES

SOURCE = Path(btmodel.__file__).parent
CODEGEN = SOURCE.parents[1] / "codegen" / "btmodel_codegen"

# Each room, and the rooms beneath it that it may import.
ROOMS = {
    "words": "",
    "value": "",
    "on_demand": "words",
    "errors": "words",
    "settings": "words errors",
    "emulator": "words errors",
    "googlesql": "words errors",
    "server": "words errors googlesql",
    "codecs": "words on_demand value errors",
    "schema": "words on_demand value errors codecs",
    "estimates": "words on_demand value errors codecs schema",
    "recorded": "words errors codecs schema",
    "source_text": "words errors codecs schema",
    "sql": "words errors codecs schema",
    "rows": "words on_demand value errors codecs schema",
    "columnar": "words on_demand errors codecs schema rows",
    "client": "words on_demand errors settings emulator server codecs schema rows columnar",
    "design": "words on_demand value errors codecs schema estimates source_text sql",
    "lint": "words on_demand value errors codecs schema estimates source_text design",
    "described": "words errors codecs schema estimates design lint",
    "guess": "words errors codecs schema recorded source_text sql rows lint",
    "declare": "words on_demand value errors codecs schema estimates sql rows lint",
    "testing": "words errors codecs schema rows declare",
    "repository": "words errors codecs schema rows columnar client declare",
    "migrate": "words errors settings codecs schema recorded rows sql client design lint declare",
    "beam": "words on_demand errors schema rows client declare repository migrate",
    "simulate": "words on_demand errors codecs schema estimates rows client design lint described declare",
    "btmodel_codegen": "words errors googlesql codecs schema estimates sql source_text design lint described guess",
    "studio": "words on_demand errors codecs schema estimates rows client described declare repository migrate simulate btmodel_codegen",
    "tables": "words errors schema client declare migrate",
    "opentelemetry": "on_demand errors client",
    "btmodel": "words on_demand errors settings codecs schema rows lint declare emulator server client repository migrate tables",
    "pytest_plugin": "schema emulator client migrate server btmodel",
    "cli": "words on_demand errors settings googlesql codecs schema estimates recorded source_text rows columnar design lint described guess declare emulator server client"
    " repository migrate beam simulate studio tables btmodel_codegen btmodel",
    "__main__": "cli",
}
# Each outside library that has a room of its own, and the files that may import it.
LIBRARIES = {
    "google": ("btmodel/client/", "btmodel/server/protos.py", "btmodel/codecs/cell/protobuf.py"),
    "grpc": ("btmodel/client/", "btmodel/server/"),
    "apache_beam": ("btmodel/beam/",),
    "numpy": ("btmodel/codecs/cell/array.py", "btmodel/columnar/", "btmodel/simulate/"),
    "matplotlib": ("btmodel/simulate/picture/files.py",),
    "pandas": ("btmodel/columnar/",),
    "polars": ("btmodel/columnar/",),
    "pydantic": ("btmodel/declare/row_forms.py",),
    "pydantic_core": ("btmodel/declare/row_forms.py",),
    "pyarrow": ("btmodel/columnar/", "btmodel/beam/"),
    "jinja2": ("btmodel_codegen/render.py", "btmodel/studio/pages.py"),
    "starlette": ("btmodel/studio/",),
    "uvicorn": ("btmodel/studio/serving.py",),
    "click": ("btmodel/cli/",),
    "rich": ("btmodel/cli/",),
    "hypothesis": ("btmodel/testing.py",),
    "pytest": ("btmodel/pytest_plugin.py",),
    "zetasql": ("btmodel/googlesql/child.py",),
    "wasmtime": ("btmodel/googlesql/child.py",),
    "zstandard": ("btmodel/codecs/cell/compressed.py",),
    # Near names are offered by `words.meant` alone; generated files and fixes are compared by lines.
    "difflib": ("btmodel/cli/check.py", "btmodel/words.py", "btmodel_codegen/files.py"),
}
FILES = {
    path.relative_to(folder.parent).as_posix(): path
    for folder in (SOURCE, CODEGEN)
    for path in sorted(folder.rglob("*.py"))
}


def room(module: str) -> str:
    """The room of a module: its first part below ``btmodel``, or ``btmodel`` for the public face."""
    head, _, rest = module.partition(".")
    below = rest.split(".")[0]
    return below if head == "btmodel" and below in ROOMS else head


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, by its full name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides its floor"
            for alias in node.names:
                yield f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
            names = [one.value for one in node.args[:1] if isinstance(one, ast.Constant)]
            yield from map(str, names)


def test_every_file_has_a_room() -> None:
    """No part of the code stands outside the table of floors."""
    assert "btmodel/errors.py" in FILES
    assert "btmodel_codegen/render.py" in FILES
    assert {room(name.removesuffix(".py").replace("/", ".")) for name in FILES} <= set(ROOMS)
    tops = {path.name.removesuffix(".py") for path in SOURCE.iterdir() if path.suffix in ("", ".py")}
    assert tops - {"__init__", "__pycache__", "__main__"} <= set(ROOMS)


def module_of(name: str) -> str:
    """The module of a file: ``btmodel/rows/key_codec.py`` is ``btmodel.rows.key_codec``."""
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def imports() -> dict[str, set[str]]:
    """What each file of ours imports; every test below asks about the same imports."""
    return {name: set(imported(path)) for name, path in FILES.items()}


def test_imports_point_down() -> None:
    """A file imports from its own room and the rooms beneath it, never upward and never sideways."""
    wrong = []
    for name, modules in imports().items():
        here = room(module_of(name))
        ours = {module for module in modules if module.split(".")[0] in ("btmodel", "btmodel_codegen")}
        wrong += [f"{name}: {module}" for module in ours if room(module) not in {here, *ROOMS[here].split()}]
    assert wrong == []


def test_a_library_stays_in_its_room() -> None:
    """Google's client, gRPC, Jinja and the libraries of the command line are imported in one place each."""
    wrong = []
    for name, modules in imports().items():
        tops = {module.split(".")[0] for module in modules} & LIBRARIES.keys()
        wrong += [f"{name}: {top}" for top in tops if not name.startswith(LIBRARIES[top])]
    assert wrong == []


@cache
def on_demand() -> set[str]:
    """The packages that load on demand, by their files. They import nothing of what they list."""
    return {name for name, modules in imports().items() if "btmodel.on_demand.load_on_demand" in modules}


@cache
def homes() -> dict[str, str]:
    """The names of these packages, each with the module where it is, from which it is imported."""
    for package in on_demand():
        import_module(module_of(package))
    return {f"{package}.{name}": home for package, table in TABLES.items() for name, home in table.items()}


def rings(arrows: dict[str, set[str]]) -> list[str]:
    """The names from which a walk along the arrows comes back to them."""
    left = dict(arrows)
    while free := [name for name, ends in left.items() if not ends & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


def arrows_among(names_of: dict[str, str]) -> dict[str, set[str]]:
    """Imports between the files of ``names_of``, joined under the names that it gives them."""
    modules = {module_of(name): name for name in FILES}
    found: dict[str, set[str]] = {one: set() for one in names_of.values()}
    for name, one in names_of.items():
        for module in imports()[name]:
            module = homes().get(module, module)
            target = modules.get(module) or modules.get(module.rpartition(".")[0])
            other = names_of.get(target or "", one)
            if other != one:
                found[one].add(other)
    return found


def test_no_modules_import_each_other_in_a_ring() -> None:
    """No file needs, by any way, a file that needs it."""
    assert rings(arrows_among({name: name for name in FILES if name not in on_demand()})) == []


def test_no_parts_of_a_room_import_each_other_in_a_ring() -> None:
    """Folders inside of a room have floors, too: ``migrate/changes`` and ``migrate/data`` do not need each other."""
    parts = {name: "/".join(name.removesuffix(".py").split("/")[:3]) for name in FILES}
    assert rings(arrows_among({name: one for name, one in parts.items() if "__init__" not in one})) == []


def test_the_rings_are_found() -> None:
    """The walk that the two tests above rest on sees a ring, and what only leads to one."""
    assert rings({"a": {"b"}, "b": {"a"}, "c": {"a"}, "d": set()}) == ["a", "b", "c"]
    assert rings({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_the_page_draws_the_floors() -> None:
    """Every room stands once in the drawing of ARCHITECTURE.md, above all rooms that it may import."""
    text = (SOURCE.parents[1] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    drawing = text.split("## The rooms")[1].split("```text\n")[1].split("```")[0]
    floors = [line[:57].split() for line in drawing.splitlines()]
    height = {
        "btmodel_codegen" if name == "codegen/" else name: -at
        for at, names in enumerate(floors)
        for name in names
    }
    assert sum(map(len, floors)) == len(height)
    assert height.keys() == ROOMS.keys() - {"__main__"}
    for above, beneath in ROOMS.items():
        assert [one for one in beneath.split() if above in height and height[one] >= height[above]] == []


PRINTS = {
    "click.echo",
    "click.confirm",
    "click.prompt",
    "click.secho",
    "rich.text.Text",
    "rich.console.Console",
}


def test_commands_print_through_one_door() -> None:
    """Commands print with what writes hidden characters out, never with click, rich or print themselves."""
    doors = {"btmodel/cli/terminal.py", "btmodel/cli/console.py"}
    for name, path in FILES.items():
        if not name.startswith("btmodel/cli/") or name in doors:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert (calls | imports()[name]) & (PRINTS | {"print"}) == set(), name


def test_the_table_of_floors_has_no_ring() -> None:
    """Rooms are listed from the lowest up, so no two can come to import each other."""
    order = list(ROOMS)
    for above, beneath in ROOMS.items():
        assert all(order.index(one) < order.index(above) for one in beneath.split())


def test_rooms_stay_small() -> None:
    """No file is longer than 600 lines, and no function than 60: two rooms with good names read better than one."""
    for name, path in FILES.items():
        text = path.read_text(encoding="utf-8")
        assert text.count("\n") <= 600, name
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{name}: {node.name}"
