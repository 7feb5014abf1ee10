"""A transport that the caller provides."""

from __future__ import annotations

import asyncio
import http.client
import json
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from typing import List, Union

import image_enhancement as ie

from . import stage

USAGE = {
    "plan": "pro",
    "period": "2026-01",
    "requestsPerMinute": {"limit": 1},
    "enhancements": {"limit": 5, "used": 1, "remaining": 4, "resetsAt": "2026-02-01T00:00:00.000Z"},
    "storage": {"limitBytes": 1, "usedBytes": 0, "remainingBytes": 1},
}


def over_urllib(request: ie.HttpRequest) -> ie.HttpResponse:
    """The transport of a user with another HTTP library."""
    body = request.body if request.body is None or isinstance(request.body, bytes) else b"".join(request.body)
    sent = urllib.request.Request(request.url, body, dict(request.headers), method=request.method)
    try:
        answer: http.client.HTTPResponse = urllib.request.urlopen(sent, timeout=request.timeout)
    except urllib.error.HTTPError as error:
        return ie.HttpResponse(error.code, dict(error.headers.items()), error.read())
    return ie.HttpResponse(answer.status, dict(answer.headers.items()), iter(lambda: answer.read1(65536), b""))


class TransportTest(unittest.TestCase):
    def test_answers_of_a_script(self) -> None:
        seen: List[ie.HttpRequest] = []
        answers: List[Union[ie.HttpResponse, Exception]] = [
            ValueError("broken"),
            ie.HttpResponse(503, {"Retry-After": "0"}, b"{}"),
            ie.HttpResponse(200, {"X-Request-Id": "req_1"}, [b"", json.dumps(USAGE).encode()]),
            ie.HttpResponse(404, {}, json.dumps({"code": "not_found", "detail": "none"}).encode()),
        ]

        def transport(request: ie.HttpRequest) -> ie.HttpResponse:
            seen.append(request)
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        with ie.Client("ies_x", "http://x.test/base", transport=transport, headers={"x-mine": "1"}) as client:
            done = client.with_response(client.usage)
            self.assertEqual((done.data.plan, done.request_id, len(seen)), ("pro", "req_1", 3))
            self.assertEqual((seen[0].method, seen[0].url), ("GET", "http://x.test/base/api/usage"))
            self.assertEqual((seen[0].headers["x-api-key"], seen[0].headers["x-mine"]), ("ies_x", "1"))
            self.assertNotIn("ies_x", repr(seen[0]))
            with self.assertRaises(ie.NotFoundError):
                client.jobs.get("job_1")

    def test_a_body_that_breaks_off_is_a_broken_connection(self) -> None:
        def parts() -> "list[bytes]":
            raise RuntimeError("cut")

        def transport(request: ie.HttpRequest) -> ie.HttpResponse:
            return ie.HttpResponse(200, {}, (part for _ in range(1) for part in parts()))

        with self.assertRaises(ie.ConnectionFailedError):
            ie.Client("ies_x", "http://x.test", transport=transport, max_retries=0).usage()

    def test_a_library_of_ones_own_does_everything(self) -> None:
        key = stage.new_key()
        sent: List[ie.UploadProgress] = []
        states: List[str] = []

        async def usage() -> int:
            async with ie.AsyncClient(key, stage.URL, transport=over_urllib) as client:
                return (await client.usage()).enhancements_used

        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "a.png"
            client = stage.new_client(key, transport=over_urllib)
            result = client.enhance(
                stage.png(8, 8),
                "auto_enhance",
                on_upload=sent.append,
                on_progress=lambda state: states.append(state.job.status),
            )
            result.save(target)
            self.assertEqual(target.read_bytes(), result.bytes())
        self.assertEqual((states[-1], sent[-1].sent_bytes), ("completed", sent[-1].total_bytes))
        self.assertEqual(asyncio.run(usage()), 1)
