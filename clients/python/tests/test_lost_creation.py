"""A job whose creation nobody heard of: the service made it, and its answer was swallowed or cut off."""

from __future__ import annotations

import asyncio
import signal
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, List, Optional, Tuple

import image_enhancement as ie

from . import stage

ALL = 100
"""More than a call and its last word send."""


def interrupt_when_swallowed() -> threading.Thread:
    """Ctrl-C, as soon as the service has made the job."""

    def interrupt() -> None:
        stage.control("swallowed")
        ident = threading.main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    return thread


class LostCreationTest(unittest.TestCase):
    """Without a worker, so that a job that nobody cancels stays as it is."""

    @classmethod
    def setUpClass(cls) -> None:
        stage.control("stop-worker")

    @classmethod
    def tearDownClass(cls) -> None:
        stage.control("start-worker")

    def setUp(self) -> None:
        self.key = stage.new_key()
        self.direct = stage.new_client(self.key)
        self.client = stage.new_client(self.key, url=stage.SWALLOW_URL)
        self.addCleanup(self.direct.close)
        self.addCleanup(self.client.close)
        self.url = self.direct.upload(stage.png(8, 8)).url
        self.addCleanup(stage.control, "swallow", count=0)

    def state(self) -> Tuple[List[str], int]:
        """How the jobs are, and how many are charged."""
        states = [job.status if job.error is None else job.error.code for job in self.direct.jobs.list()]
        return states, self.direct.usage().enhancements_used

    def test_an_interrupt_cancels_it(self) -> None:
        calls: List[Callable[[], object]] = [
            lambda: self.client.enhance(self.url, "upscale"),
            lambda: self.client.jobs.create(self.url, "upscale"),
        ]
        for count, call in enumerate(calls, 1):
            with self.subTest(count):
                stage.control("swallow", count=1)
                thread = interrupt_when_swallowed()
                with self.assertRaises(KeyboardInterrupt):
                    call()
                thread.join()
                self.assertEqual(self.state(), (["canceled"] * count, 0))

    def test_when_time_is_over_it_is_canceled_and_the_error_says_so(self) -> None:
        stage.control("swallow", count=1)
        with self.assertRaises(ie.WaitTimeoutError) as caught:
            self.client.enhance(self.url, "upscale", timeout=1.5)
        (job,) = self.direct.jobs.list()
        self.assertEqual(caught.exception.job_id, job.id)
        self.assertIsNotNone(caught.exception.idempotency_key)
        self.assertEqual(
            str(caught.exception), f"The image was not enhanced after 1.5 s. The job {job.id} was canceled."
        )
        self.assertEqual(self.state(), (["canceled"], 0))

    def test_under_a_key_of_the_callers_own_it_goes_on(self) -> None:
        stage.control("swallow", count=1)
        with self.assertRaisesRegex(ie.WaitTimeoutError, "goes on") as caught:
            self.client.enhance(self.url, "upscale", timeout=1.5, idempotency_key="mine")
        self.assertEqual(caught.exception.idempotency_key, "mine")
        again = self.client.jobs.create(self.url, "upscale", idempotency_key="mine")
        self.assertEqual(again.id, caught.exception.job_id)
        self.assertEqual(self.state(), (["queued"], 1))

    def test_when_the_service_cannot_be_told_the_interrupt_names_the_key(self) -> None:
        stage.control("swallow", count=ALL)
        thread = interrupt_when_swallowed()
        with self.assertRaises(KeyboardInterrupt) as caught:
            self.client.enhance(self.url, "upscale")
        thread.join()
        self.assertEqual(self.state(), (["queued"], 1))
        self.assertIsNone(getattr(caught.exception, "job_id"))
        key = str(getattr(caught.exception, "idempotency_key"))
        job = self.direct.jobs.create(self.url, "upscale", idempotency_key=key)
        self.direct.jobs.cancel(job.id)
        self.assertEqual(self.state(), (["canceled"], 0))

    def test_a_single_request_that_takes_too_long_names_the_key(self) -> None:
        stage.control("swallow", count=ALL)
        client = stage.new_client(self.key, url=stage.SWALLOW_URL, max_retries=1)
        with self.assertRaises(ie.WaitTimeoutError) as caught:
            client.jobs.create(self.url, "upscale", timeout=0.3)
        job = self.direct.jobs.create(
            self.url, "upscale", idempotency_key=caught.exception.idempotency_key
        )
        self.assertEqual([each.id for each in self.direct.jobs.list()], [job.id])

    def test_a_cancelled_task_cancels_it(self) -> None:
        async def cancelled(is_by_time: bool) -> None:
            async with ie.AsyncClient(self.key, stage.SWALLOW_URL) as client:
                call = asyncio.ensure_future(client.enhance(self.url, "upscale"))
                if is_by_time:
                    with self.assertRaises(asyncio.TimeoutError):
                        await asyncio.wait_for(call, 2)
                    return
                await asyncio.get_running_loop().run_in_executor(None, lambda: stage.control("swallowed"))
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call

        for count, is_by_time in enumerate((False, True), 1):
            with self.subTest(is_by_time=is_by_time):
                stage.control("swallow", count=1)
                asyncio.run(cancelled(is_by_time))
                self.assertEqual(self.state(), (["canceled"] * count, 0))

    def test_a_cancelled_task_that_cannot_tell_the_service_names_the_key(self) -> None:
        async def cancelled() -> BaseException:
            async with ie.AsyncClient(self.key, stage.SWALLOW_URL) as client:
                call = asyncio.ensure_future(client.enhance(self.url, "upscale"))
                await asyncio.get_running_loop().run_in_executor(None, lambda: stage.control("swallowed"))
                call.cancel()
                try:
                    await call
                except asyncio.CancelledError as error:
                    return error
            raise AssertionError("it was not cancelled")

        stage.control("swallow", count=ALL)
        error = asyncio.run(cancelled())
        self.assertEqual(self.state(), (["queued"], 1))
        chain: Optional[BaseException] = error
        # Before Python 3.11 whoever awaits a task is given a CancelledError of his own.
        while chain is not None and not hasattr(chain, "idempotency_key"):
            chain = chain.__context__
        self.assertIsInstance(getattr(chain, "idempotency_key", None), str)


class CutConnectionTest(unittest.TestCase):
    def test_a_proxy_that_cuts_connections_charges_nothing_twice(self) -> None:
        key = stage.new_key()
        # Far more retries than cuts, so that even a call that meets all of them succeeds.
        client = stage.new_client(key, url=stage.PROXY_URL, max_retries=20)
        self.addCleanup(client.close)
        unlucky = {2, 7, 12, 17}

        def cut(number: int) -> None:
            if number in unlucky:
                unlucky.remove(number)
                stage.control("cut-proxy")

        def enhance(seed: int) -> ie.EnhanceResult:
            return client.enhance(stage.png(64, 64, seed), "upscale", level="low")

        with stage.after_each_request(cut) as lost, ThreadPoolExecutor(6) as pool:
            results = list(pool.map(enhance, range(6)))
        self.assertEqual(len({result.job.id for result in results}), 6)
        self.assertEqual(stage.control("used", key=key)["used"], 6)
        self.assertEqual(unlucky, set())
        self.assertGreater(len(lost), 0)
