"""The runtime of generated repositories, synchronous and asynchronous."""

from btmodel.repository._async.repository import AsyncEventRepository, AsyncRepository
from btmodel.repository._async.twins import AsyncTwinRepository
from btmodel.repository._sync.repository import EventRepository, Repository
from btmodel.repository._sync.twins import TwinRepository

__all__ = [
    "AsyncEventRepository",
    "AsyncRepository",
    "AsyncTwinRepository",
    "EventRepository",
    "Repository",
    "TwinRepository",
]
