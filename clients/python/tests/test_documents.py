"""The code blocks of the README run, and the examples do what they say."""

from __future__ import annotations

import contextlib
import http.client
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from importlib import util
from pathlib import Path
from typing import Any, List
from unittest import mock

import image_enhancement as ie

from . import stage

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
HAS_HTTPX = all(util.find_spec(name) is not None for name in ("httpx", "greenlet"))
"""The extra `async` of the package is installed."""


def blocks(language: str) -> List[str]:
    text = (ROOT / "README.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


class ReadmeTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "photo.jpg").write_bytes(stage.portrait())
        (self.folder / "notes.txt").write_text("no image", "utf-8")
        (self.folder / "holiday").mkdir()
        (self.folder / "holiday" / "beach.jpg").write_bytes(stage.png(8, 8))
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        self.settings = {"IMAGE_ENHANCEMENT_API_KEY": stage.new_key(), "IMAGE_ENHANCEMENT_URL": stage.URL}

    def test_every_block_of_python(self) -> None:
        printed = io.StringIO()
        with mock.patch.dict(os.environ, self.settings), contextlib.redirect_stdout(printed):
            for block in blocks("python"):
                if "aio_httpx" in block and not HAS_HTTPX:
                    continue
                exec(compile(block, "README.md", "exec"), {"__name__": "readme"})
        self.assertEqual(stage.size_of_png(Path("big.png").read_bytes()), (512, 512))
        self.assertTrue(Path("bg_remove.png").exists())
        lines = printed.getvalue().splitlines()
        progress = [line for line in lines if line.endswith("%")]
        self.assertEqual(progress[-1], "100%")
        self.assertEqual([line for line in lines if line not in progress], ["unsupported_media_type", "ping"])

    def test_every_command(self) -> None:
        commands = "".join(block for block in blocks("bash") if not block.startswith("pip install"))
        for line in commands.strip().splitlines():
            done = subprocess.run(
                line.replace("python", sys.executable, 1),
                shell=True,
                env={**os.environ, **self.settings},
                capture_output=True,
                text=True,
                timeout=120,
            )
            self.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")
        self.assertTrue(Path("big.jpg").exists())
        self.assertEqual([path.name for path in Path("better").iterdir()], ["beach.auto_enhance.png"])

    def test_the_folder_example_goes_on_where_it_stopped(self) -> None:
        command = [sys.executable, str(EXAMPLES / "batch_folder.py"), "holiday", "out"]
        for printed in ("out/beach.jpg", ""):
            done = subprocess.run(
                command, env={**os.environ, **self.settings}, capture_output=True, text=True, timeout=120
            )
            self.assertEqual((done.returncode, done.stdout.strip()), (0, printed), done.stderr)


class ReceiverTest(unittest.TestCase):
    def test_the_plain_receiver(self) -> None:
        port, secret = stage.free_port(), "whsec_x"
        command = [sys.executable, str(EXAMPLES / "plain_receiver.py"), str(port)]
        program = subprocess.Popen(command, env={**os.environ, "WEBHOOK_SECRET": secret})
        try:
            body = '{"id":"evt_1","type":"ping","createdAt":"2026-01-02T03:04:05.678Z","data":{}}'
            good = ie.sign_test_header(body, secret)
            self.assertEqual(post(program, port, body, good), 204)
            self.assertEqual(post(program, port, body + " ", good), 400)
        finally:
            program.kill()
            program.wait()


def post(program: "subprocess.Popen[Any]", port: int, body: str, header: str, path: str = "/") -> int:
    """The status of the response of a receiver, once it listens."""

    def status() -> int:
        if program.poll() is not None:
            raise AssertionError(f"the receiver exited with status {program.returncode}")
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("POST", path, body, {"x-service-signature": header})
            return connection.getresponse().status
        except ConnectionRefusedError:
            return 0
        finally:
            connection.close()

    return stage.until("the receiver", status)
