import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../kernel/app-error.js';

/**
 * Refuses requests without a `Host` header, or with several (RFC 9112 §3.2). Node.js would refuse those without one by
 * itself, with an empty body. Add this after the hooks that set headers.
 */
export function requireOneHost(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw }, _reply, done) => {
    const count = hostsOf(raw);
    if (count === 1 || (count === 0 && raw.httpVersion === '1.0')) done();
    else done(new AppError('invalid_request', { detail: DETAILS[count === 0 ? 'none' : 'several'] }));
  });
}

const DETAILS = {
  none: 'The Host header is missing.',
  several: 'The request has more than one Host header.',
};

/** Names and values alternate. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
}
