import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { rateLimitHeaders } from '../../kernel/rate-limit.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';

/**
 * Sets the rate-limit headers of every response from a handler. Guards run before interceptors, so their refusals do
 * not pass here; the problem filter sets the same headers for those.
 */
@Injectable()
export class RateLimitHeadersInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const decision = http.getRequest<FastifyRequest>().rateLimit;
    if (decision !== undefined) http.getResponse<FastifyReply>().headers(rateLimitHeaders(decision));
    return next.handle();
  }
}
