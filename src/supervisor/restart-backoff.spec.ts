import { describe, expect, it } from 'vitest';
import { RestartBackoff } from './restart-backoff.js';

describe('RestartBackoff', () => {
  it('doubles up to ten seconds', () => {
    const pause = new RestartBackoff();
    expect(Array.from({ length: 8 }, () => pause.after(0))).toEqual([
      250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
  });

  it('resets after the process has run for a minute', () => {
    const pause = new RestartBackoff();
    pause.after(0);
    pause.after(59_999);
    expect(pause.after(60_000)).toBe(250);
    expect(pause.after(1)).toBe(500);
  });
});
