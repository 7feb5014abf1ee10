import type { AttemptEntity } from './attempt.entity.js';
import type { AttemptDto, DeliveryDto } from './delivery.dto.js';
import type { DeliveryEntity } from './delivery.entity.js';

/** What clients see of a delivery. */
export function presentDelivery(delivery: DeliveryEntity, attempts: readonly AttemptEntity[]): DeliveryDto {
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    endpointId: delivery.endpointId,
    url: delivery.url,
    status: delivery.status,
    attemptCount: delivery.attemptCount,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
    attempts: attempts.map(presentAttempt),
  };
}

function presentAttempt(attempt: AttemptEntity): AttemptDto {
  return {
    number: attempt.number,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    responseStatus: attempt.responseStatus,
    responseBody: attempt.responseBody,
    error: attempt.error,
  };
}
