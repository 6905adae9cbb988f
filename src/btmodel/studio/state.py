"""What the pages are about: the models of a project, an instance, and what may be done there."""

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock

from attrs import define, field
from btmodel_codegen.schema_page import ModelText, SchemaPage, schema_page

from btmodel.client._sync.database import Database
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.declare import Model, schema_of
from btmodel.errors import SettingsError
from btmodel.migrate.history import MigrationHistory
from btmodel.repository.any_repository import AnyRepository, repository
from btmodel.schema import ModelSchema, TwinsSchema
from btmodel.words import meant


@define(eq=False, slots=False)
class Studio:
    """The state of a run. ``name`` is what the instance was called, ``revisions`` the folder of the project's revisions.

    With ``edit``, rows may be changed; where the instance is ``protected``, each change wants its name typed.
    Connections are made when a page first needs them, so that a server that does not answer is reported on that page.
    """

    target: Target
    name: str
    classes: Sequence[type[Model]]
    twins: Sequence[TwinsSchema] = ()
    revisions: Path | None = None
    edit: bool = False
    protected: bool = False
    form: str = field(factory=lambda: secrets.token_urlsafe(32), repr=False)
    _lock: Lock = field(factory=Lock, init=False, repr=False)

    @cached_property
    def models(self) -> Mapping[str, type[Model]]:
        """The classes by their names, with their modules where two have one name."""
        names = Counter(model.__name__ for model in self.classes)
        return {
            model.__name__ if names[model.__name__] == 1 else f"{model.__module__}.{model.__name__}": model
            for model in self.classes
        }

    @cached_property
    def schemas(self) -> Mapping[str, ModelSchema]:
        """What each class compiles to."""
        return {name: schema_of(model) for name, model in self.models.items()}

    def model(self, name: str) -> type[Model]:
        """The class of that name. Raises :class:`SettingsError`."""
        if name not in self.models:
            raise SettingsError(f"no model {name!r}{meant(name, self.models, 'models')}")
        return self.models[name]

    @property
    def db(self) -> Database:
        """The connection for rows."""
        with self._lock:
            if "_db" not in self.__dict__:
                self.__dict__["_db"] = Database(self.target.held)
            found: Database = self.__dict__["_db"]
            return found

    @property
    def admin(self) -> Admin:
        """The connection for tables. Raises :class:`ServerError` where no server answers."""
        with self._lock:
            if "_admin" not in self.__dict__:
                self.__dict__["_admin"] = Admin(self.target)
            found: Admin = self.__dict__["_admin"]
            return found

    @property
    def history(self) -> MigrationHistory:
        """The migration history of the instance."""
        return MigrationHistory(self.admin, self.db)

    def repository(self, model: type[Model], parameters: Mapping[str, str]) -> AnyRepository:
        """The rows of a model, whose table is completed with ``parameters``."""
        return repository(self.db, model, parameters)

    def can_edit(self, model: ModelSchema) -> bool:
        """Whether rows of a model may be changed here; those of a view never are."""
        return self.edit and model.view is None

    @cached_property
    def page(self) -> SchemaPage:
        """All models as they are shown, with the findings of the review."""
        return schema_page(list(self.schemas.values()), self.twins)

    def text(self, name: str) -> ModelText:
        """One model as it is shown."""
        schema = self.schemas[name]
        notes = (
            model
            for table in self.page.tables
            for model in table.models
            if model.name == schema.name
            and any(run.text == f"{schema.module}.{schema.name}" for _, fact in model.facts for run in fact)
        )
        return next(notes)

    def close(self) -> None:
        """End the connections."""
        for name in ("_db", "_admin"):
            if name in self.__dict__:
                self.__dict__.pop(name).close()
