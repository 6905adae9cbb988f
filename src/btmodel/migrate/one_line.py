"""Texts that others wrote, as they are shown: on one line."""


def one_line(text: str) -> str:
    """``text`` on one line: what cannot be seen, such as the end of a line or an escape of terminals, as its number."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
