"""The location of a result."""

from __future__ import annotations

from typing import Optional, Tuple
from urllib.parse import SplitResult, parse_qs

from .._http.settings import parts_of
from ..errors import ImageEnhancementError


def result_address(result_url: str) -> Tuple[Optional[str], str]:
    """The base URL for reading a result (None for that of the client), and the path with its query.

    The service signs the path of a file, not the host: ``<PUBLIC_URL>/files/job_…?exp=…&sig=…`` is valid
    under every host name of the service. It is read from the client's own base URL, because PUBLIC_URL may be
    unreachable from here. Any other URL, such as that of an object store, stays unchanged, because its
    signature covers the host. Raises ImageEnhancementError ``invalid_result_url`` for text that is not a web
    URL.
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
    return _as_it_stands(parts)


def redirect_address(location: Optional[str]) -> Optional[Tuple[str, str]]:
    """The base URL and the path with its query that a redirect names; None if it is not a full web URL."""
    parts = None if location is None else parts_of(location)
    return None if parts is None else _as_it_stands(parts)


def _as_it_stands(parts: SplitResult) -> Tuple[str, str]:
    query = f"?{parts.query}" if parts.query else ""
    # Omits the user name and password, which are not part of the address.
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", f"{parts.path or '/'}{query}"
