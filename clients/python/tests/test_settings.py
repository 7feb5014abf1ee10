"""Settings that cannot be, and answers that nobody who knows the service would give."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import threading
import time
import unittest
from typing import Callable, List
from unittest import mock

import image_enhancement as ie
from image_enhancement._limits.cancellation import Cancellation, Cancelled, cancellable
from image_enhancement._http.request import Request

from .scripted import Scripted, good, problem
from .test_trouble import JOB

ENDPOINT = {
    "id": "we_1",
    "url": "http://x",
    "events": ["*"],
    "description": None,
    "metadata": {},
    "enabled": True,
    "disabledReason": None,
    "createdAt": JOB["createdAt"],
    "updatedAt": JOB["createdAt"],
}


class HeadersTest(unittest.TestCase):
    def test_are_sent_with_every_request_to_the_api(self) -> None:
        headers = {"x-tenant": "a"}
        with Scripted(good(JOB)) as server:
            server.client(headers=headers).jobs.get("job_1")

            async def asynchronous() -> None:
                async with ie.AsyncClient("ies_x", server.url, headers=headers) as client:
                    await client.jobs.get("job_1")

            asyncio.run(asynchronous())
            self.assertEqual([seen["x-tenant"] for seen in server.headers], ["a", "a"])


class WithResponseTest(unittest.TestCase):
    LIMITS = {"x_request_id": "req_1", "x_ratelimit_limit": "60", "x_ratelimit_remaining": "59"}

    def test_tells_the_request_id_and_the_rate_limit(self) -> None:
        with Scripted(good(JOB, x_ratelimit_reset="1767323045", **self.LIMITS)) as server:
            client = server.client()
            answer = client.with_response(client.jobs.get, "job_1", timeout=5)
            self.assertEqual((answer.data.id, answer.status, answer.request_id), ("job_1", 200, "req_1"))
            assert answer.rate_limit is not None
            self.assertEqual((answer.rate_limit.limit, answer.rate_limit.remaining), (60, 59))
            self.assertEqual(answer.rate_limit.resets_at.isoformat(), "2026-01-02T03:04:05+00:00")

            async def asynchronous() -> None:
                async with ie.AsyncClient("ies_x", server.url) as other:
                    both = await asyncio.gather(
                        other.with_response(other.jobs.get, "job_1"), other.with_response(other.jobs.get, "job_1")
                    )
                    self.assertEqual([each.request_id for each in both], ["req_1", "req_1"])

            asyncio.run(asynchronous())

    def test_a_response_without_limits_has_none(self) -> None:
        with Scripted(good(JOB)) as server:
            client = server.client()
            with self.assertRaisesRegex(ValueError, "sent no request"):
                client.with_response(client.jobs.list, limit=1)
            self.assertIsNone(client.with_response(client.jobs.get, "job_1").rate_limit)


class AddressTest(unittest.TestCase):
    def test_wrong_addresses_are_named(self) -> None:
        for address in ("http://h:99999", "http://h:0", "http://[::1", "http://h h", "http://..x", "http://h/ä", "ftp://h", "h:3000"):
            with self.subTest(address), self.assertRaises(ie.ImageEnhancementError) as caught:
                ie.Client("ies_x", address)
            self.assertEqual(caught.exception.code, "invalid_base_url")
            self.assertIn(address, str(caught.exception))

    def test_space_around_an_address_is_nothing(self) -> None:
        with Scripted(good(JOB)) as server:
            with ie.Client("ies_x", f" {server.url}/ \n") as client:
                self.assertEqual(client.jobs.get("job_1").id, "job_1")


class ProxyTest(unittest.TestCase):
    CREDENTIALS = "Basic " + base64.b64encode("me@work:p:ä/".encode()).decode()

    def client(self, scheme: str, proxy: str) -> ie.Client:
        with mock.patch.dict(os.environ, {f"{scheme}_proxy": proxy, "no_proxy": ""}):
            client = ie.Client("ies_x", f"{scheme}://service.example")
        self.addCleanup(client.close)
        return client

    def test_a_wrong_proxy_is_named(self) -> None:
        with self.assertRaises(ie.ImageEnhancementError) as caught:
            self.client("http", "http://h:99999")
        self.assertEqual(caught.exception.code, "invalid_proxy")

    def test_a_proxy_is_given_its_user_and_password(self) -> None:
        with Scripted(good(JOB)) as server:
            client = self.client("http", server.url.replace("//", "//me%40work:p%3A%C3%A4%2F@"))
            self.assertEqual(client.jobs.get("job_1").id, "job_1")
            self.client("http", server.url).jobs.get("job_1")
            self.assertEqual(server.seen, ["GET http://service.example:80/api/ai/enhance/job_1"] * 2)
            self.assertEqual([seen.get("proxy-authorization") for seen in server.headers], [self.CREDENTIALS, None])

    def test_a_tunnel_is_opened_with_them_and_they_are_not_sent_through_it(self) -> None:
        with Scripted(problem(407, "http_407")) as server:
            client = self.client("https", server.url.replace("//", "//me%40work:p%3A%C3%A4%2F@"))
            with self.assertRaises(ie.ImageEnhancementError):
                client.usage()
            self.assertEqual(server.seen, ["CONNECT service.example:443"])
            self.assertEqual(server.headers[0]["proxy-authorization"], self.CREDENTIALS)
            self.assertNotIn("x-api-key", server.headers[0])
            self.assertEqual(client._transport._exchange._connections.proxy_headers, {})

    def test_a_refusal_of_the_proxy_is_not_one_of_the_service(self) -> None:
        for scheme in ("http", "https"):
            with self.subTest(scheme), Scripted(problem(407, "http_407")) as server:
                with self.assertRaisesRegex(ie.ImageEnhancementError, "HTTPS_PROXY") as caught:
                    self.client(scheme, server.url).usage()
                self.assertEqual((caught.exception.code, len(server.seen)), ("invalid_proxy", 1))
                self.assertNotIsInstance(caught.exception, ie.ApiError)


class SecretTest(unittest.TestCase):
    def test_an_empty_secret_lets_nobody_in(self) -> None:
        header = "t=1,v1=" + "0" * 64
        for secret in ("", " ", [], ["whsec_x", ""]):
            with self.assertRaises(ie.ImageEnhancementError) as caught:
                ie.verify_webhook("{}", header, secret)
            self.assertEqual(caught.exception.code, "missing_webhook_secret")
            with self.assertRaises(ie.ImageEnhancementError):
                ie.sign_test_header("{}", secret)

    def test_a_header_that_is_no_text_does_not_fit(self) -> None:
        with self.assertRaises(ie.WebhookSignatureError) as caught:
            ie.verify_webhook("{}", "t=1,v1=\udcff", "whsec_x")
        self.assertEqual(caught.exception.code, "signature_mismatch")


class AnswerTest(unittest.TestCase):
    def test_what_is_not_the_services_is_asked_for_again(self) -> None:
        with Scripted(good({"id": 1}), good([]), good(JOB)) as server:
            self.assertEqual(server.client().jobs.get("job_1").id, "job_1")
            self.assertEqual(len(server.seen), 3)

    def test_and_is_a_failed_connection_in_the_end(self) -> None:
        with Scripted(good({"hello": "world"})) as server:
            client = server.client(max_retries=0)
            calls: List[Callable[[], object]] = [
                client.usage,
                client.operations,
                client.jobs.list().all,
                client.webhooks.events,
            ]
            for call in calls:
                with self.assertRaisesRegex(ie.ConnectionFailedError, "not what the service says"):
                    call()

    def test_a_wrong_key_is_not_waited_for(self) -> None:
        with Scripted(problem(429, "too_many_failed_authentications", retry_after="60")) as server:
            client = server.client()
            calls: List[Callable[[], object]] = [client.usage, lambda: client.jobs.wait("job_1")]
            for call in calls:
                with self.assertRaises(ie.RateLimitError):
                    call()
            self.assertEqual(len(server.seen), 2)

    def test_a_description_can_be_taken_away_or_left(self) -> None:
        with Scripted(good(ENDPOINT)) as server:
            update = server.client().webhooks.endpoints.update
            update("we_1", description=None)
            update("we_1", enabled=True)
            update("we_1", description="mine")
            bodies = [json.loads(body) for body in server.bodies]
            self.assertEqual(bodies, [{"description": None}, {"enabled": True}, {"description": "mine"}])


class SilentTest(unittest.TestCase):
    """Somebody else falls silent, and the call ends all the same."""

    def setUp(self) -> None:
        reader, self.writer = os.pipe()
        self.stream = os.fdopen(reader, "rb", buffering=0)
        self.addCleanup(self._close)

    def _close(self) -> None:
        # The thread that still reads sees the end first.
        os.close(self.writer)
        for thread in threading.enumerate():
            if thread.name == "image-enhancement-read":
                thread.join()
        self.stream.close()

    def test_a_stream_and_the_time_of_the_call(self) -> None:
        with Scripted(good(JOB)) as server:
            with self.assertRaisesRegex(ie.WaitTimeoutError, "not enhanced after 0.3 s"):
                server.client().enhance(self.stream, "upscale", timeout=0.3)
            self.assertEqual(server.seen, [])

    def test_a_stream_and_a_cancelled_task(self) -> None:
        async def cancelled() -> None:
            async with ie.AsyncClient("ies_x", "http://127.0.0.1:9") as client:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(client.enhance(self.stream, "upscale"), 0.3)

        asyncio.run(cancelled())

    def test_a_connection_that_was_cut_is_not_used_again(self) -> None:
        with Scripted(good(JOB)) as server:
            transport = server.client()._transport
            cancellation = Cancellation()
            with cancellable(cancellation):
                with transport.answer(Request("GET", "/api/ai/enhance/job_1"), 5) as (_, chunks):
                    b"".join(chunks)
                    cancellation.cancel()
            self.assertEqual(transport._exchange._connections._idle, [])
            transport.send(Request("GET", "/api/ai/enhance/job_1"), max_retries=0)
            self.assertEqual(len(transport._exchange._connections._idle), 1)

    def test_a_connection_that_does_not_come_about(self) -> None:
        with socket.socket() as deaf:
            deaf.bind(("127.0.0.1", 0))
            deaf.listen(0)
            address = deaf.getsockname()
            with socket.create_connection(address):
                # Nobody takes these: the room for more is used up, and another one waits for its connection.
                cancellation = Cancellation()
                threading.Timer(0.5, cancellation.cancel).start()
                client = ie.Client("ies_x", f"http://{address[0]}:{address[1]}", max_retries=0)
                started = time.monotonic()
                with self.assertRaises(Cancelled), cancellable(cancellation):
                    client.usage()
                # A connection is given ten seconds.
                self.assertLess(time.monotonic() - started, 9)
                client.close()
