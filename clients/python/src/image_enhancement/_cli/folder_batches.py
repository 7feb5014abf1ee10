"""The batches of a run over a folder: planned, sent, retried, and canceled."""

from __future__ import annotations

import argparse
from typing import Any, Dict, List, Mapping

from .._http.attempts import is_verdict
from .._limits.deadline import within
from ..client import Client
from ..errors import ConflictError, GoneError, ImageEnhancementError, NotFoundError
from .created_batch import find_created_batch
from .folder_background import FolderBackground
from .folder_journal import FolderJournal, SentBatch, key_of
from .inputs import Input
from .job_options import output_of
from .order import request_of, terms_of
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

    def known(self, files: Mapping[str, Input]) -> List[SentBatch]:
        """The batches of earlier runs that contain these images."""
        return [batch for batch in self._journal.batches if any(name in files for name in batch.files)]

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

    def begin(self, batch: SentBatch, files: Mapping[str, Input]) -> None:
        """Creates a batch, or enhances the items again that failed in an earlier run. ``files``: the wanted
        images.
        """
        if batch.id is None:
            self._create(batch)
        elif batch.has_ended:
            self._enhance_again(batch, files)

    def cancel(self) -> None:
        """Cancels everything that has not ended, so that the user does not pay for unwanted results."""
        for batch in self._journal.batches:
            if batch.has_ended or not batch.files:
                continue
            try:
                with within(_LAST_WORD_SECONDS):
                    self._cancel(batch)
            except ImageEnhancementError as error:
                # A batch without files was refused, so there is nothing to cancel.
                if batch.files:
                    tell(f"The batch {batch.id or batch.key} could not be canceled: {error}")
                continue
            self._journal.note_batch(batch.key, has_ended=True)

    def _create(self, batch: SentBatch) -> None:
        if not batch.sent_at:
            batch.background = self._background.url()
        elif batch.background is None:
            # Earlier versions recorded it for all batches together.
            batch.background = self._journal.background.source_url
        request = request_of(self._options, output_of(self._options, self._background.of(batch.background)))
        given: Dict[str, Any] = {"idempotency_key": batch.key, "timeout": self._options.timeout}
        self._journal.note_sent(batch)
        known = find_created_batch(self._client, batch)
        try:
            batch_id = known or self._client.batches.create(batch.urls, **request, **batch.terms, **given).id
        except ImageEnhancementError as error:
            if is_verdict(error):
                # There is no such batch. The next run plans one for these images anew.
                self._journal.note_batch(batch.key, files=[])
            if batch.background is not None and is_gone(error):
                self._background.forget()
                raise ImageEnhancementError("background_gone", _BACKGROUND_GONE) from error
            raise
        self._journal.note_batch(batch.key, id=batch_id)

    def _enhance_again(self, batch: SentBatch, files: Mapping[str, Input]) -> None:
        """Retries the failed items if all are wanted as they were sent. Otherwise frees them for another."""
        jobs = self._client.batches.items(str(batch.id), limit=100)
        left = [job for job in jobs if job.status != "completed"]
        names = {batch.files[job.batch_index or 0] for job in left}
        if not left:
            return
        if any(job.status != "failed" for job in left):
            # The response to a retry was lost: its jobs are in progress.
            self._note_retry(batch)
            return
        is_wanted = names <= files.keys() and batch.background == self._background.url()
        if not (is_wanted and self._retry(batch)):
            rest = ["" if name in names else name for name in batch.files]
            self._journal.note_batch(batch.key, files=rest)

    def _retry(self, batch: SentBatch) -> bool:
        """Returns false if the service no longer has the background of the batch."""
        # Counted only afterward: if the request is sent again after a crash, the key returns the same jobs.
        key = key_of(batch.key, "retry", str(batch.retry_count))
        try:
            self._client.batches.retry(str(batch.id), include_canceled=True, idempotency_key=key)
        except ConflictError as error:
            if error.code != "nothing_to_retry":
                raise
        except (GoneError, NotFoundError) as error:
            if batch.background is None or not is_gone(error):
                raise
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
        if batch.id is None:
            # It is unknown whether the batch was created. Sending it again with its key resolves this.
            self._create(batch)
        try:
            self._client.batches.cancel(str(batch.id))
        except (ConflictError, GoneError, NotFoundError):
            pass


def is_gone(error: ImageEnhancementError) -> bool:
    """Whether the service itself says so of an upload, a job or a batch. A 404 of a proxy proves nothing, and
    enhancing again costs. A preset that does not exist is named as a field.
    """
    if not isinstance(error, (NotFoundError, GoneError)) or error.field_errors:
        return False
    return error.code in ("not_found", "gone")
