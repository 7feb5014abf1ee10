"""The folder example after jobs that failed: their keys stand for them, so that others need others."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, Tuple

from .scripted import Reply, Scripted, good
from .test_cli_stops import SOURCE
from .test_trouble import DATA, DONE, JOB, file

EXAMPLE = Path(__file__).parents[1] / "examples" / "batch_folder.py"


def failed(code: str, is_retryable: bool) -> Reply:
    """A job that has failed."""
    error: Dict[str, Any] = {"code": code, "message": code, "retryable": is_retryable}
    return good({**JOB, "status": "failed", "error": error})


class FolderExampleTest(unittest.TestCase):
    def run_with(self, *replies: Reply) -> "Tuple[int, str, Scripted]":
        with tempfile.TemporaryDirectory() as folder, Scripted(*replies) as server:
            (Path(folder) / "in").mkdir()
            (Path(folder) / "in" / "a.png").write_bytes(b"image")
            settings = {**os.environ, "IMAGE_ENHANCEMENT_API_KEY": "ies_x", "IMAGE_ENHANCEMENT_URL": server.url}
            command = [sys.executable, str(EXAMPLE), "in", "out"]
            done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.strip(), server

    def test_another_job_has_another_key(self) -> None:
        lost = [good(SOURCE), good(JOB), failed("worker_lost", True)]
        canceled = [good(SOURCE), good(JOB), failed("canceled", False)]
        code, out, server = self.run_with(*lost, *canceled, good(SOURCE), good(JOB), good(DONE), file(DATA))
        self.assertEqual((code, out), (0, os.path.join("out", "a.png")))
        orders = zip(server.seen, server.idempotency_keys)
        keys = [str(key) for call, key in orders if call == "POST /api/ai/enhance"]
        self.assertEqual(keys[1:], [f"{keys[0]}-2", f"{keys[0]}-3"])

    def test_what_would_fail_again_is_not_tried_again(self) -> None:
        code, out, server = self.run_with(good(SOURCE), good(JOB), failed("undecodable_image", False))
        self.assertEqual((code, server.seen.count("POST /api/ai/enhance")), (1, 1), out)
