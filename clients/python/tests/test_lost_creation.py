"""A job whose creation nobody heard of: the service made it, and its answer was swallowed or cut off."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, List, Optional, Tuple
from unittest import mock

import image_enhancement as ie
from image_enhancement._cli import created_batch, folder_batches
from image_enhancement._cli.folder_journal import FolderJournal

from . import stage
from .folder_runs.folder_case import FolderCase

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
        self.assertIsNone(caught.exception.job_id)
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


class LostBatchTest(FolderCase):
    """The creation of a batch of a folder that was cut off, as by a crash."""

    def lose(self, when: str, *more: str) -> None:
        """Runs the command, whose connection breaks ``before`` or ``after`` it has created the batch."""
        self.service.breaks = when
        self.assertEqual(self.enhance(*more), 5, self.said)
        self.service.breaks = ""

    def test_it_is_sent_again_if_all_of_it_is_wanted(self) -> None:
        self.lose("after")
        (self.photos / "d.png").write_bytes(b"d")
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c", "d"]), self.said)
        self.assertEqual((self.sources(), self.service.canceled), ([[1, 2, 3], [4]], []))

    def test_it_is_found_if_the_request_has_changed_since(self) -> None:
        first = [1, 2, 3]
        cases = (("after", 0, [first]), ("after", 1, [first, [2, 3]]), ("before", 0, [first]))
        for when, removed, sources in cases:
            with self.subTest(when, removed=removed):
                self.setUp()
                self.lose(when)
                self.service.is_changed = True
                for name in "a"[:removed]:
                    (self.photos / f"{name}.png").unlink()
                self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"][removed:]), self.said)
                self.assertEqual((self.sources(), self.service.canceled), (sources, ["bat_0"] * removed))

    def test_a_retry_that_has_changed_since_was_accepted(self) -> None:
        self.service.is_interrupted = True
        self.assertEqual(self.enhance(), 130, self.said)
        self.service.refusals["retry"] = (503, {})
        self.assertEqual(self.enhance(), 1, self.said)
        self.service.is_changed = True
        self.assertEqual((self.enhance(), self.enhance(), self.results()), (1, 0, ["a", "b", "c"]), self.said)

    def test_it_is_canceled_if_an_image_was_removed_or_changed(self) -> None:
        for when in ("before", "after"):
            with self.subTest(when):
                self.setUp()
                self.service.completed = {"job_1"}
                self.lose(when)
                (self.photos / "b.png").unlink()
                (self.photos / "c.png").write_bytes(b"changed")
                self.assertEqual((self.enhance(), self.results()), (0, ["a", "c"]), self.said)
                # What was completed is paid for, so it is collected.
                self.assertEqual((self.sources(), self.service.canceled), ([[1, 2, 3], [4]], ["bat_0"]))

    def test_it_is_canceled_if_none_of_its_images_is_wanted(self) -> None:
        self.lose("after")
        for name in ("a", "b", "c"):
            (self.photos / f"{name}.png").unlink()
        (self.photos / "d.png").write_bytes(b"d")
        self.service.breaks = "after"
        self.assertEqual(self.enhance(), 5, self.said)
        self.assertIn("A batch of images that are not wanted any more may exist", self.said)
        self.service.breaks = ""
        self.assertEqual((self.enhance(), self.results()), (0, ["d"]), self.said)
        self.assertEqual((self.sources(), self.service.canceled), ([[1, 2, 3], [4]], ["bat_0"]))

    def test_it_is_canceled_if_its_background_has_changed(self) -> None:
        picture = self.photos.with_name("back.png")
        picture.write_bytes(b"picture")
        background = ("--background", str(picture))
        self.lose("after", *background)
        picture.write_bytes(b"changed")
        self.assertEqual((self.enhance(*background), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((self.sources(), self.service.canceled), ([[1, 2, 3]] * 2, ["bat_0"]))
        self.assertEqual(self.service.uploads, 5)

    def test_its_images_get_another_batch_if_the_service_refuses_it(self) -> None:
        self.lose("before")
        (self.photos / "b.png").unlink()
        self.service.refusals["batches"] = (410, {"code": "gone"})
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "c"]), self.said)
        self.assertEqual((self.sources(), self.service.canceled), ([[1, 3]], []))

    def test_it_is_not_created_to_cancel_it_if_its_key_is_forgotten(self) -> None:
        for when, sources in (("before", [[1, 3]]), ("after", [[1, 2, 3], [1, 3]])):
            with self.subTest(when):
                self.setUp()
                self.lose(when)
                (self.photos / "b.png").unlink()
                with mock.patch.object(created_batch, "_KEY_LIFETIME_SECONDS", 0):
                    self.assertEqual((self.enhance(), self.results()), (0, ["a", "c"]), self.said)
                self.assertEqual(self.sources(), sources)
                self.assertEqual(self.service.canceled, ["bat_0"] * (len(sources) - 1))

    def test_an_interrupt_creates_none_that_was_only_planned(self) -> None:
        with mock.patch.object(folder_batches, "MAX_BATCH_ITEMS", 1):
            self.lose("before")
        (journal,) = self.done.glob(".*.jsonl")
        lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
        for line in lines:
            # The first version recorded batches when it planned them.
            line["set"].pop("sent_at", None)
        journal.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
        self.service.is_interrupted = True
        self.assertEqual(self.enhance(), 130, self.said)
        self.assertEqual((self.sources(), self.service.canceled), ([[1]], ["bat_0"]))

    def test_one_that_an_earlier_version_recorded_has_the_background_of_that_moment(self) -> None:
        changes = [("old", None), (None, "one"), ("mid", None), (None, None), (None, "two"), ("new", None)]
        self.done.mkdir()
        path = self.done / "journal"
        with path.open("w", encoding="utf-8") as file:
            for key, url in changes:
                of_batch = {"batch": key, "set": {"files": ["a"], "urls": ["u"], "sent_at": 1.0}}
                line = {"set": {"background": url}} if key is None else of_batch
                file.write(f"{json.dumps(line)}\n")
        journal = FolderJournal(path)
        self.addCleanup(journal.close)
        self.assertEqual([batch.background for batch in journal.batches], ["one", "one", "two"])
