import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { FastifyRequest } from './request-context.js';

/** Marks requests that passed the guards, so that a failure can say whether something may have changed. */
@Injectable()
export class HandlerStartedInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.switchToHttp().getRequest<FastifyRequest>().isHandlerStarted = true;
    return next.handle();
  }
}
