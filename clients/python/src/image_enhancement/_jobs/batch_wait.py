"""Waits for a batch: polls with growing pauses, and tolerates broken connections."""

from __future__ import annotations

from typing import Callable, Optional, Tuple

from .._http.request import Request
from .._http.transport import Transport
from .._limits.deadline import within
from .._models.generated import Batch
from ..errors import ImageEnhancementError
from .patience import Patience, WaitOver

BatchProgress = Callable[[Batch], None]

DEFAULT_TIMEOUT_SECONDS = 86_400.0


def wait_for_batch(
    transport: Transport,
    path: str,
    timeout_seconds: Optional[float] = None,
    on_progress: Optional[BatchProgress] = None,
) -> Batch:
    """Waits until every item of the batch at ``path`` has ended. Raises WaitTimeoutError, ApiError and others."""
    limit = DEFAULT_TIMEOUT_SECONDS if timeout_seconds is None else timeout_seconds
    patience = Patience(limit, lambda: _over(path, limit))
    told: Optional[Tuple[object, ...]] = None
    with within(limit):
        while True:
            try:
                batch = transport.read(Request("GET", path), Batch.from_json, max_retries=0)
                patience.heard()
                if on_progress is not None and told != (batch.status, batch.counts):
                    told = (batch.status, batch.counts)
                    on_progress(batch)
                if batch.has_ended:
                    return batch
            except WaitOver:
                raise
            except ImageEnhancementError as error:
                patience.consider(error)
            patience.rest()


def _over(path: str, limit: float) -> WaitOver:
    batch_id = path.rpartition("/")[2]
    return WaitOver(
        f"The batch {batch_id} had not ended after {limit:g} s. It goes on: batches.wait(id) waits for it again."
    )
