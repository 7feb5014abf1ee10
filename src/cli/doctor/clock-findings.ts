import { type Finding, missing } from './finding.js';

/** Authenticator apps tolerate 30 s, receivers of webhooks five minutes. */
const CLOCK_TOLERANCE_MS = 20_000;

/**
 * No finding for clocks that agree.
 * @param clockAheadMs how far the clock of this machine is ahead of that of the database
 */
export function clockFindings(clockAheadMs: number): readonly Finding[] {
  if (Math.abs(clockAheadMs) < CLOCK_TOLERANCE_MS) return [];
  const seconds = Math.round(Math.abs(clockAheadMs) / 1_000);
  const side = clockAheadMs > 0 ? 'ahead of' : 'behind';
  return [
    missing(
      'clock',
      `the clock of this machine is ${seconds} s ${side} that of the database`,
      'Synchronize both with NTP: receivers refuse webhooks with a wrong time, and codes of authenticator apps fail.',
    ),
  ];
}
