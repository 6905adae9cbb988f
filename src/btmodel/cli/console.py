"""Rich output for commands, with control characters written out."""

from typing import Any, Self

import rich.console
import rich.text

from btmodel.words import printable

Styled = rich.text.Text  # what cutting or joining a Text returns, which is printable already


class PrintableText(Styled):
    """Text of rich whose control characters are written out, as its words may come from anywhere."""

    def __init__(self, text: str = "", *args: Any, **options: Any) -> None:
        super().__init__(printable(text), *args, **options)

    def append(self, text: Styled | str, style: Any = None) -> Self:
        """Add some text."""
        super().append(printable(text) if isinstance(text, str) else text, style)
        return self


class Console(rich.console.Console):
    """A console of rich whose tables may hold anybody's words, in which brackets and colons are neither styles nor pictures."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Styled:
        """A word as a text."""
        return super().render_str(printable(text), **options)
