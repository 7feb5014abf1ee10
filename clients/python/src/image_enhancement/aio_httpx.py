"""The client for asyncio on httpx: everything happens in the event loop, without threads.

``pip install 'image-enhancement-client[async]'`` brings the packages that it needs, httpx and greenlet.
"""

from __future__ import annotations

import ssl
from typing import Mapping, Optional

try:
    import httpx

    from ._http.httpx_transport import HttpxTransport
    from ._in_loop import LoopRunner
except ImportError as error:
    raise ImportError(
        "image_enhancement.aio_httpx needs httpx and greenlet: pip install 'image-enhancement-client[async]'"
    ) from error

from . import aio
from .client import Client

_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)
"""How many requests are sent at once is for the program to decide."""


class AsyncClient(aio.AsyncClient):
    """As ``image_enhancement.AsyncClient``, without threads.

    ``http_client``: sends the requests instead of a client of its own, for example with another proxy; its timeouts are
    not used, and whoever made it closes it. Cancelling a task closes its request. Files are read and written in the
    event loop, as ``open`` does.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 4,
        max_rate_limit_wait: float = 120.0,
        ssl_context: Optional[ssl.SSLContext] = None,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._own = None
        if http_client is None:
            self._own = http_client = httpx.AsyncClient(
                verify=True if ssl_context is None else ssl_context, limits=_LIMITS
            )
        plain = Client(
            api_key,
            base_url,
            timeout=timeout,
            max_retries=max_retries,
            max_rate_limit_wait=max_rate_limit_wait,
            headers=headers,
            transport=HttpxTransport(http_client),
        )
        self._assemble(LoopRunner(), plain)

    async def close(self) -> None:
        """Closes idle connections. The client cannot be used afterwards."""
        await super().close()
        if self._own is not None:
            await self._own.aclose()
