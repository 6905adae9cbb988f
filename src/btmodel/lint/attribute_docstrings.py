"""What is said of a field by the string under it: Python does not keep it, so it is read from the source."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from attrs import evolve

from btmodel.schema import Location, ModelSchema
from btmodel.words import words

# A larger file holds more than declarations; it is not worth the time of its review.
_LARGEST = 2_000_000


def with_attribute_docstrings(model: ModelSchema) -> ModelSchema:
    """The model with what the strings under its fields say among its description, each behind the name of its field.

    It is the model as it is where its source cannot be read, or is no longer the one that was imported.
    """
    names = {*(part.name for part in model.key.asked), *(column.name for column in model.columns)}
    said = [
        f"{' '.join(words(name)).capitalize()}: {text}"
        for name, text in _strings(model.location, model.name)
        if name in names
    ]
    return evolve(model, doc="\n\n".join([model.doc, *said]).strip()) if said else model


def _strings(location: Location | None, name: str) -> tuple[tuple[str, str], ...]:
    if location is None:
        return ()
    try:
        path = Path(location.file)
        state = path.stat()
        return _in_file(path, state.st_mtime_ns, state.st_size).get((location.line, name), ())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return ()


@lru_cache(maxsize=64)
def _in_file(path: Path, _changed: int, size: int) -> dict[tuple[int, str], tuple[tuple[str, str], ...]]:
    """For the line and the name of each class of a file, its fields and the strings under them."""
    if size > _LARGEST:
        return {}
    tree = ast.parse(path.read_bytes())
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return {(node.lineno, node.name): tuple(_under_fields(node)) for node in classes}


def _under_fields(of: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(of.body, of.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                yield name, " ".join(text.split())
