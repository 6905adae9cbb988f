"""The runtime of generated repositories, synchronous and asynchronous."""

from btmodel.repository._async.events import AsyncEventRepository
from btmodel.repository._async.repository import AsyncRepository
from btmodel.repository._async.rows import AsyncRows
from btmodel.repository._async.twins import AsyncTwinRepository
from btmodel.repository._sync.events import EventRepository
from btmodel.repository._sync.repository import Repository
from btmodel.repository._sync.rows import Rows
from btmodel.repository._sync.twins import TwinRepository
from btmodel.repository.lazy import OneOrMany, OnError, Page, Times
from btmodel.repository.reader import GeneratedFrom
from btmodel.rows import Closed

__all__ = [
    "AsyncEventRepository",
    "AsyncRepository",
    "AsyncRows",
    "AsyncTwinRepository",
    "Closed",
    "EventRepository",
    "GeneratedFrom",
    "OnError",
    "OneOrMany",
    "Page",
    "Repository",
    "Rows",
    "Times",
    "TwinRepository",
]
