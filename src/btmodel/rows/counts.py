"""Numbers of rows, cells or bytes that a caller gives."""

from btmodel.errors import BtmodelError, QueryRefused, shown


def refuse_no_number(
    where: str, unit: str, got: object, most: int | None = None, *, error: type[BtmodelError] = QueryRefused
) -> None:
    """Raise ``error`` for anything but a whole number from 1 on, such as that of the bytes of a part; ``most`` is what the service takes."""
    if type(got) is not int or got < 1 or (most is not None and got > most):
        raise error(f"{where}: expected a number of {unit} from 1 on, got {shown(got)}")
