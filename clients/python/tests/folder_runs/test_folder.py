"""``enhance folder/``: a batch that a crash, an interrupt or a second run never pays for twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import List

from .. import stage
from ..test_cli import environment, run

ARGUMENTS = ("enhance", "photos/", "-p", "upscale", "--then", "auto_enhance:low", "-l", "low", "--out", "done/")


class FolderTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.key = stage.new_key()
        self.client = stage.new_client(self.key)
        self.addCleanup(self.client.close)
        (self.folder / "photos").mkdir()
        for name in ("a", "b", "c"):
            (self.folder / "photos" / f"{name}.png").write_bytes(stage.png(8, 8, ord(name)))
        (self.folder / "photos" / "notes.txt").write_text("no image", "utf-8")

    def enhance(self, *more: str) -> "subprocess.CompletedProcess[str]":
        return run(self.key, *ARGUMENTS, *more, cwd=str(self.folder))

    def results(self) -> List[str]:
        return sorted(path.name for path in (self.folder / "done").iterdir() if not path.name.startswith("."))

    def used(self) -> int:
        return self.client.usage().enhancements_used

    def started(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "image_enhancement", *ARGUMENTS]
        return subprocess.Popen(
            command, env=environment(self.key), cwd=str(self.folder), stderr=subprocess.PIPE, text=True
        )

    def test_a_batch_whose_failures_alone_are_tried_again(self) -> None:
        (self.folder / "photos" / "broken.png").write_bytes(b"no image")
        done = self.enhance("--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        reports = {Path(report["file"]).name: report for report in map(json.loads, done.stdout.splitlines())}
        self.assertEqual(sorted(reports), ["a.png", "b.png", "broken.png", "c.png"])
        self.assertEqual(reports["broken.png"]["error"]["code"], "unsupported_media_type")
        self.assertEqual(reports["a.png"]["job"]["operations"][1]["operation"], "auto_enhance")
        names = ["a.upscale.png", "b.upscale.png", "c.upscale.png"]
        self.assertEqual(self.results(), names)
        self.assertEqual(stage.size_of_png((self.folder / "done" / names[0]).read_bytes()), (16, 16))
        self.assertEqual((self.used(), len(self.client.batches.list().all())), (6, 1))

        (self.folder / "photos" / "broken.png").write_bytes(stage.png(8, 8, 5))
        done = self.enhance()
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "done/broken.upscale.png"), done.stderr)
        self.assertIn("3 of 4 images were done before.", done.stderr)
        self.assertEqual((self.used(), len(self.results())), (8, 4))
        self.assertEqual((self.enhance().returncode, self.used()), (0, 8))

        (self.folder / "photos" / "a.png").write_bytes(stage.png(8, 8, 77))
        done = self.enhance()
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "done/a.upscale.png"), done.stderr)
        self.assertEqual(self.used(), 10)

    def test_a_killed_run_goes_on_and_pays_nothing_twice(self) -> None:
        def is_uploading() -> bool:
            return len(self.client.sources.list().all()) > 0

        def is_waiting() -> bool:
            return len(self.client.batches.list().all()) > 0

        stage.control("stop-worker")
        try:
            for moment in (is_uploading, is_waiting):
                program = self.started()
                stage.until("an upload or a batch", moment)
                program.kill()
                program.communicate(timeout=30)
        finally:
            stage.control("start-worker")
        done = self.enhance()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.results()), 3)
        self.assertEqual((self.used(), len(self.client.batches.list().all())), (6, 1))
        self.assertEqual(len(self.client.sources.list().all()), 3)

    def test_a_batch_is_found_when_its_key_is_forgotten(self) -> None:
        self.assertEqual(self.enhance().returncode, 0)
        self.cut_off(2 * 86_400)
        self.assertEqual(self.enhance().returncode, 0)
        self.assertEqual((self.used(), len(self.results()), len(self.client.batches.list().all())), (6, 3, 1))

    def test_a_batch_is_found_when_its_preset_was_deleted(self) -> None:
        self.client.presets.save("mine", [{"operation": "upscale", "level": "low"}])
        command = ("enhance", "photos/", "--preset", "mine", "--format", "png", "--out", "done/")
        self.assertEqual(run(self.key, *command, cwd=str(self.folder)).returncode, 0)
        self.cut_off(0)
        self.client.presets.delete("mine")
        done = run(self.key, *command, cwd=str(self.folder))
        self.assertEqual((done.returncode, len(self.results())), (0, 3), done.stderr)
        self.assertEqual((self.used(), len(self.client.batches.list().all())), (3, 1))

    def cut_off(self, age_seconds: int) -> None:
        """Leaves a folder as if the connection had been cut when the service had created the batch."""
        for result in self.results():
            (self.folder / "done" / result).unlink()
        (journal,) = (self.folder / "done").glob(".*.jsonl")
        lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
        for line in lines:
            if "sent_at" in line["set"]:
                line["set"]["sent_at"] -= age_seconds
        kept = [line for line in lines if not {"id", "has_ended"} & {*line["set"]}]
        journal.write_text("".join(f"{json.dumps(line)}\n" for line in kept) + '{"torn', "utf-8")

    def test_an_interrupt_cancels_and_the_next_run_goes_on(self) -> None:
        stage.control("stop-worker")
        try:
            program = self.started()
            stage.until("the batch", lambda: len(self.client.batches.list().all()) > 0)
            time.sleep(0.3)
            self.assertEqual(self.enhance().returncode, 2, "two at once")
            program.send_signal(signal.SIGINT)
            _, said = program.communicate(timeout=30)
            self.assertEqual((program.returncode, self.used()), (130, 0), said)
            self.assertIn("The same command goes on from here", said)
        finally:
            stage.control("start-worker")
        self.assertEqual(self.enhance().returncode, 0)
        self.assertEqual((self.used(), len(self.results())), (6, 3))

    def test_a_deleted_job_is_reported_and_enhanced_again(self) -> None:
        jobs = [json.loads(line) for line in self.enhance("--json").stdout.splitlines()]
        (deleted,) = (each for each in jobs if each["output"].endswith("a.upscale.png"))
        (self.folder / deleted["output"]).unlink()
        self.client.jobs.delete(deleted["job"]["id"])
        again = self.enhance("--json")
        (report,) = map(json.loads, again.stdout.splitlines())
        self.assertEqual((again.returncode, report["error"]["code"]), (1, "gone"), again.stderr)
        self.assertEqual((self.enhance().returncode, len(self.results()), self.used()), (0, 3, 8))

    def test_results_beside_their_sources_are_no_images(self) -> None:
        beside = ("--out", "photos/")
        self.assertEqual((self.enhance(*beside).returncode, self.used()), (0, 6))
        # As after a crash before this result was saved.
        (self.folder / "photos" / "b.upscale.png").unlink()
        done = self.enhance(*beside)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "photos/b.upscale.png"), done.stderr)
        self.assertIn("2 of 5 images are results of earlier runs in photos and are left out.", done.stderr)
        self.assertEqual((self.used(), len(self.client.batches.list().all())), (6, 1))
        # Another order has a journal of its own.
        self.assertEqual((self.enhance(*beside, "--format", "webp").returncode, self.used()), (0, 12))
        self.assertEqual((self.enhance(*beside).returncode, self.used()), (0, 12))
        self.assertEqual(len([*(self.folder / "photos").glob("[abc].*")]), 9)

    def test_what_becomes_of_the_jobs(self) -> None:
        terms = ("--cache", "--expires-in", "3600", "--cancel-after", "10m", "--json")
        first = self.enhance(*terms)
        self.assertEqual((first.returncode, self.used()), (0, 6), first.stderr)
        job = self.client.jobs.get(json.loads(first.stdout.splitlines()[0])["job"]["id"])
        assert job.result is not None and job.completed_at is not None and job.result.expires_at is not None
        self.assertAlmostEqual((job.result.expires_at - job.completed_at).total_seconds(), 3600, delta=60)
        again = self.enhance(*terms, "--out", "more/")
        self.assertEqual((again.returncode, self.used()), (0, 6), again.stderr)
        self.assertTrue(all(json.loads(line)["job"]["cached"] for line in again.stdout.splitlines()))
        refused = self.enhance("--callback-url", "nonsense", "--out", "none/")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("callbackUrl", refused.stderr)

    def test_a_background_picture_is_uploaded_again_when_it_has_changed_or_is_gone(self) -> None:
        background = ("--then", "bg_remove", "--background", "back.png")
        photos = self.folder / "photos"
        for name in ("b", "c"):
            (photos / f"{name}.png").unlink()
        (photos / "a.png").write_bytes(stage.portrait())
        (self.folder / "back.png").write_bytes(stage.png(8, 8, 100))
        done = self.enhance(*background)
        self.assertEqual((done.returncode, len(self.client.sources.list().all())), (0, 2), done.stderr)

        (self.folder / "back.png").write_bytes(stage.png(16, 8, 101))
        (photos / "d.png").write_bytes(stage.portrait())
        done = self.enhance(*background)
        sources = self.client.sources.list().all()
        self.assertEqual((done.returncode, len(sources), sources[0].width), (0, 4, 16), done.stderr)

        self.client.sources.delete(sources[0].id)
        (photos / "e.png").write_bytes(stage.portrait())
        done = self.enhance(*background)
        self.assertEqual(done.returncode, 1)
        self.assertIn("The upload of the background was deleted", done.stderr)
        done = self.enhance(*background)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "done/e.upscale.png"), done.stderr)
        self.assertEqual((self.used(), len(self.client.sources.list().all())), (9, 5))

    def test_what_a_folder_cannot_be(self) -> None:
        (self.folder / "empty").mkdir()
        for arguments, said in (
            (("enhance", "photos/"), "--out"),
            (("enhance", "empty/", "--out", "done/"), "no JPEG, PNG, WebP or AVIF"),
            ((*ARGUMENTS, "--then", "a:b"), "--then takes an operation"),
        ):
            done = run(self.key, *arguments, cwd=str(self.folder))
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(said, done.stderr)
        done = self.enhance("--dry-run", "--json")
        self.assertEqual([json.loads(line)["dryRun"]["cost"] for line in done.stdout.splitlines()], [2, 2, 2])
        (self.folder / "done").mkdir(exist_ok=True)
        (self.folder / "done" / "b.upscale.png").write_bytes(b"precious")
        self.assertIn("--force", self.enhance().stderr)
        self.assertEqual(self.used(), 0)
