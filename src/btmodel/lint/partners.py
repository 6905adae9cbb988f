"""Which models are read together, as their queries say: by name, since a query cannot hold a class declared later."""

from collections.abc import Iterable, Mapping, Sequence

from btmodel.schema import ModelSchema

Identity = tuple[str, str]


def identity(model: ModelSchema) -> Identity:
    """What tells a model from every other one: its module and its name."""
    return model.module, model.name


def by_name(models: Iterable[ModelSchema]) -> dict[str, list[ModelSchema]]:
    """The models of each name."""
    found: dict[str, list[ModelSchema]] = {}
    for model in sorted(models, key=identity):
        found.setdefault(model.name, []).append(model)
    return found


def partner(model: ModelSchema, name: str, known: Mapping[str, Sequence[ModelSchema]]) -> ModelSchema | None:
    """The model that ``model`` means by ``name``: that of its own module, where several have the name."""
    named = known.get(name, ())
    return next((one for one in named if one.module == model.module), named[0] if named else None)


def read_together(models: Sequence[ModelSchema]) -> frozenset[frozenset[Identity]]:
    """The pairs of models that some query reads together."""
    known = by_name(models)
    return frozenset(
        frozenset((identity(model), identity(other)))
        for model in models
        for query in model.queries
        for name in query.together
        if (other := partner(model, name, known))
    )
