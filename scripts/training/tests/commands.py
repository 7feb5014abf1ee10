"""Runs a training command in this process, on a copy of `models/`."""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

import package

MODELS = package.MODELS


def run(main: Callable[[], None], *args: object) -> tuple[object, str]:
    """The exit code of a command, None when it just returns, and what it said on standard error."""
    said, argv = io.StringIO(), sys.argv
    sys.argv = ["command", *map(str, args)]
    try:
        with contextlib.redirect_stderr(said):
            main()
    except SystemExit as end:
        return end.code, said.getvalue()
    finally:
        sys.argv = argv
    return None, said.getvalue()


class CommandTest(unittest.TestCase):
    """A test with folders of its own: commands write to `models` instead of the committed weights."""

    operation: str

    def setUp(self) -> None:
        home = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, home)
        self.models, self.checkpoints, self.kept = home / "models", home / "checkpoints", home / "kept"
        self.checkpoints.mkdir()
        shutil.copytree(MODELS / self.operation, self.models / self.operation)
        shutil.copytree(Path(__file__).parents[1] / "kept", self.kept)
        package.MODELS = self.models
        self.addCleanup(setattr, package, "MODELS", MODELS)
        self.before = self.files()

    def files(self) -> dict[Path, bytes]:
        """Every file and its bytes."""
        folders = (self.models, self.checkpoints, self.kept)
        return {path: path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}
