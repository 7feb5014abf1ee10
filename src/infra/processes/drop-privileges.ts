import { readFileSync } from 'node:fs';

/** Argument of a process that should give up root once it is loaded. */
export const DROP_ROOT = '--drop-root';

/** "nobody" on Linux: owns nothing that matters. */
const NOBODY_ID = 65_534;

/** Bits of the capabilities that changing the user for good takes: CAP_SETGID, CAP_SETUID, CAP_SETPCAP. */
const NEEDED = (1n << 6n) | (1n << 7n) | (1n << 8n);

/**
 * Whether this process is root and may become somebody else. A root whose container took those capabilities from it is
 * treated as any other user.
 */
export function mayDropRoot(): boolean {
  if (process.getuid?.() !== 0) return false;
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(ownStatus())?.[1];
  return effective === undefined || (BigInt(`0x${effective}`) & NEEDED) === NEEDED;
}

/** Empty where there is no /proc. */
function ownStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1');
  } catch {
    return '';
  }
}

/**
 * Gives up root for good: the process then owns no file and may trace no other. In the process itself, after
 * it has loaded its code, because that code may lie where only root can read. Does nothing for any other
 * user.
 * @throws Error when this root lacks the right to change its user
 */
export function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups!([]);
  process.setgid!(NOBODY_ID);
  process.setuid!(NOBODY_ID);
}
