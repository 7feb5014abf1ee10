"""Results that a run has paid for, but not saved."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from typing import List, Optional

from ..errors import GoneError, ImageEnhancementError, JobFailedError


def download_line(error: ImageEnhancementError, target: str, options: argparse.Namespace) -> Optional[str]:
    """The command that downloads the result which a run has not saved. None when there is none.

    ``target``: where the run would have written it, a file, a folder that ends with a slash, or ``-``.
    """
    if error.job_id is None or isinstance(error, (JobFailedError, GoneError)):
        return None
    words = [_python(), "-m", "image_enhancement", "download", error.job_id]
    if target != "./":
        # The parser of the arguments takes a value that begins with a hyphen for an option.
        words += ["-o", f"./{target}" if target.startswith("-") and target != "-" else target]
    words += ["--force"] if options.force else []
    words += [] if options.url is None else ["--url", options.url]
    return _joined(words)


def _python() -> str:
    """The Python that runs this, by its name if that leads to it."""
    name = os.path.basename(sys.executable)
    found = shutil.which(name)
    is_same = found is not None and os.path.samefile(found, sys.executable)
    return name if is_same else sys.executable


def _joined(words: List[str]) -> str:
    return subprocess.list2cmdline(words) if os.name == "nt" else " ".join(map(shlex.quote, words))
