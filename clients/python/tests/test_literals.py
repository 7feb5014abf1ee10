"""What a type checker refuses."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = """
from image_enhancement import Client

client = Client("ies_x")
client.enhance("a.jpg", "upscale", level="high", output={"format": "png"})
client.enhance("a.jpg", "upscale", level="nope")
client.enhance("a.jpg", "sharpen")
client.enhance("a.jpg", "upscale", output={"format": "bmp"})
client.jobs.create("https://x/files/src_1.png", "upscale", output={"size": 3})
client.jobs.list(status="ended")
"""


@unittest.skipIf(shutil.which("mypy") is None, "needs mypy")
class LiteralsTest(unittest.TestCase):
    def test_mypy_refuses_unknown_values_and_nothing_else(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "program.py"
            file.write_text(PROGRAM)
            done = subprocess.run(
                ["mypy", "--strict", "--cache-dir=/dev/null", "--config-file=", str(file)],
                capture_output=True,
                text=True,
                env={"PATH": _path(), "MYPYPATH": str(Path(__file__).parent.parent / "src")},
                check=False,
            )
        lines = [int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line]
        self.assertEqual(lines, [6, 7, 8, 9, 10], done.stdout + done.stderr)


def _path() -> str:
    return f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"


if __name__ == "__main__":
    unittest.main()
