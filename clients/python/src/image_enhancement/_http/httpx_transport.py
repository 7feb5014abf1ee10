"""Sends requests with httpx, from calls that run in the event loop."""

from __future__ import annotations

from typing import AsyncIterator, Iterable, Iterator, Union

import httpx

from .._in_loop import wait_for
from .bodies import DeadlinePassed
from .injected import HttpRequest, HttpResponse

_CONNECT_SECONDS = 10.0
"""For a connection to come about; where nobody answers at all, another attempt may meet another address."""


class HttpxTransport:
    """A transport of the client. The caller closes the httpx client."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Sends it once, and returns as soon as the headers of the response are there."""
        response = wait_for(self._send(request))
        # ``raw``: the service does not compress what it sends, and ``identity`` asks a proxy not to.
        return HttpResponse(response.status_code, response.headers, _Body(response))

    async def _send(self, request: HttpRequest) -> httpx.Response:
        limit = request.timeout
        sent = self._client.build_request(
            request.method,
            request.url,
            headers={"accept-encoding": "identity", **request.headers},
            content=_content(request.body),
            timeout=httpx.Timeout(limit, connect=min(limit, _CONNECT_SECONDS)),
        )
        try:
            return await self._client.send(sent, stream=True, follow_redirects=False)
        except httpx.TimeoutException as error:
            # Without a connection nothing was sent, which is worth another attempt.
            if isinstance(error, httpx.ConnectTimeout) and limit > _CONNECT_SECONDS:
                raise
            raise DeadlinePassed from error


class _Body:
    """The body of a response in parts. httpx ends a read that takes longer than the timeout of the request."""

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
        """Gives the connection back if the body was read to its end; otherwise closes it."""
        wait_for(self._response.aclose())


def _content(body: Union[bytes, Iterable[bytes], None]) -> Union[bytes, AsyncIterator[bytes], None]:
    return body if body is None or isinstance(body, bytes) else _parts_of(body)


async def _parts_of(body: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in body:
        yield part
