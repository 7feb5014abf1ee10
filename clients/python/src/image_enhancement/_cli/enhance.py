"""``enhance``: several images at once from the command line."""

from __future__ import annotations

import argparse
import glob
import io
import json
import os
import sys
import threading
from pathlib import Path
from typing import IO, Any, Dict, List, Optional, cast

from .._limits.cancellation import Cancelled
from ..client import Client
from ..errors import ApiError, ImageEnhancementError
from ..literals import Output
from ..result import EnhanceResult
from .exit import EXIT_INTERRUPTED, EXIT_SOME_FAILED, common_exit_code, exit_code_of
from .job_options import Background, output_of
from .progress import Progress
from .run import run_each, silence_output
from .targets import STANDARD, Targets, UsageError, extension_of, format_of

_INTERRUPTED = "Interrupted; what had not ended was canceled, unless it says otherwise above."
_CLOSED = "Nobody reads the output any more; what had not ended was canceled."


def enhance_files(client: Client, options: argparse.Namespace) -> int:
    """Enhances every file; the exit code."""
    files = expand(options.files)
    targets = Targets(options.output, options.operation, _format_of(options), files, options.force)
    progress = Progress([str(file) for file in files], options.quiet or options.json)
    background = Background(client, options)
    lock = threading.Lock()
    ended: List[Path] = []
    failures: List[int] = []

    def one(file: Path) -> None:
        try:
            report = _enhance(client, file, targets, options, background, progress)
        except Cancelled as interrupt:
            left = _left_of(interrupt)
            if left is not None:
                with lock:
                    _say({"file": str(file), "error": _error_json(left)}, targets, options)
            return
        except ImageEnhancementError as error:
            progress.end(str(file), f"failed: {error}")
            failures.append(exit_code_of(error))
            report = {"file": str(file), "error": _error_json(error)}
        with lock:
            ended.append(file)
            _say(report, targets, options)

    try:
        run_each(files, one, options.concurrency)
    except KeyboardInterrupt:
        # What came after all was done changes nothing.
        if len(ended) < len(files):
            print(_INTERRUPTED, file=sys.stderr, flush=True)
            return EXIT_INTERRUPTED
    except BrokenPipeError:
        silence_output()
        if len(ended) < len(files):
            _tell(_CLOSED)
            return EXIT_SOME_FAILED
    return common_exit_code(failures)


def expand(patterns: List[str]) -> List[Path]:
    """Files of names and patterns, each once: shells without patterns leave them to the program."""
    files: Dict[str, Path] = {}
    for pattern in patterns:
        for file in _matches(pattern):
            files.setdefault("-" if file == STANDARD else os.path.abspath(file), file)
    return list(files.values())


def _matches(pattern: str) -> List[Path]:
    path = Path(pattern)
    if path == STANDARD or path.is_file():
        return [path]
    found = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]
    found = [file for file in found if file.is_file()]
    if not found:
        if glob.has_magic(pattern):
            raise UsageError(f'No file matches "{pattern}".')
        raise UsageError(f"{pattern} cannot be read: there is no such file.")
    return found


def _format_of(options: argparse.Namespace) -> Optional[str]:
    """``-o big.png`` asks for a PNG."""
    return options.format or format_of(os.path.splitext(options.output or "")[1])


def _enhance(
    client: Client,
    file: Path,
    targets: Targets,
    options: argparse.Namespace,
    background: Background,
    progress: Progress,
) -> Dict[str, Any]:
    name = str(file)
    progress.uploading(name)
    output = output_of(options, background.get())
    image_format = _format_of(options)
    if image_format is not None:
        output["format"] = image_format
    if options.dry_run:
        return _dry_run(client, file, output, options, progress)
    result = client.enhance(
        _standard_input() if file == STANDARD else file,
        options.operation,
        level=options.level,
        strength=options.strength,
        scale=options.scale,
        width=options.width,
        height=options.height,
        fit=options.fit,
        output=cast(Output, output) if output else None,
        cache=options.cache,
        callback_url=options.callback_url,
        cancel_after=options.cancel_after,
        expires_in=options.expires_in,
        timeout=options.timeout,
        on_progress=lambda state: progress.see(name, state),
    )
    target = _write(result, file, targets)
    progress.end(name, f"→ {target} ({result.info.width} × {result.info.height})")
    return {"file": name, "output": str(target), "job": result.job.raw}


