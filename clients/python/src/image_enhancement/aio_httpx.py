"""The client for asyncio on httpx: everything runs in the event loop, without threads.

It needs httpx and greenlet: ``pip install 'image-enhancement-client[async]'``.
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
from ._http.settings import DEFAULT_TIMEOUT_SECONDS
from .client import Client

_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)
"""The program decides how many requests it sends at once."""


class AsyncClient(aio.AsyncClient):
    """Like ``image_enhancement.AsyncClient``, without threads.

    ``http_client``: your own httpx client, which sends the requests, for example with another proxy. You
    close it, and its timeouts are not used. Cancelling a task closes its request. Files are read and written
    in the event loop, which is blocked in the meantime.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = 4,
        max_rate_limit_wait: float = 120.0,
        ssl_context: Optional[ssl.SSLContext] = None,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._own = None
        if http_client is None:
            # The system's certificates, as in the other clients. By default, httpx uses its own list.
            self._own = http_client = httpx.AsyncClient(
                verify=ssl_context or ssl.create_default_context(), limits=_LIMITS
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
        """Closes idle connections. The client cannot be used afterward."""
        await super().close()
        if self._own is not None:
            await self._own.aclose()
