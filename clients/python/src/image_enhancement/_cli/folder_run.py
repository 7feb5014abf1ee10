"""One run over the images of a folder."""

from __future__ import annotations

import argparse
import hashlib
import os
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence

from .._limits.cancellation import Cancelled
from .._models.generated import Batch, Job
from ..client import Client
from ..errors import ConflictError, GoneError, ImageEnhancementError, InvalidRequestError, JobFailedError, NotFoundError
from .created_batch import find_created_batch
from .enhance import write
from .exit import EXIT_INTERRUPTED, EXIT_SOME_FAILED, common_exit_code, exit_code_of
from .folder_journal import FolderJournal, SentBatch, name_of
from .folder_progress import FolderProgress
from .inputs import Input, WebImage
from .job_options import Background, output_of
from .order import likely_format, request_of, terms_of, work_of
from .reports import error_json, say, tell
from .run import run_each, silence_output
from .targets import Targets

MAX_BATCH_ITEMS = 1_000
_LAST_WORD_SECONDS = 10.0
_STOPPED = "The same command goes on from here."


class FolderRun:
    """One run: uploads, batches, waits, and downloads. Each step handles only what earlier runs have left."""

    def __init__(
        self, client: Client, options: argparse.Namespace, files: Sequence[Input], journal: FolderJournal
    ) -> None:
        self._client = client
        self._options = options
        self._journal = journal
        for file in files:
            self._forget_if_changed(file)
        own = [each for each in (journal.image(file).output for file in files) if each is not None]
        work = work_of(options)
        self._targets = Targets(
            f"{options.output}/", work.label, likely_format(options, work), files, options.force, own
        )
        self._files = {name_of(file): file for file in files if not self._is_done(file)}
        self._before = len(files) - len(self._files)
        self._progress = FolderProgress(len(files), options.quiet or options.json)
        self._lock = threading.Lock()
        self._ended = 0
        self._failures: List[int] = []

    def run(self) -> int:
        """Runs all steps. Returns the exit code."""
        if self._before and not (self._options.quiet or self._options.json):
            tell(f"{self._before} of {len(self._files) + self._before} images were done before.")
        try:
            self._upload()
            batches = self._each(self._begin, self._batches())
            self._progress.start("enhanced", self._before)
            self._each(self._save, self._each(self._wait, batches))
        except KeyboardInterrupt:
            self._cancel()
            if self._ended < len(self._files):
                tell(_STOPPED)
                return EXIT_INTERRUPTED
        except BrokenPipeError:
            silence_output()
            return EXIT_SOME_FAILED
        finally:
            self._progress.end()
        return common_exit_code(self._failures)

    def _upload(self) -> None:
        waiting = [file for file in self._files.values() if self._journal.image(file).source_url is None]
        self._progress.start("uploaded", len(self._files) + self._before - len(waiting))
        run_each(waiting, self._upload_one, self._options.concurrency)

    def _upload_one(self, file: Input) -> None:
        image = self._journal.image(file)
        stamp = f"{image.upload_count} {image.stamp}"
        given: Dict[str, Any] = {
            "idempotency_key": _key_of(self._journal.run, "upload", name_of(file), stamp),
            "timeout": self._options.timeout,
        }
        sources = self._client.sources
        try:
            is_url = isinstance(file, WebImage)
            source = sources.upload_url(str(file), **given) if is_url else sources.upload(str(file), direct=self._options.direct, **given)
        except Cancelled:
            return
        except ImageEnhancementError as error:
            self._fail(file, error)
            return
        self._journal.note_image(file, source_url=source.url)
        self._progress.step()

    def _batches(self) -> List[SentBatch]:
        """The batches of this run, including new ones for images that are not in a batch yet."""
        sent = {name for batch in self._journal.batches for name in batch.files}
        left = [
            name
            for name, file in self._files.items()
            if name not in sent and self._journal.image(file).source_url is not None
        ]
        for first in range(0, len(left), MAX_BATCH_ITEMS):
            names = left[first : first + MAX_BATCH_ITEMS]
            urls = [str(self._journal.image(self._files[name]).source_url) for name in names]
            key = _key_of(self._journal.run, "batch", *urls)
            self._journal.note_batch(key, files=names, urls=urls, terms=terms_of(self._options), sent_at=time.time())
        return [batch for batch in self._journal.batches if any(name in self._files for name in batch.files)]

    def _each(self, step: Callable[[SentBatch], None], batches: Sequence[SentBatch]) -> List[SentBatch]:
        """The batches whose step succeeded. The images of the others have failed."""
        done: List[SentBatch] = []
        for batch in batches:
            try:
                step(batch)
                done.append(batch)
            except ImageEnhancementError as error:
                files = [self._files[name] for name in batch.files if name in self._files]
                if _is_lost(error):
                    # The service no longer has this batch or upload, so the next run uploads again.
                    for file in files:
                        self._journal.forget(file, self._journal.image(file).stamp)
                for file in files:
                    self._fail(file, error)
        return done

    def _begin(self, batch: SentBatch) -> None:
        """Creates a batch, or retries the failed items of an earlier run."""
        if batch.id is None:
            self._create(batch)
        elif batch.has_ended:
            self._retry(batch)

    def _create(self, batch: SentBatch) -> None:
        background = Background(self._client, self._options, _key_of(self._journal.run, "background"))
        background.url = self._journal.background
        request = request_of(self._options, output_of(self._options, background.get()))
        if background.url != self._journal.background:
            self._journal.note(background=background.url)
        given: Dict[str, Any] = {"idempotency_key": batch.key, "timeout": self._options.timeout}
        known = find_created_batch(self._client, batch)
        batch_id = known or self._client.batches.create(batch.urls, **request, **batch.terms, **given).id
        self._journal.note_batch(batch.key, id=batch_id)

    def _retry(self, batch: SentBatch) -> None:
        # Counted only afterward: if the request is sent again after a crash, the key returns the same jobs.
        key = _key_of(batch.key, "retry", str(batch.retry_count))
        try:
            self._client.batches.retry(str(batch.id), include_canceled=True, idempotency_key=key)
        except ConflictError as error:
            if error.code != "nothing_to_retry":
                raise
        self._journal.note_batch(batch.key, has_ended=False, retry_count=batch.retry_count + 1)

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
        jobs = [job for job in items if batch.files[job.batch_index or 0] in self._files]
        run_each(jobs, partial(self._save_one, batch), self._options.concurrency)

    def _save_one(self, sent: SentBatch, job: Job) -> None:
        file = self._files[sent.files[job.batch_index or 0]]
        try:
            if job.status != "completed":
                raise JobFailedError(job)
            result = self._client.result(job)
            target = write(
                result, file, self._targets, lambda path: self._journal.note_image(file, output=os.path.abspath(path))
            )
        except Cancelled:
            return
        except ImageEnhancementError as error:
            self._fail(file, error)
            return
        self._journal.note_image(file, is_saved=True)
        self._progress.step()
        self._report(file, {"output": str(target), "job": job.raw})

    def _cancel(self) -> None:
        """Cancels everything that has not ended, so that the user does not pay for unwanted results."""
        for batch in self._journal.batches:
            if batch.has_ended or not batch.files:
                continue
            try:
                if batch.id is None:
                    # It is unknown whether the batch was created. Sending it again with its key resolves
                    # this.
                    self._create(batch)
                self._client.batches.cancel(str(batch.id), timeout=_LAST_WORD_SECONDS)
            except ConflictError:
                pass
            except ImageEnhancementError as error:
                tell(f"The batch {batch.id or batch.key} could not be canceled: {error}")
                continue
            self._journal.note_batch(batch.key, has_ended=True)

    def _forget_if_changed(self, file: Input) -> None:
        if isinstance(file, WebImage):
            return
        status = file.stat()
        stamp = (status.st_size, status.st_mtime_ns)
        if self._journal.image(file).stamp != stamp:
            self._journal.forget(file, stamp)

    def _is_done(self, file: Input) -> bool:
        image = self._journal.image(file)
        return image.is_saved and image.output is not None and Path(image.output).exists()

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
    return isinstance(error, (NotFoundError, GoneError))


def _key_of(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
