import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import { accessOf } from '../../common/access/scope.guard.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import { requirePermission } from '../../kernel/accounts/required-role.js';
import type { Permission } from '../../kernel/accounts/roles.js';
import { SCOPES } from '../../kernel/scopes.js';
import { isSameOrigin } from './same-origin.js';
import type { Session } from './session.js';
import { readSessionCookie } from './session-cookie.js';
import { isCsrfTokenOf } from './csrf-token.js';
import { SessionsRepository } from './sessions.repository.js';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Admits sessions to dashboard routes, and never API keys, so that a leaked key cannot create keys. Ignores
 * public routes.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = accessOf(this.reflector, context);
    if (access.kind !== 'session') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.headers['x-api-key'] !== undefined) {
      throw new AppError('not_signed_in', {
        detail: 'The dashboard does not accept API keys. Remove the x-api-key header and sign in.',
      });
    }
    const changes = !SAFE_METHODS.has(request.method);
    if (changes && !isSameOrigin(request.headers, this.config.publicUrl)) throw new AppError('csrf_refused');
    if (access.need === 'none') return true;
    const session = await this.sessionOf(request);
    if (session === undefined) {
      if (access.need === 'optional') return true;
      throw new AppError('not_signed_in');
    }
    const csrf = request.headers['x-csrf-token'];
    if (changes && (typeof csrf !== 'string' || !isCsrfTokenOf(session, csrf)))
      throw new AppError('csrf_refused');
    // Signing out, and what the operator console does, are the operator's own.
    if (changes && access.need === 'required' && session.impersonation !== null)
      throw new AppError('read_only_session');
    if (access.permission !== undefined) {
      requirePermission(session.role, access.permission);
      requireOperator(session, access.permission);
    }
    // Deleting is allowed, since it removes earlier keys and photos, and so is downloading the data of the account.
    const isDeletion = request.method === 'DELETE' || (access.permission?.startsWith('account:') ?? false);
    if (changes && access.permission !== undefined && !isDeletion) this.requireVerifiedEmail(session);
    if (access.need === 'operator') {
      if (!session.user.operator) throw notForCustomers();
      request.isOperatorRoute = true;
    }
    return signIn(request, session);
  }

  /** @throws AppError `email_not_verified` */
  private requireVerifiedEmail({ user }: Session): void {
    if (this.config.requireVerifiedEmail === 'off' || user.isEmailVerified) return;
    throw new AppError('email_not_verified');
  }

  private async sessionOf(request: FastifyRequest): Promise<Session | undefined> {
    const token = readSessionCookie(request, this.config);
    const admitted = token === undefined ? undefined : await this.sessions.admit(token);
    if (admitted?.decision.allowed === false) {
      throw new AppError('too_many_attempts', {
        detail: 'This account has reached its limit of dashboard requests per minute. Nothing was changed.',
        retryAfterSeconds: admitted.decision.retryAfterSeconds,
      });
    }
    return admitted?.session;
  }
}

/**
 * The role permits it, but in an operator's account only to operators.
 * @throws AppError `insufficient_role`
 */
function requireOperator({ permissions, impersonation, role }: Session, permission: Permission): void {
  if (impersonation !== null || permissions.includes(permission)) return;
  throw new AppError('insufficient_role', {
    detail: `In an operator's account, the permission ${permission} requires the operator role, because webhooks of such an account can report on all customers. Nothing was changed.`,
    extensions: { requiredPermission: permission, role },
  });
}

/** The same error as for an unknown route, so customers cannot detect the operator console. */
const notForCustomers = (): AppError =>
  new AppError('not_found', { detail: 'This route does not exist. See /docs for all routes.' });

/** The role was checked before, so the principal has all scopes. */
function signIn(request: FastifyRequest, session: Session): true {
  const { id: accountId, plan, limits } = session.account;
  request.session = session;
  request.principal = { keyId: null, accountId, scopes: SCOPES, plan, limits };
  return true;
}
