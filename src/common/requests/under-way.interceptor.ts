import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { FastifyRequest } from './request-context.js';

/** Marks requests that the guards have let in, so that a failure tells honestly whether something may have been done. */
@Injectable()
export class UnderWayInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.switchToHttp().getRequest<FastifyRequest>().isUnderWay = true;
    return next.handle();
  }
}
