"""What a module calls the names of btmodel."""

import ast
from collections.abc import Mapping
from typing import Self

from attrs import frozen


@frozen
class Names:
    """The imports at the top of a module.

    ``package`` is what it calls btmodel itself, None where it does not import it. ``members``
    are its own names of what it takes from btmodel, and ``others`` the names that it takes, under the
    same name, from elsewhere.
    """

    package: str | None
    members: Mapping[str, str]
    others: frozenset[str]

    @classmethod
    def of(cls, tree: ast.Module) -> Self:
        """The names of the module that ``tree`` is."""
        package: str | None = None
        members: dict[str, str] = {}
        others: set[str] = set()
        for node in tree.body:
            match node:
                case ast.Import(names=aliases):
                    called = [alias.asname or alias.name for alias in aliases if alias.name == "btmodel"]
                    package = called[0] if called else package
                case ast.ImportFrom(module="btmodel", names=aliases):
                    members |= {alias.asname or alias.name: alias.name for alias in aliases}
                case ast.ImportFrom(names=aliases):
                    others |= {alias.name for alias in aliases if alias.asname in (None, alias.name)}
        return cls(package, members, frozenset(others))

    def meant(self, node: ast.expr) -> str | None:
        """The name in btmodel of what ``node`` names, or None where it names nothing of it."""
        match node:
            case ast.Attribute(value=ast.Name(id=package), attr=name) if package == self.package:
                return name
            case ast.Name(id=name):
                return self.members.get(name)
        return None

    def written(self, text: str) -> str | None:
        """An expression of one line, with the names behind ``bt.`` as this module writes them.

        None where it lacks one of them, or another one that the expression needs.
        """
        tree = ast.parse(text, mode="eval")
        ours: list[tuple[ast.Attribute, ast.Name]] = [
            (node, node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "bt"
        ]
        free = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - {"bt"}
        if not free <= self.others:
            return None
        raw = text.encode()  # a syntax tree counts bytes
        for node, _ in sorted(ours, key=lambda pair: -pair[0].col_offset):
            name = self._name(node.attr)
            if name is None:
                return None
            raw = raw[: node.col_offset] + name.encode() + raw[node.end_col_offset :]
        return raw.decode()

    def _name(self, member: str) -> str | None:
        if self.package is not None:
            return f"{self.package}.{member}"
        return next((own for own, meant in self.members.items() if meant == member), None)
