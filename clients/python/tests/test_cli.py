"""The command line as a program of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Dict, List, Optional, Sequence
from unittest import mock

from image_enhancement._cli.inputs import Input
from image_enhancement._cli.sizes import size_text
from image_enhancement._cli.targets import STANDARD, Targets, UsageError

from . import stage


def environment(key: str) -> Dict[str, str]:
    return {**os.environ, "IMAGE_ENHANCEMENT_API_KEY": key, "IMAGE_ENHANCEMENT_URL": stage.URL}


def run(key: str, *arguments: str, cwd: Optional[str] = None) -> "subprocess.CompletedProcess[str]":
    command: List[str] = [sys.executable, "-m", "image_enhancement", *arguments]
    return subprocess.run(command, env=environment(key), cwd=cwd, capture_output=True, text=True, timeout=120)


class CommandLineTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.key = stage.new_key()
        for name in ("a", "b"):
            (self.folder / f"{name}.png").write_bytes(stage.png(8, 8, ord(name)))

    def test_one_file(self) -> None:
        done = run(
            self.key,
            "enhance",
            "a.png",
            "--operation",
            "upscale",
            "--level",
            "high",
            "-o",
            "big.png",
            cwd=str(self.folder),
        )
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "big.png"), done.stderr)
        self.assertEqual(stage.size_of_png((self.folder / "big.png").read_bytes()), (32, 32))

    def test_a_pattern_into_a_folder_as_json(self) -> None:
        (self.folder / "broken.png").write_bytes(b"no image")
        done = run(
            self.key,
            "enhance",
            f"{self.folder}/*.png",
            "--operation",
            "upscale",
            "--format",
            "webp",
            "-o",
            f"{self.folder}/out/",
            "--json",
        )
        self.assertEqual(done.returncode, 1, done.stderr)
        reports = {Path(report["file"]).name: report for report in map(json.loads, done.stdout.splitlines())}
        self.assertEqual(sorted(reports), ["a.png", "b.png", "broken.png"])
        self.assertEqual(reports["broken.png"]["error"]["code"], "unsupported_media_type")
        self.assertEqual(reports["a.png"]["job"]["status"], "completed")
        self.assertEqual(
            sorted(path.name for path in (self.folder / "out").iterdir()),
            ["a.upscale.webp", "b.upscale.webp"],
        )

    def test_exit_codes(self) -> None:
        photo = str(self.folder / "a.png")
        self.assertEqual(run(self.key, "enhance").returncode, 2)
        for pattern in ("missing.png", f"{self.folder}/*.gif"):
            done = run(self.key, "enhance", pattern, "--operation", "upscale")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, "there is no such file|No file matches")
        self.assertEqual(run("", "usage").returncode, 2)
        self.assertEqual(run("ies_wrong", "usage").returncode, 3)
        self.assertEqual(
            run(stage.new_key(enhancements=0), "enhance", photo, "--operation", "upscale").returncode, 4
        )
        self.assertEqual(run(self.key, "usage", "--url", "http://127.0.0.1:9").returncode, 5)

    def test_writes_over_nothing_unless_it_is_told_to(self) -> None:
        kept = self.folder / "kept.png"
        kept.write_bytes(b"precious")
        arguments = ("enhance", str(self.folder / "a.png"), "-p", "upscale", "-l", "low", "-o", str(kept))
        done = run(self.key, *arguments)
        self.assertEqual((done.returncode, done.stdout, kept.read_bytes()), (2, "", b"precious"))
        self.assertIn("--force", done.stderr)
        self.assertEqual(run(self.key, *arguments, "--force", "-q").stdout, "")
        self.assertEqual(stage.size_of_png(kept.read_bytes()), (16, 16))

    def test_a_name_of_another_format_needs_the_format(self) -> None:
        target = self.folder / "big.tiff"
        arguments = ("enhance", str(self.folder / "a.png"), "-p", "upscale", "-l", "low", "-o", str(target))
        done = run(self.key, *arguments)
        self.assertEqual((done.returncode, done.stdout, target.exists()), (2, "", False))
        self.assertIn("No result is a .tiff file", done.stderr)
        self.assertEqual(run(self.key, *arguments, "--format", "png").returncode, 0)
        self.assertEqual(stage.size_of_png(target.read_bytes()), (16, 16))

    def test_standard_input_and_output(self) -> None:
        command = [sys.executable, "-m", "image_enhancement", "enhance", "-", "--format", "jpeg", "--key", self.key]
        settings = {**environment(""), "PYTHONWARNINGS": "error"}
        done = subprocess.run(command, env=settings, input=stage.png(8, 8), capture_output=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout[:2]), (0, b"\xff\xd8"), done.stderr)

    def test_sizes_as_the_other_command_line_writes_them(self) -> None:
        sizes = (712, 1765, 2**20 - 1, 20 * 2**20, 50 * 2**30, 3 * 2**50)
        self.assertEqual([size_text(size) for size in sizes], ["712 B", "1.7 kB", "1 MB", "20 MB", "50 GB", "3072 TB"])

    def test_operations_and_usage(self) -> None:
        self.assertIn("upscale", run(self.key, "operations").stdout)
        self.assertEqual(json.loads(run(self.key, "usage", "--json").stdout)["plan"], "business")

    def test_presets(self) -> None:
        saved = run(self.key, "presets", "save", "mine", "-p", "upscale", "-l", "low", "--then", "auto_enhance", "--format", "webp")
        self.assertEqual(json.loads(saved.stdout)["output"], {"format": "webp"}, saved.stderr)
        self.assertEqual(json.loads(run(self.key, "presets", "show", "mine", "--json").stdout)["name"], "mine")
        listed = run(self.key, "presets").stdout.splitlines()
        self.assertEqual(listed[-1], "mine  upscale:low, auto_enhance")
        self.assertRegex(listed[0], "^portrait  .*  built in$")
        done = run(self.key, "enhance", "a.png", "--preset", "mine", cwd=str(self.folder))
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "a.mine.webp"), done.stderr)
        self.assertEqual(run(self.key, "enhance", "a.png", "--preset", "mine", "-l", "low", cwd=str(self.folder)).returncode, 2)
        self.assertEqual(run(self.key, "presets", "delete", "mine").returncode, 0)
        self.assertEqual(run(self.key, "presets", "show", "mine").returncode, 1)

    def test_flags_and_names_change_only_their_part_of_the_output_of_a_preset(self) -> None:
        (self.folder / "photos").mkdir()
        (self.folder / "photos" / "me.jpg").write_bytes(stage.portrait())
        for source, *changes in (
            ("photos/me.jpg", "-o", "shop.jpg"),
            ("photos/me.jpg", "--quality", "60", "-o", "best/"),
            ("photos/", "--background", "#00ff00", "-o", "done/"),
        ):
            preset = ("--preset", "product-on-white", "--json")
            done = run(self.key, "enhance", source, *preset, *changes, cwd=str(self.folder))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            output = json.loads(done.stdout)["job"]["output"]
            seen = (output["format"], output["quality"], output["background"], output["crop"])
            quality = 60 if "--quality" in changes else 92
            color = "#00ff00" if "--background" in changes else "#ffffff"
            self.assertEqual(seen, ("jpeg", quality, color, "subject"))
            self.assertEqual((output["padding"], output["shadow"]["opacity"]), (0.09, 0.25))

    def test_a_mask_leaves_out_what_its_preset_says_of_the_image(self) -> None:
        (self.folder / "photos").mkdir()
        (self.folder / "photos" / "me.jpg").write_bytes(stage.portrait())
        preset = ("--preset", "product-on-white", "--kind", "mask", "--json")
        for source, *more in (("photos/me.jpg", "-o", "one/"), ("photos/", "-o", "done/")):
            done = run(self.key, "enhance", source, *preset, *more, cwd=str(self.folder))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            output = json.loads(done.stdout)["job"]["output"]
            seen = (output["kind"], output["format"], output["quality"], output["background"], output["crop"])
            self.assertEqual(seen, ("mask", "png", None, None, "subject"))

    def test_an_interrupt_cancels(self) -> None:
        stage.control("stop-worker")
        try:
            command = [
                sys.executable,
                "-m",
                "image_enhancement",
                "enhance",
                "a.png",
                "--operation",
                "upscale",
            ]
            program = subprocess.Popen(command, env=environment(self.key), cwd=str(self.folder))
            client = stage.new_client(self.key)
            for _ in range(200):
                time.sleep(0.05)
                if client.jobs.list().all():
                    break
            time.sleep(0.3)
            program.send_signal(signal.SIGINT)
            self.assertEqual(program.wait(30), 130)
        finally:
            stage.control("start-worker")
        (job,) = client.jobs.list()
        assert job.error is not None
        self.assertEqual(job.error.code, "canceled")


class TargetsTest(unittest.TestCase):
    """Names of results, as far as no job is needed to see them."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_the_same_names_whichever_job_ends_first(self) -> None:
        sources = [STANDARD, *map(Path, ("b.png", "b.webp", "b.jpeg", "deep/b.avif", "image.tiff"))]

        def names_of(ending: Sequence[Path], extension: str) -> List[str]:
            targets = Targets(f"{self.folder}/", "auto_enhance", None, sources)
            named = {file: targets.of(file, extension).name for file in ending}
            return [named[file] for file in sources]

        # The one that is called so is the first, then the others as they were named.
        expected = [
            "image.auto_enhance.jpg",
            "b.auto_enhance-2.jpg",
            "b.auto_enhance-3.jpg",
            "b.auto_enhance.jpg",
            "b.auto_enhance-4.jpg",
            "image.auto_enhance-2.jpg",
        ]
        self.assertEqual(names_of(sources, "jpg"), expected)
        self.assertEqual(names_of(sources[::-1], "jpg"), expected)
        self.assertEqual(names_of(sources, "younger")[-1], "image.auto_enhance-2.younger")

    def test_each_file_is_looked_at_a_few_times_however_many_there_are(self) -> None:
        done = Path(self.folder, "done")
        done.mkdir()
        own: Dict[Input, Path] = {}
        for number in range(200):
            source = Path(self.folder, f"{number}.png")
            own[source] = done / f"{number}.upscale.png"
            for path in (source, own[source]):
                path.write_bytes(b"image")
        with mock.patch.object(os, "stat", wraps=os.stat) as stat:
            targets = Targets(f"{done}/", "upscale", None, [*own], True, own)
            self.assertEqual([targets.of(source, "png") for source in own], [*own.values()])
        self.assertLess(stat.call_count, 10 * len(own))
        # A source is still known by every name that it has.
        (done / "0.upscale.webp").symlink_to(Path(self.folder, "1.png"))
        with self.assertRaisesRegex(UsageError, "is a source"):
            targets.of(Path(self.folder, "0.png"), "webp")

    def test_a_source_that_was_replaced_during_the_run_is_still_a_source(self) -> None:
        sources = [Path(self.folder, name) for name in ("a.jpg", "a.upscale.png")]
        for source in sources:
            source.write_bytes(b"image")
        targets = Targets(f"{self.folder}/", "upscale", None, sources, True)
        # Editors save so.
        saved = Path(self.folder, "new")
        saved.write_bytes(b"edited")
        saved.replace(sources[1])
        with self.assertRaisesRegex(UsageError, "is a source"):
            targets.of(sources[0], "png")
