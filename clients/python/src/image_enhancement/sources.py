"""Uploaded images."""

from __future__ import annotations

from typing import Optional

from ._files.inputs import FileInput, multipart, name_of, read_image
from ._files.sending import UploadCallback
from ._http.idempotency import new_idempotency_key
from ._http.lists import Paged
from ._http.request import Request, json_request, segment
from ._http.transport import Transport
from ._jobs.direct_upload import upload_directly
from ._models.generated import Source
from .jobs import delete_once

PATH = "/api/ai/sources"


class Sources:
    """Uploads of the account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self,
        image: FileInput,
        *,
        direct: bool = False,
        on_progress: Optional[UploadCallback] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Source:
        """Uploads one image. Use its ``url`` as the ``sourceUrl`` of jobs.

        ``direct`` sends the file straight to the object store of the service. It raises PermissionDeniedError
        ``feature_disabled`` if the operator does not allow it, and ignores ``idempotency_key``: a repeated
        call uploads again. ``on_progress`` is called with an ``UploadProgress`` while the file is sent.
        """
        limit = self._transport.file_limit(timeout)
        if direct:
            return upload_directly(self._transport, read_image(image), name_of(image), on_progress, limit)
        body, content_type = multipart(read_image(image), name_of(image))
        key = new_idempotency_key() if idempotency_key is None else idempotency_key
        headers = {"content-type": content_type, "idempotency-key": key}
        request = Request("POST", "/api/ai/upload", headers=headers, body=body, on_sent=on_progress)
        return self._transport.read(request, Source.from_json, limit)

    def upload_url(
        self, url: str, *, idempotency_key: Optional[str] = None, timeout: Optional[float] = None
    ) -> Source:
        """Uploads the image at a public ``https`` URL, which the service fetches once.

        Raises InvalidRequestError for a URL that the service must not or cannot fetch, and InvalidImageError
        if the file is not an image.
        """
        key = new_idempotency_key() if idempotency_key is None else idempotency_key
        request = json_request("POST", "/api/ai/upload", {"url": url}, key)
        return self._transport.read(request, Source.from_json, timeout)

    def get(self, source_id: str, *, timeout: Optional[float] = None) -> Source:
        """One upload."""
        return self._transport.read(Request("GET", f"{PATH}/{segment(source_id)}"), Source.from_json, timeout)

    def list(self, *, limit: Optional[int] = None, timeout: Optional[float] = None) -> Paged[Source]:
        """Uploads, newest first; ``limit``: page size, 1 to 100; ``timeout``: seconds for each page."""
        return Paged(self._transport, PATH, {"limit": limit}, Source.from_json, timeout)

    def delete(self, source_id: str, *, timeout: Optional[float] = None) -> None:
        """Deletes an upload. Existing results stay."""
        delete_once(self._transport, f"{PATH}/{segment(source_id)}", timeout)
