"""The plain client against the real service."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import tempfile
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, List, Optional, Set
from unittest import mock

import image_enhancement as ie
from image_enhancement._jobs.patience import Patience

from . import stage


class EnhanceTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = stage.new_client()
        self.addCleanup(self.client.close)

    def test_one_call_from_a_path_to_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            photo, big = Path(folder, "photo.png"), Path(folder, "big.png")
            photo.write_bytes(stage.png(40, 24))
            result = self.client.enhance(photo, "upscale", level="low")
            self.assertEqual(result.save(big), big)
            self.assertEqual(stage.size_of_png(big.read_bytes()), (80, 48))
            self.assertEqual(sorted(path.name for path in Path(folder).iterdir()), ["big.png", "photo.png"])
        # The stage's public name, which is unknown here; it was read from where the client was told.
        self.assertRegex(result.url, r"^http://images\.invalid:1/base/files/job_")
        self.assertEqual((result.info.width, result.info.height), (80, 48))
        self.assertEqual(result.job.status, "completed")
        assert result.job.timings is not None and result.job.model is not None
        self.assertGreater(result.job.timings.total_ms, 0)
        self.assertGreaterEqual(result.job.model.version, 1)

    def test_bytes_streams_and_addresses(self) -> None:
        data = stage.png(16, 16)
        source = self.client.upload(data)
        self.assertEqual(source.sha256, hashlib.sha256(data).hexdigest())
        images: List[ie.ImageInput] = [data, bytearray(data), io.BytesIO(data), source, source.url]
        for image in images:
            result = self.client.enhance(image, "auto_enhance", output={"format": "png"})
            self.assertEqual(stage.size_of_png(result.bytes()), (16, 16))

    def test_progress_is_told_in_order_to_the_end(self) -> None:
        states: List[ie.JobState] = []
        self.client.enhance(stage.png(64, 64), "upscale", on_progress=states.append)
        self.assertEqual(states[-1].job.status, "completed")
        order = ["queued", "processing", "completed"]
        told = [order.index(state.job.status) for state in states]
        self.assertEqual(told, sorted(told))

    def test_a_file_of_19_9_mb(self) -> None:
        data = stage.padded(stage.png(32, 32), int(19.9 * 2**20))
        self.assertEqual(self.client.upload(data).bytes, len(data))

    def test_a_file_of_more_than_20_mb_is_not_sent(self) -> None:
        with self.assertRaises(ie.InvalidImageError) as caught:
            ie.Client("ies_nobody", "http://127.0.0.1:9").upload(bytes(20 * 2**20 + 1))
        self.assertEqual((caught.exception.status, caught.exception.code), (413, "payload_too_large"))

    def test_forty_at_once(self) -> None:
        client = stage.new_client(stage.new_key(rpm=600, enhancements=40))
        with ThreadPoolExecutor(40) as pool:
            futures = [
                pool.submit(
                    client.enhance, stage.png(8, 8, seed), "upscale", level="low", output={"format": "png"}
                )
                for seed in range(40)
            ]
            results = [future.result() for future in futures]
        self.assertEqual({result.info.width for result in results}, {16})
        self.assertEqual(client.usage().enhancements_used, 40)
        with self.assertRaises(ie.QuotaExceededError) as caught:
            client.enhance(stage.png(8, 8), "upscale")
        error = caught.exception
        self.assertEqual((error.quota, error.limit, error.used), ("enhancements", 40, 40))
        self.assertIsNotNone(error.upgrade)
        self.assertIsNotNone(error.request_id)
        assert error.resets_at is not None
        self.assertGreater(error.resets_at, datetime.now(timezone.utc))


class PartsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = stage.new_client()
        self.source = self.client.upload(stage.png(16, 16))

    def test_the_life_of_a_job(self) -> None:
        job = self.client.jobs.create(self.source.url, "upscale", metadata={"order": "7"})
        self.assertEqual((job.status, job.level, dict(job.metadata)), ("queued", "medium", {"order": "7"}))
        ended = self.client.jobs.wait(job.id)
        self.assertEqual(ended.status, "completed")
        self.assertEqual(self.client.jobs.get(job.id).id, job.id)
        with self.assertRaises(ie.ConflictError):
            self.client.jobs.cancel(job.id)
        self.client.jobs.delete(job.id)
        with self.assertRaises(ie.GoneError):
            self.client.jobs.delete(job.id)
        with self.assertRaises(ie.GoneError):
            self.client.jobs.get(job.id)

    def test_the_same_key_creates_once(self) -> None:
        first, second = (
            self.client.jobs.create(self.source.url, "upscale", idempotency_key="mine") for _ in range(2)
        )
        self.assertEqual(first.id, second.id)

    def test_lists_page_by_themselves(self) -> None:
        ids = [self.client.jobs.create(self.source.url, "upscale").id for _ in range(5)]
        since = datetime.now(timezone.utc) - timedelta(hours=1)
        jobs = self.client.jobs.list(limit=2, created_after=since)
        self.assertEqual([job.id for job in jobs], ids[::-1])
        page = jobs.page()
        self.assertEqual((len(page.data), page.has_more), (2, True))
        self.assertEqual([source.id for source in self.client.sources.list()], [self.source.id])
        self.assertEqual(self.client.jobs.list(operation="bg_remove").all(), [])

    def test_operations_and_usage(self) -> None:
        operations = {operation.operation: operation for operation in self.client.operations()}
        self.assertLessEqual({"smooth_skin", "upscale", "auto_enhance", "bg_remove"}, set(operations))
        self.assertEqual(operations["upscale"].scales["high"], 4)
        self.assertGreater(self.client.usage().storage_used_bytes, 0)

    def test_sources(self) -> None:
        found = self.client.sources.get(self.source.id)
        # Signed anew with each answer, so the expiry may differ by a second.
        self.assertEqual(dataclasses.replace(found, url=self.source.url), self.source)
        self.client.sources.delete(self.source.id)
        with self.assertRaises(ie.GoneError):
            self.client.sources.get(self.source.id)


class ErrorsTest(unittest.TestCase):
    def test_each_has_its_class(self) -> None:
        client = stage.new_client()
        with self.assertRaises(ie.InvalidImageError) as image:
            client.upload(b"this is text")
        self.assertEqual(image.exception.code, "unsupported_media_type")
        source = client.upload(stage.png(8, 8))
        with self.assertRaises(ie.InvalidRequestError) as request:
            client.jobs.create(source.url, "upscale", level="extreme")  # type: ignore[arg-type]
        self.assertEqual(request.exception.field_errors[0]["field"], "level")
        with self.assertRaises(ie.NotFoundError):
            client.jobs.get("job_nothing")
        with self.assertRaises(ie.PermissionDeniedError) as scope:
            client.webhooks.endpoints.list().all()
        self.assertEqual(scope.exception.required_scopes, ["webhook:manage"])
        with self.assertRaises(ie.AuthenticationError):
            stage.new_client("ies_wrong").usage()

    def test_nobody_there(self) -> None:
        with self.assertRaises(ie.ConnectionFailedError):
            ie.Client("ies_x", "http://127.0.0.1:9", max_retries=0).usage()

    def test_no_key_and_no_address(self) -> None:
        with mock.patch.dict("os.environ", {}, clear=True):
            for key, url in ((None, None), ("ies_x", "localhost:3000")):
                with self.assertRaises(ie.ImageEnhancementError):
                    ie.Client(key, url)

    def test_a_job_that_fails_says_why(self) -> None:
        client = stage.new_client()
        source = client.upload(stage.png(8, 8))
        # Nobody works on it, so nothing is faster than the cancellation.
        stage.control("stop-worker")
        try:
            job = client.jobs.create(source.url, "upscale")
            self.assertEqual(client.jobs.cancel(job.id).status, "failed")
        finally:
            stage.control("start-worker")
        with self.assertRaises(ie.JobFailedError) as caught:
            client.jobs.wait(job.id)
        self.assertEqual(caught.exception.code, "canceled")
        self.assertEqual(caught.exception.job.id, job.id)

    def test_too_many_requests_are_waited_out(self) -> None:
        client = stage.new_client(stage.new_key(rpm=3), max_rate_limit_wait=0)
        with self.assertRaises(ie.RateLimitError) as caught:
            for _ in range(5):
                client.usage()
        assert caught.exception.retry_after_seconds is not None
        self.assertGreaterEqual(caught.exception.retry_after_seconds, 1)


class TroubleTest(unittest.TestCase):
    def test_a_storm_of_429_loses_nothing(self) -> None:
        key = stage.new_key(rpm=40)
        client = stage.new_client(key, max_rate_limit_wait=300)
        with mock.patch("image_enhancement._limits.cancellation.time.sleep", side_effect=_hurried(key)):
            with ThreadPoolExecutor(12) as pool:
                results = list(
                    pool.map(
                        lambda seed: client.enhance(stage.png(8, 8, seed), "upscale", level="low"), range(12)
                    )
                )
        self.assertEqual(len({result.job.id for result in results}), 12)
        self.assertEqual(stage.control("used", key=key)["used"], 12)

    def test_the_service_killed_in_the_middle_of_a_wait(self) -> None:
        """One wait that asks again and again, and one that follows the events."""
        client = stage.new_client()
        source = client.upload(stage.png(96, 96))
        waiting: Set[int] = set()
        broken: List[int] = []
        states: List[ie.JobState] = []

        def wait(on_progress: Optional[Callable[[ie.JobState], None]]) -> ie.Job:
            return client.jobs.wait(job.id, timeout=200, on_progress=on_progress)

        def consider(patience: Patience, *given: Any) -> Any:
            broken.append(threading.get_ident())
            return considered(patience, *given)

        considered = Patience.consider
        spy = mock.patch.object(Patience, "consider", consider)
        stage.control("stop-worker")
        self.addCleanup(stage.control, "start-worker")
        job = client.jobs.create(source.url, "upscale")
        sent = stage.after_each_request(lambda number: waiting.add(threading.get_ident()))
        with sent, spy, ThreadPoolExecutor(2) as pool:
            waits = [pool.submit(wait, on_progress) for on_progress in (None, states.append)]

            def has_ended() -> bool:
                return any(each.done() for each in waits)

            stage.until("the waits", lambda: has_ended() or (len(waiting) == 2 and states))
            stage.control("kill-api")
            try:
                # The connections broke, and the next attempts were refused.
                stage.until(
                    "two attempts of each", lambda: has_ended() or all(broken.count(each) > 1 for each in waiting)
                )
            finally:
                stage.control("start-api")
                stage.control("start-worker")
            self.assertEqual([each.result().status for each in waits], ["completed"] * 2)
        self.assertEqual(states[-1].job.status, "completed")

    def test_a_clock_that_is_ten_minutes_wrong_changes_nothing(self) -> None:
        for offset in (600, -600):
            real = time.time
            with mock.patch("time.time", side_effect=lambda: real() + offset):
                result = stage.new_client().enhance(stage.png(8, 8), "upscale")
            self.assertEqual(result.job.status, "completed")

    def test_a_wait_that_takes_too_long_names_the_job(self) -> None:
        client = stage.new_client()
        source = client.upload(stage.png(8, 8))
        stage.control("stop-worker")
        try:
            with self.assertRaises(ie.WaitTimeoutError) as caught:
                # Enough for the creation of the job on a busy machine.
                client.enhance(source, "upscale", timeout=4)
        finally:
            stage.control("start-worker")
        assert caught.exception.job_id is not None
        self.assertEqual(client.jobs.wait(caught.exception.job_id).status, "completed")

    def test_an_interrupt_cancels_the_job(self) -> None:
        client = stage.new_client()
        stage.control("stop-worker")
        try:
            with mock.patch("image_enhancement.jobs.wait_for_job", side_effect=KeyboardInterrupt):
                with self.assertRaises(KeyboardInterrupt):
                    client.enhance(stage.png(8, 8), "upscale")
        finally:
            stage.control("start-worker")
        (job,) = client.jobs.list()
        assert job.error is not None
        self.assertEqual(job.error.code, "canceled")


def _hurried(key: str) -> "object":
    """Instead of waiting for the minute to pass, gives the key a fresh one."""

    def sleep(seconds: float) -> None:
        threading.Event().wait(min(seconds, 0.2))
        if seconds >= 1:
            stage.control("fresh-minute", key=key)

    return sleep
