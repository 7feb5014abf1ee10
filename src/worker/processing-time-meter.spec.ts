import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JobMetrics } from '../infra/telemetry/job-metrics.js';
import { Metrics } from '../infra/telemetry/metrics.js';
import type { QueueWorkRepository, WorkDone } from '../jobs/queue/queue-work.repository.js';
import { ProcessingTimeMeter } from './processing-time-meter.js';

const job = (operation: string, pixels = 100) => ({ operation, level: 'low', pixels });

describe('ProcessingTimeMeter', () => {
  let reports: WorkDone[][];
  let isAway: boolean;
  let meter: ProcessingTimeMeter;

  beforeEach(() => {
    vi.useFakeTimers();
    reports = [];
    isAway = false;
    const repository: Pick<QueueWorkRepository, 'report'> = {
      report: async (work) => {
        if (isAway) throw new Error('the database is away');
        reports.push([...work]);
      },
    };
    meter = new ProcessingTimeMeter(repository as QueueWorkRepository, new JobMetrics(new Metrics('test')));
  });
  afterEach(() => vi.useRealTimers());

  it('shares the time among jobs that run side by side, so that it adds up', async () => {
    const a = meter.begin(job('a'));
    vi.advanceTimersByTime(1_000);
    const b = meter.begin(job('b'));
    vi.advanceTimersByTime(2_000);
    a('completed');
    vi.advanceTimersByTime(500);
    b('completed');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reports).toEqual([
      [
        { ...job('a'), seconds: expect.closeTo(2) },
        { ...job('b'), seconds: expect.closeTo(1.5) },
      ],
    ]);
  });

  it('adds up what is alike, and leaves out what did not complete', async () => {
    for (const end of ['completed', 'failed', 'completed', 'stopped'] as const) {
      const done = meter.begin(job('a'));
      vi.advanceTimersByTime(1_000);
      done(end);
    }
    await meter.onApplicationShutdown();
    expect(reports).toEqual([[{ ...job('a', 200), seconds: expect.closeTo(2) }]]);
  });

  it('survives a report that nobody takes', async () => {
    isAway = true;
    meter.begin(job('a'))('completed');
    await vi.advanceTimersByTimeAsync(5_000);
    isAway = false;
    meter.begin(job('b'))('completed');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reports.map((work) => work.map(({ operation }) => operation))).toEqual([['b']]);
  });
});
