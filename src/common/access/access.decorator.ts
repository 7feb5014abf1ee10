import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Permission } from '../../kernel/accounts/roles.js';
import type { Scope } from '../../kernel/scopes.js';

/** Who may call a route. A route without any of these decorators is refused: closed by default. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'optional-key' }
  | { readonly kind: 'key'; readonly anyOf: readonly Scope[] }
  | { readonly kind: 'session'; readonly need: SessionNeed; readonly permission?: Permission };

/** How a dashboard route treats a session. `operator`: requires a session of an account with the operator role. */
export type SessionNeed = 'required' | 'optional' | 'none' | 'operator';

export const ACCESS_METADATA = 'ies:access';

/** Public. Keys are ignored. */
export const Public = (): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS_METADATA, { kind: 'public' } satisfies Access);

/** Public, but a key that is sent must be valid and counts against its rate limit. */
export const OptionalKey = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(ACCESS_METADATA, { kind: 'optional-key' } satisfies Access),
    ApiSecurity('apiKey'),
    ApiSecurity({}),
  );

/** Requires a valid key with at least one of these scopes (none: any valid key). Also written to OpenAPI. */
export const AnyScope = (...anyOf: readonly Scope[]): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(ACCESS_METADATA, { kind: 'key', anyOf } satisfies Access),
    ...alternatives(anyOf),
    ApiExtension('x-any-scope', [...anyOf]),
  );

/** One security requirement for each scope: any of them is enough. */
const alternatives = (anyOf: readonly Scope[]): MethodDecorator[] =>
  anyOf.length === 0 ? [ApiSecurity('apiKey')] : anyOf.map((scope) => ApiSecurity('apiKey', [scope]));

/** A dashboard route about the user: applies `need` to the session, whatever the role, and refuses API keys. */
export const SignedIn = (need: SessionNeed): MethodDecorator & ClassDecorator =>
  SetMetadata(ACCESS_METADATA, { kind: 'session', need } satisfies Access);

/** A dashboard route about the current organization: requires a session whose role has this permission. */
export const RequiresPermission = (permission: Permission): MethodDecorator =>
  SetMetadata(ACCESS_METADATA, { kind: 'session', need: 'required', permission } satisfies Access);

/** A route of the operator console: requires a session of an account with the operator role. */
export const OperatorOnly = (): MethodDecorator & ClassDecorator => SignedIn('operator');
