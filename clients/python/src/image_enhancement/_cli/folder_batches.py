"""The batches of a run over a folder: planned, sent, retried, and canceled."""

from __future__ import annotations

import argparse
import hashlib
from typing import Any, Dict, List, Mapping

from .._http.attempts import is_verdict
from .._limits.deadline import within
from ..client import Client
from ..errors import ConflictError, GoneError, ImageEnhancementError, NotFoundError
from .created_batch import find_created_batch
from .folder_journal import FolderJournal, SentBatch
from .inputs import Input
from .job_options import Background, output_of
from .order import request_of, terms_of
from .reports import tell

MAX_BATCH_ITEMS = 1_000
_LAST_WORD_SECONDS = 10.0


class FolderBatches:
    """The batches of one journal. A batch is recorded immediately before its request, and not when it is planned."""

    def __init__(self, client: Client, options: argparse.Namespace, journal: FolderJournal) -> None:
        self._client = client
        self._options = options
        self._journal = journal

    def of(self, files: Mapping[str, Input]) -> List[SentBatch]:
        """The batches that contain these images, including new ones for images that are not in a batch yet."""
        sent = {name for batch in self._journal.batches for name in batch.files}
        left = [
            name
            for name, file in files.items()
            if name not in sent and self._journal.image(file).source_url is not None
        ]
        batches = [batch for batch in self._journal.batches if any(name in files for name in batch.files)]
        for first in range(0, len(left), MAX_BATCH_ITEMS):
            names = left[first : first + MAX_BATCH_ITEMS]
            urls = [str(self._journal.image(files[name]).source_url) for name in names]
            key = key_of(self._journal.run, "batch", *urls)
            batches.append(SentBatch(key, files=names, urls=urls, terms=terms_of(self._options)))
        return batches

    def begin(self, batch: SentBatch) -> None:
        """Creates a batch, or retries the failed items of an earlier run."""
        if batch.id is None:
            self._create(batch)
        elif batch.has_ended:
            self._retry(batch)

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
        background = Background(self._client, self._options, key_of(self._journal.run, "background"))
        background.url = self._journal.background
        request = request_of(self._options, output_of(self._options, background.get()))
        if background.url != self._journal.background:
            self._journal.note(background=background.url)
        given: Dict[str, Any] = {"idempotency_key": batch.key, "timeout": self._options.timeout}
        self._journal.note_sent(batch)
        known = find_created_batch(self._client, batch)
        try:
            batch_id = known or self._client.batches.create(batch.urls, **request, **batch.terms, **given).id
        except ImageEnhancementError as error:
            if is_verdict(error):
                # There is no such batch. The next run plans one for these images anew.
                self._journal.note_batch(batch.key, files=[])
            raise
        self._journal.note_batch(batch.key, id=batch_id)

    def _retry(self, batch: SentBatch) -> None:
        # Counted only afterward: if the request is sent again after a crash, the key returns the same jobs.
        key = key_of(batch.key, "retry", str(batch.retry_count))
        try:
            self._client.batches.retry(str(batch.id), include_canceled=True, idempotency_key=key)
        except ConflictError as error:
            if error.code != "nothing_to_retry":
                raise
        self._journal.note_batch(batch.key, has_ended=False, retry_count=batch.retry_count + 1)

    def _cancel(self, batch: SentBatch) -> None:
        if batch.id is None:
            # It is unknown whether the batch was created. Sending it again with its key resolves this.
            self._create(batch)
        try:
            self._client.batches.cancel(str(batch.id))
        except (ConflictError, GoneError, NotFoundError):
            pass


def key_of(*parts: str) -> str:
    """The idempotency key of a request. A later run sends the same."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
