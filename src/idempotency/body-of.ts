import type { FastifyReply } from '../common/requests/request-context.js';
import type { IdempotentAnswer } from './idempotency.service.js';

/** The response body. A header marks a replayed response. */
export function bodyOf<T>({ body, replayed }: IdempotentAnswer<T>, reply: FastifyReply): T {
  if (replayed) reply.header('Idempotent-Replayed', 'true');
  return body;
}
