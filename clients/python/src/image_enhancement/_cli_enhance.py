"""``enhance``: several images at once from the command line."""

from __future__ import annotations

import argparse
import glob
import json
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Dict, List, Optional

from ._cancellation import Cancellation, Cancelled, cancellable
from ._cli_progress import Progress
from .client import Client
from .errors import (
    AuthenticationError,
    ConnectionFailedError,
    ImageEnhancementError,
    PermissionDeniedError,
    QuotaExceededError,
)

EXIT_DONE = 0
EXIT_SOME_FAILED = 1
EXIT_USAGE = 2
EXIT_KEY_REFUSED = 3
EXIT_QUOTA = 4
EXIT_UNREACHABLE = 5
EXIT_INTERRUPTED = 130


class UsageError(Exception):
    """The command line asks for something that cannot be."""


def enhance_files(client: Client, options: argparse.Namespace) -> int:
    """Enhances every file; the exit code."""
    files = expand(options.files)
    targets = Targets(options.output, options.operation, len(files))
    progress = Progress([str(file) for file in files], options.quiet or options.json)
    lock = threading.Lock()
    cancellation = Cancellation()
    errors: List[ImageEnhancementError] = []

    def one(file: Path) -> None:
        with cancellable(cancellation):
            try:
                report = _enhance(client, file, targets, options, progress)
            except Cancelled as interrupt:
                with lock:
                    _say_what_is_left(file, interrupt)
                return
            except ImageEnhancementError as error:
                progress.end(str(file), f"failed: {error}")
                errors.append(error)
                report = {"file": str(file), "error": {"code": error.code, "message": error.message}}
            with lock:
                _say(report, options)

    with ThreadPoolExecutor(max_workers=options.concurrency) as pool:
        futures: List["Future[None]"] = [pool.submit(one, file) for file in files]
        try:
            for future in futures:
                future.result()
        except KeyboardInterrupt:
            for future in futures:
                future.cancel()
            # Each call cancels its job before it ends.
            cancellation.cancel()
            return EXIT_INTERRUPTED
    return exit_code_of(errors)


def exit_code_of(errors: List[ImageEnhancementError]) -> int:
    """The one number that says what went wrong, the gravest first."""
    if not errors:
        return EXIT_DONE
    if any(isinstance(error, (AuthenticationError, PermissionDeniedError)) for error in errors):
        return EXIT_KEY_REFUSED
    if any(isinstance(error, QuotaExceededError) for error in errors):
        return EXIT_QUOTA
    if any(isinstance(error, ConnectionFailedError) for error in errors):
        return EXIT_UNREACHABLE
    return EXIT_SOME_FAILED


def expand(patterns: List[str]) -> List[Path]:
    """Files of names and patterns, each once: shells without patterns leave them to the program."""
    files: Dict[Path, None] = {}
    for pattern in patterns:
        path = Path(pattern)
        found = (
            [path] if path.exists() else [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]
        )
        found = [file for file in found if file.is_file()]
        if not found:
            raise UsageError(f"There is no file {pattern}.")
        files.update(dict.fromkeys(found))
    return list(files)


class Targets:
    """Where results go: never over a source, never two to one place."""

    def __init__(self, output: Optional[str], operation: str, count: int) -> None:
        self._operation = operation
        self._folder: Optional[Path] = None
        self._file: Optional[Path] = None
        self._taken: Dict[Path, Path] = {}
        self._lock = threading.Lock()
        if output is None:
            return
        path = Path(output)
        if count > 1 or output.endswith(("/", "\\")) or path.is_dir():
            if path.is_file():
                raise UsageError(f"{output} is a file; several results need a folder.")
            path.mkdir(parents=True, exist_ok=True)
            self._folder = path
        elif not path.parent.is_dir():
            raise UsageError(f"There is no folder {path.parent}.")
        else:
            self._file = path

    def of(self, source: Path, extension: str) -> Path:
        """Where the result of a source goes."""
        if self._file is not None:
            return self._file
        folder = source.parent if self._folder is None else self._folder
        with self._lock:
            number = 1
            while True:
                suffix = "" if number == 1 else f"-{number}"
                target = folder / f"{source.stem}-{self._operation}{suffix}.{extension}"
                if self._taken.setdefault(target, source) == source:
                    return target
                number += 1


def _enhance(
    client: Client, file: Path, targets: Targets, options: argparse.Namespace, progress: Progress
) -> Dict[str, Any]:
    name = str(file)
    progress.uploading(name)
    output = {
        key: value
        for key, value in (
            ("format", options.format),
            ("quality", options.quality),
            ("background", options.background),
        )
        if value is not None
    }
    result = client.enhance(
        file,
        options.operation,
        level=options.level,
        output=output or None,
        timeout=options.timeout,
        on_progress=lambda state: progress.see(name, state),
    )
    extension = "jpg" if result.info.format == "jpeg" else result.info.format
    try:
        target = result.save(targets.of(file, extension))
    except OSError as error:
        raise ImageEnhancementError(
            "not_saved",
            f"The result could not be written: {error}. The job {result.job.id} keeps it for now.",
        ) from error
    progress.end(name, f"→ {target} ({result.info.width} × {result.info.height})")
    return {"file": name, "output": str(target), "job": result.job.raw}


def _say_what_is_left(file: Path, interrupt: Cancelled) -> None:
    """An interrupted call cancels its job; where the service could not be told, somebody should know."""
    key = getattr(interrupt, "idempotency_key", None)
    if key is None:
        return
    job = getattr(interrupt, "job_id", None) or f"of the idempotency key {key}, if it was created,"
    print(f"{file}: the job {job} could not be canceled.", file=sys.stderr, flush=True)


def _say(report: Dict[str, Any], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps(report), flush=True)
    elif "error" in report:
        print(f"{report['file']}: {report['error']['message']}", file=sys.stderr, flush=True)
    elif not options.quiet:
        print(report["output"], flush=True)
