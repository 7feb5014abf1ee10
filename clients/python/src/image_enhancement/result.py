"""An enhanced image."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Optional, Union
from urllib.parse import urlsplit

from ._transport import Request, Transport
from .errors import ConnectionFailedError, GoneError, ImageEnhancementError
from .jobs import Jobs
from .models import Job, JobResult

DOWNLOAD_TIMEOUT_SECONDS = 300.0

_Bytes = bytes


class EnhanceResult:
    """An enhanced image. Its bytes stay with the service until they are asked for."""

    def __init__(self, transport: Transport, jobs: Jobs, job: Job) -> None:
        self._transport = transport
        self._jobs = jobs
        self.job = job

    @property
    def url(self) -> str:
        """Address of the image, readable without a key for 24 hours."""
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
        try:
            data = self._read(self.url, timeout)
        except GoneError:
            # The signature of the address may have run out since; reading the job signs it anew.
            data = self._read(self._jobs.get(self.job.id).result_url or self.url, timeout)
        if hashlib.sha256(data).hexdigest() != self.info.sha256:
            raise ConnectionFailedError("What was read is not the result: its digest is another one.")
        return data

    def save(self, path: Union[str, "os.PathLike[str]"], *, timeout: Optional[float] = None) -> Path:
        """Writes it to a file, which appears whole or not at all."""
        target = Path(path)
        data = self.bytes(timeout=timeout)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            # As a file that open() makes: mkstemp's are for the owner alone.
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
        return target

    def _read(self, url: str, timeout: Optional[float]) -> _Bytes:
        # By the address of this client: the one in the job may be a public name that is not known here.
        parts = urlsplit(url)
        path = parts.path[parts.path.index("/files/") :]
        request = Request("GET", f"{path}?{parts.query}", headers={"accept": "*/*"}, with_key=False)
        limit = DOWNLOAD_TIMEOUT_SECONDS if timeout is None else timeout
        return self._transport.send(request, limit).body
