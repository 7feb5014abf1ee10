"""The folder example after jobs that failed: their keys stand for them, so that others need others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from .scripted import Reply, Scripted, good, problem
from .test_cli_stops import Service
from .test_trouble import JOB

EXAMPLE = Path(__file__).parents[1] / "examples" / "batch_folder.py"


class Unlucky(Service):
    """A service whose first jobs, or their creations, end otherwise."""

    def __init__(self, *ends: Reply) -> None:
        super().__init__(99)
        self.refusals: List[Reply] = []
        self._ends = list(ends)

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        if self.refusals and request.path == "/api/ai/enhance":
            self.refusals.pop()(request)
        elif self._ends and request.path.endswith("/events"):
            problem(404, "not_found")(request)
        elif self._ends and request.command == "GET" and request.path.startswith("/api/ai/enhance/"):
            self._ends.pop(0)(request)
        else:
            super().__call__(request)


def failed(code: str, is_retryable: bool) -> Reply:
    """A job that has failed."""
    error: Dict[str, Any] = {"code": code, "message": code, "retryable": is_retryable}
    return good({**JOB, "status": "failed", "error": error})


KILLED_WRITING_A_KEY = """
import os, pathlib, runpy, signal, sys
write_text = pathlib.Path.write_text
def killed(path, text, *args):
    if text.startswith("job_"):
        return write_text(path, text, *args)
    path.open("w").close()
    os.kill(os.getpid(), signal.SIGKILL)
pathlib.Path.write_text = killed
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Runs a program that is killed while it writes a file, unless that tells of a job: the file is empty then."""


class FolderExampleTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "in").mkdir()
        (self.folder / "in" / "a.png").write_bytes(b"image")

    def run_with(self, service: Service, *runner: str) -> "Tuple[int, str, Scripted]":
        with Scripted(service) as server:
            settings = {**os.environ, "IMAGE_ENHANCEMENT_API_KEY": "ies_x", "IMAGE_ENHANCEMENT_URL": server.url}
            command = [sys.executable, *runner, str(EXAMPLE), "in", "out"]
            done = subprocess.run(command, cwd=self.folder, env=settings, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.strip(), server

    def keys(self, server: Scripted, path: str = "/api/ai/enhance") -> List[Optional[str]]:
        return [key for call, key in zip(server.seen, server.idempotency_keys) if call == f"POST {path}"]

    def notes(self) -> List[str]:
        return [path.read_text("ascii") for path in (self.folder / "out").glob(".*.job")]

    def test_another_job_has_another_key(self) -> None:
        code, out, server = self.run_with(Unlucky(failed("worker_lost", True), failed("canceled", False)))
        self.assertEqual((code, out, self.notes()), (0, os.path.join("out", "a.png"), []))
        self.assertEqual(len(set(self.keys(server))), 3)

    def test_what_failed_three_times_is_tried_again_by_the_next_start(self) -> None:
        code, out, server = self.run_with(Unlucky(*[failed("worker_lost", True)] * 3))
        before = self.keys(server)
        self.assertEqual((code, len(set(before))), (1, 3), out)
        code, out, server = self.run_with(Service(99))
        self.assertEqual((code, len(self.keys(server)), self.notes()), (0, 1, []), out)
        self.assertNotIn(self.keys(server)[0], before)

    def test_a_job_that_was_waited_for_is_gone_on_with_without_its_key(self) -> None:
        code, out, server = self.run_with(Unlucky(good(JOB), problem(403, "insufficient_scope")))
        self.assertEqual((code, self.notes()), (1, ["job_1"]), out)
        code, out, server = self.run_with(Service(99))
        self.assertEqual((code, self.keys(server), self.notes()), (0, [], []), out)

    def test_photos_that_are_the_same_have_jobs_of_their_own(self) -> None:
        (self.folder / "in" / "b.png").write_bytes(b"image")
        code, out, server = self.run_with(Unlucky(failed("worker_lost", True)))
        self.assertEqual((code, self.notes()), (0, []), out)
        # One for each, and another for the one that failed.
        self.assertEqual((len(self.keys(server)), len(set(self.keys(server)))), (3, 3))

    def test_killed_while_it_writes_a_note_it_has_the_old_one(self) -> None:
        service = Unlucky(failed("worker_lost", True))
        code, out, server = self.run_with(service, "-c", KILLED_WRITING_A_KEY)
        self.assertEqual((code, self.notes()), (-signal.SIGKILL, ["job_1"]), out)
        code, out, server = self.run_with(Service(99))
        self.assertEqual((code, self.keys(server), self.notes()), (0, [], []), out)

    def test_a_forgotten_upload_or_a_deleted_source_needs_another_key(self) -> None:
        for status, code in ((422, "idempotency_mismatch"), (410, "gone")):
            with self.subTest(code):
                (self.folder / "in" / "a.png").write_bytes(code.encode())
                service = Unlucky()
                service.refusals = [problem(status, code)]
                ended, out, server = self.run_with(service)
                self.assertEqual((ended, self.notes()), (0, []), out)
                for path in ("/api/ai/enhance", "/api/ai/upload"):
                    self.assertEqual(len(set(self.keys(server, path))), 2)
                (self.folder / "out" / "a.png").unlink()

    def test_what_would_fail_again_is_not_tried_again(self) -> None:
        code, out, server = self.run_with(Unlucky(failed("undecodable_image", False)))
        self.assertEqual((code, len(self.keys(server))), (1, 1), out)
