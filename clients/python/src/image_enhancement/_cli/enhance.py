"""``enhance``: enhances several images concurrently."""

from __future__ import annotations

import argparse
import io
import sys
import threading
from pathlib import Path
from typing import IO, Any, Callable, Dict, List

from .._files.inputs import FileInput, ImageInput
from .._limits.cancellation import Cancelled
from .._models.generated import Source
from ..client import Client
from ..errors import ImageEnhancementError
from ..result import EnhanceResult
from .exit import EXIT_INTERRUPTED, EXIT_SOME_FAILED, common_exit_code, exit_code_of
from .inputs import Input, WebImage, expand
from .job_options import Background, output_of
from .order import check_output, likely_format, request_of, terms_of, work_of
from .preset_output import PresetOutput
from .progress import Progress
from .reports import error_json, left_of, say, skipped, tell
from .run import run_each, silence_output
from .sizes import size_text
from .targets import STANDARD, Targets, UsageError, extension_of
from .unsaved import download_line

_INTERRUPTED = "Interrupted; what had not ended was canceled, unless it says otherwise above."
_CLOSED = "Nobody reads the output any more; what had not ended was canceled."


def enhance_files(client: Client, options: argparse.Namespace) -> int:
    """Enhances every file. Returns the exit code."""
    files = expand(options.files)
    work = work_of(options)
    check_output(options)
    targets = Targets(
        options.output,
        work.label,
        likely_format(options, work),
        files,
        options.force,
        may_skip=options.skip_existing,
    )
    files = [file for file in files if file not in targets.existing]
    progress = Progress([str(file) for file in files], options.quiet or options.json)
    background, preset = Background(client, options), PresetOutput(client, options)
    lock = threading.Lock()
    ended: List[Input] = []
    failures: List[int] = []

    def order() -> Dict[str, Any]:
        # First, because without its preset, the picture of the background would be uploaded for nothing.
        of_preset = preset.get()
        return request_of(options, output_of(options, background.get()), of_preset)

    def failed(error: ImageEnhancementError, file: Input) -> Dict[str, Any]:
        return error_json(error, download_line(error, targets.download_target(file), options))

    def one(file: Input) -> None:
        try:
            report = _enhance(client, file, targets, options, order, progress)
        except Cancelled as interrupt:
            left = left_of(interrupt)
            if left is not None:
                with lock:
                    say({"file": str(file), "error": failed(left, file)}, targets, options)
            return
        except ImageEnhancementError as error:
            progress.end(str(file), f"failed: {error}")
            failures.append(exit_code_of(error))
            report = {"file": str(file), "error": failed(error, file)}
        with lock:
            ended.append(file)
            say(report, targets, options)

    try:
        for file, path in targets.existing.items():
            say(skipped(file, path), targets, options)
        run_each(files, one, options.concurrency)
    except KeyboardInterrupt:
        # An interrupt after the last image has no effect.
        if len(ended) < len(files):
            print(_INTERRUPTED, file=sys.stderr, flush=True)
            return EXIT_INTERRUPTED
    except BrokenPipeError:
        silence_output()
        if len(ended) < len(files):
            tell(_CLOSED)
            return EXIT_SOME_FAILED
    return common_exit_code(failures)


def _enhance(
    client: Client,
    file: Input,
    targets: Targets,
    options: argparse.Namespace,
    order: Callable[[], Dict[str, Any]],
    progress: Progress,
) -> Dict[str, Any]:
    name = str(file)
    progress.uploading(name)
    request = order()
    if options.dry_run:
        source = _uploaded(client, file, options)
        would = client.jobs.dry_run(source.url, **request, cache=options.cache, timeout=options.timeout)
        progress.end(name, "not enhanced")
        return {"file": name, "dryRun": would.raw}
    result = client.enhance(
        _image_of(file),
        **request,
        **terms_of(options),
        timeout=options.timeout,
        direct=options.direct,
        on_upload=lambda sent: progress.sent(name, sent),
        on_progress=lambda state: progress.see(name, state),
    )
    target = write(result, file, targets)
    progress.end(name, f"→ {target} ({result.info.width}×{result.info.height}, {size_text(result.info.bytes)})")
    return {"file": name, "output": str(target), "job": result.job.raw}


def _uploaded(client: Client, file: Input, options: argparse.Namespace) -> Source:
    if isinstance(file, WebImage):
        return client.sources.upload_url(file.url, timeout=options.timeout)
    image: FileInput = _standard_input() if file == STANDARD else file
    return client.upload(image, direct=options.direct, timeout=options.timeout)


def _image_of(file: Input) -> ImageInput:
    if isinstance(file, WebImage):
        return file.url
    return _standard_input() if file == STANDARD else file


def _standard_input() -> IO[bytes]:
    """Standard input without a buffer: Python cannot exit while another thread waits for that of
    ``sys.stdin``.
    """
    return io.FileIO(sys.stdin.fileno(), closefd=False)


def write(
    result: EnhanceResult,
    source: Input,
    targets: Targets,
    before: Callable[[Path], None] = lambda target: None,
    advice: str = "",
) -> Path:
    """Writes a result and returns its path. Calls ``before`` with the path when nothing is written yet.

    ``advice``: what to do about a disk that is full or refuses the file.
    """
    try:
        # Check again, because another program may have written the file, and the service may have chosen
        # another format than the name suggests.
        target = targets.of(source, extension_of(result.info.format))
        before(target)
        if target == STANDARD:
            sys.stdout.buffer.write(result.bytes())
            sys.stdout.buffer.flush()
        else:
            result.save(target)
        return target
    except BrokenPipeError:
        raise
    except (OSError, UsageError) as error:
        # Not the text of the error, which names a temporary file.
        reason = f"{error.strerror}." if isinstance(error, OSError) and error.strerror else str(error)
        text = f"The result could not be written: {reason} The job {result.job.id} keeps it for now."
        text += advice if isinstance(error, OSError) else ""
        failure = ImageEnhancementError("not_saved", text)
        failure.job_id = result.job.id
        raise failure from error
    except ImageEnhancementError as error:
        error.job_id = error.job_id or result.job.id
        raise
    except Cancelled as interrupt:
        setattr(interrupt, "completed_job_id", result.job.id)
        raise
