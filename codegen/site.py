"""Writes the pages of the site, as Markdown, and its settings: ``python codegen/site.py FOLDER``. ``make docs`` builds the site of them.

They are the pages of docs/, and those that are elsewhere in the repository: the README as the first one, so that nothing is said twice, the
architecture, the changelog, and the sources of the examples. The links of the repository are rewritten to the pages. The reference lists every
public name, from the table in btmodel/__init__.py; its text is that of the docstrings. All of it is plain Markdown, so another tool could build the site.
"""

import ast
import json
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from site_pages import LINK, PROJECT, page_of
from site_versions import address_of, version_of

import btmodel
from btmodel.errors import BtmodelError
from btmodel.on_demand import TABLES

ROOT = Path(__file__).parents[1]
NAVIGATION = {
    "Learn": [
        "models.md",
        "views.md",
        "authorized-views.md",
        "changes.md",
        "sql.md",
        "simulate.md",
        "generated-files.md",
        "migrations.md",
        "commands.md",
        "rows.md",
        "studio.md",
        "inspect.md",
        "codecs.md",
    ],
    "Run": [
        "production.md",
        "deploy.md",
        "local-server.md",
        "beam.md",
        "engines.md",
        "data-plane.md",
        "speed.md",
    ],
}
GUIDES = [
    "f-strings",
    "hbase-cassandra-dynamodb",
    "sqlalchemy",
    "keys",
    "testing",
    "performance",
    "operations",
    "security",
    "cost",
    "ci",
    "docker",
]
RECIPES = [
    "lock",
    "counters",
    "leaderboard",
    "queue",
    "time-series",
    "multi-tenant",
    "outbox",
    "soft-delete",
    "erasure",
    "pagination",
]
MODULES = {
    "testing": "For tests: an instance of one test, and random rows of a model.",
    "pytest_plugin": "The fixtures that pytest finds once btmodel is installed.",
    "tables": "Tables for programs and notebooks that do not migrate.",
    "opentelemetry": "Spans and measurements of calls.",
    "repository": "What generated repositories inherit: reads, writes, edits.",
    "rows": "Rows, mutations and read plans as values.",
    "schema": "What a class compiles to.",
    "lint": "The review: rules, findings, and the review of models by a program.",
    "migrate": "Plans, changes and revisions, for programs that migrate.",
}
GROUPS = {
    "models": "Models: what a class body says",
    "key-codecs": "Codecs of key fields",
    "cell-codecs": "Codecs of cells",
    "connections": "Connections",
    "conditions": "Conditions, comparisons and values of rows",
    "errors": "Errors",
}


def pages() -> Iterator[tuple[str, str]]:
    """Each page of the site: its path, and its Markdown."""
    for page, source in PROJECT.items():
        yield page, (ROOT / source).read_text()
    for path in sorted((ROOT / "docs").rglob("*.md")):
        yield str(path.relative_to(ROOT / "docs")), path.read_text()
    for source in example_files():
        yield page_of(source), example(source)
    yield "examples/index.md", list_of_examples()
    for name, text in reference():
        yield f"reference/{name}.md", text


def linked(page: str, markdown: str) -> str:
    """A page whose links to files of the repository lead to their pages."""
    source = source_of(page)

    def to_page(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[1]))
        return posixpath.relpath(page_of(target), posixpath.dirname(page) or ".")

    return LINK.sub(to_page, markdown)


def source_of(page: str) -> str:
    """The file of the repository that a page is made of."""
    if page in PROJECT:
        return PROJECT[page]
    return f"docs/{page}" if not page.startswith(("examples/", "reference/")) else page


def example_files() -> list[str]:
    """The examples that people wrote."""
    folder = ROOT / "examples"
    found = [*folder.glob("*.py"), *(folder / "services").glob("*"), *(folder / "server").glob("*")]
    found += [path for name in ("worked", "views", "streams", "sql") for path in (folder / name).glob("*.py")]
    found += [path for path in (folder / "shop").rglob("*") if "generated" not in path.parts]
    shown = [path for path in found if path.suffix in {".py", ".toml", ".yml"} or path.name == "Dockerfile"]
    return sorted(
        str(path.relative_to(ROOT))
        for path in shown
        if path.name != "__init__.py" and not path.stem.endswith("_pb2")
    )


def example(source: str) -> str:
    """The page of one example: its source."""
    path = ROOT / source
    language = {".py": "python", ".toml": "toml", ".yml": "yaml"}.get(path.suffix, "text")
    return f"# {source.removeprefix('examples/')}\n\n````{language}\n{path.read_text()}````\n"


