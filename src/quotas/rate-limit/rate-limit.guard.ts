import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { AppError } from '../../kernel/app-error.js';
import { secondsText } from '../../kernel/time/seconds-text.js';

/**
 * Refuses requests that the key guard found to exceed the key's limit. The decision stays on the request for the
 * response headers. Runs before the scope guard, so that its refusals carry the headers, too.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const decision = context.switchToHttp().getRequest<FastifyRequest>().rateLimit;
    if (decision === undefined || decision.allowed) return true;
    throw new AppError('rate_limited', {
      detail: `This API key is limited to ${decision.limit} requests per minute. Retry in ${secondsText(decision.retryAfterSeconds)}.`,
      retryAfterSeconds: decision.retryAfterSeconds,
    });
  }
}
