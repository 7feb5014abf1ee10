"""Chains, pictures of the web, the one request for everything, callbacks, and the usage, against the real service."""

from __future__ import annotations

import csv
import io
import json
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, List, Tuple

import image_enhancement as ie

from . import stage, test_trouble
from .scripted import Scripted, good


ERROR = {"code": "processing_failed", "message": "It failed.", "retryable": True}


class Web:
    """A web server: it shows one picture, and keeps what is posted."""

    def __init__(self) -> None:
        self.posted: List[Tuple[bytes, str]] = []
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                data = stage.png(24, 16)
                self.send_response(200)
                self.send_header("content-type", "image/png")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                web.posted.append((body, self.headers["x-service-signature"]))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class RequestsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = stage.new_client()
        self.addCleanup(self.client.close)
        self.web = Web()
        self.addCleanup(self.web.close)

    def test_a_chain(self) -> None:
        steps: List[ie.Step] = [
            {"operation": "auto_enhance", "level": None},
            {"operation": "upscale", "level": "high"},
        ]
        source = self.client.upload(stage.png(16, 8))
        self.assertEqual(self.client.jobs.dry_run(source.url, operations=steps).cost, 2)
        result = self.client.enhance(source, operations=steps, output={"format": "png"})
        self.assertEqual([each.operation for each in result.job.operations], ["auto_enhance", "upscale"])
        self.assertEqual((result.info.width, result.info.height), (64, 32))
        self.assertEqual(self.client.usage().enhancements_used, 2)

    def test_exactly_one_of_operation_and_operations(self) -> None:
        calls: List[Callable[[], object]] = [
            lambda: self.client.enhance(b""),
            lambda: self.client.jobs.create("x", "upscale", operations=[{"operation": "upscale"}]),
            lambda: self.client.batches.create(["x"]),
        ]
        for call in calls:
            with self.assertRaises(ie.ImageEnhancementError) as caught:
                call()
            self.assertEqual(caught.exception.code, "invalid_option")
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'lvel'"):
            self.client.enhance(b"", "upscale", lvel="high")  # type: ignore[call-arg]

    def test_a_picture_of_the_web(self) -> None:
        source = self.client.sources.upload_url(f"{self.web.url}/a.png")
        self.assertEqual((source.width, source.height), (24, 16))
        result = self.client.enhance(f"{self.web.url}/a.png", "upscale", level="low", output={"format": "png"})
        self.assertEqual((result.info.width, result.info.height), (48, 32))
        with self.assertRaises(ie.InvalidRequestError) as caught:
            self.client.enhance("http://10.0.0.1/a.png", "upscale")
        self.assertEqual([each["field"] for each in caught.exception.field_errors], ["url"])

    def test_presets(self) -> None:
        presets = self.client.presets
        built_in = [each.name for each in presets.list()]
        self.assertEqual(built_in, ["portrait", "product-on-white", "old-scan"])
        steps: List[ie.Step] = [{"operation": "upscale", "level": "low", "scale": None}]
        saved = presets.save("mine", steps, output={"format": "webp"})
        self.assertEqual((saved.operations, saved.output), ([{"operation": "upscale", "level": "low"}], {"format": "webp"}))
        self.assertEqual(presets.get("mine"), saved)
        self.assertEqual([each.name for each in presets.list()], [*built_in, "mine"])
        result = self.client.enhance(stage.png(8, 8), preset="mine")
        self.assertEqual((result.job.preset, result.info.format, result.info.width), ("mine", "webp", 16))
        presets.delete("mine")
        with self.assertRaises(ie.NotFoundError):
            presets.get("mine")
        with self.assertRaises(ie.ApiError):
            presets.delete("portrait")

    def test_everything_in_one_request(self) -> None:
        images: List[ie.ImageInput] = [stage.png(10, 8), f"{self.web.url}/a.png"]
        sizes = [
            stage.size_of_png(
                self.client.enhance_in_one_request(
                    image, "upscale", level="low", output={"format": "png"}, metadata={"n": "1"}, cache=False
                )
            )
            for image in images
        ]
        self.assertEqual(sizes, [(20, 16), (48, 32)])
        self.assertEqual(next(iter(self.client.jobs.list())).metadata, {"n": "1"})
        with self.assertRaises(ie.InvalidImageError):
            self.client.enhance_in_one_request(b"no image", "upscale")
        with self.assertRaises(ie.InvalidRequestError):
            self.client.enhance_in_one_request(stage.png(8, 8, 9), "upscale", expires_in=0)
        self.assertEqual(len(self.client.sources.list().all()), 2)

    def test_one_that_takes_longer_is_waited_for(self) -> None:
        stage.control("stop-worker")
        try:
            done: List[bytes] = []

            def enhance() -> None:
                done.append(self.client.enhance_in_one_request(stage.png(8, 8), "upscale", level="low", timeout=60))

            work = threading.Thread(target=enhance)
            work.start()
            while not self.client.jobs.list().all():
                time.sleep(0.05)
        finally:
            stage.control("start-worker")
        work.join(60)
        self.assertEqual([stage.size_of_png(each) for each in done], [(16, 16)])

    def test_one_that_fails_is_not_tried_again(self) -> None:
        ended = {**test_trouble.DONE, "id": "job_7", "status": "failed", "error": ERROR}
        with Scripted(failed_job, good(ended)) as service, self.assertRaises(ie.JobFailedError) as caught:
            service.client().enhance_in_one_request(stage.png(8, 8), "upscale")
        self.assertEqual((caught.exception.job_id, len(service.seen)), ("job_7", 2))

    def test_a_callback_is_signed_with_the_callback_secret(self) -> None:
        client = stage.new_client(stage.new_key(webhooks=True))
        self.addCleanup(client.close)
        self.assertIsNone(client.webhooks.callback_secret.get().created_at)
        secret = client.webhooks.callback_secret.rotate().secret
        assert secret is not None
        self.assertIsNone(client.webhooks.callback_secret.get().secret)
        result = client.enhance(
            stage.png(8, 8), "upscale", callback_url=f"{self.web.url}/done", expires_in=3600, cancel_after="5m"
        )
        body, header = stage.until("the callback", lambda: self.web.posted)[0]
        event = ie.verify_webhook(body, header, secret)
        self.assertEqual((event.type, event.data["job"]["id"]), ("enhancement.completed", result.job.id))
        with self.assertRaises(ie.WebhookSignatureError):
            client.webhooks.verify(body + b" ", header, secret)


def failed_job(request: BaseHTTPRequestHandler) -> None:
    data = json.dumps({"status": 500, "code": "processing_failed", "detail": "It failed.", "jobId": "job_7"}).encode()
    request.send_response(500)
    request.send_header("retry-after", "1")
    request.send_header("content-length", str(len(data)))
    request.end_headers()
    request.wfile.write(data)


class UsageTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = stage.new_client()
        self.addCleanup(self.client.close)

    def test_the_usage_as_csv(self) -> None:
        self.client.enhance(stage.png(8, 8), "upscale")
        header, *rows = csv.reader(io.StringIO(self.client.export_usage()))
        self.assertEqual(header, ["day", "key_id", "key_name", "operation", "enhancements"])
        self.assertTrue(any(row[3] == "upscale" and int(row[4]) > 0 for row in rows))
        day = datetime(2020, 1, 1, 23, tzinfo=timezone(timedelta(hours=-2)))
        none = self.client.export_usage(from_day=day, to_day=day.date() + timedelta(days=1))
        self.assertEqual(len(none.splitlines()), 1)
        with self.assertRaises(ie.InvalidRequestError):
            self.client.export_usage(from_day="yesterday")
