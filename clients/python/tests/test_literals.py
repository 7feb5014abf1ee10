"""What a type checker refuses."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = """
from image_enhancement import AsyncClient, Client

client = Client("ies_x")
client.enhance("a.jpg", "upscale", level="high", output={"format": "png"})
client.enhance("a.jpg", "upscale", level="nope")
client.enhance("a.jpg", "sharpen")
client.enhance("a.jpg", "upscale", output={"format": "bmp"})
client.jobs.create("https://x/files/src_1.png", "upscale", output={"size": 3})
client.jobs.list(status="ended")
client.jobs.create("https://x", operations=[{"operation": "upscale", "level": "high"}], cache=True, retention="deliver")
client.jobs.create("https://x", operations=[{"operation": "upscale", "level": "highest"}])
client.jobs.create("https://x", operations=[{"level": "high"}])
client.jobs.create("https://x", "upscale", lvel="high")
client.jobs.dry_run("https://x", "upscale", callback_url="https://y")
client.batches.create(["https://x"], "upscale", on_quota="some")
client.batches.create(["https://x"], "upscale", cache=True)


async def main() -> None:
    waiting = AsyncClient("ies_x")
    await waiting.enhance("a.jpg", "upscale", level="high")
    await waiting.enhance("a.jpg", "upscale", level="nope")
    await waiting.batches.create(["https://x"], "sharpen")
"""


# Versions of mypy before 1.7 know Unpack only so.
UNPACK = ["--enable-incomplete-feature=Unpack"]

CACHE = os.environ.get("MYPY_CACHE_DIR", os.devnull)


@unittest.skipIf(shutil.which("mypy") is None, "needs mypy")
class LiteralsTest(unittest.TestCase):
    def test_mypy_refuses_unknown_values_and_nothing_else(self) -> None:
        done = _checked(PROGRAM)
        lines = [int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line]
        self.assertEqual(lines, [6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 23, 24], done.stdout + done.stderr)

    def test_mypy_accepts_the_readme(self) -> None:
        readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
        for block in re.findall(r"```python\n(.*?)```", readme, re.DOTALL):
            if "aio_httpx" in block:
                # Its types come from packages that need not be installed.
                continue
            done = _checked(block)
            self.assertEqual(done.returncode, 0, f"{block}\n{done.stdout}{done.stderr}")


def _checked(program: str) -> "subprocess.CompletedProcess[str]":
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.py"
        file.write_text(program)
        return subprocess.run(
            ["mypy", "--strict", f"--cache-dir={CACHE}", "--config-file=", *UNPACK, str(file)],
            capture_output=True,
            text=True,
            env={"PATH": _path(), "MYPYPATH": str(Path(__file__).parent.parent / "src")},
            check=False,
        )


def _path() -> str:
    return f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"


if __name__ == "__main__":
    unittest.main()
