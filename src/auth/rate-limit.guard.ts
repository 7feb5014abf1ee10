import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from '../common/request-context.js';
import { AppError } from '../kernel/app-error.js';
import { RateLimitRepository } from './rate-limit.repository.js';

/**
 * Takes one request out of the key's minute and stores the decision on the request, for whoever writes
 * the answer. Runs before the scope guard, so that refusals for scope carry the headers too.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly rateLimits: RateLimitRepository) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { principal } = request;
    if (principal === undefined) return true;
    const decision = await this.rateLimits.take(principal.keyId, principal.limits.rpm);
    request.rateLimit = decision;
    if (decision.allowed) return true;
    throw new AppError('rate_limited', {
      detail: `This key may send ${decision.limit} requests a minute. Wait ${decision.retryAfterSeconds} s.`,
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }
}
