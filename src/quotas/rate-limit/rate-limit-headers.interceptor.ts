import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { rateLimitHeaders } from '../../kernel/rate-limit.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';

/**
 * Writes the rate-limit headers of every answer that a handler gives. Guards run before interceptors, so
 * refusals by guards never come here: the problem filter writes the same headers for them.
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
