"""A small project to begin with: a model, settings, a test, and a page that says how to go on."""

from btmodel_codegen.render import render


def project(name: str) -> dict[str, str]:
    """The text of each file of a project whose package is called ``name``, by its path."""
    templates = {
        "pyproject.toml": "pyproject.toml",
        "README.md": "README.md",
        ".gitignore": "gitignore",
        f"{name}/__init__.py": "init.py",
        f"{name}/models.py": "models.py",
        "tests/test_models.py": "test_models.py",
    }
    return {path: render(f"project/{template}.jinja", name=name) for path, template in templates.items()}
