"""What errors say about a call, so that whoever repeats it goes on with what was paid for."""

from __future__ import annotations

import asyncio
import json
import socket
import time
import unittest
from http.server import BaseHTTPRequestHandler
from typing import Any, Callable, Dict, List, cast
from unittest import mock

import image_enhancement as ie
from image_enhancement._cli.reports import left_of
from image_enhancement._limits.cancellation import Cancelled
from image_enhancement._jobs.creation import JobCreation, abandon
from image_enhancement._http.settings import settings_from

from .scripted import Reply, Scripted, cut, good, problem
from .test_cli_stops import SOURCE
from .test_trouble import DONE, JOB

BATCH: Dict[str, Any] = {
    "id": "bat_1",
    "status": "queued",
    "percent": 0,
    "operation": "upscale",
    "level": "low",
    "counts": {"total": 1, "queued": 1, "processing": 0, "completed": 0, "failed": 0, "canceled": 0},
    "createdAt": JOB["createdAt"],
    "completedAt": None,
}


class LastWordTest(unittest.TestCase):
    ORDER = {"sourceUrl": "x", "operation": "upscale"}

    def abandoned(self, *replies: Reply) -> KeyboardInterrupt:
        """After a creation that nobody heard of, an interrupt and the replies to the last word."""
        interrupt = KeyboardInterrupt()
        with Scripted(cut, *replies) as server:
            client = server.client(max_retries=0)
            creation = JobCreation(client._transport, self.ORDER)
            with self.assertRaises(ie.ConnectionFailedError):
                creation.run()
            abandon(creation, interrupt)
            self.assertEqual(set(server.idempotency_keys[:2]), {creation.idempotency_key})
        return interrupt

    def test_a_job_that_completed_before_it_could_be_canceled_is_left(self) -> None:
        ended = problem(409, "job_already_finished")
        for status, is_left in (("completed", True), ("failed", False)):
            interrupt = self.abandoned(good(JOB), ended, good({**JOB, "status": status}))
            self.assertEqual(getattr(interrupt, "job_id", None), "job_1" if is_left else None)

    def test_refusals_that_come_before_idempotency_tell_nothing(self) -> None:
        for reply in (
            problem(429, "rate_limited", retry_after="30"),
            problem(401, "invalid_api_key"),
            problem(403, "insufficient_scope"),
            # Of a proxy, which has not handed it on.
            problem(425, "http_425", retry_after="0"),
        ):
            interrupt = self.abandoned(reply)
            self.assertIsInstance(getattr(interrupt, "idempotency_key", None), str)

    def test_another_request_with_the_key_tells_nothing_of_the_job(self) -> None:
        interrupt = self.abandoned(problem(422, "idempotency_mismatch"))
        self.assertIsInstance(getattr(interrupt, "idempotency_key", None), str)

    def test_other_refusals_tell_that_there_is_no_job(self) -> None:
        for reply in (problem(400, "invalid_request"), problem(403, "quota_exceeded")):
            self.assertFalse(hasattr(self.abandoned(reply), "idempotency_key"))

    def test_a_refusal_that_settles_it_is_not_called_unknown(self) -> None:
        def slow(request: object) -> None:
            time.sleep(1)

        for own in (None, "mine"):
            with Scripted(good(SOURCE), slow, problem(400, "invalid_request")) as server:
                with self.assertRaises(ie.WaitTimeoutError) as caught:
                    server.client().enhance(b"image", "upscale", timeout=0.7, idempotency_key=own)
            self.assertEqual(str(caught.exception), "The image was not enhanced after 0.7 s.")

    def test_a_request_that_times_out_does_not_end_the_time_of_the_call(self) -> None:
        def slow(request: object) -> None:
            time.sleep(1)

        completed = (problem(409, "job_already_finished"), good({**JOB, "status": "completed"}))
        goes_on = "goes on: result(id) waits for it again."
        for own, replies, fate, job_id in (
            (None, (good(JOB),), "was canceled.", None),
            (None, completed, goes_on, "job_1"),
            ("mine", (), goes_on, "job_1"),
        ):
            with Scripted(good(SOURCE), slow, good(JOB), *replies) as server:
                with self.assertRaises(ie.WaitTimeoutError) as caught:
                    server.client(max_retries=0, timeout=0.4).enhance(b"image", "upscale", idempotency_key=own)
            text = f"{server.url} did not answer within 0.4 s. The job job_1 {fate}"
            self.assertEqual((str(caught.exception), caught.exception.job_id), (text, job_id))

    def test_what_never_had_a_connection_made_nothing(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{free.getsockname()[1]}"
            with ie.Client("ies_x", address, max_retries=0) as client:
                creation = JobCreation(client._transport, self.ORDER)
                with self.assertRaises(ie.ConnectionFailedError):
                    creation.run()
                self.assertFalse(creation.is_in_doubt)
        with Scripted(good(JOB)) as server:
            creation = JobCreation(server.client()._transport, self.ORDER)
            with self.assertRaises(ie.WaitTimeoutError):
                creation.run(timeout=0, max_retries=0)
            self.assertEqual((creation.is_in_doubt, server.seen), (False, []))


class InterruptTest(unittest.TestCase):
    """An interrupt while a request waits for its response."""

    def interrupted(self, call: Callable[[ie.Client], object], *answers: Dict[str, Any]) -> KeyboardInterrupt:
        """The interrupt of the first request. Later ones get the answers, and then no connection."""
        self.seen: List[ie.HttpRequest] = []
        waiting = list(answers)

        def transport(request: ie.HttpRequest) -> ie.HttpResponse:
            self.seen.append(request)
            if len(self.seen) == 1:
                raise KeyboardInterrupt
            if not waiting:
                raise ConnectionError
            return ie.HttpResponse(200, {}, json.dumps(waiting.pop(0)).encode())

        with ie.Client("ies_x", "http://x.test", transport=transport, max_retries=0) as client:
            with self.assertRaises(KeyboardInterrupt) as caught:
                call(client)
        return caught.exception

    def test_a_batch_that_may_have_been_created_is_canceled(self) -> None:
        for own in (None, "mine"):
            interrupt = self.interrupted(
                lambda client: client.batches.create(["x"], "upscale", idempotency_key=own), BATCH, BATCH
            )
            self.assertFalse(hasattr(interrupt, "idempotency_key"))
            create, again, cancel = (request.url.partition("/api/ai/")[2] for request in self.seen)
            self.assertEqual((create, again, cancel), ("batches", "batches", "batches/bat_1/cancel"))
            first, second = (request.headers["idempotency-key"] for request in self.seen[:2])
            self.assertEqual(first, second)

    def test_what_may_have_been_created_has_its_key(self) -> None:
        calls: List[Callable[[ie.Client], object]] = [
            lambda client: client.batches.create(["x"], "upscale"),
            lambda client: client.batches.retry("bat_1"),
            lambda client: client.upload(b"image"),
            lambda client: client.sources.upload_url("https://x/a.png"),
            lambda client: client.webhooks.endpoints.create("https://x"),
            lambda client: client.webhooks.callback_secret.rotate(),
        ]
        for number, call in enumerate(calls):
            with self.subTest(number), mock.patch("image_enhancement._limits.cancellation.time.sleep"):
                interrupt = self.interrupted(call)
                key = self.seen[0].headers["idempotency-key"]
                self.assertEqual(vars(interrupt), {"idempotency_key": key})

    def test_an_interrupted_upload_of_enhance_has_the_key_of_the_whole_call(self) -> None:
        interrupt = self.interrupted(lambda client: client.enhance(b"image", "upscale"))
        key = getattr(interrupt, "idempotency_key")
        self.assertEqual([request.headers["idempotency-key"] for request in self.seen], [f"{key}-upload"])
        # The command line has nothing to say about it, because there is no job.
        self.assertIsNone(left_of(cast(Cancelled, interrupt)))

    def test_an_interrupt_while_the_result_is_read_names_the_completed_job(self) -> None:
        paths: List[str] = []

        def transport(request: ie.HttpRequest) -> ie.HttpResponse:
            paths.append(request.url.partition("x.test")[2].partition("?")[0])
            if "/files/" in request.url:
                raise KeyboardInterrupt
            return ie.HttpResponse(200, {}, json.dumps(DONE if request.method == "GET" else JOB).encode())

        with ie.Client("ies_x", "http://x.test", transport=transport) as client:
            with self.assertRaises(KeyboardInterrupt) as caught:
                client.enhance_in_one_request(b"image", "upscale", idempotency_key="mine")
        self.assertEqual(vars(caught.exception), {"job_id": "job_1", "idempotency_key": "mine"})
        self.assertEqual(paths, ["/api/ai/enhance", "/api/ai/enhance/job_1", "/files/job_1.png"])

    def test_a_canceled_task_cancels_its_batch(self) -> None:
        def silent(request: BaseHTTPRequestHandler) -> None:
            request.connection.recv(1)
            request.close_connection = True

        async def cancel(server: Scripted) -> None:
            async with ie.AsyncClient("ies_x", server.url) as client:
                task = asyncio.create_task(client.batches.create(["x"], "upscale"))
                while not server.seen:
                    await asyncio.sleep(0.01)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task

        with Scripted(silent, good(BATCH)) as server:
            asyncio.run(cancel(server))
            path = "POST /api/ai/batches"
            self.assertEqual(server.seen, [path, path, f"{path}/bat_1/cancel"])


class KeyTest(unittest.TestCase):
    def test_errors_of_enhance_carry_the_key_of_the_whole_call(self) -> None:
        refused = problem(401, "invalid_api_key")
        for replies, job_id in (([refused], None), ([good(SOURCE), good(JOB), refused], "job_1")):
            for own in (None, "mine"):
                with Scripted(*replies) as server:
                    with self.assertRaises(ie.AuthenticationError) as caught:
                        server.client().enhance(b"image", "upscale", idempotency_key=own)
                    error = caught.exception
                    self.assertEqual(f"{error.idempotency_key}-upload", server.idempotency_keys[0])
                    self.assertEqual((error.job_id, error.idempotency_key == "mine"), (job_id, own is not None))

    def test_a_failed_job_is_named_too(self) -> None:
        failure = {"code": "worker_lost", "message": "lost", "retryable": True}
        failed = {**JOB, "status": "failed", "error": failure}
        with Scripted(good(SOURCE), good(JOB), good(failed)) as server:
            with self.assertRaises(ie.JobFailedError) as caught:
                server.client().enhance(b"image", "upscale", idempotency_key="mine")
        self.assertEqual((caught.exception.job_id, caught.exception.idempotency_key), ("job_1", "mine"))

    def test_a_result_that_cannot_be_read_names_the_job_that_was_paid_for(self) -> None:
        async def in_loop(url: str) -> None:
            async with ie.AsyncClient("ies_x", url, max_retries=0) as client:
                await client.enhance_in_one_request(b"image", "upscale", idempotency_key="mine")

        calls: List[Callable[[Scripted], object]] = [
            lambda server: server.client(max_retries=0).enhance_in_one_request(b"image", "upscale"),
            lambda server: asyncio.run(in_loop(server.url)),
        ]
        for call in calls:
            with Scripted(good(JOB), good(DONE), cut) as server:
                with self.assertRaises(ie.ConnectionFailedError) as caught:
                    call(server)
                error = caught.exception
                self.assertEqual((error.job_id, error.idempotency_key), ("job_1", server.idempotency_keys[0]))

    def test_the_time_of_one_request_for_everything_includes_the_result(self) -> None:
        def slow(request: object) -> None:
            time.sleep(2)

        with Scripted(good(JOB), good(DONE), slow) as server:
            with self.assertRaises(ie.WaitTimeoutError) as caught:
                server.client().enhance_in_one_request(b"image", "upscale", timeout=1)
            error, keys = caught.exception, server.idempotency_keys
        text = "The result was not read within 1 s. The job job_1 has completed: result(id) gives it."
        self.assertEqual((str(error), error.job_id, error.idempotency_key), (text, "job_1", keys[0]))

    def test_the_longest_key_works_and_the_empty_one_is_refused_before_anything_is_sent(self) -> None:
        with Scripted(good(SOURCE), problem(400, "invalid_request")) as server:
            with self.assertRaises(ie.InvalidRequestError):
                server.client().enhance(b"image", "upscale", idempotency_key="k" * 255)
            upload, creation = server.idempotency_keys
            assert upload is not None
            self.assertRegex(upload, r"\A[0-9a-f]{64}-upload\Z")
            self.assertEqual(creation, "k" * 255)
        with Scripted(good(SOURCE)) as server:
            client = server.client()
            calls: List[Callable[[], object]] = [
                lambda: client.enhance(b"image", "upscale", idempotency_key=""),
                lambda: client.upload(b"image", idempotency_key=""),
                lambda: client.jobs.create("x", "upscale", idempotency_key=""),
                lambda: client.webhooks.endpoints.ping("we_1", idempotency_key=""),
            ]
            for call in calls:
                with self.assertRaises(ie.ImageEnhancementError) as caught:
                    call()
                self.assertEqual(caught.exception.code, "invalid_idempotency_key")
            self.assertEqual(server.seen, [])

    def test_the_api_key_is_in_no_text(self) -> None:
        self.assertNotIn("ies_secret", repr(settings_from("ies_secret", "http://x")))
