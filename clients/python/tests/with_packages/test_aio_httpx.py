"""The client for asyncio on httpx: the tests of the one with threads against the real service, and its own."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
import time
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, AsyncIterator, Callable, Coroutine, List
from unittest import mock

import httpx

import image_enhancement as ie
from image_enhancement.aio_httpx import AsyncClient

from .. import stage, test_aio
from ..scripted import Scripted, cut, good, problem
from ..test_result_address import SIGNED, job_at, redirect
from ..test_trouble import DATA, file


class HttpxTest(test_aio.AsyncTest):
    """Every test of the client with threads, and those of its own."""

    def new_client(self, key: str) -> ie.AsyncClient:
        return AsyncClient(key, stage.URL)

    async def test_an_upload_tells_its_progress_and_a_batch_is_saved(self) -> None:
        picture = stage.png(64, 64)
        told: List[ie.UploadProgress] = []
        source = await self.client.upload(picture, on_progress=told.append)
        await asyncio.sleep(0)
        self.assertEqual(told[-1].sent_bytes, told[-1].total_bytes)
        self.assertGreater(told[-1].total_bytes, len(picture))
        batch = await self.client.batches.create([source.url, source.url], "upscale")
        ended = await self.client.batches.wait(batch.id)
        self.assertEqual(ended.counts.completed, 2)
        with TemporaryDirectory() as folder:
            target = Path(folder) / "results.zip"
            await self.client.batches.save_results(batch.id, target)
            self.assertEqual(target.read_bytes()[:2], b"PK")

    async def test_a_stream_is_read_and_a_call_has_its_response(self) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "photo.png"
            path.write_bytes(stage.png(8, 8))
            with path.open("rb") as stream:
                source = await self.client.upload(stream)
            self.assertEqual((await self.client.upload(path)).sha256, source.sha256)
        response = await self.client.with_response(self.client.sources.get, source.id)
        self.assertEqual((response.data.id, response.status), (source.id, 200))

    async def test_fifty_waiting_calls_need_no_thread(self) -> None:
        stage.control("stop-worker")
        try:
            before = threading.active_count()
            source = await self.client.upload(stage.png(8, 8))
            job = await self.client.jobs.create(source.url, "upscale")
            waits = [asyncio.create_task(self.client.jobs.wait(job.id)) for _ in range(50)]
            for _ in range(20):
                await self.client.usage()
                self.assertEqual(threading.active_count(), before)
        finally:
            stage.control("start-worker")
        self.assertEqual({each.status for each in await asyncio.gather(*waits)}, {"completed"})


@contextlib.asynccontextmanager
async def client_of(server: Scripted, **options: Any) -> AsyncIterator[ie.AsyncClient]:
    """A client of a scripted server."""
    async with AsyncClient("ies_x", server.url, **options) as client:
        yield client


class WaitingTest(unittest.IsolatedAsyncioTestCase):
    async def test_retries_pause_in_the_event_loop(self) -> None:
        with Scripted(cut, problem(503, "service_unavailable"), good({"data": []})) as server:
            async with client_of(server) as client:
                ticks = 0

                async def tick() -> None:
                    nonlocal ticks
                    while True:
                        await asyncio.sleep(0.02)
                        ticks += 1

                ticking = asyncio.create_task(tick())
                self.assertEqual(await client.operations(), [])
                ticking.cancel()
        self.assertEqual(len(server.seen), 3)
        # The pauses take more than half a second together; a blocked loop would not tick at all.
        self.assertGreater(ticks, 5)

    async def test_a_cancelled_task_closes_its_request(self) -> None:
        is_closed = threading.Event()
        is_asked = threading.Event()

        def hold(request: Any) -> None:
            is_asked.set()
            # Gives nothing once the client has closed the connection.
            if request.connection.recv(1) == b"":
                is_closed.set()
            request.close_connection = True

        with Scripted(hold) as server:
            async with client_of(server) as client:
                task = asyncio.create_task(client.usage())
                await eventually(is_asked.is_set)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                await eventually(is_closed.is_set)

    async def test_a_cancelled_pause_sends_nothing_more(self) -> None:
        with Scripted(problem(429, "rate_limited", retry_after="30")) as server:
            async with client_of(server) as client:
                task = asyncio.create_task(client.usage())
                await eventually(lambda: len(server.seen) == 1)
                started = time.monotonic()
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertLess(time.monotonic() - started, 15)
        self.assertEqual(len(server.seen), 1)

    async def test_a_silent_service_ends_the_call_in_time(self) -> None:
        def silent(request: Any) -> None:
            request.connection.recv(1)
            request.close_connection = True

        with Scripted(silent) as server:
            async with client_of(server, max_retries=0) as client:
                with self.assertRaises(ie.WaitTimeoutError):
                    await client.operations(timeout=0.3)

    async def test_errors_are_typed_and_an_unreachable_service_is_a_broken_connection(self) -> None:
        with Scripted(problem(404, "not_found")) as server:
            async with client_of(server) as client:
                with self.assertRaises(ie.NotFoundError):
                    await client.jobs.get("job_1")
                url = server.url
        async with AsyncClient("ies_x", url, max_retries=0) as client:
            with self.assertRaises(ie.ConnectionFailedError):
                await client.usage()

    async def test_an_http_client_of_the_caller_is_used_and_stays_open(self) -> None:
        sent: List[httpx.Request] = []

        async def note(request: httpx.Request) -> None:
            sent.append(request)

        with Scripted(good({"data": []})) as server:
            async with httpx.AsyncClient(event_hooks={"request": [note]}) as http_client:
                async with client_of(server, http_client=http_client, headers={"x-team": "a"}) as client:
                    await client.operations()
                self.assertFalse(http_client.is_closed)
        (request,) = sent
        self.assertEqual((request.headers["x-api-key"], request.headers["x-team"]), ("ies_x", "a"))
        self.assertEqual(server.headers[0]["accept-encoding"], "identity")

    async def test_a_result_is_read_from_the_store_that_the_service_redirects_to(self) -> None:
        with Scripted(file(DATA)) as store:
            job = job_at(f"http://x/files/job_1.png{SIGNED}")
            with Scripted(good(job), redirect(f"{store.url}/a?signature=1")) as server:
                async with client_of(server, max_retries=0) as client:
                    self.assertEqual(await (await client.result("job_1")).bytes(), DATA)
            self.assertEqual(store.seen, ["GET /a?signature=1"])
            self.assertNotIn("x-api-key", store.headers[0])

    async def test_certificates_of_the_system_are_trusted(self) -> None:
        with mock.patch.object(ssl, "create_default_context", wraps=ssl.create_default_context) as create:
            async with AsyncClient("ies_x", "http://127.0.0.1:1"):
                pass
        # With arguments, httpx would load its own list of certificates.
        self.assertEqual(create.call_args_list, [mock.call()])

    async def test_deadlines_of_tasks_do_not_mix(self) -> None:
        with Scripted(good({"data": []})) as server:
            async with client_of(server) as client:
                calls: "List[Coroutine[Any, Any, List[ie.Operation]]]" = [
                    client.operations(timeout=5 + number) for number in range(30)
                ]
                self.assertEqual(await asyncio.gather(*calls), [[]] * 30)
        self.assertEqual(len(server.seen), 30)


async def eventually(is_so: Callable[[], bool]) -> None:
    """Waits for a condition, for a minute at most."""
    for _ in range(3_000):
        if is_so():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the condition never came true")


def load_tests(loader: unittest.TestLoader, _tests: unittest.TestSuite, _pattern: object) -> unittest.TestSuite:
    """Without the tests of the module that the first class extends."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (HttpxTest, WaitingTest))
