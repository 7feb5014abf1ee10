"""Finds a batch whose idempotency key the service may no longer know."""

from __future__ import annotations

import time
from typing import Optional
from urllib.parse import urlsplit

from ..client import Client
from .folder_journal import SentBatch

_KEY_LIFETIME_SECONDS = 23 * 3600.0
"""For which the service knows an idempotency key, less an hour."""
_CLOCK_TOLERANCE_SECONDS = 600.0
"""How far the clocks of this machine and of the service may be apart."""


def is_key_forgotten(batch: SentBatch) -> bool:
    """Whether the service may no longer know the idempotency key of a batch."""
    return time.time() - batch.sent_at >= _KEY_LIFETIME_SECONDS


def find_created_batch(client: Client, batch: SentBatch) -> Optional[str]:
    """The id of a batch that was sent long ago; None when it was sent recently, or never created."""
    if not is_key_forgotten(batch):
        return None
    wanted = urlsplit(batch.urls[0]).path
    for each in client.batches.list(limit=100):
        if each.created_at.timestamp() < batch.sent_at - _CLOCK_TOLERANCE_SECONDS:
            return None
        if each.counts.total != len(batch.urls):
            continue
        first = client.batches.items(each.id, limit=1).page().data
        if first and urlsplit(first[0].source_url).path == wanted:
            return each.id
    return None
