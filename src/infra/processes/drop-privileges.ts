import { readFileSync } from 'node:fs';

/** Argument of a process that should drop root privileges once it is loaded. */
export const DROP_ROOT = '--drop-root';

/** The user "nobody" on Linux, which owns nothing important. */
const NOBODY_ID = 65_534;

/** Bits of the capabilities for permanently changing the user: CAP_SETGID, CAP_SETUID, CAP_SETPCAP. */
const NEEDED = (1n << 6n) | (1n << 7n) | (1n << 8n);

/**
 * Whether this process is root and may change its user. A root whose container removed those capabilities is treated as
 * an ordinary user.
 */
export function mayDropRoot(): boolean {
  if (process.getuid?.() !== 0) return false;
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(ownStatus())?.[1];
  return effective === undefined || (BigInt(`0x${effective}`) & NEEDED) === NEEDED;
}

/** Empty without /proc. */
function ownStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1');
  } catch {
    return '';
  }
}

/**
 * Permanently drops root privileges: the process then owns no file and may trace no other process. Called in the
 * process itself after it has loaded its code, which may be readable only by root. Does nothing for other users.
 * @throws Error when this root lacks the right to change its user
 */
export function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups!([]);
  process.setgid!(NOBODY_ID);
  process.setuid!(NOBODY_ID);
}
