"""``enhance folder/``: after an interrupt, the service refuses to retry what was canceled."""

from __future__ import annotations

from .folder_case import FolderCase


class RefusedRetryTest(FolderCase):
    """Against a service in memory: one image was completed before an interrupt canceled the others."""

    def setUp(self) -> None:
        super().setUp()
        self.picture = self.photos.with_name("back.png")
        self.picture.write_bytes(b"picture")
        self.service.completed = {"job_1"}

    def retry(self, status: int, code: str, *more: str) -> int:
        """Runs the command after an interrupt. The service refuses the retry."""
        self.service.is_interrupted = True
        self.assertEqual(self.enhance(*more), 130, self.said)
        self.service.refusals["retry"] = (status, {"code": code} if code else {})
        return self.enhance(*more)

    def test_what_was_completed_is_saved_and_the_others_get_another_batch(self) -> None:
        for status, code in (
            (404, "not_found"),
            (409, "batch_in_progress"),
            (410, "gone"),
            (422, "invalid_request"),
        ):
            with self.subTest(status):
                self.setUp()
                self.assertEqual((self.retry(status, code), self.results()), (0, ["a", "b", "c"]), self.said)
                self.assertEqual((self.sources(), self.service.uploads), ([[1, 2, 3], [2, 3]], 3))

    def test_a_background_that_may_be_gone_is_uploaded_again(self) -> None:
        background = ("--background", str(self.picture))
        for status, code, uploads in ((410, "gone", 5), (422, "invalid_request", 4)):
            with self.subTest(status):
                self.setUp()
                self.service.completed = {"job_2"}
                done = self.retry(status, code, *background)
                self.assertEqual((done, self.results()), (0, ["a", "b", "c"]), self.said)
                self.assertEqual(self.service.uploads, uploads, self.sources())

    def test_a_refusal_that_will_pass_frees_nothing(self) -> None:
        # The last is of a proxy.
        for status, code in ((403, "quota_exceeded"), (503, "service_unavailable"), (404, "")):
            with self.subTest(code):
                self.setUp()
                self.assertNotEqual(self.retry(status, code), 0, self.said)
                # What was completed is paid for.
                self.assertEqual((self.results(), self.said.count(f"answered {status}")), (["a"], 2))
                self.assertEqual((self.enhance(), self.results()), (0, ["a", "b", "c"]), self.said)
                self.assertEqual((self.service.retries, self.sources()), (["bat_0"], [[1, 2, 3]]))
