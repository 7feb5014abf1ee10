"""Numbers that limit something, and what happens when there are too many requests."""

from __future__ import annotations

import asyncio
import json
import math
import unittest
from typing import Any, Callable, List, Tuple
from unittest import mock

import image_enhancement as ie

from .scripted import Scripted, good, problem
from .test_cli_stops import SOURCE
from .test_trouble import DATA, DONE, JOB

SILENT_NUMBERS: List[Any] = [math.nan, "300", None, True]
"""None of them is smaller or larger than anything, or is a number at all."""


class NumbersTest(unittest.TestCase):
    def assert_refused(self, name: str, call: Callable[[], object]) -> None:
        with self.assertRaises(ie.ImageEnhancementError) as caught:
            call()
        self.assertEqual(caught.exception.code, "invalid_option")
        self.assertIn(f"{name} must be a ", str(caught.exception))

    def test_a_tolerance_that_is_none_lets_no_old_webhook_in(self) -> None:
        body = '{"id":"evt_1","type":"ping","createdAt":"2026-01-02T03:04:05.678Z","data":{}}'
        old = ie.sign_test_header(body, "whsec_x", timestamp_seconds=1000)
        of_client = ie.Client("ies_x", "http://x").webhooks.verify
        checks: List[Callable[..., object]] = [ie.verify_webhook, ie.verify_signature, of_client]
        for tolerance in (*SILENT_NUMBERS, math.inf, -1):
            for verify in checks:
                with self.subTest(tolerance=tolerance):
                    self.assert_refused(
                        "tolerance_seconds", lambda: verify(body, old, "whsec_x", tolerance_seconds=tolerance)
                    )
        for now in (math.nan, math.inf, "1000"):
            wrong: Any = now
            self.assert_refused(
                "now_seconds", lambda: ie.verify_webhook(body, old, "whsec_x", now_seconds=wrong)
            )
        # Whatever else is wrong: whoever set it up wrongly learns it from the first webhook.
        self.assert_refused(
            "tolerance_seconds", lambda: ie.verify_webhook(body, None, "whsec_x", tolerance_seconds=math.nan)
        )
        self.assertEqual(
            ie.verify_webhook(body, old, "whsec_x", tolerance_seconds=0, now_seconds=1000).type, "ping"
        )

    def test_limits_of_a_client_that_are_none(self) -> None:
        for wrong in SILENT_NUMBERS:
            for name in ("timeout", "max_retries", "max_rate_limit_wait"):
                with self.subTest(name, wrong=wrong):
                    self.assert_refused(name, lambda: ie.Client("ies_x", "http://x", **{name: wrong}))
        self.assert_refused("max_retries", lambda: ie.Client("ies_x", "http://x", max_retries=-1))

        async def asynchronous() -> None:
            ie.AsyncClient("ies_x", "http://x", max_retries=math.nan)  # type: ignore[arg-type]

        self.assert_refused("max_retries", lambda: asyncio.run(asynchronous()))

    def test_limits_of_one_call_that_are_none(self) -> None:
        with Scripted(good(DONE)) as server:
            client = server.client()
            result = client.result("job_1")
            seen = len(server.seen)
            calls: List[Callable[[], object]] = [
                lambda: client.jobs.wait("job_1", timeout=math.nan),
                lambda: client.enhance(b"image", "upscale", timeout=math.nan),
                lambda: client.upload(b"image", timeout=math.nan),
                lambda: client.jobs.get("job_1", timeout=math.nan),
                lambda: result.bytes(timeout=math.nan),
            ]
            for call in calls:
                self.assert_refused("timeout", call)
            self.assert_refused("max_retries", lambda: client.jobs.cancel("job_1", max_retries=math.nan))  # type: ignore[arg-type]
            self.assertEqual(len(server.seen), seen)

    def test_the_timeout_of_a_client_is_that_of_uploads_and_downloads_too(self) -> None:
        cases: List[Tuple[Any, int]] = [({}, 300), ({"timeout": 900}, 900), ({"timeout": 60}, 60)]
        for of_client, expected in cases:
            seen: List[float] = []

            def transport(request: ie.HttpRequest) -> ie.HttpResponse:
                seen.append(request.timeout)
                is_file = "/files/" in request.url
                return ie.HttpResponse(200, {}, DATA if is_file else json.dumps({**DONE, **SOURCE}).encode())

            with ie.Client("ies_x", "http://x.test", transport=transport, **of_client) as client:
                client.upload(b"image")
                result = client.result("job_1")
                del seen[1:]
                result.bytes()
                result.bytes(timeout=7)
            self.assertEqual([round(each) for each in seen], [expected, expected, 7])

    def test_one_request_for_everything_has_the_time_limit_of_an_upload(self) -> None:
        cases: List[Tuple[Any, Any, int, str]] = [
            ({}, None, 300, "wait=25"),
            ({"timeout": 900}, None, 600, "wait=25"),
            ({"timeout": 5}, None, 5, "wait=2"),
            ({}, 20, 20, "wait=9"),
        ]
        for of_client, of_call, expected, hold in cases:
            seen: List[Tuple[int, str]] = []

            def transport(request: ie.HttpRequest) -> ie.HttpResponse:
                seen.append((round(request.timeout), request.headers["prefer"]))
                return ie.HttpResponse(200, {"content-type": "image/png"}, DATA)

            with ie.Client("ies_x", "http://x.test", transport=transport, **of_client) as client:
                self.assertEqual(client.enhance_in_one_request(b"image", "upscale", timeout=of_call), DATA)
            self.assertEqual(seen, [(expected, hold)])

    def test_a_page_of_a_proxy_is_not_taken_for_the_image(self) -> None:
        bodies = [b"<html>Sign in</html>", DATA]
        types = iter(["text/html", "image/png"])

        def transport(request: ie.HttpRequest) -> ie.HttpResponse:
            return ie.HttpResponse(200, {"content-type": next(types)}, bodies.pop(0))

        with ie.Client("ies_x", "http://x.test", transport=transport, max_retries=0) as client:
            with self.assertRaises(ie.ConnectionFailedError):
                client.enhance_in_one_request(b"image", "upscale")
            self.assertEqual(client.enhance_in_one_request(b"image", "upscale"), DATA)

    def test_no_limit_can_be_asked_for(self) -> None:
        with Scripted(good(DONE)) as server:
            client = server.client(timeout=math.inf, max_rate_limit_wait=math.inf)
            self.assertEqual(client.jobs.get("job_1").id, "job_1")
            self.assertEqual(client.jobs.wait("job_1", timeout=math.inf).status, "completed")


