"""An enhanced image."""

from __future__ import annotations

import errno
import hashlib
import os
import time
import uuid
from dataclasses import replace
from pathlib import Path
from typing import IO, Callable, List, Optional, Union

from ._files.result_address import redirect_address, result_address
from ._files.writing import NotWritten, written
from ._http.answers import Redirected
from ._http.request import Request
from ._http.transport import Transport
from .errors import (
    AuthenticationError,
    ConnectionFailedError,
    GoneError,
    ImageEnhancementError,
    NotFoundError,
    PermissionDeniedError,
)
from ._models.generated import Job, JobResult
from .jobs import Jobs

_Bytes = bytes
_Take = Callable[[_Bytes], object]
_MAX_REDIRECTS = 5


class EnhanceResult:
    """An enhanced image. Its bytes are downloaded only on request."""

    def __init__(self, transport: Transport, jobs: Jobs, job: Job) -> None:
        self._transport = transport
        self._jobs = jobs
        self.job = job

    @property
    def url(self) -> str:
        """URL of the image under the public address of the service. It works without a key until ``exp``."""
        if self.job.result_url is None:
            raise ImageEnhancementError("no_result", f"The job {self.job.id} has no result.")
        return self.job.result_url

    @property
    def info(self) -> JobResult:
        """Format, size, and digest."""
        if self.job.result is None:
            raise ImageEnhancementError("no_result", f"The job {self.job.id} has no result.")
        return self.job.result

    def bytes(self, *, timeout: Optional[float] = None) -> bytes:
        """The bytes of the file, verified against the digest of the job."""
        chunks: List[_Bytes] = []

        def start() -> _Take:
            chunks.clear()
            return chunks.append

        self._download(start, timeout)
        return b"".join(chunks)

    def save(self, path: Union[str, os.PathLike[str]], *, timeout: Optional[float] = None) -> Path:
        """Writes the image to a file, which appears complete or not at all. It is never in memory as a whole.

        Raises OSError when the file cannot be written.
        """
        if path == "":
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        target = Path(path)
        draft = target.parent / f".{uuid.uuid4().hex}.part"
        try:
            with draft.open("xb") as file:
                self._download(lambda: _writer(file), timeout)
            os.replace(draft, target)
        except BaseException as error:
            _remove(draft)
            if isinstance(error, NotWritten):
                raise error.reason from None
            raise
        return target

    def _download(self, start: Callable[[], _Take], timeout: Optional[float]) -> None:
        """Passes the file on in parts. ``start`` is called before each attempt and returns the consumer of
        the parts.
        """
        limit = self._transport.file_limit(timeout)
        try:
            self._read(self.url, start, limit)
        except (AuthenticationError, PermissionDeniedError, NotFoundError, GoneError):
            # The signed URL may have expired. Reading the job again returns a new one.
            self._read(self._jobs.get(self.job.id).result_url or self.url, start, limit)

    def _read(self, url: str, start: Callable[[], _Take], limit: float) -> None:
        base_url, path = result_address(url)
        request = Request("GET", path, headers={"accept": "*/*"}, with_key=False)
        if base_url is None:
            self._read_from(self._transport, request, start, limit)
            return
        elsewhere = self._transport.elsewhere(base_url)
        try:
            self._read_from(elsewhere, request, start, limit)
        finally:
            elsewhere.close()

    def _read_from(
        self, transport: Transport, request: Request, start: Callable[[], _Take], limit: float
    ) -> None:
        def attempt() -> None:
            take = start()
            digest = hashlib.sha256()

            def take_also(chunk: _Bytes) -> None:
                digest.update(chunk)
                take(chunk)

            _follow(transport, request, take_also, limit, _MAX_REDIRECTS)
            if digest.hexdigest() != self.info.sha256:
                raise ConnectionFailedError("What was read is not the result: its digest is another one.")

        transport.retry(request, None, attempt)


def _follow(transport: Transport, request: Request, take: _Take, limit: float, redirects: int) -> None:
    """Passes the body on in parts. The service may redirect to its object store, which needs no key."""
    started = time.monotonic()
    try:
        with transport.answer(request, limit) as (_, chunks):
            for chunk in chunks:
                take(chunk)
        return
    except Redirected as error:
        address = redirect_address(error.location)
        if address is None or redirects == 0:
            raise
    elsewhere = transport.elsewhere(address[0])
    left = limit - (time.monotonic() - started)
    try:
        _follow(elsewhere, replace(request, path=address[1]), take, left, redirects - 1)
    finally:
        elsewhere.close()


def _writer(file: IO[_Bytes]) -> _Take:
    def write(chunk: _Bytes) -> None:
        with written():
            file.write(chunk)

    file.seek(0)
    file.truncate()
    return write


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except FileNotFoundError:
        pass
