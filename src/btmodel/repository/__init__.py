"""The runtime of generated repositories, synchronous and asynchronous."""

from btmodel.repository._async.repository import AsyncEventRepository, AsyncRepository
from btmodel.repository._sync.repository import EventRepository, Repository

__all__ = ["AsyncEventRepository", "AsyncRepository", "EventRepository", "Repository"]
