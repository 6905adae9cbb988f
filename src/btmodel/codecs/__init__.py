"""Codecs: a Python value to bytes and back. Nothing here knows of models or tables.

``key`` holds the codecs of row-key fields, ``cell`` those of cell values.
"""

from abc import ABCMeta, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypedDict, TypeVar, get_args, get_origin

T = TypeVar("T")


class CodecMeta(ABCMeta):
    """The class of all codecs: a keyword that none of them takes is refused with the near names."""

    # Type checkers take the arguments of a class from its ``__init__`` only where its metaclass has no such method.
    if not TYPE_CHECKING:

        def __call__(cls, *args: Any, **given: Any) -> Any:
            """Make a codec. Raises :class:`DeclarationError` for an unknown argument."""
            try:
                return super().__call__(*args, **given)
            except TypeError:
                # Only here: a codec is seldom made wrongly, and importing btmodel loads none of these.
                from inspect import Parameter, signature

                from btmodel.errors import DeclarationError
                from btmodel.words import meant

                known = signature(vars(cls).get("__init__", cls)).parameters
                several = any(one.kind is Parameter.VAR_KEYWORD for one in known.values())
                for name in () if several else given.keys() - known.keys():
                    offered = meant(name, [one for one in known if one != "self"])
                    raise DeclarationError(f"{cls.__name__}: unknown argument {name!r}{offered}") from None
                raise

        @property
        def __signature__(cls) -> Any:
            """The arguments of the codec, for ``help`` and for editors that ask a running program."""
            from inspect import Signature, signature

            if cls.__init__ is object.__init__:
                return Signature()
            made = signature(cls.__init__)
            return made.replace(parameters=[*made.parameters.values()][1:])


class Facts(TypedDict, total=False):
    """What every codec says of itself, where it is the same for all codecs of a class."""

    python_type: Any
    annotation: Any
    meaning: str
    stated: tuple[str, ...]


class Codec(Generic[T], metaclass=CodecMeta):
    """What codecs of keys and of cells have in common.

    What a codec says of itself has a default. Where that does not fit, it is a keyword of the class,
    ``class Celsius(bt.CellCodec[float], fixed_size=4)``, or a property, where it follows from arguments.
    """

    if not TYPE_CHECKING:  # there each kind of codec says which keywords it takes

        def __init_subclass__(cls, **facts: Any) -> None:
            """Keep the facts that the class states. Raises :class:`DeclarationError` for what is none."""
            super().__init_subclass__()
            for name, said in facts.items():
                if name not in cls._facts.__optional_keys__:
                    from btmodel.errors import DeclarationError
                    from btmodel.words import meant

                    offered = meant(name, sorted(cls._facts.__optional_keys__))
                    raise DeclarationError(f"{cls.__name__}: unknown keyword {name!r} of a codec{offered}")
                setattr(cls, name, said)
            if isinstance(cls.python_type, property) and cls.python_type.fget is Codec.python_type.fget:
                for base in cls.__dict__.get("__orig_bases__", ()):
                    _take_type(cls, base)

        _facts = Facts

    @property
    def python_type(self) -> type:
        """The type of the values, as generated code spells it: ``float`` of a ``CellCodec[float]``, unless stated."""
        raise TypeError(f"{type(self).__name__} does not say which type its values have: define python_type")

    @property
    def annotation(self) -> Any:
        """The type with what the values hold, ``dict[str, int]``: what generated code is annotated with."""
        return self.python_type

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people: the first line of its class's docstring, unless stated."""
        first, _, _ = (type(self).__doc__ or type(self).__name__).strip().partition("\n")
        return first.strip().removesuffix(".")

    @property
    def stated(self) -> tuple[str, ...]:
        """What decides the bytes of values beyond the arguments as they are written: the fields of a class, say.

        It is recorded with the codec. Where it changes, ``btmodel migrate`` takes it for another codec, except for new
        entries with a ``" = "``: cells that were written without these are read as before. A codec of your own
        may state a version of its format here.
        """
        return ()

    @abstractmethod
    def encode(self, value: T) -> bytes:
        """The bytes of ``value``. Raises :class:`btmodel.ValueRefused` where it does not fit."""

    @abstractmethod
    def decode(self, raw: bytes) -> T:
        """The value of ``raw``. Raises ``ValueError`` saying why, where it is none."""


def _take_type(cls: Any, base: object) -> None:
    """Take the type of the values from the base ``CellCodec[float]``, where that is one of a codec and names it."""
    origin, arguments = get_origin(base), get_args(base)
    if isinstance(origin, CodecMeta) and len(arguments) == 1 and not isinstance(arguments[0], TypeVar | str):
        [held] = arguments
        if get_origin(held) is not None or isinstance(held, type):
            cls.python_type = held


class Described(Protocol):
    """A codec of a key field or of a cell."""

    @property
    def meaning(self) -> object:
        """The encoding in a few words, for people; a codec of a user may return what is no text."""


def meaning_of(codec: Described) -> str:
    """The ``meaning`` of ``codec``, or why there is none, so that all else of its model can be shown.

    All that shows a codec asks here: no codec ends a page, a drawing or an error in a traceback.
    """
    try:
        meaning = codec.meaning
    except Exception as error:  # whatever a codec of the user's raises
        from btmodel.errors import raised

        return f"cannot be described: {raised(error)}"
    if not isinstance(meaning, str):
        return f"cannot be described: its meaning is of {type(meaning).__name__}, and no text"
    return meaning
