import { inspect } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 40;
/** Far more than anything here takes on an idle machine: a flow may be slow, it may not be wrong. */
const PATIENCE_MS = 90_000;

export interface Look<T> {
  /** What was waited for; `undefined` as long as it is not there. */
  readonly found?: T | undefined;
  /** What is there instead, for the text of the failure. */
  readonly seen?: unknown;
}

/**
 * Looks again and again until what is waited for is there.
 * @param what ends the sentence "waited … for"
 * @throws Error that says what was seen last
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<Look<T>> | Look<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const { found, seen } = await look();
    if (found !== undefined) return found;
    if (performance.now() > endMs) {
      throw new Error(
        `waited ${patienceMs / 1000} s for ${what}; last seen: ${inspect(seen, { depth: 4, breakLength: 120 })}`,
      );
    }
    await sleep(PAUSE_MS);
  }
}
