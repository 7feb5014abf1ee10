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
  }
}

export type { FastifyReply, FastifyRequest } from 'fastify';
