"""What files are generated from."""

from collections.abc import Callable
from functools import cached_property

from attrs import frozen

from btmodel.schema import ModelSchema, TwinsSchema
from btmodel_codegen.schema_page import SchemaPage, schema_page


@frozen(slots=False)
class GeneratorInput:
    """The models and the twins of a run, each in their order; what several targets say about them is worked out once."""

    models: tuple[ModelSchema, ...]
    twins: tuple[TwinsSchema, ...] = ()

    @cached_property
    def page(self) -> SchemaPage:
        """What the pages of the schema say."""
        return schema_page(self.models, self.twins)


# What makes the files of a target: their texts by their names.
Files = Callable[[GeneratorInput], dict[str, str]]
