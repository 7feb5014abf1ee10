"""The batches of a run over a folder: planned, sent, retried, and canceled."""

from __future__ import annotations

import argparse
from typing import Any, Dict, Iterable, List, Mapping, Optional

from .._http.attempts import is_verdict
from .._limits.deadline import within
from ..client import Client
from ..errors import (
    ApiError,
    ConflictError,
    GoneError,
    ImageEnhancementError,
    NotFoundError,
    QuotaExceededError,
)
from .created_batch import find_created_batch, is_key_forgotten
from .folder_background import FolderBackground
from .folder_journal import FolderJournal, SentBatch, key_of
from .inputs import Input
from .job_options import output_of
from .order import request_of, terms_of
from .preset_output import PresetOutput
from .reports import tell

MAX_BATCH_ITEMS = 1_000
_LAST_WORD_SECONDS = 10.0
_BACKGROUND_GONE = "The upload of the background was deleted. The same command uploads the picture again."


class FolderBatches:
    """The batches of one journal. A batch is recorded immediately before its request, and not when it is planned."""

    def __init__(self, client: Client, options: argparse.Namespace, journal: FolderJournal) -> None:
        self._client = client
        self._options = options
        self._journal = journal
        self._background = FolderBackground(client, options, journal)
        self._preset = PresetOutput(client, options)

    def known(self, files: Mapping[str, Input]) -> List[SentBatch]:
        """The batches of earlier runs that contain these images, or may exist unwanted."""
        return [
            batch
            for batch in self._journal.batches
            if batch.is_in_doubt or any(name in files for name in batch.files)
        ]

    def planned(self, files: Mapping[str, Input]) -> List[SentBatch]:
        """New batches for those of these images that are uploaded and not in a batch."""
        sent = {name for batch in self._journal.batches for name in batch.files}
        left = [
            name
            for name, file in files.items()
            if name not in sent and self._journal.image(file).source_url is not None
        ]
        count = str(len(self._journal.batches))
        batches: List[SentBatch] = []
        for first in range(0, len(left), MAX_BATCH_ITEMS):
            names = left[first : first + MAX_BATCH_ITEMS]
            urls = [str(self._journal.image(files[name]).source_url) for name in names]
            # The same images may need another batch, because one that was closed is not retried.
            key = key_of(self._journal.run, "batch", count, *urls)
            batches.append(SentBatch(key, files=names, urls=urls, terms=terms_of(self._options)))
        return batches

    def create(self, batch: SentBatch) -> None:
        """Creates a planned batch."""
        batch.preset_output = self._preset.get()
        batch.background = self._background.url()
        self._journal.note_sent(batch)
        self._send(batch)

    def resume(self, batch: SentBatch, files: Mapping[str, Input]) -> Mapping[str, ImageEnhancementError]:
        """Goes on with a batch of an earlier run. Failed items are enhanced again. A batch that may exist is
        withdrawn if not all of it is wanted as it was sent. ``files``: the wanted images. Returns the errors of
        those that could not be enhanced again; the results of the others are there.
        """
        if batch.id is None:
            if self._is_current(batch, batch.files, files):
                try:
                    self._send(batch)
                except ImageEnhancementError as error:
                    # After a mismatch, this run plans another batch for these images.
                    if not _is_mismatch(error):
                        raise
            else:
                return self._withdraw(batch, files)
        elif batch.has_ended:
            return self._enhance_again(batch, files)
        return {}

    def cancel(self) -> None:
        """Cancels everything that has not ended, so that the user does not pay for unwanted results."""
        for batch in self._journal.batches:
            if batch.has_ended or not (batch.id or batch.is_in_doubt):
                continue
            try:
                with within(_LAST_WORD_SECONDS):
                    if self._exists(batch):
                        self._cancel(batch)
            except ImageEnhancementError as error:
                tell(f"The batch {batch.id or batch.key} could not be canceled: {error}")

    def _send(self, batch: SentBatch) -> None:
        """Sends a batch, unless an earlier request has created it, and records its id."""
        output = output_of(self._options, self._background.of(batch.background))
        request = request_of(self._options, output, batch.preset_output)
        given: Dict[str, Any] = {"idempotency_key": batch.key, "timeout": self._options.timeout}
        known = self._find(batch) if is_key_forgotten(batch) else None
        try:
            batch_id = known or self._client.batches.create(batch.urls, **request, **batch.terms, **given).id
        except ImageEnhancementError as error:
            found = self._find(batch) if _is_mismatch(error) else None
            if found is None:
                self._note_refusal(batch, error)
                raise
            batch_id = found
        self._journal.note_batch(batch.key, id=batch_id)

    def _find(self, batch: SentBatch) -> Optional[str]:
        return find_created_batch(self._client, self._journal, batch)

    def _note_refusal(self, batch: SentBatch, error: ImageEnhancementError) -> None:
        if is_verdict(error) or _is_mismatch(error):
            # There is no such batch. Another one is planned for these images.
            self._journal.note_batch(batch.key, files=[])
        if batch.background is not None and _is_background_gone(error):
            self._background.forget()
            raise ImageEnhancementError("background_gone", _BACKGROUND_GONE) from error

    def _is_current(self, batch: SentBatch, names: Iterable[str], files: Mapping[str, Input]) -> bool:
        """Whether these images of a batch are wanted as they were sent, with the output of the preset and on
        the background as they are now.
        """
        if not set(names) <= files.keys():
            return False
        return self._has_output_of_preset(batch) and batch.background == self._background.url()

    def _has_output_of_preset(self, batch: SentBatch) -> bool:
        try:
            return batch.preset_output == self._preset.get()
        except NotFoundError as error:
            if batch.id is not None or error.code != "preset_not_found":
                raise
            # Without the preset, no other batch can take its place. It may exist, and be paid for: the service finds
            # it by its key, and refuses to create it now.
            return True

    def _exists(self, batch: SentBatch) -> bool:
        """Finds out whether a batch exists, and records its id, or that it does not exist."""
        if batch.id is not None:
            return True
        if is_key_forgotten(batch):
            batch_id = self._find(batch)
            if batch_id is None:
                self._journal.note_batch(batch.key, files=[])
                return False
            self._journal.note_batch(batch.key, id=batch_id)
            return True
        try:
            # A request that was cut off may still arrive. Only sending it again with its key resolves this.
            self._send(batch)
        except ImageEnhancementError:
            if batch.files:
                raise
            return False
        return True

    def _withdraw(
        self, batch: SentBatch, files: Mapping[str, Input]
    ) -> Mapping[str, ImageEnhancementError]:
        """Ends a batch that may exist but is not wanted as it was sent. Completed results are collected."""
        if not self._exists(batch):
            return {}
        self._cancel(batch)
        # Items that a worker is ending at this moment may still complete.
        self._client.batches.wait(str(batch.id))
        return self._enhance_again(batch, files)

    def _enhance_again(
        self, batch: SentBatch, files: Mapping[str, Input]
    ) -> Mapping[str, ImageEnhancementError]:
        """Retries the failed items if all are wanted as they were sent. Otherwise frees them for another.
        Returns the errors of wanted items that a later run must retry.
        """
        jobs = self._client.batches.items(str(batch.id), limit=100)
        left = [job for job in jobs if job.status != "completed"]
        names = {batch.files[job.batch_index or 0] for job in left}
        if not left:
            return {}
        if any(job.status != "failed" for job in left):
            # The response to a retry was lost: its jobs are in progress.
            self._note_retry(batch)
            return {}
        try:
            is_retried = self._is_current(batch, names, files) and self._retry(batch)
        except ImageEnhancementError as error:
            # Such as a used-up quota. The completed items are paid for, and must not wait until it resets.
            return {name: error for name in batch.files if name in names and name in files}
        if not is_retried:
            rest = ["" if name in names else name for name in batch.files]
            self._journal.note_batch(batch.key, files=rest)
        return {}

    def _retry(self, batch: SentBatch) -> bool:
        """Returns false if the service refuses, for example because it no longer has the background."""
        # Counted only afterward: if the request is sent again after a crash, the key returns the same jobs.
        key = key_of(batch.key, "retry", str(batch.retry_count))
        try:
            self._client.batches.retry(str(batch.id), include_canceled=True, idempotency_key=key)
        except ApiError as error:
            # After a mismatch, another retry with this key was accepted.
            if error.code != "nothing_to_retry" and not _is_mismatch(error):
                if not _is_final(error):
                    raise
                if batch.background is not None and _is_background_gone(error):
                    self._background.forget()
                return False
        except KeyboardInterrupt:
            # Its jobs may exist, so they must be canceled.
            self._note_retry(batch)
            raise
        self._note_retry(batch)
        return True

    def _note_retry(self, batch: SentBatch) -> None:
        self._journal.note_batch(batch.key, has_ended=False, retry_count=batch.retry_count + 1)

    def _cancel(self, batch: SentBatch) -> None:
        try:
            self._client.batches.cancel(str(batch.id))
        except (ConflictError, GoneError, NotFoundError):
            pass
        self._journal.note_batch(batch.key, has_ended=True)


def _is_mismatch(error: ImageEnhancementError) -> bool:
    """Whether the service has accepted a different request with the same idempotency key."""
    return error.code == "idempotency_mismatch"


def _is_background_gone(error: ImageEnhancementError) -> bool:
    """Whether the service no longer has the background. Earlier versions of the service do not name the field."""
    if not isinstance(error, (NotFoundError, GoneError)) or not error.field_errors:
        return is_gone(error)
    return any(str(each.get("field")).startswith("output.background") for each in error.field_errors)


def is_gone(error: ImageEnhancementError) -> bool:
    """Whether the service itself says so of an upload, a job or a batch. A 404 of a proxy proves nothing, and
    enhancing again costs. A preset that does not exist is named as a field.
    """
    if not isinstance(error, (NotFoundError, GoneError)) or error.field_errors:
        return False
    return error.code in ("not_found", "gone")


def _is_final(error: ApiError) -> bool:
    """Whether the service refuses a retry and would do so again. What a proxy says is not final."""
    is_of_service = error.problem.get("code") is not None
    return is_of_service and is_verdict(error) and not isinstance(error, QuotaExceededError)
