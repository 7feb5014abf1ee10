import type { StoredKey } from './api-keys.repository.js';
import type { KeyDto, KeyStatus } from './key.dto.js';

/** A stored key as shown to its owner. */
export function presentKey(key: StoredKey): KeyDto {
  const { id, name, livemode, prefix, last4, scopes } = key;
  return {
    id,
    name,
    livemode,
    prefix,
    last4,
    scopes,
    status: statusOf(key),
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    replacedById: key.replacedBy,
    allowedIps: key.allowedIps,
  };
}

function statusOf({ revokedAt, expiresAt, replacedBy }: StoredKey): KeyStatus {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) return 'expired';
  return replacedBy === null ? 'active' : 'replaced';
}
