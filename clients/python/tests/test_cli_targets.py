"""Names of results, as far as no job is needed to see them."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import List, Sequence

from image_enhancement._cli.targets import STANDARD, Targets


class TargetsTest(unittest.TestCase):
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
