"""What the command line does when it is stopped, or would write over something, against a service of the test's own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Dict, List

from .scripted import Scripted, good, problem
from .test_trouble import DATA, DONE, JOB, file

SOURCE = {
    "id": "src_1",
    "url": "http://x/files/src_1.png",
    "format": "png",
    "width": 1,
    "height": 1,
    "bytes": 1,
    "sha256": "00",
    "createdAt": "2026-01-02T03:04:05.678Z",
}


def wait_until_stoppable(program: "subprocess.Popen[bytes]") -> None:
    """Wait until the program handles SIGTERM, as /proc shows on Linux. Elsewhere, wait two seconds."""
    status = Path(f"/proc/{program.pid}/status")
    if not status.exists():
        time.sleep(2)
        return
    for _ in range(600):
        caught = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt:"))
        if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.05)
    raise AssertionError("the program did not begin within 30 s")


class Service:
    """Takes images and makes jobs of them, which end at once or never."""

    def __init__(self, ends_at_once: int, image_format: str = "png") -> None:
        self.ends_at_once = ends_at_once
        self.format = image_format
        self.download = file(DATA)
        self.created: List[str] = []
        self.canceled: List[str] = []
        self._keys: Dict[str, str] = {}
        self._lock = threading.Lock()

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        path = request.path
        if path == "/api/ai/upload":
            good(SOURCE)(request)
        elif path == "/api/ai/enhance":
            with self._lock:
                # A creation whose answer was cut off is sent again, and tells of the same job.
                key = request.headers["idempotency-key"]
                if key not in self._keys:
                    self._keys[key] = f"job_{len(self.created) + 1}"
                    self.created.append(self._keys[key])
                job_id = self._keys[key]
            good(self._job(job_id))(request)
        elif path.endswith("/cancel"):
            self.canceled.append(path.split("/")[-2])
            good(JOB)(request)
        elif path.startswith("/files/"):
            self.download(request)
        elif path.endswith("/events"):
            self._stream(request, path.split("/")[-2])
        else:
            good(self._job(path.split("/")[-1]))(request)

    def has_ended(self, job_id: str) -> bool:
        return int(job_id[4:]) <= self.ends_at_once

    def _job(self, job_id: str) -> Dict[str, Any]:
        job: Dict[str, Any] = DONE if self.has_ended(job_id) else JOB
        result = {**job["result"], "format": self.format} if "result" in job else None
        return {**job, "id": job_id, "result": result}

    def _stream(self, request: BaseHTTPRequestHandler, job_id: str) -> None:
        request.send_response(200)
        request.send_header("content-type", "text/event-stream")
        request.end_headers()
        data = json.dumps({"job": self._job(job_id), "queuePosition": None})
        request.wfile.write(f"event: job\ndata: {data}\n\n".encode())
        request.wfile.flush()
        request.close_connection = True
        for _ in range(0 if self.has_ended(job_id) else 600):
            time.sleep(0.1)
            request.wfile.write(b": still here\n\n")


class StopTest(unittest.TestCase):
    environment: Dict[str, str] = {}

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("a.png", "b.png", "c.png"):
            (self.folder / name).write_bytes(b"image")

    def start(self, server: Scripted, *arguments: str, **options: Any) -> "subprocess.Popen[bytes]":
        settings = {**os.environ, "IMAGE_ENHANCEMENT_API_KEY": "ies_x", "IMAGE_ENHANCEMENT_URL": server.url}
        settings.update(self.environment)
        command = [sys.executable, "-m", "image_enhancement", "enhance", *arguments]
        return subprocess.Popen(
            command, env=settings, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
        )

    def run_to_end(self, server: Scripted, *arguments: str) -> "tuple[int, str, str]":
        program = self.start(server, *arguments)
        out, error = program.communicate(timeout=60)
        return program.returncode, out.decode(), error.decode()

    def test_a_signal_cancels_the_jobs_of_all_files(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), Scripted(service := Service(0)) as server:
                program = self.start(server, "a.png", "b.png", "c.png", "--concurrency", "2")
                for _ in range(300):
                    time.sleep(0.05)
                    if sum(line.endswith("/events") for line in server.seen) == 2:
                        break
                program.send_signal(number)
                _, error = program.communicate(timeout=30)
                self.assertEqual(program.returncode, 130, error)
                self.assertIn(b"Interrupted", error)
                self.assertEqual(sorted(service.canceled), ["job_1", "job_2"])
                # The third had not begun.
                self.assertEqual(len(service.created), 2)

    def test_a_job_that_had_completed_is_named(self) -> None:
        def never(request: BaseHTTPRequestHandler) -> None:
            time.sleep(20)

        service = Service(99)
        service.download = never
        with Scripted(service) as server:
            program = self.start(server, "a.png")
            for _ in range(300):
                time.sleep(0.05)
                if server.seen and "/files/" in server.seen[-1]:
                    break
            program.send_signal(signal.SIGINT)
            _, error = program.communicate(timeout=15)
            self.assertEqual((program.returncode, service.canceled), (130, []), error)
            self.assertIn(b"a.png: The job job_1 had completed; its result was not saved", error)

    def test_an_interrupt_ends_the_wait_for_standard_input(self) -> None:
        with Scripted(Service(0)) as server:
            program = self.start(server, "-", stdin=subprocess.PIPE)
            wait_until_stoppable(program)
            program.send_signal(signal.SIGINT)
            # Standard input stays open and silent.
            self.assertEqual(program.wait(30), 130)
            for stream in (program.stdin, program.stdout, program.stderr):
                assert stream is not None
                stream.close()

    def test_a_reader_that_goes_away_ends_what_is_under_way(self) -> None:
        with Scripted(service := Service(1)) as server:
            program = self.start(server, "a.png", "b.png", "c.png", "--concurrency", "2")
            assert program.stdout is not None
            # Before anything is printed: the first to be done cannot tell it.
            program.stdout.close()
            program.stdout = None
            _, error = program.communicate(timeout=30)
            self.assertEqual(program.returncode, 1, error)
            self.assertIn(b"Nobody reads the output any more", error)
            waited = [job for job in service.created if not service.has_ended(job)]
            self.assertEqual(sorted(service.canceled), waited)
            self.assertEqual([path.name for path in self.folder.glob(".*")], [])

    def test_nothing_is_written_over_however_its_name_is_written(self) -> None:
        kept = {"IMG_1.auto_enhance.jpg": "IMG_1.JPG", "IMG_2.auto_enhance.jpg": "IMG_2.jpeg"}
        with Scripted(service := Service(99, "jpeg")) as server:
            for target, source in kept.items():
                (self.folder / source).write_bytes(b"image")
                (self.folder / target).write_bytes(b"precious")
                code, _, error = self.run_to_end(server, source)
                self.assertEqual((code, service.created), (2, []), error)
                self.assertIn(f"{target} exists", error)
                self.assertEqual((self.folder / target).read_bytes(), b"precious")
            # A name that says another format than the service finds: the job is paid for, and the file kept.
            (self.folder / "a.auto_enhance.jpg").write_bytes(b"precious")
            code, _, error = self.run_to_end(server, "a.png")
            self.assertEqual(code, 1)
            self.assertIn("job_1 keeps it", error)
            self.assertEqual((self.folder / "a.auto_enhance.jpg").read_bytes(), b"precious")
            self.assertEqual(self.run_to_end(server, "a.png", "--force")[0], 0)
            self.assertEqual((self.folder / "a.auto_enhance.jpg").read_bytes(), DATA)

    def test_a_source_is_never_written_over(self) -> None:
        (self.folder / "a.auto_enhance.png").write_bytes(b"image")
        with Scripted(service := Service(99)) as server:
            for arguments in (("-o", "a.png", "a.png"), ("a.png", "a.auto_enhance.png")):
                code, _, error = self.run_to_end(server, "--force", *arguments)
                self.assertEqual((code, service.created), (2, []), error)
                self.assertIn("is a source", error)

    def test_standard_input_into_a_folder_writes_over_nothing(self) -> None:
        (self.folder / "out").mkdir()
        (self.folder / "out" / "image.auto_enhance.webp").write_bytes(b"precious")
        with Scripted(service := Service(99, "webp")) as server:
            program = self.start(server, "-", "-o", "out/", stdin=subprocess.PIPE)
            _, error = program.communicate(b"image", timeout=60)
            self.assertEqual((program.returncode, service.created), (2, []), error)

    def test_a_name_that_the_output_cannot_show_ends_nothing(self) -> None:
        self.environment = {"PYTHONIOENCODING": "ascii:strict"}
        names = [os.fsdecode(b"caf\xe9.png"), "\u5199.png"]
        for name in names:
            (self.folder / name).write_bytes(b"image")
        with Scripted(Service(99)) as server:
            code, out, error = self.run_to_end(server, *names, "--concurrency", "1")
        self.assertEqual((code, error), (0, ""))
        self.assertEqual(out.split(), ["caf\\udce9.auto_enhance.png", "\\u5199.auto_enhance.png"])

    def test_exit_codes_of_several_failures(self) -> None:
        refused = problem(401, "invalid_api_key")
        for second, expected in ((refused, 3), (problem(403, "quota_exceeded"), 1)):
            with self.subTest(expected), Scripted(refused, second) as server:
                self.assertEqual(self.run_to_end(server, "a.png", "b.png", "--concurrency", "1")[0], expected)

    def test_wrong_numbers_are_wrong_usage(self) -> None:
        with Scripted(service := Service(99)) as server:
            for option in (("--concurrency", "33"), ("--quality", "0"), ("--timeout", "-1"), ("--timeout", "²")):
                code, _, error = self.run_to_end(server, "a.png", *option)
                self.assertEqual((code, service.created), (2, []), error)
                self.assertIn("must be a whole number from 1 to", error)
