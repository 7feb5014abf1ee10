"""A download that can be resumed."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from http.client import HTTPResponse
from pathlib import Path
from typing import IO, Dict, Optional, Tuple

from .._http.request import Request
from .._http.transport import Transport
from ..errors import ApiError, ConnectionFailedError, WaitTimeoutError
from .writing import NotWritten, written

_RANGE_NOT_SATISFIABLE = 416


class ArchiveDownload:
    """Downloads ``path`` of the service to a file, which appears complete or not at all.

    Until then, it is ``<name>.part``, with its ETag in ``<name>.part.etag``. If both exist, the download
    resumes, provided that the service still has the same archive.
    """

    def __init__(self, transport: Transport, path: str, target: Path) -> None:
        self._transport = transport
        self._path = path
        self._target = target
        self._part = target.with_name(f"{target.name}.part")
        self._etag = target.with_name(f"{target.name}.part.etag")
        self._received = 0
        """The largest number of bytes that this call has had."""

    def run(self, timeout: float) -> Path:
        """Downloads it; ``timeout`` in seconds for each attempt. Raises OSError when it cannot be written."""
        try:
            self._download(timeout)
        except NotWritten as error:
            raise error.reason from None
        os.replace(self._part, self._target)
        self._etag.unlink()
        return self._target

    def _download(self, timeout: float) -> None:
        """Retries as often as for a request, and again after each progress."""
        while True:
            before = self._received
            try:
                return self._transport.retry(Request("GET", self._path), None, lambda: self._read(timeout))
            except (ConnectionFailedError, WaitTimeoutError):
                if self._received <= before or self._transport.settings.max_retries == 0:
                    raise

    def _read(self, timeout: float) -> None:
        start, headers = self._where()
        request = Request("GET", self._path, headers={"accept": "*/*", **headers})
        etag = headers.get("if-range")
        try:
            with self._transport.answer(request, timeout) as (response, chunks):
                if response.status == 206 and response.headers.get("etag", etag) != etag:
                    raise self._misfit()
                total = _total_of(response, start)
                with written():
                    file = self._opened(start if response.status == 206 else 0, response.headers.get("etag"))
                try:
                    for chunk in chunks:
                        with written():
                            file.write(chunk)
                        self._received = max(self._received, file.tell())
                    with written():
                        file.flush()
                    if file.tell() < total:
                        raise ConnectionFailedError("The archive ended before its end.")
                finally:
                    with suppress(OSError):
                        file.close()
        except ApiError as error:
            if error.status != _RANGE_NOT_SATISFIABLE:
                raise
            raise self._misfit() from error

    def _misfit(self) -> ConnectionFailedError:
        """What was received is not a part of the archive. The next attempt reads it from the start."""
        self._part.unlink()
        return ConnectionFailedError("The part of the archive that was here does not fit.")

    def _opened(self, start: int, etag: Optional[str]) -> IO[bytes]:
        """Opens the partial file at the position where the response begins."""
        if start == 0:
            # In this order, so that a killed process never leaves a partial file with the ETag of another
            # one.
            self._part.unlink(missing_ok=True)
            self._etag.write_text(etag or "", "utf-8")
            return self._part.open("wb")
        file = self._part.open("r+b")
        file.seek(start)
        return file

    def _where(self) -> Tuple[int, Dict[str, str]]:
        """The byte at which to resume, and the headers that request it."""
        try:
            # Request the last byte again, because a range after the end of a complete file would be rejected.
            start = self._part.stat().st_size - 1
            etag = self._etag.read_text("utf-8")
        except FileNotFoundError:
            return 0, {}
        if start <= 0 or not etag:
            return 0, {}
        return start, {"range": f"bytes={start}-", "if-range": etag}


def _total_of(response: HTTPResponse, start: int) -> int:
    """The size of the archive, because a server may send less than the rest of it. 0 if the response is not a part.

    Raises ConnectionFailedError for a page of something in between, and for another part than was asked for.
    """
    if response.status == 206:
        match = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", response.headers.get("content-range") or "")
        if match is None or int(match.group(1)) != start:
            raise ConnectionFailedError("The service sent another part than was asked for.")
        return int(match.group(2))
    if not (response.headers.get("content-type") or "").startswith("application/zip"):
        raise ConnectionFailedError("The answer is no archive: is this the address of the service?")
    return 0
