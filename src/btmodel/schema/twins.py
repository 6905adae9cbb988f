"""Models whose rows are written together."""

from attrs import field, frozen

from btmodel.schema.location import Location
from btmodel.schema.model import ModelSchema


@frozen
class TwinSchema:
    """A model that is written with another one.

    ``function`` is the name of what makes its row, and may make none; None where the row takes the
    attributes of its names.
    """

    model: ModelSchema
    function: str | None = None


@frozen
class TwinsSchema:
    """A model and its twins, in the order in which they are written: what ``bt.twins`` declares, as plain values.

    ``name`` and ``module`` are those of the variable that holds them.
    """

    name: str
    module: str
    source: ModelSchema
    others: tuple[TwinSchema, ...]
    location: Location | None = field(default=None, eq=False, repr=False)

    @property
    def models(self) -> tuple[ModelSchema, ...]:
        """The models in the order in which they are written."""
        return (self.source, *(twin.model for twin in self.others))

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the ids of their tables and families leave open, by name."""
        return tuple(dict.fromkeys(name for model in self.models for name in model.parameters))

    @property
    def one_to_one(self) -> bool:
        """Whether no two rows of the source can have the same row as their twin.

        Known where a row of a twin has all that the key of the source is made of in its own key. What a
        function makes of a row is not known.
        """
        key = self.source.key
        wanted = {*(part.name for part in key.asked), *key.hashed}
        return all(
            twin.function is None and wanted <= {part.name for part in twin.model.key.asked}
            for twin in self.others
        )
