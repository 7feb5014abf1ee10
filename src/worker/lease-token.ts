import { randomUUID } from 'node:crypto';

/** Identifies this process. Random, because process ids are reused. */
export const LEASE_OWNER = randomUUID();

/**
 * A new lease token. It starts with `LEASE_OWNER`, so that the supervisor can release the leases of a dead
 * process.
 */
export function newLeaseToken(): string {
  return `${LEASE_OWNER}.${randomUUID()}`;
}
