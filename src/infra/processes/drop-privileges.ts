/** Argument of a process that should give up root once it is loaded. */
export const DROP_ROOT = '--drop-root';

/** "nobody" on Linux: owns nothing that matters. */
const NOBODY_ID = 65_534;

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
