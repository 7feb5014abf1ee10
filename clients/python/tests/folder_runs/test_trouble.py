"""``enhance folder/``: interrupts, lost results and lost jobs, against a service in memory."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List
from unittest import mock

import image_enhancement as ie
from image_enhancement._cli import folder_batches

from ..test_cli_stops import SOURCE
from ..test_trouble import DATA
from .folder_case import FolderCase, answer


class FolderTroubleTest(FolderCase):
    def test_an_interrupt_creates_no_batch_that_was_not_sent(self) -> None:
        self.service.is_interrupted = True
        with mock.patch.object(folder_batches, "MAX_BATCH_ITEMS", 1):
            self.assertEqual(self.enhance(), 130, self.said)
            self.assertEqual((len(self.service.batches), set(self.service.canceled)), (1, {"bat_0"}))
            self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((len(self.service.batches), self.service.uploads), (3, 3))

    def test_an_interrupt_creates_no_batch_that_was_refused(self) -> None:
        self.service.refusals["batches"] = (403, {"code": "quota_exceeded"})
        self.assertEqual(self.enhance(), 4, self.said)
        self.assertEqual(self.said.count("answered 403"), 3, "each image has failed")
        (self.photos / "d.png").write_bytes(b"d")
        self.service.is_interrupted = True
        self.assertEqual(self.enhance(), 130, self.said)
        self.assertEqual(set(self.service.canceled), {"bat_0"})
        # All images are in one batch now.
        self.assertEqual([len(each) for each in self.service.batches.values()], [4])

    def test_what_an_interrupt_canceled_is_retried_if_all_of_it_is_wanted(self) -> None:
        self.service.is_interrupted = True
        self.assertEqual(self.enhance(), 130, self.said)
        self.service.is_interrupted, self.service.canceled = True, []
        self.assertEqual(self.enhance(), 130, self.said)
        # The interrupted retry may have arrived, so it is canceled, too.
        self.assertEqual(self.service.canceled, ["bat_0"])
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((self.service.retries, self.service.uploads), (["bat_0"] * 2, 3))

    def test_removed_and_changed_images_are_not_enhanced_after_an_interrupt(self) -> None:
        self.service.is_interrupted = True
        self.service.completed = {"job_1"}
        self.assertEqual(self.enhance(), 130, self.said)
        (self.photos / "b.png").unlink()
        (self.photos / "d.png").write_bytes(b"d")
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "c", "d"]), self.said)
        self.assertEqual((self.service.retries, self.sources()), ([], [[1, 2, 3], [3, 4]]))
        # A removed image that comes back gets a batch of its own.
        (self.photos / "b.png").write_bytes(b"b")
        self.service.is_interrupted = True
        self.assertEqual(self.enhance(), 130, self.said)
        (self.photos / "b.png").write_bytes(b"changed")
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c", "d"]), self.said)
        self.assertEqual((self.service.retries, self.sources()[2:]), ([], [[5], [6]]))

    def test_an_image_of_an_interrupted_run_that_has_another_result_is_skipped_on_request(self) -> None:
        self.service.is_interrupted = True
        self.service.completed = {"job_2"}
        self.assertEqual(self.enhance(), 130, self.said)
        for name in ("a", "b"):
            (self.done / f"{name}.upscale.png").write_bytes(b"of the other command line")
        for _ in range(2):
            self.assertEqual(self.enhance("--skip-existing"), 0, self.said)
            self.assertEqual(self.said.count(": skipped, because "), 2, self.said)
        self.assertEqual((self.service.retries, self.sources()), ([], [[1, 2, 3], [3]]))
        self.assertEqual((self.done / "b.upscale.png").read_bytes(), b"of the other command line")
        self.assertEqual((self.done / "c.upscale.png").read_bytes(), DATA)

    def test_a_closed_pipe_cancels_what_is_in_progress(self) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        # The second of three batches is refused, which nobody reads any more.
        first = self.service._create

        def create(request: ie.HttpRequest) -> ie.HttpResponse:
            self.service.refusals["batches"] = (403, {"code": "quota_exceeded"})
            return first(request)

        with mock.patch.object(self.service, "_create", create), os.fdopen(writing, "w") as closed:
            with mock.patch.object(folder_batches, "MAX_BATCH_ITEMS", 1):
                self.assertEqual(self.enhance("--json", out=closed), 1, self.said)
        self.assertEqual((self.sources(), self.service.canceled), ([[1]], ["bat_0"]))
        self.assertIn("The same command goes on from here.", self.said)
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)

    def test_the_last_word_has_a_deadline(self) -> None:
        self.service.is_interrupted = True
        self.assertEqual(self.enhance("--timeout", "500"), 130, self.said)
        # The creation and the cancellation: of the call, and of the run, which records the batch.
        self.assertEqual(len(self.service.last_words), 4)
        self.assertLess(max(self.service.last_words), 11)

    def test_an_expired_result_is_enhanced_again_by_the_next_run(self) -> None:
        self.service.expired = {"job_1"}
        self.assertEqual((self.enhance(), self.results()), (1, ["b", "c"]), self.said)
        self.assertIn("a.png", self.said)
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual(self.service.uploads, 4)
        self.assertEqual([len(each) for each in self.service.batches.values()], [3, 1])

    def test_what_a_proxy_says_costs_nothing(self) -> None:
        self.service.expired = {"job_1"}
        self.service.problem = {}
        self.assertEqual((self.enhance(), self.enhance()), (1, 1), self.said)
        self.service.expired = set()
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual((self.service.uploads, len(self.service.batches)), (3, 1))

    def test_all_expired_results_at_once(self) -> None:
        self.service.expired = {"job_1", "job_2", "job_3"}
        self.assertEqual((self.enhance("--concurrency", "3"), self.results()), (1, []), self.said)
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)

    def test_a_deleted_job_is_reported_and_enhanced_again(self) -> None:
        self.service.deleted = {"job_2"}
        self.assertEqual((self.enhance("--json"), self.results()), (1, ["a", "c"]), self.said)
        reports = [json.loads(line) for line in self.said.splitlines()]
        (failed,) = (report for report in reports if "error" in report)
        self.assertTrue(failed["file"].endswith("b.png"))
        self.assertEqual(failed["error"]["code"], "gone")
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)

    def test_each_image_keeps_its_result_when_others_of_that_name_are_added(self) -> None:
        as_png = ("--format", "png")
        self.assertEqual(self.enhance(*as_png), 0, self.said)
        (self.done / "a.upscale.png").write_bytes(b"paid for")
        (self.photos / "a.jpg").write_bytes(b"sorts before a.png")
        self.assertEqual(self.enhance(*as_png), 0, self.said)
        self.assertEqual((self.done / "a.upscale.png").read_bytes(), b"paid for")
        self.assertEqual(self.results(), ["a", "a", "b", "c"])
        # A changed image may overwrite its own result only.
        (self.photos / "a.jpg").write_bytes(b"changed")
        (self.done / "a.upscale-2.png").write_bytes(b"old")
        self.assertEqual(self.enhance(*as_png), 0, self.said)
        self.assertEqual((self.done / "a.upscale-2.png").read_bytes(), DATA)
        self.assertEqual((self.done / "a.upscale.png").read_bytes(), b"paid for")

    def test_a_name_that_is_not_text_is_a_name(self) -> None:
        (self.photos / os.fsdecode(b"d\xe9.png")).write_bytes(b"d")
        self.assertEqual((self.enhance("--json"), self.results()), (0, ["a", "b", "c", "d"]), self.said)
        self.assertEqual((self.enhance(), self.service.uploads), (0, 4))
        direct: List[Any] = []

        def store(request: ie.HttpRequest) -> ie.HttpResponse:
            direct.append(request.body)
            address: Dict[str, Any] = {"uploadUrl": "http://x.test/put", "headers": {}}
            return answer({**SOURCE, **address})

        with ie.Client("ies_x", "http://x.test", transport=store) as client:
            client.upload(self.photos / os.fsdecode(b"d\xe9.png"), direct=True)
        self.assertEqual(json.loads(direct[0])["fileName"], "d?.png")

    def test_results_are_found_in_a_folder_that_has_moved(self) -> None:
        self.assertEqual(self.enhance(), 0, self.said)
        self.done = self.done.rename(self.done.with_name("moved"))
        self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
        self.assertEqual(self.service.uploads, 3)
