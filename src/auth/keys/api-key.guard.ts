import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { accessOf } from '../../common/access/scope.guard.js';
import { isAddressIn } from '../../infra/net/ip-allow-list.js';
import { AppError } from '../../kernel/app-error.js';
import { accountSuspended } from '../account-suspended.js';
import { hashApiKey, isWellFormedApiKey } from './api-key.js';
import { AuthFailureLimiter } from '../auth-failure.limiter.js';
import { KeyLookup } from './key-lookup.js';

/** Admits requests with a valid `x-api-key` header. Bearer tokens are not accepted. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly keys: KeyLookup,
    private readonly failures: AuthFailureLimiter,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context);
    if (access.kind === 'public' || access.kind === 'session') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const header = request.headers['x-api-key'];
    if (header === undefined && access.kind === 'optional-key') return true;
    const isKey = typeof header === 'string' && isWellFormedApiKey(header);
    const authentication = isKey ? await this.keys.authenticate(hashApiKey(header), request.ip) : undefined;
    if (authentication === undefined) {
      await this.failures.count(request.ip);
      throw new AppError('unauthorized', { detail: refusalOf(request) });
    }
    const { principal, rateLimit, allowedIps, suspendedReason } = authentication;
    const isAllowed = allowedIps === null || isAddressIn(request.ip, allowedIps);
    if (!isAllowed) await this.failures.count(request.ip);
    request.principal = principal;
    request.rateLimit = rateLimit;
    if (!isAllowed) {
      throw new AppError('address_not_allowed', {
        detail: `This API key can't be used from ${request.ip}. Its owner can change the allowed addresses in the dashboard.`,
      });
    }
    if (suspendedReason !== null) throw accountSuspended(suspendedReason);
    return true;
  }
}

function refusalOf(request: FastifyRequest): string {
  const header = request.headers['x-api-key'];
  if (header === undefined && request.headers.authorization !== undefined) {
    return 'The x-api-key header is missing. Send the API key in x-api-key, not in Authorization.';
  }
  if (header === undefined) return 'The x-api-key header is missing.';
  if (typeof header !== 'string' || !isWellFormedApiKey(header)) {
    return "The x-api-key header doesn't contain a valid API key. Check it for typos or missing characters.";
  }
  return 'The API key is unknown, revoked or expired.';
}
