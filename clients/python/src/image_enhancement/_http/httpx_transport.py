"""Sends requests with httpx, from calls that run in the event loop."""

from __future__ import annotations

from typing import AsyncIterator, Iterable, Iterator, Union

import httpx

from .._in_loop import wait_for
from .bodies import DeadlinePassed
from .injected import HttpRequest, HttpResponse

_CONNECT_SECONDS = 10.0
"""To connect; where nobody answers, another attempt may reach another address."""


class HttpxTransport:
    """A transport of the client. The caller closes the httpx client."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Sends the request once, and returns as soon as the headers of the response have arrived."""
        response = wait_for(self._send(request))
        return HttpResponse(response.status_code, response.headers, _Body(response))

    async def _send(self, request: HttpRequest) -> httpx.Response:
        limit = request.timeout
        sent = self._client.build_request(
            request.method,
            request.url,
            # The body is read as sent, so neither the service nor a proxy may compress it.
            headers={"accept-encoding": "identity", **request.headers},
            content=_content(request.body),
            timeout=httpx.Timeout(limit, connect=min(limit, _CONNECT_SECONDS)),
        )
        try:
            return await self._client.send(sent, stream=True, follow_redirects=False)
        except httpx.TimeoutException as error:
            # Nothing was sent without a connection, so another attempt is safe.
            if isinstance(error, httpx.ConnectTimeout) and limit > _CONNECT_SECONDS:
                raise
            raise DeadlinePassed from error


class _Body:
    """The body of a response in parts. httpx limits each read by the timeout of the request."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        parts = self._response.aiter_raw()
        while True:
            try:
                yield wait_for(parts.__anext__())
            except StopAsyncIteration:
                return
            except httpx.TimeoutException as error:
                raise DeadlinePassed from error

    def close(self) -> None:
        """Returns the connection to the pool if the body was read to its end; otherwise closes it."""
        wait_for(self._response.aclose())


def _content(body: Union[bytes, Iterable[bytes], None]) -> Union[bytes, AsyncIterator[bytes], None]:
    return body if body is None or isinstance(body, bytes) else _parts_of(body)


async def _parts_of(body: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in body:
        yield part
