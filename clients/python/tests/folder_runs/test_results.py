"""``enhance folder/``: the folder of results is an input, too."""

from __future__ import annotations

import io
import json
import os
import re
from typing import List
from unittest import mock

from image_enhancement._cli import folder
from image_enhancement._cli.folder_run import FolderRun
from image_enhancement._cli.targets import UsageError

from .folder_case import FolderCase

ANOTHER_ORDER = ("--operation", "auto_enhance")


class ResultsTest(FolderCase):
    def test_an_interrupted_run_beside_its_sources_goes_on(self) -> None:
        self.done = self.photos
        self.service.expired = {"job_2"}
        self.assertEqual(self.enhance(), 1, self.said)
        self.assertEqual((self.enhance(), self.enhance()), (0, 0), self.said)
        self.assertEqual(self.sources(), [[1, 2, 3], [4]])

    def test_results_of_the_other_command_line_are_no_images(self) -> None:
        self.done = self.photos
        lines: List[object] = [{"run": "1"}, {"output": {}}, {"image": "a", "set": {"output": "b.png"}}]
        text = "\n".join(json.dumps(line) for line in lines)
        (self.photos / ".enhance-0.jsonl").write_text(f'{text}\n{{"output', "utf-8")
        self.assertEqual((self.enhance(), self.service.uploads), (0, 2), self.said)

    def test_links_in_another_folder_are_images(self) -> None:
        self.assertEqual(self.enhance(), 0, self.said)
        self.photos = self.photos.with_name("chosen")
        self.photos.mkdir()
        (self.photos / "a.upscale.png").symlink_to(self.done / "a.upscale.png")
        os.link(self.done / "b.upscale.png", self.photos / "b.png")
        self.order = ANOTHER_ORDER
        self.assertEqual((self.enhance(), self.service.uploads), (0, 5), self.said)
        self.assertNotIn("left out", self.said)

    def test_results_are_known_by_all_names_of_their_folder(self) -> None:
        (self.photos / "é.png").write_bytes(b"e")
        self.done = self.photos
        self.assertEqual((self.enhance(), self.service.uploads), (0, 4), self.said)
        # As another file system returns it.
        (self.photos / "é.upscale.png").rename(self.photos / "e\u0301.upscale.png")
        (self.photos / "é.png").unlink()
        link = self.photos.with_name("link")
        link.symlink_to(self.photos)
        self.photos, self.order = link, ANOTHER_ORDER
        self.assertEqual((self.enhance(), self.service.uploads), (0, 7), self.said)

    def test_the_user_is_told_what_is_left_out_and_how_to_enhance_it(self) -> None:
        self.assertEqual(self.enhance(), 0, self.said)
        self.photos, self.order = self.done, ANOTHER_ORDER
        for name, *more in (("d", "--json"), ("e",), ("f", "--quiet"), ("g", "--quiet", "--json")):
            (self.photos / f"{name}.png").write_bytes(name.encode())
            out = io.StringIO()
            self.assertEqual(self.enhance(*more, out=out), 0, self.said)
            note = "images are results of earlier runs in .*/done and are left out.*choose another --out"
            self.assertEqual(re.search(note, self.said) is None, "--quiet" in more, self.said)
            self.assertEqual(len(out.getvalue().splitlines()), 0 if more == ["--quiet"] else 1)

    def test_images_of_other_types_are_named(self) -> None:
        for name in ("c.TIFF", "d.heic", "e.bmp", "f.tif", ".g.tif", "notes.txt"):
            (self.photos / name).write_bytes(b"x")
        self.assertEqual((self.enhance(), self.service.uploads), (0, 3), self.said)
        named = ", ".join(str(self.photos / name) for name in ("c.TIFF", "d.heic", "e.bmp"))
        self.assertIn(f".avif files of a folder are enhanced: {named} and 1 more\n", self.said)
        self.order = ANOTHER_ORDER
        self.assertEqual((self.enhance("--quiet"), self.said), (0, ""))

    def test_a_batch_of_an_earlier_version_with_results_in_it_is_saved(self) -> None:
        self.done = self.photos
        self.assertEqual(self.enhance(), 0, self.said)
        with mock.patch.object(FolderRun, "_wait", side_effect=SystemExit), self.assertRaises(SystemExit):
            self.send_as_earlier_versions()
        self.assertEqual((self.enhance(), self.saved()), (0, 6), self.said)
        self.assertEqual((self.enhance(), self.service.uploads, len(self.sources())), (0, 9, 2), self.said)
        self.assertIn("9 of 12 images are results", self.said)

    def test_a_canceled_batch_of_an_earlier_version_with_results_in_it_is_not_retried(self) -> None:
        for moment in ("interrupt", "cut"):
            with self.subTest(moment):
                self.setUp()
                self.done = self.photos
                self.order = FolderCase.order
                self.assertEqual(self.enhance(), 0, self.said)
                # Those of a.png and of its result.
                self.service.completed = {"job_4", "job_5"}
                self.service.is_interrupted = moment == "interrupt"
                self.service.breaks = "after" if moment == "cut" else ""
                self.send_as_earlier_versions()
                self.service.breaks = ""
                for _ in range(2):
                    self.assertEqual((self.enhance(), self.saved()), (0, 4), self.said)
                    self.assertEqual(self.sources(), [[1, 2, 3], [4, 5, 6, 7, 8, 9], [6, 8]])
                self.assertEqual((self.service.retries, self.service.canceled[-1:]), ([], ["bat_1"]))

    def test_results_of_the_same_order_are_never_sources(self) -> None:
        self.done = self.photos
        self.assertEqual(self.enhance(), 0, self.said)
        (journal,) = self.done.glob(".*.jsonl")
        files = [str(self.photos / "a.upscale.png")]
        line = {"batch": "0", "set": {"files": files, "urls": ["http://x.test/files/src_1.png"], "id": "bat_0"}}
        journal.write_text(f"{journal.read_text('utf-8')}{json.dumps(line)}\n", "utf-8")
        self.assertEqual((self.enhance(), self.service.uploads), (0, 3), self.said)

    def send_as_earlier_versions(self) -> None:
        """Begins another order beside the sources and the results of the first, and takes all of them for images."""
        self.order = ANOTHER_ORDER
        with mock.patch.object(folder, "results_among", return_value=set()):
            self.assertNotEqual(self.enhance(), 0, self.said)

    def saved(self) -> int:
        """How many results of the other order there are."""
        return len([*self.done.glob("*.auto_enhance.png")])

    def test_results_alone_are_wrong_usage(self) -> None:
        self.assertEqual(self.enhance(), 0, self.said)
        self.photos = self.done
        with self.assertRaisesRegex(UsageError, "All images are results"):
            self.enhance()
