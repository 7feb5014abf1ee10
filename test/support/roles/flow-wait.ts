import { inspect } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 20;
/** Short enough to see a state that soon passes. */
const LONGEST_PAUSE_MS = 100;
const PAUSE_GROWTH = 1.3;
/** Far more than anything here takes on an idle machine: a flow may be slow, it may not be wrong. */
const PATIENCE_MS = 200_000;

export interface Look<T> {
  /** What was waited for; `undefined` as long as it is not there. */
  readonly found?: T | undefined;
  /** What is there instead, for the text of the failure. */
  readonly seen?: unknown;
}

/** How to wait. */
export interface Wait {
  /** The longest time between two looks; longer for a state that stays, because each look costs some 7 ms of CPU. */
  readonly longestPauseMs?: number;
}

/**
 * Looks again and again until what is waited for is there, ever more rarely.
 * @param what ends the sentence "waited … for"
 * @throws Error that says what was seen last
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<Look<T>> | Look<T>,
  { longestPauseMs = LONGEST_PAUSE_MS }: Wait = {},
): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * PAUSE_GROWTH, longestPauseMs)) {
    const { found, seen } = await look();
    if (found !== undefined) return found;
    if (performance.now() > endMs) {
      throw new Error(
        `waited ${PATIENCE_MS / 1000} s for ${what}; last seen: ${inspect(seen, { depth: 4, breakLength: 120 })}`,
      );
    }
    await sleep(pauseMs);
  }
}
