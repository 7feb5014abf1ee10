"""``download``: writes the result of a job that a run has paid for, but not saved."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from .._models.state import JobState
from ..client import Client
from ..errors import ImageEnhancementError
from .exit import EXIT_DONE, EXIT_INTERRUPTED, EXIT_SOME_FAILED
from .progress import Progress
from .reports import tell
from .run import silence_output
from .sizes import size_text
from .targets import STANDARD, UsageError, check_writable, extension_of, is_folder, make_folder


def download(client: Client, options: argparse.Namespace) -> int:
    """Waits for a job and writes its result, which costs nothing. Returns the exit code. Raises UsageError."""
    try:
        return _download(client, options)
    except KeyboardInterrupt:
        tell("Interrupted; the same command begins again.")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        silence_output()
        tell("Nobody reads the output any more.")
        return EXIT_SOME_FAILED


def _download(client: Client, options: argparse.Namespace) -> int:
    _prepare(options)
    if not options.job:
        raise UsageError("Name one job: download job_…")
    progress = Progress([options.job], options.quiet or options.json)

    def see(state: JobState) -> None:
        if not state.job.has_ended:
            progress.see(options.job, state)

    # First, because a wait is patient with a service that cannot be reached.
    job = client.jobs.get(options.job, timeout=options.timeout)
    if job.status != "completed":
        job = client.jobs.wait(options.job, timeout=options.timeout, on_progress=see)
    result = client.result(job)
    target = _target_of(options, result.info.format)
    if target == STANDARD:
        sys.stdout.buffer.write(result.bytes(timeout=options.timeout))
        sys.stdout.buffer.flush()
    else:
        try:
            result.save(target, timeout=options.timeout)
        except OSError as error:
            # Not the text of the error, which names a temporary file.
            text = f"{target} cannot be written: {error.strerror or error}."
            raise ImageEnhancementError("not_saved", text) from error
    # When the image goes to standard output, nothing else may be written there.
    out = sys.stderr if target == STANDARD else sys.stdout
    if options.json:
        print(json.dumps({"output": str(target), "job": result.job.raw}), file=out, flush=True)
    elif not options.quiet:
        info = result.info
        size = f"{info.width}×{info.height}, {size_text(info.bytes)}"
        print(f"{options.job} → {target} ({size})", file=out, flush=True)
    return EXIT_DONE


def _prepare(options: argparse.Namespace) -> None:
    """Checks the path before the wait, which may be long."""
    output = options.output
    if output == str(STANDARD):
        return
    is_named = output is not None and not is_folder(output)
    folder = Path(output).parent if is_named else Path(output or ".")
    make_folder(folder)
    check_writable(folder)
    if is_named:
        _check_free(Path(output), options)


def _target_of(options: argparse.Namespace, image_format: str) -> Path:
    output = options.output
    if output is not None and not is_folder(output):
        target = Path(output)
    else:
        target = Path(output or ".") / f"{options.job}.{extension_of(image_format)}"
    _check_free(target, options)
    return target


def _check_free(target: Path, options: argparse.Namespace) -> None:
    if target != STANDARD and target.exists() and not options.force:
        raise UsageError(f"{target} exists. Choose another --output, or write over it with --force.")
