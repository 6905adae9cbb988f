"""The floors of the code: imports point down only, and each outside library has one room.

Every import counts, wherever it hides: in functions and under ``TYPE_CHECKING`` too.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import btmodel

SOURCE = Path(btmodel.__file__).parent
CODEGEN = SOURCE.parents[1] / "codegen" / "btmodel_codegen"

# Each room, and the rooms beneath it that it may import.
ROOMS = {
    "counted": "",
    "near": "",
    "printable": "",
    "on_demand": "",
    "errors": "counted near printable",
    "settings": "counted near printable errors",
    "codecs": "counted near printable on_demand errors",
    "schema": "counted near printable errors codecs",
    "rows": "counted near printable on_demand errors codecs schema",
    "lint": "counted near printable errors codecs schema",
    "described": "counted near printable errors codecs schema lint",
    "guess": "counted near printable errors codecs schema rows lint",
    "declare": "counted near printable errors codecs schema rows lint",
    "columnar": "counted near printable errors codecs schema rows",
    "emulator": "counted near printable errors",
    "server": "counted near printable errors",
    "client": "counted near printable errors settings codecs schema rows emulator server",
    "testing": "counted near printable errors codecs schema rows declare",
    "repository": "counted near printable errors codecs schema rows declare columnar client",
    "migrate": "counted near printable errors settings codecs schema rows lint declare client",
    "simulate": "counted near printable errors codecs schema rows lint described declare client",
    "tables": "counted near printable errors schema declare client migrate",
    "btmodel_codegen": "counted near printable errors codecs schema lint described guess",
    "btmodel": "counted near printable on_demand errors settings codecs schema rows lint declare emulator server client repository migrate"
    " tables",
    "pytest_plugin": "schema emulator client migrate server btmodel",
    "cli": "counted near printable errors settings codecs schema rows lint described guess declare emulator server client repository migrate"
    " simulate tables btmodel_codegen btmodel",
    "__main__": "cli",
}
# Each outside library that has a room of its own, and the files that may import it.
LIBRARIES = {
    "google": ("btmodel/client/", "btmodel/server/protos.py", "btmodel/codecs/cell/protobuf.py"),
    "grpc": ("btmodel/client/", "btmodel/server/"),
    "numpy": ("btmodel/codecs/cell/array.py", "btmodel/columnar/", "btmodel/simulate/"),
    "matplotlib": ("btmodel/simulate/picture/png.py",),
    "pandas": ("btmodel/columnar/",),
    "polars": ("btmodel/columnar/",),
    "pyarrow": ("btmodel/columnar/",),
    "jinja2": ("btmodel_codegen/render.py",),
    "click": ("btmodel/cli/",),
    "rich": ("btmodel/cli/",),
    "hypothesis": ("btmodel/testing/",),
    "pytest": ("btmodel/pytest_plugin.py",),
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


@cache
def tree_of(path: Path) -> ast.Module:
    """The parsed text of a file, which several tests read."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, by its full name."""
    for node in ast.walk(tree_of(path)):
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


def test_imports_point_down() -> None:
    """A file imports from its own room and the rooms beneath it, never upward and never sideways."""
    wrong = set()
    for name, path in FILES.items():
        here = room(name.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        allowed = {here, *ROOMS[here].split()}
        ours = {module for module in imported(path) if module.split(".")[0] in ("btmodel", "btmodel_codegen")}
        wrong |= {f"{name} imports {module}" for module in ours if room(module) not in allowed}
    assert not wrong, "\n".join(sorted(wrong))


def test_a_library_stays_in_its_room() -> None:
    """Google's client, gRPC, Jinja and the libraries of the command line are imported in one place each."""
    wrong = set()
    for name, path in FILES.items():
        tops = {module.split(".")[0] for module in imported(path)} & LIBRARIES.keys()
        wrong |= {f"{name} imports {top}" for top in tops if not name.startswith(LIBRARIES[top])}
    assert not wrong, "\n".join(sorted(wrong))


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
    wrong = set()
    for name in {name for name in FILES if name.startswith("btmodel/cli/")} - doors:
        calls = {
            ast.unparse(node.func) for node in ast.walk(tree_of(FILES[name])) if isinstance(node, ast.Call)
        }
        printing = (calls | {*imported(FILES[name])}) & (PRINTS | {"print"})
        wrong |= {f"{name} prints with {function}" for function in printing}
    assert not wrong, "\n".join(sorted(wrong))


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
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, f"{name}: {node.name}"
