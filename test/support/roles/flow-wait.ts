import { inspect } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 20;
/** Short enough to see a short-lived state. */
const MAX_PAUSE_MS = 100;
const PAUSE_GROWTH = 1.3;
/** Far more than anything here needs on an idle machine: a flow may be slow, but not wrong. */
const PATIENCE_MS = 200_000;

export interface Look<T> {
  /** The awaited value; `undefined` until it is there. */
  readonly found?: T | undefined;
  /** The current state, for the error message. */
  readonly seen?: unknown;
}

/** How to wait. */
export interface Wait {
  /** The longest time between two checks; longer for a lasting state, because each check costs some 7 ms of CPU. */
  readonly maxPauseMs?: number;
}

/** For a state that stays until the test goes on. */
export const LASTING: Wait = { maxPauseMs: 500 };

/**
 * Checks repeatedly, with growing pauses, until the awaited value is there.
 * @param what ends the sentence "waited … for"
 * @throws Error that contains the last state seen
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<Look<T>> | Look<T>,
  { maxPauseMs = MAX_PAUSE_MS }: Wait = {},
): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * PAUSE_GROWTH, maxPauseMs)) {
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
