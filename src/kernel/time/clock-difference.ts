/** Authenticator apps tolerate 30 s, receivers of webhooks five minutes. */
const CLOCK_TOLERANCE_MS = 20_000;

/** What to do about a difference of the clocks. */
export const CLOCK_ADVICE =
  'Synchronize both with NTP: receivers refuse webhooks with a wrong time, and codes of authenticator apps fail.';

/**
 * Describes a difference that does harm; undefined for clocks that agree.
 * @param offsetMs how far the clock of this machine is ahead of that of the database
 */
export function clockDifference(offsetMs: number): string | undefined {
  if (Math.abs(offsetMs) < CLOCK_TOLERANCE_MS) return undefined;
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  const side = offsetMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this machine is ${seconds} s ${side} that of the database`;
}
