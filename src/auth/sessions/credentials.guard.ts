import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { AttemptLimiter } from './attempt.limiter.js';

/** Counts requests with credentials before their body is validated. For public routes. */
@Injectable()
export class CredentialsGuard implements CanActivate {
  constructor(private readonly attempts: AttemptLimiter) {}

  /** @throws AppError `too_many_attempts` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.attempts.countRequest(context.switchToHttp().getRequest<FastifyRequest>().ip);
    return true;
  }
}