def _dry_run(
    client: Client, file: Path, output: Dict[str, Any], options: argparse.Namespace, progress: Progress
) -> Dict[str, Any]:
    source = client.upload(_standard_input() if file == STANDARD else file, timeout=options.timeout)
    would = client.jobs.dry_run(
        source.url,
        options.operation,
        level=options.level,
        strength=options.strength,
        scale=options.scale,
        width=options.width,
        height=options.height,
        fit=options.fit,
        output=cast(Output, output) if output else None,
        cache=options.cache,
        timeout=options.timeout,
    )
    progress.end(str(file), "not enhanced")
    return {"file": str(file), "dryRun": would.raw}


def _would(report: Dict[str, Any]) -> str:
    would = report["dryRun"]
    result = would["result"]
    size = f"{result['width']}×{result['height']} {result['format']}"
    seconds = would["estimatedSeconds"]
    time = "" if seconds is None else f", about {seconds:g} s"
    remaining = would["quota"]["remaining"]
    return f"{report['file']}: would cost {would['cost']} of {remaining} enhancements: {size}{time}"


def _standard_input() -> IO[bytes]:
    """Without a buffer: Python cannot end while another thread waits for that of ``sys.stdin``."""
    return io.FileIO(sys.stdin.fileno(), closefd=False)


def _write(result: EnhanceResult, source: Path, targets: Targets) -> Path:
    """Where it was written."""
    try:
        # Looked at again: others write files, too, and the service may have chosen another format than the name said.
        target = targets.of(source, extension_of(result.info.format))
        if target == STANDARD:
            sys.stdout.buffer.write(result.bytes())
            sys.stdout.buffer.flush()
        else:
            result.save(target)
        return target
    except BrokenPipeError:
        raise
    except (OSError, UsageError) as error:
        text = f"The result could not be written: {error} The job {result.job.id} keeps it for now."
        failure = ImageEnhancementError("not_saved", text)
        failure.job_id = result.job.id
        raise failure from error
    except Cancelled as interrupt:
        setattr(interrupt, "completed_job_id", result.job.id)
        raise


def _left_of(interrupt: Cancelled) -> Optional[ImageEnhancementError]:
    """An interrupted call cancels its job; where the service could not be told, somebody should know."""
    job_id: Optional[str] = getattr(interrupt, "completed_job_id", None)
    if job_id is not None:
        text = f"The job {job_id} had completed; its result was not saved, the service keeps it for now."
        return _aborted(text, job_id, None)
    key: Optional[str] = getattr(interrupt, "idempotency_key", None)
    if key is None:
        return None
    job_id = getattr(interrupt, "job_id", None)
    if job_id is None:
        rest = f"It is not known whether its job was created; the idempotency key {key} leads to it."
    else:
        rest = f"The job {job_id} could not be canceled."
    return _aborted(f"The call was aborted. {rest}", job_id, key)


def _aborted(text: str, job_id: Optional[str], idempotency_key: Optional[str]) -> ImageEnhancementError:
    error = ImageEnhancementError("aborted", text)
    error.job_id = job_id
    error.idempotency_key = idempotency_key
    return error


def _tell(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        # It was this one that nobody reads.
        pass


def _error_json(error: ImageEnhancementError) -> Dict[str, Any]:
    """An error for programs, in the words of the API."""
    answer = {"status": error.status, "requestId": error.request_id} if isinstance(error, ApiError) else {}
    return {
        "code": error.code,
        "message": error.message,
        **answer,
        "jobId": error.job_id,
        "idempotencyKey": error.idempotency_key,
    }


def _say(report: Dict[str, Any], targets: Targets, options: argparse.Namespace) -> None:
    # Standard output is the image's when it goes there.
    out = sys.stderr if targets.is_standard else sys.stdout
    if options.json:
        print(json.dumps(report), file=out, flush=True)
    elif "error" in report:
        print(f"{report['file']}: {report['error']['message']}", file=sys.stderr, flush=True)
    elif not options.quiet:
        print(_would(report) if "dryRun" in report else report["output"], file=out, flush=True)
