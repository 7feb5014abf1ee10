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
from ._cli_targets import STANDARD, Targets, UsageError, extension_of
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


def enhance_files(client: Client, options: argparse.Namespace) -> int:
    """Enhances every file; the exit code."""
    files = expand(options.files)
    targets = Targets(options.output, options.operation, files)
    if not options.force:
        targets.keep(files, options.format or _format_of(options.output))
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
        files.update(dict.fromkeys(_matches(pattern)))
    return list(files)


def _matches(pattern: str) -> List[Path]:
    path = Path(pattern)
    if path == STANDARD or path.is_file():
        return [path]
    found = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]
    found = [file for file in found if file.is_file()]
    if not found:
        what = "No file matches" if glob.has_magic(pattern) else "There is no file"
        raise UsageError(f'{what} "{pattern}".')
    return found


def _format_of(output: Optional[str]) -> Optional[str]:
    """``-o big.png`` asks for a PNG."""
    suffix = Path(output or "").suffix.lstrip(".").lower()
    return {"jpg": "jpeg", "jpeg": "jpeg", "png": "png", "webp": "webp", "avif": "avif"}.get(suffix)


def _enhance(
    client: Client, file: Path, targets: Targets, options: argparse.Namespace, progress: Progress
) -> Dict[str, Any]:
    name = str(file)
    progress.uploading(name)
    output = {
        key: value
        for key, value in (
            ("format", options.format or _format_of(options.output)),
            ("quality", options.quality),
            ("background", options.background),
        )
        if value is not None
    }
    result = client.enhance(
        sys.stdin.buffer if file == STANDARD else file,
        options.operation,
        level=options.level,
        output=output or None,
        timeout=options.timeout,
        on_progress=lambda state: progress.see(name, state),
    )
    target = targets.of(file, extension_of(result.info.format))
    try:
        if target == STANDARD:
            sys.stdout.buffer.write(result.bytes())
            sys.stdout.buffer.flush()
        else:
            result.save(target)
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
    # Standard output is the image's when it goes there.
    is_taken = options.output == "-" or report.get("output") == "-"
    out = sys.stderr if is_taken else sys.stdout
    if options.json:
        print(json.dumps(report), file=out, flush=True)
    elif "error" in report:
        print(f"{report['file']}: {report['error']['message']}", file=sys.stderr, flush=True)
    elif not options.quiet:
        print(report["output"], file=out, flush=True)
