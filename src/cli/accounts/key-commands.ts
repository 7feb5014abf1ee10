import type { StoredKey } from '../../auth/keys/api-keys.repository.js';
import type { Scope } from '../../kernel/scopes.js';
import type { AdminCommand } from '../administered.js';
import { expiryOf, type ExpiryOptions } from './key-options.js';

interface KeyOptions extends ExpiryOptions {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly allowIp?: readonly string[];
  readonly test?: boolean;
}

/** `key create`. @throws UsageError for more than one expiry */
export function createKey(idOrEmail: string, options: KeyOptions): AdminCommand {
  const expiresAt = expiryOf(options);
  return async ({ accounts }) => {
    const { name, scopes, allowIp, test } = options;
    const settings = { allowedIps: allowIp ?? null, livemode: test !== true };
    const { id, key } = await accounts.createKey(idOrEmail, name, scopes, expiresAt, settings);
    return { id, key };
  };
}

/** `key list` */
export function listKeys(idOrEmail: string, options: { readonly active?: true }): AdminCommand {
  return async ({ accounts }) =>
    (await accounts.listKeys(idOrEmail, { isActive: options.active })).map((key) => keyRow(key));
}

/** `key revoke` */
export function revokeKey(id: string): AdminCommand {
  return async ({ accounts }) => {
    await accounts.revokeKey(id);
    return { id, revoked: true };
  };
}

function keyRow(key: StoredKey): Record<string, unknown> {
  return {
    id: key.id,
    name: key.name,
    mode: key.livemode ? 'live' : 'test',
    key: `${key.prefix}…${key.last4}`,
    scopes: key.scopes,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacedBy: key.replacedBy,
    allowedIps: key.allowedIps ?? 'any',
  };
}
