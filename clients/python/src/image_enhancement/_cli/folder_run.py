"""One run over the images of a folder."""

from __future__ import annotations

import argparse
import os
import threading
from pathlib import Path
from typing import Any, Callable, Collection, Dict, List, Optional, Sequence, Tuple

from .._limits.cancellation import Cancelled
from .._models.generated import Batch, Job
from ..client import Client
from ..errors import ImageEnhancementError, InvalidRequestError, JobFailedError
from .enhance import write
from .exit import EXIT_INTERRUPTED, EXIT_SOME_FAILED, common_exit_code, exit_code_of
from .folder_batches import FolderBatches, is_gone
from .folder_journal import FolderJournal, SentBatch, key_of, name_of, stamp_of
from .folder_progress import FolderProgress
from .inputs import Input, WebImage
from .order import likely_format, work_of
from .reports import error_json, say, skipped, tell
from .run import run_each, silence_output
from .targets import Targets

_DELETED = "The job of this image was deleted. The same command enhances the image again."
_STOPPED = "The same command goes on from here."


class FolderRun:
    """One run: uploads, batches, waits, and downloads. Each step handles only what earlier runs have left.

    ``results``: files that are results of earlier runs. If a batch has them nevertheless, as those of earlier
    versions may, their results are saved, because they may be paid for. They are not sent again.
    """

    def __init__(
        self,
        client: Client,
        options: argparse.Namespace,
        files: Sequence[Input],
        journal: FolderJournal,
        results: Collection[Input] = (),
    ) -> None:
        self._client = client
        self._options = options
        self._journal = journal
        self._results = results
        self._batches = FolderBatches(client, options, journal)
        for file in files:
            self._forget_if_changed(file)
        self._folder = Path(options.output)
        written = ((file, self._result_of(file)) for file in files)
        own = {file: path for file, path in written if path is not None}
        work = work_of(options)
        self._targets = Targets(
            f"{options.output}/",
            work.label,
            likely_format(options, work),
            files,
            options.force,
            own,
            options.skip_existing,
        )
        # Also those of an earlier batch, whose results could not be written.
        self._skipped = self._targets.existing
        files = [file for file in files if file not in self._skipped]
        self._files = {name_of(file): file for file in files if not self._is_done(file)}
        """Images whose results are wanted from this run, by name."""
        self._count = len(self._files)
        self._before = len(files) - self._count
        self._progress = FolderProgress(len(files), options.quiet or options.json)
        self._lock = threading.Lock()
        self._ended = 0
        self._failures: List[int] = []

    def run(self) -> int:
        """Runs all steps. Returns the exit code."""
        if self._before and not (self._options.quiet or self._options.json):
            tell(f"{self._before} of {self._count + self._before} images were done before.")
        try:
            for file, path in self._skipped.items():
                say(skipped(file, path), self._targets, self._options)
            self._upload()
            batches = self._each(self._resume, self._batches.known(self._files))
            # Only now, because known batches may have freed images for new ones.
            batches += self._each(self._batches.create, self._batches.planned(self._to_send()))
            self._progress.start("enhanced", self._before)
            self._each(self._save, self._each(self._wait, batches))
        except KeyboardInterrupt:
            self._batches.cancel()
            if self._ended < self._count:
                tell(_STOPPED)
                return EXIT_INTERRUPTED
        except BrokenPipeError:
            silence_output()
            self._batches.cancel()
            if self._ended < self._count:
                tell(_STOPPED)
            return EXIT_SOME_FAILED
        finally:
            self._progress.end()
        return common_exit_code(self._failures)

    def _to_send(self) -> Dict[str, Input]:
        """The images that may be uploaded, and sent in a batch or again."""
        return {name: file for name, file in self._files.items() if file not in self._results}

    def _upload(self) -> None:
        waiting = [file for file in self._to_send().values() if self._journal.image(file).source_url is None]
        self._progress.start("uploaded", self._count + self._before - len(waiting))
        run_each(waiting, self._upload_one, self._options.concurrency)

    def _upload_one(self, file: Input) -> None:
        image = self._journal.image(file)
        stamp = f"{image.upload_count} {image.stamp}"
        given: Dict[str, Any] = {
            "idempotency_key": key_of(self._journal.run, "upload", name_of(file), stamp),
            "timeout": self._options.timeout,
        }
        sources = self._client.sources
        try:
            if isinstance(file, WebImage):
                source = sources.upload_url(str(file), **given)
            else:
                source = sources.upload(str(file), direct=self._options.direct, **given)
        except Cancelled:
            return
        except ImageEnhancementError as error:
            self._fail(file, error)
            return
        self._journal.note_image(file, source_url=source.url)
        self._progress.step()

    def _each(self, step: Callable[[SentBatch], None], batches: Sequence[SentBatch]) -> List[SentBatch]:
        """The batches with wanted images whose step succeeded. The images of the others have failed."""
        done: List[SentBatch] = []
        for batch in batches:
            files = [self._files[name] for name in batch.files if name in self._files]
            if not files and not batch.is_in_doubt:
                continue
            try:
                step(batch)
                done.append(batch)
            except ImageEnhancementError as error:
                if _is_lost(error):
                    # The service no longer has this batch or upload, so the next run uploads again.
                    for file in files:
                        self._forget(file)
                for file in files:
                    # This run does not plan another batch for an image that it has reported.
                    del self._files[name_of(file)]
                    self._fail(file, error)
                if not files:
                    tell(f"A batch of images that are not wanted any more may exist: {error}")
                    self._failures.append(exit_code_of(error))
        return done

    def _resume(self, batch: SentBatch) -> None:
        for name, error in self._batches.resume(batch, self._to_send()).items():
            # This run still saves the results of the others in the batch.
            self._fail(self._files.pop(name), error)

    def _wait(self, batch: SentBatch) -> None:
        start = self._progress.count

        def see(state: Batch) -> None:
            counts = state.counts
            failed = f", {counts.failed} failed" if counts.failed else ""
            self._progress.set(start + counts.completed + counts.failed + counts.canceled, failed)

        self._client.batches.wait(str(batch.id), on_progress=see)
        self._journal.note_batch(batch.key, has_ended=True)

    def _save(self, batch: SentBatch) -> None:
        self._progress.start("saved", self._before + self._ended)
        items = self._client.batches.items(str(batch.id), limit=100)
        jobs = {batch.files[job.batch_index or 0]: job for job in items}
        wanted = [name for name in batch.files if name in self._files]
        for name in wanted:
            if name not in jobs:
                self._forget(self._files[name])
                self._fail(self._files[name], ImageEnhancementError("gone", _DELETED))
        saved = [(self._files[name], jobs[name]) for name in wanted if name in jobs]
        run_each(saved, self._save_one, self._options.concurrency)

    def _save_one(self, item: Tuple[Input, Job]) -> None:
        file, job = item
        try:
            if job.status != "completed":
                raise JobFailedError(job)
            result = self._client.result(job)
            target = write(
                result,
                file,
                self._targets,
                lambda path: self._journal.note_image(file, output=path.name),
                " The same command saves it.",
            )
        except Cancelled:
            return
        except ImageEnhancementError as error:
            if is_gone(error):
                self._forget(file)
            self._fail(file, error)
            return
        self._journal.note_image(file, is_saved=True)
        self._progress.step()
        self._report(file, {"output": str(target), "job": job.raw})

    def _forget_if_changed(self, file: Input) -> None:
        if isinstance(file, WebImage):
            return
        stamp = stamp_of(file)
        if self._journal.image(file).stamp != stamp:
            self._journal.forget(file, stamp)

    def _forget(self, file: Input) -> None:
        """What the service had of the image is gone, so the next run uploads and enhances it again."""
        with self._lock:
            self._journal.forget(file)

    def _is_done(self, file: Input) -> bool:
        result = self._result_of(file)
        return self._journal.image(file).is_saved and result is not None and result.exists()

    def _result_of(self, file: Input) -> Optional[Path]:
        """The path that an earlier run chose for the result of an image."""
        output = self._journal.image(file).output
        # Only the name, because the folder may have moved. Earlier versions recorded the whole path.
        return None if output is None else self._folder / os.path.basename(output)

    def _fail(self, file: Input, error: ImageEnhancementError) -> None:
        self._failures.append(exit_code_of(error))
        self._report(file, {"error": error_json(error)})

    def _report(self, file: Input, report: Dict[str, Any]) -> None:
        with self._lock:
            self._ended += 1
            say({"file": str(file), **report}, self._targets, self._options)


def _is_lost(error: ImageEnhancementError) -> bool:
    if isinstance(error, InvalidRequestError):
        return any(str(each.get("field")).startswith("sourceUrls") for each in error.field_errors)
    return is_gone(error)
