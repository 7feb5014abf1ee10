import { randomUUID } from 'node:crypto';

/** Of this process; made anew at each start, since the numbers of processes come again. */
export const LEASE_OWNER = randomUUID();

/**
 * A new lease token. It begins with `LEASE_OWNER`, so that whoever saw the process die can give back its leases and no
 * others.
 */
export function newLeaseToken(): string {
  return `${LEASE_OWNER}.${randomUUID()}`;
}
