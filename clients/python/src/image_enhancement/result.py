"""An enhanced image."""

from __future__ import annotations

import hashlib
import os
import uuid
from pathlib import Path
from typing import IO, Callable, List, Optional, Union

from ._files.result_address import result_address
from ._files.writing import NotWritten, written
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

DOWNLOAD_TIMEOUT_SECONDS = 300.0

_Bytes = bytes
_Take = Callable[[_Bytes], object]


class EnhanceResult:
    """An enhanced image. Its bytes stay with the service until they are asked for."""

    def __init__(self, transport: Transport, jobs: Jobs, job: Job) -> None:
        self._transport = transport
        self._jobs = jobs
        self.job = job

    @property
    def url(self) -> str:
        """Address of the image under the public name of the service, readable without a key for 24 hours."""
        if self.job.result_url is None:
            raise ImageEnhancementError("no_result", f"The job {self.job.id} has no result.")
        return self.job.result_url

    @property
    def info(self) -> JobResult:
        """Format, size and digest."""
        if self.job.result is None:
            raise ImageEnhancementError("no_result", f"The job {self.job.id} has no result.")
        return self.job.result

    def bytes(self, *, timeout: Optional[float] = None) -> bytes:
        """The file, checked against the digest that the job names."""
        chunks: List[_Bytes] = []

        def start() -> _Take:
            chunks.clear()
            return chunks.append

        self._download(start, timeout)
        return b"".join(chunks)

    def save(self, path: Union[str, os.PathLike[str]], *, timeout: Optional[float] = None) -> Path:
        """Writes it to a file, which appears whole or not at all; it is never in memory as a whole.

        Raises OSError when the file cannot be written.
        """
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
        """Hands the file over in parts; ``start`` is called before each attempt and gives what takes them."""
        limit = DOWNLOAD_TIMEOUT_SECONDS if timeout is None else timeout
        try:
            self._read(self.url, start, limit)
        except (AuthenticationError, PermissionDeniedError, NotFoundError, GoneError):
            # The signature of the address may have run out since; reading the job signs it anew.
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
            with transport.answer(request, limit) as (_, chunks):
                for chunk in chunks:
                    digest.update(chunk)
                    take(chunk)
            if digest.hexdigest() != self.info.sha256:
                raise ConnectionFailedError("What was read is not the result: its digest is another one.")

        transport.retry(request, None, attempt)


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
