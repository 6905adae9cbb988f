"""A project to begin with: a model, settings, tests, checks for CI and before commits, and a page that says how to go on."""

from typing import Any

from btmodel_codegen.render import render

# What a project is begun for: its program, and the package that this needs.
TEMPLATES: dict[str, list[str]] = {"library": [], "fastapi": ["fastapi", "uvicorn"], "worker": []}


def project(
    name: str, template: str = "library", *, version: str = "0", from_wheel: bool = False
) -> dict[str, str]:
    """The text of each file of a project whose package is called ``name``, by its path; ``template`` is one of ``TEMPLATES``.

    It needs btmodel from ``version`` on. ``from_wheel`` has pip take that from the folder ``wheels`` of the project, and from no package index.
    """
    sources = {
        "pyproject.toml": "pyproject.toml",
        "README.md": "README.md",
        ".gitignore": "gitignore",
        ".pre-commit-config.yaml": "pre-commit.yaml",
        ".github/workflows/check.yml": "workflow.yaml",
        f"{name}/__init__.py": "init.py",
        f"{name}/models.py": "models.py",
        "tests/test_models.py": "test_models.py",
    }
    program = {"fastapi": "api", "worker": "worker"}.get(template)
    if program:
        sources |= {
            f"{name}/{program}.py": f"{program}.py",
            f"tests/test_{program}.py": f"test_{program}.py",
            "Dockerfile": "Dockerfile",
        }
    packages = TEMPLATES[template]
    given: dict[str, Any] = {"name": name, "kind": template, "packages": packages, "version": version}
    given["from_wheel"] = from_wheel
    return {path: render(f"project/{source}.jinja", **given) for path, source in sources.items()}
