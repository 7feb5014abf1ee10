"""What no healthy service does: broken connections and answers on demand."""

from __future__ import annotations

import errno
import hashlib
import json
import resource
import tempfile
import time
import unittest
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Dict, List
from unittest import mock

import image_enhancement as ie

from .scripted import Reply, Scripted, cut, good, problem

JOB: Dict[str, Any] = {
    "id": "job_1",
    "status": "queued",
    "operation": "upscale",
    "level": "low",
    "sourceUrl": "http://x/files/src_1.png",
    "error": None,
    "output": {"format": "png", "quality": None, "background": None},
    "progress": 0,
    "attempts": 0,
    "model": None,
    "device": None,
    "timings": None,
    "metadata": {},
    "createdAt": "2026-01-02T03:04:05.678Z",
    "startedAt": None,
    "completedAt": None,
}
DATA = b"an image" * 50_000
DONE = {
    **JOB,
    "status": "completed",
    "resultUrl": "http://elsewhere.example/files/job_1.png?exp=1&sig=2",
    "result": {
        "format": "png",
        "width": 1,
        "height": 1,
        "bytes": len(DATA),
        "sha256": hashlib.sha256(DATA).hexdigest(),
        "expiresAt": "2027-01-02T03:04:05.678Z",
    },
}


def file(data: bytes, length: int = len(DATA)) -> Reply:
    """A file that may end early."""

    def reply(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-length", str(length))
        request.end_headers()
        request.wfile.write(data)
        request.close_connection = len(data) < length

    return reply


def stream(text: str, is_complete: bool) -> Reply:
    """An event stream of which only this text arrives."""

    def reply(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/event-stream")
        request.send_header("transfer-encoding", "chunked")
        request.end_headers()
        data = text.encode()
        request.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if data else b"")
        request.wfile.write(b"0\r\n\r\n" if is_complete else b"")
        request.wfile.flush()
        request.close_connection = True

    return reply


class DeletionTest(unittest.TestCase):
    def test_is_done_when_an_answer_was_lost_and_it_is_gone(self) -> None:
        for gone in (problem(410, "gone"), problem(404, "not_found")):
            with Scripted(cut, gone) as server:
                server.client().jobs.delete("job_1")
                self.assertEqual(len(server.seen), 2)

    def test_is_not_done_when_nothing_was_there(self) -> None:
        with Scripted(problem(404, "not_found")) as server:
            with self.assertRaises(ie.NotFoundError):
                server.client().sources.delete("src_1")
        with Scripted(problem(410, "gone")) as server:
            with self.assertRaises(ie.GoneError):
                server.client().jobs.delete("job_1")

    def test_is_not_done_when_what_came_before_was_refused(self) -> None:
        with Scripted(problem(429, "rate_limited", retry_after="0"), problem(404, "not_found")) as server:
            with self.assertRaises(ie.NotFoundError):
                server.client().webhooks.endpoints.delete("we_1")
            self.assertEqual(len(server.seen), 2)


class RetryTest(unittest.TestCase):
    def test_one_key_for_all_attempts_of_one_call(self) -> None:
        replies = [cut, problem(503, "service_unavailable", retry_after="0"), good(JOB)]
        with Scripted(*replies) as server:
            client = server.client()
            self.assertEqual(client.jobs.create("x", "upscale").id, "job_1")
            client.jobs.create("x", "upscale")
            first, second, third, fourth = server.idempotency_keys
            self.assertEqual((first, first), (second, third))
            self.assertNotEqual(first, fourth)

    def test_no_answer_in_time_is_another_attempt(self) -> None:
        with Scripted(lambda request: time.sleep(1), good(JOB)) as server:
            self.assertEqual(server.client().jobs.get("job_1", timeout=0.4).id, "job_1")

    def test_whole_time_is_kept_over_all_attempts(self) -> None:
        with Scripted(lambda request: time.sleep(1)) as server:
            started = time.monotonic()
            with self.assertRaisesRegex(ie.WaitTimeoutError, "not enhanced after 0.6 s") as caught:
                server.client().enhance(b"image", "upscale", timeout=0.6)
            # Far less than one request may take by itself.
            self.assertLess(time.monotonic() - started, 30)
            self.assertIsNone(caught.exception.job_id)
            self.assertEqual(set(server.seen), {"POST /api/ai/upload"})

    def test_a_silent_stream_ends_with_the_wait(self) -> None:
        def comments(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.send_header("content-type", "text/event-stream")
            request.end_headers()
            while True:
                request.wfile.write(b": still here\n\n")
                request.wfile.flush()
                time.sleep(0.05)

        with Scripted(comments) as server:
            with self.assertRaises(ie.WaitTimeoutError) as caught:
                server.client().jobs.wait("job_1", timeout=0.5, on_progress=lambda state: None)
            self.assertEqual(caught.exception.job_id, "job_1")

    def test_a_stream_that_a_proxy_holds_back_is_given_up(self) -> None:
        def silent(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.send_header("content-type", "text/event-stream")
            request.end_headers()
            request.wfile.flush()
            request.connection.recv(1)
            request.close_connection = True

        for reply in (silent, problem(502, "http_502"), problem(504, "http_504")):
            with Scripted(reply, good(JOB), good(DONE)) as server:
                with mock.patch("image_enhancement._jobs.wait._QUIET_SECONDS", 0.3):
                    job = server.client().jobs.wait("job_1", on_progress=lambda state: None)
                self.assertEqual(job.status, "completed")
                path = "GET /api/ai/enhance/job_1"
                self.assertEqual(server.seen, [f"{path}/events", path, path])


class BrokenStreamTest(unittest.TestCase):
    def test_the_wait_ends_with_the_job(self) -> None:
        event = f'id: 1\nevent: job\ndata: {json.dumps({"job": JOB, "queuePosition": None})}\n\n'
        parts = {
            "before the first event": ("", False),
            "in the first event": (event[:40], False),
            "after an event": (event + event[:40], False),
            "at the end of a part of an event": (event[:40], True),
            "by an event that is no JSON": ('id: 1\nevent: job\ndata: {"job": {"id\n\n', True),
            "by an event without a job": ("id: 1\nevent: job\ndata: null\n\n", True),
        }
        for where, (text, is_complete) in parts.items():
            broken = stream(text, is_complete)
            with self.subTest(where), Scripted(broken, good(JOB), broken, good(DONE)) as server:
                job = server.client().jobs.wait("job_1", timeout=60, on_progress=lambda state: None)
                self.assertEqual(job.status, "completed")
                path = "GET /api/ai/enhance/job_1"
                self.assertEqual(server.seen, [f"{path}/events", path, f"{path}/events", path])


class DownloadTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def names(self) -> List[str]:
        return [path.name for path in self.folder.iterdir()]

    def test_begins_anew_when_it_breaks_off_or_is_not_the_result(self) -> None:
        replies = [good(DONE), file(DATA[:1000]), file(DATA[::-1]), file(DATA)]
        with Scripted(*replies) as server:
            result = server.client().result("job_1")
            result.save(self.folder / "a.png")
            self.assertEqual((self.folder / "a.png").read_bytes(), DATA)
            self.assertEqual(result.bytes(), DATA)
            self.assertEqual(self.names(), ["a.png"])

    def test_is_given_up_when_it_never_is_the_result(self) -> None:
        with Scripted(good(DONE), file(DATA[::-1])) as server:
            result = server.client(max_retries=1).result("job_1")
            (self.folder / "a.png").write_bytes(b"as it was")
            with self.assertRaisesRegex(ie.ConnectionFailedError, "digest"):
                result.save(self.folder / "a.png")
            self.assertEqual((self.names(), (self.folder / "a.png").read_bytes()), (["a.png"], b"as it was"))

    def test_does_not_take_the_disk_for_the_connection(self) -> None:
        with Scripted(good(DONE), file(DATA)) as server:
            result = server.client().result("job_1")
            with self.assertRaises(FileNotFoundError):
                result.save(self.folder / "missing" / "a.png")
            self.assertEqual(len(server.seen), 1)
            before = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(DATA) // 2, before[1]))
            try:
                with self.assertRaises(OSError) as caught:
                    result.save(self.folder / "a.png")
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
            self.assertEqual((caught.exception.errno, self.names()), (errno.EFBIG, []))
            self.assertEqual(len(server.seen), 2)