class TooManyTest(unittest.TestCase):
    def test_a_wait_goes_on_beyond_the_patience_of_its_requests(self) -> None:
        limited = problem(429, "rate_limited", retry_after="0")
        for follow in (False, True):
            with self.subTest(follow=follow), Scripted(limited, limited, good(DONE)) as server:
                client = server.client(max_rate_limit_wait=0)
                told: List[ie.JobState] = []
                # What answers in the end is no stream, so it is asked in the other way, too.
                job = client.jobs.wait("job_1", on_progress=told.append if follow else None)
                self.assertEqual((job.status, len(server.seen)), ("completed", 4 if follow else 3))

    def test_and_rests_as_long_as_it_is_asked_to(self) -> None:
        limited = problem(429, "rate_limited", retry_after="30")
        with Scripted(limited, problem(503, "unavailable"), good(DONE)) as server:
            with mock.patch("image_enhancement._jobs.patience.pause") as pause:
                server.client(max_rate_limit_wait=0).jobs.wait("job_1")
        asked, own = (call.args[0] for call in pause.call_args_list)
        self.assertGreaterEqual(asked, 30)
        self.assertLess(own, 5)

    def test_a_call_without_retries_or_with_a_short_timeout_does_not_wait(self) -> None:
        limited = problem(429, "rate_limited", retry_after="30")
        with Scripted(limited) as server:
            calls: List[Callable[[], object]] = [
                server.client(max_retries=0).usage,
                server.client(timeout=5).usage,
                lambda: server.client().usage(timeout=5),
                lambda: server.client().webhooks.endpoints.list(timeout=5).page(),
                lambda: server.client().webhooks.events(timeout=5),
            ]
            for call in calls:
                with self.assertRaises(ie.RateLimitError) as caught:
                    call()
                self.assertEqual(caught.exception.retry_after_seconds, 30)
            self.assertEqual(len(server.seen), len(calls))

    def test_and_not_for_a_wrong_key(self) -> None:
        with Scripted(problem(429, "too_many_failed_authentications", retry_after="0")) as server:
            with self.assertRaises(ie.RateLimitError):
                server.client(max_rate_limit_wait=0).jobs.wait("job_1")
            self.assertEqual(len(server.seen), 1)

    def test_the_patience_is_that_of_each_request_of_a_call(self) -> None:
        limited = problem(429, "rate_limited", retry_after="7")
        with Scripted(limited, good(JOB), limited, good(DONE)) as server:
            client = server.client(max_rate_limit_wait=8)
            with mock.patch("image_enhancement._limits.cancellation.time.sleep"):
                self.assertEqual(
                    client.enhance("http://x/files/src_1.png", "upscale").job.status, "completed"
                )


class TooEarlyTest(unittest.TestCase):
    def test_is_tried_again(self) -> None:
        with Scripted(problem(425, "http_425", retry_after="0"), good(JOB)) as server:
            self.assertEqual(server.client().jobs.create("x", "upscale").id, "job_1")
            self.assertEqual((len(server.seen), len(set(server.idempotency_keys))), (2, 1))
