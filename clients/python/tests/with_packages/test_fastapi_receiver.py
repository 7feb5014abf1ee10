"""The example of a receiver with FastAPI does what it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from typing import Any, Dict

import image_enhancement as ie

from .. import stage
from ..test_documents import EXAMPLES, post
from ..test_trouble import DONE


class FastApiReceiverTest(unittest.TestCase):
    def test_a_signed_event_is_handled_after_the_response(self) -> None:
        port, secret = stage.free_port(), "whsec_x"
        command = [sys.executable, "-m", "uvicorn", "fastapi_receiver:app", "--port", str(port)]
        program = subprocess.Popen(
            command,
            cwd=EXAMPLES,
            env={**os.environ, "WEBHOOK_SECRET": secret, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            job: Dict[str, Any] = {**DONE, "id": "job_7"}
            event = {"id": "evt_1", "type": "job.completed", "createdAt": job["createdAt"], "data": {"job": job}}
            body = json.dumps(event)
            good = ie.sign_test_header(body, secret)
            self.assertEqual(post(program, port, body, good, "/webhooks"), 204)
            self.assertEqual(post(program, port, body + " ", good, "/webhooks"), 400)
            self.assertEqual(post(program, port, body, "", "/webhooks"), 400)
        finally:
            program.terminate()
            printed, _ = program.communicate(timeout=120)
        self.assertIn(f"ready: {job['resultUrl']}\n", printed)
