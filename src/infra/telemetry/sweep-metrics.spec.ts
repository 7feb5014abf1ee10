import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { Metrics } from './metrics.js';
import { SKIPPED, SweepMetrics } from './sweep-metrics.js';

const { signal } = new AbortController();

describe('SweepMetrics', () => {
  let metrics: Metrics;
  let work: () => Promise<unknown>;
  let round: (signal: AbortSignal) => Promise<void>;
  beforeEach(() => {
    metrics = new Metrics('dispatcher');
    round = new SweepMetrics(metrics).measured('jobs', () => work());
  });

  const lastSuccess = async (): Promise<number> => {
    const line = /^ies_sweep_last_success_timestamp_seconds\{.*sweep="jobs".*\} (\S+)$/m;
    return Number(line.exec(await metrics.text())?.[1]);
  };

  it('counts rounds by their outcome, and keeps the time of the last success', async () => {
    work = async () => undefined;
    await round(signal);
    const succeeded = await lastSuccess();
    work = () => Promise.reject(new Error('away'));
    await expect(round(signal)).rejects.toThrow('away');
    const text = await metrics.text();
    expect(text).toMatch(/^ies_sweep_runs_total\{sweep="jobs",end="done",role="dispatcher"\} 1$/m);
    expect(text).toMatch(/^ies_sweep_runs_total\{sweep="jobs",end="failed",role="dispatcher"\} 1$/m);
    expect(text).toMatch(/^ies_sweep_seconds_count\{role="dispatcher",sweep="jobs"\} 2$/m);
    expect(await lastSuccess()).toBe(succeeded);
  });

  it('does not count rounds that did nothing', async () => {
    const started = await lastSuccess();
    await sleep(5);
    work = async () => SKIPPED;
    await round(signal);
    expect(await lastSuccess()).toBe(started);
    expect(await metrics.text()).not.toContain('ies_sweep_runs_total{');
  });

  it('reports the time of the start until a round succeeds', async () => {
    const started = await lastSuccess();
    expect(started).toBeGreaterThan(Date.now() / 1_000 - 60);
    work = () => Promise.reject(new Error('away'));
    await expect(round(signal)).rejects.toThrow('away');
    expect(await lastSuccess()).toBe(started);
    await sleep(5);
    work = async () => undefined;
    await round(signal);
    expect(await lastSuccess()).toBeGreaterThan(started);
  });
});
