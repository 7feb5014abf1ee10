"""A folder of images, and a service in memory that enhances them."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Optional, Set, TextIO, Tuple

import image_enhancement as ie
from image_enhancement._cli.arguments import argument_parser
from image_enhancement._cli.folder import enhance_folder

from ..test_cli_stops import SOURCE
from ..test_trouble import DATA, DONE, JOB

LATER = "2099-01-02T03:04:05.678Z"
BATCH: Dict[str, Any] = {
    "status": "completed",
    "percent": 100,
    "operation": "upscale",
    "level": "low",
    "counts": {"total": 1, "queued": 0, "processing": 0, "completed": 1, "failed": 0, "canceled": 0},
    "createdAt": DONE["createdAt"],
    "completedAt": DONE["createdAt"],
}
FAILED = {**JOB, "status": "failed", "error": {"code": "canceled", "message": "canceled", "retryable": False}}


class Service:
    """A transport that is the service: its jobs end at once."""

    def __init__(self) -> None:
        self.uploads = 0
        self.batches: Dict[str, List[str]] = {}
        """Sources by idempotency key."""
        self.canceled: List[str] = []
        self.completed: Set[str] = set()
        """Jobs that a cancellation comes too late for."""
        self.failed: Set[str] = set()
        """Jobs that were canceled, and not retried since."""
        self.retries: List[str] = []
        self.expired: Set[str] = set()
        self.problem = {"code": "gone"}
        """The response for an expired result."""
        self.deleted: Set[str] = set()
        self.refusals: Dict[str, Tuple[int, Dict[str, str]]] = {}
        """Responses to the next request whose path ends with this word: ``batches`` creates one."""
        self.keys: Set[str] = set()
        self.is_changed = False
        """Whether requests differ from earlier ones with the same idempotency key."""
        self.breaks = ""
        """Whether the connection breaks ``before`` or ``after`` each creation of a batch."""
        self.last_words: List[float] = []
        """Seconds that each request after an interrupt may take."""
        self.is_interrupted = False
        """Whether Ctrl-C meets the next creation or retry of a batch, whose response is lost."""

    def __call__(self, request: ie.HttpRequest) -> ie.HttpResponse:
        path = request.url.partition("x.test")[2].partition("?")[0]
        parts = path.split("/")
        self.last_words.append(request.timeout)
        key = request.headers.get("idempotency-key")
        if self.is_changed and key in self.keys:
            return answer({"code": "idempotency_mismatch"}, 422)
        self.keys |= {key} if key else set()
        if parts[-1] in self.refusals:
            status, body = self.refusals.pop(parts[-1])
            return answer(body, status)
        if path == "/api/ai/upload":
            self.uploads += 1
            return answer({**SOURCE, "url": f"http://x.test/files/src_{self.uploads}.png"})
        if path == "/api/ai/batches":
            return self._list() if request.method == "GET" else self._create(request)
        if path.startswith("/files/"):
            job_id = parts[-1].partition(".")[0]
            return answer(self.problem, 410) if job_id in self.expired else ie.HttpResponse(200, {}, DATA)
        if path.endswith("/jobs"):
            jobs = [self._job(url, index) for index, url in enumerate(self._sources_of(parts[-2]))]
            left = [job for job in jobs if job["id"] not in self.deleted]
            return answer({"data": left, "hasMore": False, "nextCursor": None})
        if path.endswith("/cancel"):
            self.canceled.append(parts[-2])
            self.failed |= self._jobs_of(parts[-2]) - self.completed
        if path.endswith("/retry"):
            return self._retry(parts[-2])
        if parts[-2] == "enhance":
            return answer(self._job(parts[-1].replace("job", "src"), 0))
        return answer({**BATCH, "id": parts[-1]})

    def _create(self, request: ie.HttpRequest) -> ie.HttpResponse:
        if self.breaks == "before":
            raise OSError("cut")
        assert isinstance(request.body, bytes)
        key = request.headers["idempotency-key"]
        if key not in self.batches:
            self.batches[key] = json.loads(request.body)["sourceUrls"]
            self.failed -= self._jobs_of(f"bat_{len(self.batches) - 1}")
        self._interrupt()
        if self.breaks:
            raise OSError("cut")
        return answer({**BATCH, "id": f"bat_{[*self.batches].index(key)}"})

    def _list(self) -> ie.HttpResponse:
        data: List[Dict[str, Any]] = []
        for index, urls in enumerate(self.batches.values()):
            counts = {**BATCH["counts"], "total": len(urls)}
            data.append({**BATCH, "id": f"bat_{index}", "counts": counts, "createdAt": LATER})
        return answer({"data": data[::-1], "hasMore": False, "nextCursor": None})

    def _retry(self, batch_id: str) -> ie.HttpResponse:
        jobs = self._jobs_of(batch_id)
        if not jobs & self.failed:
            return answer({"code": "nothing_to_retry"}, 409)
        self.retries.append(batch_id)
        self.failed -= jobs
        self._interrupt()
        return answer({**BATCH, "id": batch_id})

    def _interrupt(self) -> None:
        if self.is_interrupted:
            self.is_interrupted, self.last_words = False, []
            raise KeyboardInterrupt

    def _jobs_of(self, batch_id: str) -> Set[str]:
        return {str(self._job(url, 0)["id"]) for url in self._sources_of(batch_id)}

    def _sources_of(self, batch_id: str) -> List[str]:
        return [*self.batches.values()][int(batch_id[4:])]

    def _job(self, url: str, index: int) -> Dict[str, Any]:
        job_id = f"job_{url.rpartition('_')[2].partition('.')[0]}"
        result_url = f"http://x.test/files/{job_id}.png?exp=1&sig=2"
        job = FAILED if job_id in self.failed else DONE
        return {**job, "id": job_id, "sourceUrl": url, "resultUrl": result_url, "batchIndex": index}


def answer(body: Any, status: int = 200) -> ie.HttpResponse:
    """The response of a service."""
    return ie.HttpResponse(status, {}, json.dumps(body).encode())


class FolderCase(unittest.TestCase):
    """A folder with three images."""

    order = ("--operation", "upscale")

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.photos = Path(folder.name) / "photos"
        self.done = Path(folder.name) / "done"
        self.photos.mkdir()
        for name in ("a", "b", "c"):
            (self.photos / f"{name}.png").write_bytes(name.encode())
        self.service = Service()
        self.said = ""

    def enhance(self, *more: str, out: Optional[TextIO] = None) -> int:
        """Runs the command and returns its exit code. ``out``: its standard output."""
        command = ["enhance", str(self.photos), *self.order, "--out", str(self.done), *more]
        command += ["--concurrency", "1"]
        said = io.StringIO()
        with ie.Client("ies_x", "http://x.test", transport=self.service, max_retries=0) as client:
            with contextlib.redirect_stdout(out or said), contextlib.redirect_stderr(said):
                code = enhance_folder(client, argument_parser().parse_args(command))
        self.said = said.getvalue()
        return code

    def sources(self) -> List[List[int]]:
        """The numbers of the uploads in each batch."""
        batches = self.service.batches.values()
        return [[int(url.rpartition("_")[2].partition(".")[0]) for url in urls] for urls in batches]

    def results(self) -> List[str]:
        return sorted(path.name[0] for path in self.done.glob("*.png"))
