"""Where a result is read."""

from __future__ import annotations

from typing import Optional, Tuple
from urllib.parse import parse_qs

from .._http.settings import parts_of
from ..errors import ImageEnhancementError


def result_address(result_url: str) -> Tuple[Optional[str], str]:
    """The base address to read a result from, None for that of the client, and the path with its query.

    The service signs its files' names, not its own: ``<PUBLIC_URL>/files/job_…?exp=…&sig=…`` is good under every name
    of the service, and the one that the client was given is the one that it can reach, where PUBLIC_URL may be a name
    for others. Any other address is somebody else's, such as an object store's, whose signature holds for that very
    address. Raises ImageEnhancementError ``invalid_result_url`` for what is no address of the web.
    """
    parts = parts_of(result_url)
    if parts is None:
        raise ImageEnhancementError(
            "invalid_result_url",
            f'The service names "{result_url}" as the place of the result, which is no address that begins with'
            " http:// or https://.",
        )
    query = f"?{parts.query}" if parts.query else ""
    folder, _, name = parts.path.rpartition("/")
    if folder.endswith("/files") and name.startswith("job_") and {"exp", "sig"} <= set(parse_qs(parts.query)):
        return None, f"/files/{name}{query}"
    # Without a name and a password, which are no part of where it is.
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", f"{parts.path or '/'}{query}"
