import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../../kernel/app-error.js';
import type { Principal } from '../../kernel/principal.js';
import type { Scope } from '../../kernel/scopes.js';
import { type Access, ACCESS_METADATA } from './access.decorator.js';
import type { FastifyRequest } from '../requests/request-context.js';

/** Refuses a key that lacks all scopes of the route. Runs after the key and rate-limit guards. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const access = accessOf(this.reflector, context);
    const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
    if (access.kind !== 'key' || access.anyOf.length === 0) return true;
    if (hasAnyScope(principal, access.anyOf)) return true;
    throw insufficientScope(principal, access.anyOf);
  }
}

export function hasAnyScope(principal: Principal | undefined, anyOf: readonly Scope[]): boolean {
  return anyOf.some((scope) => principal?.scopes.includes(scope));
}

/** The 403 that lists the required scopes and those of the key. */
export function insufficientScope(principal: Principal | undefined, anyOf: readonly Scope[]): AppError {
  return new AppError('insufficient_scope', {
    detail: `This operation requires one of these scopes: ${anyOf.join(', ')}. The key has: ${principal?.scopes.join(', ') || 'none'}.`,
    extensions: { requiredScopes: anyOf, keyScopes: principal?.scopes ?? [] },
  });
}

/**
 * The access that a route declares.
 * @throws Error for a route without a declaration
 */
export function accessOf(reflector: Reflector, context: ExecutionContext): Access {
  const access = reflector.getAllAndOverride<Access | undefined>(ACCESS_METADATA, [
    context.getHandler(),
    context.getClass(),
  ]);
  if (access === undefined) {
    throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access`);
  }
  return access;
}
