import type { FastifyReply } from '../common/requests/request-context.js';
import type { IdempotentAnswer } from './idempotency.service.js';

/** The body of an answer; one that was given before says so in a header. */
export function bodyOf<T>({ body, replayed }: IdempotentAnswer<T>, reply: FastifyReply): T {
  if (replayed) reply.header('Idempotent-Replayed', 'true');
  return body;
}
