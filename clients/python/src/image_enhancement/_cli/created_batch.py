"""Finds a batch that cannot be found by its idempotency key."""

from __future__ import annotations

import time
from typing import Optional
from urllib.parse import urlsplit

from ..client import Client
from .folder_journal import FolderJournal, SentBatch

_KEY_LIFETIME_SECONDS = 23 * 3600.0
"""For which the service knows an idempotency key, less an hour."""
_CLOCK_TOLERANCE_SECONDS = 600.0
"""How far the clocks of this machine and of the service may be apart."""


def is_key_forgotten(batch: SentBatch) -> bool:
    """Whether the service may no longer know the idempotency key of a batch."""
    return time.time() - batch.sent_at >= _KEY_LIFETIME_SECONDS


def find_created_batch(client: Client, journal: FolderJournal, batch: SentBatch) -> Optional[str]:
    """The id of a batch whose key the service no longer knows, or knows for a different request, for example
    one of an earlier version. None when it was never created, or its jobs were deleted.
    """
    # An earlier batch of this journal may have had the same images.
    known = {each.id for each in journal.batches}
    for each in client.batches.list(limit=100):
        if each.created_at.timestamp() < batch.sent_at - _CLOCK_TOLERANCE_SECONDS:
            return None
        if each.counts.total != len(batch.urls) or each.id in known:
            continue
        # The first jobs may have been deleted.
        for job in client.batches.items(each.id, limit=1).page().data:
            if urlsplit(job.source_url).path == urlsplit(batch.urls[job.batch_index or 0]).path:
                return each.id
    return None
