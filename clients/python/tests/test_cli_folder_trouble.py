"""``enhance folder/``: interrupts, lost results and lost jobs, against a service in memory."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Set, Tuple
from unittest import mock

import image_enhancement as ie
from image_enhancement._cli import folder_batches
from image_enhancement._cli.arguments import argument_parser
from image_enhancement._cli.folder import enhance_folder

from .test_cli_stops import SOURCE
from .test_trouble import DATA, DONE, JOB

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
            return _answer({"code": "idempotency_mismatch"}, 422)
        self.keys |= {key} if key else set()
        if parts[-1] in self.refusals:
            status, body = self.refusals.pop(parts[-1])
            return _answer(body, status)
        if path == "/api/ai/upload":
            self.uploads += 1
            return _answer({**SOURCE, "url": f"http://x.test/files/src_{self.uploads}.png"})
        if path == "/api/ai/batches":
            return self._list() if request.method == "GET" else self._create(request)
        if path.startswith("/files/"):
            job_id = parts[-1].partition(".")[0]
            return _answer(self.problem, 410) if job_id in self.expired else ie.HttpResponse(200, {}, DATA)
        if path.endswith("/jobs"):
            jobs = [self._job(url, index) for index, url in enumerate(self._sources_of(parts[-2]))]
            left = [job for job in jobs if job["id"] not in self.deleted]
            return _answer({"data": left, "hasMore": False, "nextCursor": None})
        if path.endswith("/cancel"):
            self.canceled.append(parts[-2])
            self.failed |= self._jobs_of(parts[-2]) - self.completed
        if path.endswith("/retry"):
            return self._retry(parts[-2])
        if parts[-2] == "enhance":
            return _answer(self._job(parts[-1].replace("job", "src"), 0))
        return _answer({**BATCH, "id": parts[-1]})

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
        return _answer({**BATCH, "id": f"bat_{[*self.batches].index(key)}"})

    def _list(self) -> ie.HttpResponse:
        data: List[Dict[str, Any]] = []
        for index, urls in enumerate(self.batches.values()):
            counts = {**BATCH["counts"], "total": len(urls)}
            data.append({**BATCH, "id": f"bat_{index}", "counts": counts, "createdAt": LATER})
        return _answer({"data": data[::-1], "hasMore": False, "nextCursor": None})

    def _retry(self, batch_id: str) -> ie.HttpResponse:
        jobs = self._jobs_of(batch_id)
        if not jobs & self.failed:
            return _answer({"code": "nothing_to_retry"}, 409)
        self.retries.append(batch_id)
        self.failed -= jobs
        self._interrupt()
        return _answer({**BATCH, "id": batch_id})

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


def _answer(body: Any, status: int = 200) -> ie.HttpResponse:
    return ie.HttpResponse(status, {}, json.dumps(body).encode())


class FolderCase(unittest.TestCase):
    """A folder with three images."""

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

    def enhance(self, *more: str) -> int:
        """Runs the command and returns its exit code."""
        command = ["enhance", str(self.photos), "--operation", "upscale", "--out", str(self.done), *more]
        command += ["--concurrency", "1"]
        out = io.StringIO()
        with ie.Client("ies_x", "http://x.test", transport=self.service, max_retries=0) as client:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                code = enhance_folder(client, argument_parser().parse_args(command))
        self.said = out.getvalue()
        return code

    def sources(self) -> List[List[int]]:
        """The numbers of the uploads in each batch."""
        batches = self.service.batches.values()
        return [[int(url.rpartition("_")[2].partition(".")[0]) for url in urls] for urls in batches]

    def results(self) -> List[str]:
        return sorted(path.name[0] for path in self.done.glob("*.png"))


class FolderTroubleTest(FolderCase):
    def test_an_interrupt_creates_no_batch_that_was_not_sent(self) -> None:
        self.service.is_interrupted = True
        with mock.patch.object(folder_batches, "MAX_BATCH_ITEMS", 1):
            self.assertEqual(self.enhance(), 130, self.said)
            self.assertEqual((len(self.service.batches), set(self.service.canceled)), (1, {"bat_0"}))
            self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((len(self.service.batches), self.service.uploads), (3, 3))

    def test_an_interrupt_creates_no_batch_that_was_refused(self) -> None:
        self.service.refusals["batches"] = (403, {"code": "quota_exceeded"})
        self.assertEqual(self.enhance(), 4, self.said)
        self.assertEqual(self.said.count("answered 403"), 3, "each image has failed")
        (self.photos / "d.png").write_bytes(b"d")
        self.service.is_interrupted = True
        self.assertEqual(self.enhance(), 130, self.said)
        self.assertEqual(set(self.service.canceled), {"bat_0"})
        # All images are in one batch now.
        self.assertEqual([len(each) for each in self.service.batches.values()], [4])

    def test_what_an_interrupt_canceled_is_retried_if_all_of_it_is_wanted(self) -> None:
        self.service.is_interrupted = True
        self.assertEqual(self.enhance(), 130, self.said)
        self.service.is_interrupted, self.service.canceled = True, []
        self.assertEqual(self.enhance(), 130, self.said)
        # The interrupted retry may have arrived, so it is canceled, too.
        self.assertEqual(self.service.canceled, ["bat_0"])
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((self.service.retries, self.service.uploads), (["bat_0"] * 2, 3))

    def test_removed_and_changed_images_are_not_enhanced_after_an_interrupt(self) -> None:
        self.service.is_interrupted = True
        self.service.completed = {"job_1"}
        self.assertEqual(self.enhance(), 130, self.said)
        (self.photos / "b.png").unlink()
        (self.photos / "d.png").write_bytes(b"d")
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "c", "d"]), self.said)
        self.assertEqual((self.service.retries, self.sources()), ([], [[1, 2, 3], [3, 4]]))
        # A removed image that comes back gets a batch of its own.
        (self.photos / "b.png").write_bytes(b"b")
        self.service.is_interrupted = True
        self.assertEqual(self.enhance(), 130, self.said)
        (self.photos / "b.png").write_bytes(b"changed")
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c", "d"]), self.said)
        self.assertEqual((self.service.retries, self.sources()[2:]), ([], [[5], [6]]))

    def test_the_last_word_has_a_deadline(self) -> None:
        self.service.is_interrupted = True
        self.assertEqual(self.enhance("--timeout", "500"), 130, self.said)
        # The creation and the cancellation: of the call, and of the run, which records the batch.
        self.assertEqual(len(self.service.last_words), 4)
        self.assertLess(max(self.service.last_words), 11)

    def test_an_expired_result_is_enhanced_again_by_the_next_run(self) -> None:
        self.service.expired = {"job_1"}
        self.assertEqual((self.enhance(), self.results()), (1, ["b", "c"]), self.said)
        self.assertIn("a.png", self.said)
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual(self.service.uploads, 4)
        self.assertEqual([len(each) for each in self.service.batches.values()], [3, 1])

    def test_what_a_proxy_says_costs_nothing(self) -> None:
        self.service.expired = {"job_1"}
        self.service.problem = {}
        self.assertEqual((self.enhance(), self.enhance()), (1, 1), self.said)
        self.service.expired = set()
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((self.service.uploads, len(self.service.batches)), (3, 1))

    def test_all_expired_results_at_once(self) -> None:
        self.service.expired = {"job_1", "job_2", "job_3"}
        self.assertEqual((self.enhance("--concurrency", "3"), self.results()), (1, []), self.said)
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)

    def test_a_deleted_job_is_reported_and_enhanced_again(self) -> None:
        self.service.deleted = {"job_2"}
        self.assertEqual((self.enhance("--json"), self.results()), (1, ["a", "c"]), self.said)
        reports = [json.loads(line) for line in self.said.splitlines()]
        (failed,) = (report for report in reports if "error" in report)
        self.assertTrue(failed["file"].endswith("b.png"))
        self.assertEqual(failed["error"]["code"], "gone")
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)

    def test_each_image_keeps_its_result_when_others_of_that_name_are_added(self) -> None:
        as_png = ("--format", "png")
        self.assertEqual(self.enhance(*as_png), 0, self.said)
        (self.done / "a.upscale.png").write_bytes(b"paid for")
        (self.photos / "a.jpg").write_bytes(b"sorts before a.png")
        self.assertEqual(self.enhance(*as_png), 0, self.said)
        self.assertEqual((self.done / "a.upscale.png").read_bytes(), b"paid for")
        self.assertEqual(self.results(), ["a", "a", "b", "c"])
        # A changed image may overwrite its own result only.
        (self.photos / "a.jpg").write_bytes(b"changed")
        (self.done / "a.upscale-2.png").write_bytes(b"old")
        self.assertEqual(self.enhance(*as_png), 0, self.said)
        self.assertEqual((self.done / "a.upscale-2.png").read_bytes(), DATA)
        self.assertEqual((self.done / "a.upscale.png").read_bytes(), b"paid for")

    def test_a_name_that_is_not_text_is_a_name(self) -> None:
        (self.photos / os.fsdecode(b"d\xe9.png")).write_bytes(b"d")
        self.assertEqual((self.enhance("--json"), self.results()), (0, ["a", "b", "c", "d"]), self.said)
        self.assertEqual((self.enhance(), self.service.uploads), (0, 4))
        direct: List[Any] = []

        def store(request: ie.HttpRequest) -> ie.HttpResponse:
            direct.append(request.body)
            address: Dict[str, Any] = {"uploadUrl": "http://x.test/put", "headers": {}}
            return _answer({**SOURCE, **address})

        with ie.Client("ies_x", "http://x.test", transport=store) as client:
            client.upload(self.photos / os.fsdecode(b"d\xe9.png"), direct=True)
        self.assertEqual(json.loads(direct[0])["fileName"], "d?.png")

    def test_results_are_found_in_a_folder_that_has_moved(self) -> None:
        self.assertEqual(self.enhance(), 0, self.said)
        self.done = self.done.rename(self.done.with_name("moved"))
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual(self.service.uploads, 3)
