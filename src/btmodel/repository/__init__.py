"""The runtime of generated repositories, synchronous and asynchronous."""

from btmodel.repository._async.edits import AsyncEdit
from btmodel.repository._async.events import AsyncEventRepository
from btmodel.repository._async.repository import AsyncRepository
from btmodel.repository._async.rows import AsyncRows
from btmodel.repository._async.twins import AsyncOwnedTwinRepository, AsyncTwinRepository
from btmodel.repository._async.views import AsyncViewRepository, AsyncViewRows
from btmodel.repository._sync.edits import Edit
from btmodel.repository._sync.events import EventRepository
from btmodel.repository._sync.repository import Repository
from btmodel.repository._sync.rows import Rows
from btmodel.repository._sync.twins import OwnedTwinRepository, TwinRepository
from btmodel.repository._sync.views import ViewRepository, ViewRows
from btmodel.repository.lazy import AnyIterable, OneOrMany, OnError, Page, Times
from btmodel.repository.model_codecs import GeneratedFrom
from btmodel.repository.parts import Part
from btmodel.rows import Closed

__all__ = [
    "AnyIterable",
    "AsyncEdit",
    "AsyncEventRepository",
    "AsyncOwnedTwinRepository",
    "AsyncRepository",
    "AsyncRows",
    "AsyncTwinRepository",
    "AsyncViewRepository",
    "AsyncViewRows",
    "Closed",
    "Edit",
    "EventRepository",
    "GeneratedFrom",
    "OnError",
    "OneOrMany",
    "OwnedTwinRepository",
    "Page",
    "Part",
    "Repository",
    "Rows",
    "Times",
    "TwinRepository",
    "ViewRepository",
    "ViewRows",
]
