"""Lists of the service: page by page, or everything."""

from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, List, Mapping, Optional, TypeVar

from .._models.page import Page
from .request import QueryValue, Request
from .transport import Transport

T = TypeVar("T")


class Paged(Generic[T]):
    """A list of the service. Iterating goes through all items, page by page. No request is sent before that.
    """

    def __init__(
        self,
        transport: Transport,
        path: str,
        query: Mapping[str, QueryValue],
        read: Callable[[Mapping[str, Any]], T],
        timeout_seconds: Optional[float] = None,
    ) -> None:
        self._transport = transport
        self._path = path
        self._query = query
        self._read = read
        self._timeout_seconds = timeout_seconds

    def page(self, cursor: Optional[str] = None) -> Page[T]:
        """The page at a cursor; default: the first."""
        query = dict(self._query)
        if cursor is not None:
            query["cursor"] = cursor
        return self._transport.read(Request("GET", self._path, query=query), self._page_of, self._timeout_seconds)

    def _page_of(self, answer: Mapping[str, Any]) -> Page[T]:
        return Page([self._read(item) for item in answer["data"]], answer["hasMore"], answer["nextCursor"])

    def pages(self) -> Iterator[Page[T]]:
        """All pages."""
        page = self.page()
        yield page
        while page.next_cursor is not None:
            page = self.page(page.next_cursor)
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.data

    def all(self) -> List[T]:
        """All items in one list."""
        return list(self)
