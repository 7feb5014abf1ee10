"""Uploads that go straight to the object store of the service."""

from __future__ import annotations

import hashlib
from typing import Any, Optional

from .._files.sending import UploadCallback
from .._http.request import Request, json_request, segment
from .._http.settings import parts_of
from .._http.transport import Transport
from .._models.generated import Source
from ..errors import ConnectionFailedError

_PATH = "/api/ai/uploads"


def upload_directly(
    transport: Transport, data: bytes, name: Optional[str], on_progress: Optional[UploadCallback], timeout: float
) -> Source:
    """Creates the upload, sends the file to the store and completes it; ``timeout``: seconds for each step.

    Each step may be repeated: an upload that is never completed costs nothing and expires. Raises
    PermissionDeniedError ``feature_disabled`` if the service does not offer direct uploads.
    """
    order = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "fileName": name}
    created = transport.read(json_request("POST", _PATH, order, is_repeatable=True), _address, timeout)
    _send(transport, created, data, on_progress, timeout)
    return transport.read(Request("POST", f"{_PATH}/{segment(created['id'])}/complete"), Source.from_json, timeout)


def _address(answer: Any) -> Any:
    if parts_of(answer["uploadUrl"]) is None:
        raise ValueError("no address")
    return {"id": answer["id"], "url": answer["uploadUrl"], "headers": dict(answer["headers"])}


def _send(
    transport: Transport, created: Any, data: bytes, on_progress: Optional[UploadCallback], timeout: float
) -> None:
    parts = parts_of(created["url"])
    if parts is None:
        raise ConnectionFailedError("The service returned no URL for the upload.")
    request = Request(
        "PUT",
        f"{parts.path or '/'}?{parts.query}",
        headers={"accept": "*/*", **created["headers"]},
        body=data,
        with_key=False,
        on_sent=on_progress,
    )
    # The signature is valid only for this URL, and the API key is not sent to it.
    elsewhere = transport.elsewhere(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")
    try:
        elsewhere.send(request, timeout)
    finally:
        elsewhere.close()
