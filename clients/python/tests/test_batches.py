"""Batches against the real service, and downloads of their archives that break off."""

from __future__ import annotations

import json
import tempfile
import unittest
import zipfile
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import List

import image_enhancement as ie

from . import stage
from .scripted import Reply, Scripted, problem


class BatchTest(unittest.TestCase):
    def setUp(self) -> None:
        self.key = stage.new_key()
        self.client = stage.new_client(self.key)
        self.addCleanup(self.client.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def sources(self, count: int) -> List[str]:
        return [self.client.upload(stage.png(8, 8, seed)).url for seed in range(count)]

    def test_from_its_creation_to_the_archive(self) -> None:
        sources = self.sources(3)
        def create() -> ie.Batch:
            steps: List[ie.Step] = [{"operation": "upscale", "level": "low"}]
            return self.client.batches.create(sources, operations=steps, output={"format": "png"}, idempotency_key="once")

        would = self.client.batches.dry_run(sources, "upscale", expires_in=60)
        self.assertEqual((would.total, would.cost, would.skipped), (3, 3, []))
        batch = create()
        self.assertEqual((batch.counts.total, batch.skipped), (3, []))
        self.assertEqual(create().id, batch.id)
        seen: List[ie.Batch] = []
        ended = self.client.batches.wait(batch.id, timeout=60, on_progress=seen.append)
        self.assertEqual((ended.status, ended.counts.completed, seen[-1].percent), ("completed", 3, 100))
        self.assertEqual([each.id for each in self.client.batches.list()], [batch.id])
        jobs = self.client.batches.items(batch.id, limit=2).all()
        self.assertEqual([job.batch_index for job in jobs], [0, 1, 2])
        self.assertEqual([job.batch_id for job in self.client.jobs.list(batch_id=batch.id)], [batch.id] * 3)
        path = self.client.batches.save_results(batch.id, self.folder / "all.zip")
        self.assertEqual([each.name for each in self.folder.iterdir()], ["all.zip"])
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            manifest = json.loads(archive.read("manifest.json"))
            self.assertEqual([item["jobId"] for item in manifest["items"]], [job.id for job in jobs])
            name = manifest["items"][0]["file"]
            self.assertEqual(stage.size_of_png(archive.read(name)), (16, 16))

    def test_results_are_named_like_the_files_that_were_uploaded(self) -> None:
        names = ["größe 1.png", 'the "best".png', "写真.png", "slow.png"]
        sources: List[str] = []
        for seed, name in enumerate(names):
            (self.folder / name).write_bytes(stage.png(8, 8, seed))
            sources.append(self.client.upload(self.folder / name).url)
        with (self.folder / names[0]).open("rb") as opened:
            sources.append(self.client.upload(opened).url)
        self.client.enhance_in_one_request(self.folder / names[0], "upscale")
        sources.append(next(iter(self.client.jobs.list())).source_url)
        batch = self.client.batches.create(sources, "upscale")
        self.client.batches.wait(batch.id, timeout=60)
        path = self.client.batches.save_results(batch.id, self.folder / "all.zip")
        with zipfile.ZipFile(path) as archive:
            items = json.loads(archive.read("manifest.json"))["items"]
        # Browsers send quotation marks like this, too.
        expected = [names[0], "the %22best%22.png", *names[2:], names[0], names[0]]
        self.assertEqual([item["sourceName"] for item in items], expected)

    def test_bad_items_are_named_and_a_quota_can_be_partial(self) -> None:
        with self.assertRaises(ie.InvalidRequestError) as caught:
            self.client.batches.create([*self.sources(1), "https://elsewhere/x.png"], "upscale")
        self.assertEqual([each["field"] for each in caught.exception.field_errors], ["sourceUrls.1"])
        client = stage.new_client(stage.new_key(enhancements=1))
        sources = [client.upload(stage.png(8, 8, seed)).url for seed in range(2)]
        with self.assertRaises(ie.QuotaExceededError):
            client.batches.create(sources, "upscale")
        batch = client.batches.create(sources, "upscale", on_quota="partial")
        self.assertEqual([(each.index, each.reason) for each in batch.skipped], [(1, "quota_exceeded")])
        client.close()

    def test_cancel_and_retry(self) -> None:
        stage.control("stop-worker")
        try:
            batch = self.client.batches.create(self.sources(2), "upscale")
            with self.assertRaises(ie.WaitTimeoutError):
                self.client.batches.wait(batch.id, timeout=0.2)
            self.client.batches.cancel(batch.id)
            self.assertEqual(self.client.batches.cancel(batch.id).status, "canceled")
        finally:
            stage.control("start-worker")
        self.assertEqual(self.client.usage().enhancements_used, 0)
        with self.assertRaises(ie.ConflictError):
            self.client.batches.retry(batch.id)
        retried = self.client.batches.retry(batch.id, include_canceled=True)
        self.assertEqual(retried.id, batch.id)
        self.assertEqual(self.client.batches.wait(batch.id, timeout=60).counts.completed, 2)


WHOLE = bytes(range(256)) * 40


def page(request: BaseHTTPRequestHandler) -> None:
    """A page of a proxy."""
    request.send_response(200)
    request.send_header("content-type", "text/html")
    request.send_header("content-length", "13")
    request.end_headers()
    request.wfile.write(b"<html></html>")


def archive_part(first: int, last: int, etag: str = '"1"', end: int = len(WHOLE)) -> Reply:
    """Bytes of an archive up to ``end``; fewer than were announced when it breaks off."""

    def reply(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200 if first == 0 else 206)
        request.send_header("etag", etag)
        request.send_header("content-type", "application/zip")
        if first:
            request.send_header("content-range", f"bytes {first}-{end - 1}/{len(WHOLE)}")
        request.send_header("content-length", str(end - first))
        request.end_headers()
        request.wfile.write(WHOLE[first:last])
        request.close_connection = True

    return reply


class ArchiveTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.target = self.folder / "all.zip"

    def test_a_download_that_breaks_off_goes_on(self) -> None:
        with Scripted(archive_part(0, 4000), archive_part(3999, len(WHOLE))) as service:
            service.client().batches.save_results("bat_1", self.target)
        self.assertEqual(self.target.read_bytes(), WHOLE)
        self.assertEqual((service.headers[1]["range"], service.headers[1]["if-range"]), ("bytes=3999-", '"1"'))
        self.assertEqual([each.name for each in self.folder.iterdir()], ["all.zip"])

    def test_another_call_goes_on_too_and_another_archive_starts_anew(self) -> None:
        for rest in (archive_part(3999, len(WHOLE)), archive_part(0, len(WHOLE), '"2"')):
            with Scripted(archive_part(0, 4000)) as service, self.assertRaises(ie.ConnectionFailedError):
                service.client(max_retries=0).batches.save_results("bat_1", self.target)
            self.assertFalse(self.target.exists())
            with Scripted(rest) as service:
                service.client().batches.save_results("bat_1", self.target)
            self.assertEqual(service.headers[0]["range"], "bytes=3999-")
            self.assertEqual(self.target.read_bytes(), WHOLE)
            self.target.unlink()

    def test_what_is_no_part_of_the_archive_is_not_saved(self) -> None:
        rest = archive_part(3999, len(WHOLE))
        for other in (page, archive_part(3990, len(WHOLE))):
            with Scripted(page, archive_part(0, 4000), other, rest) as service:
                service.client().batches.save_results("bat_1", self.target)
            self.assertEqual(len(service.seen), 4)
            self.assertEqual(self.target.read_bytes(), WHOLE)
        with Scripted(page) as service, self.assertRaisesRegex(ie.ConnectionFailedError, "is no archive"):
            service.client(max_retries=0).batches.save_results("bat_1", self.folder / "page.zip")
        self.assertEqual([each.name for each in self.folder.iterdir()], ["all.zip"])

    def test_a_part_of_another_archive_which_a_cache_may_send_is_not_saved(self) -> None:
        whole = archive_part(0, len(WHOLE))
        with Scripted(archive_part(0, 4000), archive_part(3999, len(WHOLE), '"2"'), whole) as service:
            service.client().batches.save_results("bat_1", self.target)
        self.assertEqual(len(service.seen), 3)
        self.assertEqual(self.target.read_bytes(), WHOLE)

    def test_a_part_that_is_shorter_than_the_rest_is_not_the_end(self) -> None:
        short = archive_part(3999, 8000, end=8000)
        with Scripted(archive_part(0, 4000), short, archive_part(7999, len(WHOLE))) as service:
            service.client().batches.save_results("bat_1", self.target)
        self.assertEqual(len(service.seen), 3)
        self.assertEqual(self.target.read_bytes(), WHOLE)

    def test_a_part_that_is_too_long_is_given_up(self) -> None:
        (self.folder / "all.zip.part").write_bytes(WHOLE * 2)
        (self.folder / "all.zip.part.etag").write_text('"1"', "utf-8")
        with Scripted(problem(416, "range_not_satisfiable"), archive_part(0, len(WHOLE))) as service:
            service.client().batches.save_results("bat_1", self.target)
        self.assertEqual(self.target.read_bytes(), WHOLE)

    def test_it_goes_on_as_long_as_each_attempt_brings_something(self) -> None:
        breaks = [archive_part(0, 4000), archive_part(3999, 8000)]
        with Scripted(*breaks, archive_part(7999, len(WHOLE))) as service:
            service.client(max_retries=1).batches.save_results("bat_1", self.target)
        self.assertEqual(self.target.read_bytes(), WHOLE)
        with Scripted(breaks[0]) as service, self.assertRaises(ie.ConnectionFailedError):
            service.client(max_retries=0).batches.save_results("bat_1", self.folder / "other.zip")
        self.assertEqual(len(service.seen), 1)

    def test_a_disk_that_takes_nothing_is_no_broken_connection(self) -> None:
        with Scripted(archive_part(0, len(WHOLE))) as service, self.assertRaises(FileNotFoundError):
            service.client().batches.save_results("bat_1", self.folder / "missing" / "all.zip")
        self.assertEqual(len(service.seen), 1)
