import { afterEach, describe, expect, it, vi } from 'vitest';
import { ServerWaits } from './server-waits.js';

const HOUR_MS = 3_600_000;

describe('ServerWaits', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('are too long once a server has refused a job for the longest outage', () => {
    const waits = new ServerWaits({ tritonMaxOutageMs: HOUR_MS });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    expect(waits.isTooLong('job_1')).toBe(false);
    for (let ms = 60_000; ms < HOUR_MS; ms += 60_000) {
      clock.mockReturnValue(1_000 + ms);
      expect(waits.isTooLong('job_1')).toBe(false);
    }
    clock.mockReturnValue(1_000 + HOUR_MS - 1);
    expect(waits.isTooLong('job_1')).toBe(false);
    expect(waits.isTooLong('job_2')).toBe(false);
    clock.mockReturnValue(1_000 + HOUR_MS);
    expect(waits.isTooLong('job_1')).toBe(true);
    expect(waits.isTooLong('job_2')).toBe(false);
  });

  it('begin anew for a job that was not refused for five minutes', () => {
    const waits = new ServerWaits({ tritonMaxOutageMs: 1_000 });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    expect(waits.isTooLong('job_1')).toBe(false);
    clock.mockReturnValue(12_000);
    expect(waits.isTooLong('job_1')).toBe(true);
    clock.mockReturnValue(12_001 + 300_000);
    expect(waits.isTooLong('job_1')).toBe(false);
  });
});