def list_of_examples() -> str:
    """The examples, each with the first sentence of its docstring."""
    lines = ["# Examples", "", "Runnable modules; tests run each of them.", "", "| Example | |", "|---|---|"]
    for source in example_files():
        text = ast.get_docstring(ast.parse((ROOT / source).read_text())) if source.endswith(".py") else None
        first = re.split(r"(?<=[.:])\s", " ".join((text or "").split()))[0].rstrip(":").replace("|", "\\|")
        name = source.removeprefix("examples/")
        lines.append(f"| [{name}]({name}) | {first} |")
    return "\n".join(lines) + "\n"


def reference() -> Iterator[tuple[str, str]]:
    """The pages of the reference: the public names by subject, and the modules that programs import."""
    names: dict[str, list[str]] = {group: [] for group in GROUPS}
    for name in sorted(TABLES["btmodel"], key=str.lower):
        names[group_of(name)].append(name)
    yield "index", "\n".join(contents(names)) + "\n"
    for group, title in GROUPS.items():
        blocks = [f"::: btmodel.{name}" for name in names[group]]
        yield group, "\n\n".join([f"# {title}", *blocks]) + "\n"
    for module, says in MODULES.items():
        options = {"show_root_heading": False, "inherited_members": module == "repository"}
        yield (
            module,
            f"# btmodel.{module}\n\n{says}\n\n::: btmodel.{module}\n    options: {json.dumps(options)}\n",
        )


def contents(names: dict[str, list[str]]) -> Iterator[str]:
    """The first page of the reference."""
    yield from (
        "# Reference",
        "",
        "Every public name. `import btmodel as bt` gives those of the first table.",
        "",
    )
    yield from ("| Page | Names |", "|---|---|")
    for group, title in GROUPS.items():
        links = ", ".join(f"[`{name}`]({group}.md#btmodel.{name})" for name in names[group])
        yield f"| [{title}]({group}.md) | {links} |"
    yield from ("", "| Module | Contents |", "|---|---|")
    yield from (f"| [`btmodel.{module}`]({module}.md) | {says} |" for module, says in MODULES.items())


def group_of(name: str) -> str:
    """The page of the reference that shows a public name."""
    thing = getattr(btmodel, name)
    if (isinstance(thing, type) and issubclass(thing, BtmodelError)) or thing.__module__ == "btmodel.errors":
        return "errors"
    if name in TABLES["btmodel.codecs.cell"]:
        return "cell-codecs"
    if name in TABLES["btmodel.codecs.key"]:
        return "key-codecs"
    if thing.__module__.startswith(("btmodel.client", "btmodel.settings", "btmodel.tables")):
        return "connections"
    return "conditions" if thing.__module__.startswith("btmodel.rows") else "models"


def navigation(written: dict[str, str]) -> dict[str, object]:
    """The table of contents, which names every page once."""
    rules = [page for page in written if page.startswith("rules/") and page != "rules/README.md"]
    examples = [page for page in written if page.startswith("examples/") and page != "examples/index.md"]
    reference = [page for page in written if page.startswith("reference/") and page != "reference/index.md"]
    return {
        "Home": "index.md",
        "Tutorial": ["tutorial/README.md", *(page for page in written if re.match("tutorial/[0-9]", page))],
        "Guides": ["guides/README.md", *(f"guides/{name}.md" for name in GUIDES)],
        "Recipes": ["recipes/README.md", *(f"recipes/{name}.md" for name in RECIPES)],
        **NAVIGATION,
        "Rules": ["rules/README.md", *({title(written[page]): page} for page in rules)],
        "Examples": ["examples/index.md", *examples],
        "Reference": ["reference/index.md", *reference],
        "Project": [page for page in PROJECT if page != "index.md"],
    }


def title(markdown: str) -> str:
    """The identifier and the name of a rule: the heading of its page up to the colon."""
    return re.search(r"^# (.*?)(?::|$)", markdown, re.MULTILINE)[1]  # type: ignore[index]


def main(folder: Path) -> None:
    """Write all pages, with the pictures of docs/, and the settings, to a folder that is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder / "pages", ignore=shutil.ignore_patterns("*.md"))
    for name in ("site.css", "site.js"):
        shutil.copy(ROOT / "codegen" / name, folder / "pages")
    written = dict(pages())
    for page, markdown in written.items():
        path = folder / "pages" / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(linked(page, markdown))
    contents = [{name: pages} for name, pages in navigation(written).items()]
    # JSON is YAML, so no library is needed to write it.
    version = version_of()
    # The selector of versions needs full addresses. Without a public one, they are those of README.md's `python -m http.server`.
    address = f"{address_of() or 'http://127.0.0.1:8000'}/{version}/"
    own = {"site_dir": f"site/{version}", "site_url": address, "nav": contents}
    lines = "".join(f"{name}: {json.dumps(value)}\n" for name, value in own.items())
    settings = (ROOT / "codegen" / "site.yml").read_text() + lines
    (folder / "mkdocs.yml").write_text(settings)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
