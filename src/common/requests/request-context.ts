import type { Principal } from '../../kernel/principal.js';
import type { RateLimitDecision } from '../../kernel/rate-limit.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the key guard. */
    principal?: Principal;
    /**
     * Set by the key guard, which counts the request. Written to the response by the interceptor (success) or the
     * problem filter (error).
     */
    rateLimit?: RateLimitDecision;
    /** Set once the guards have passed. From then on, the request may change something. */
    isHandlerStarted?: boolean;
    /** Set where the client decides how long the request takes: it waits for a job or for events, or sends a file. */
    isHeld?: boolean;
    /** Milliseconds of `performance.now()` at which a stream was sent. The client determines how long reading takes. */
    streamedAtMs?: number;
  }
}

export type { FastifyReply, FastifyRequest } from 'fastify';
