import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.js';
import { SweepMetrics } from './sweep-metrics.js';

describe('SweepMetrics', () => {
  it('counts rounds by their outcome, and keeps the time of the last success', async () => {
    const metrics = new Metrics('dispatcher');
    const sweeps = new SweepMetrics(metrics);
    await sweeps.measure('jobs', async () => undefined);
    const succeeded = await metrics.text();
    await expect(sweeps.measure('jobs', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    const text = await metrics.text();
    expect(text).toMatch(/^ies_sweep_runs_total\{sweep="jobs",end="done",role="dispatcher"\} 1$/m);
    expect(text).toMatch(/^ies_sweep_runs_total\{sweep="jobs",end="failed",role="dispatcher"\} 1$/m);
    expect(text).toMatch(/^ies_sweep_seconds_count\{role="dispatcher",sweep="jobs"\} 2$/m);
    const time = /^ies_sweep_last_success_timestamp_seconds\{.*\} (\S+)$/m;
    expect(time.exec(text)![1]).toBe(time.exec(succeeded)![1]);
  });
});
