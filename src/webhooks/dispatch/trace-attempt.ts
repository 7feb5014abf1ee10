import type { Tracing } from '../../infra/telemetry/tracing/tracing.js';
import { inContext } from '../../infra/telemetry/tracing/work-context.js';
import type { ClaimedRow, FinishedAttempt } from './claimed-delivery.js';

/** Traces an attempt as a span of its event's trace. Covers only the request: results are stored in batches. */
export function traceAttempt(
  tracing: Tracing,
  { id, step, event, destination, traceparent }: ClaimedRow,
  send: () => Promise<FinishedAttempt>,
): Promise<FinishedAttempt> {
  const attributes = {
    'http.request.method': 'POST',
    'ies.delivery': id,
    'ies.endpoint': destination.endpointId,
    'ies.event.type': event.type,
    'ies.attempt': step + 1,
  };
  return inContext({ deliveryId: id }, () =>
    tracing.span('webhook attempt', { kind: 'client', parent: traceparent, attributes }, async (span) => {
      const attempt = await send();
      const { answer, error } = attempt.outcome;
      span.set({ 'http.response.status_code': answer?.status });
      if (answer === null) span.fail(new Error(error));
      else if (answer.status >= 300) span.fail(new Error(`status ${answer.status}`));
      return attempt;
    }),
  );
}
