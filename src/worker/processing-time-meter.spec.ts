import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JobMetrics } from '../infra/telemetry/job-metrics.js';
import { Metrics } from '../infra/telemetry/metrics.js';
import type { QueueWorkRepository, WorkDone } from '../jobs/queue/queue-work.repository.js';
import type { JobRun } from './job-run.js';
import { ProcessingTimeMeter } from './processing-time-meter.js';

const job = (operation: string) => ({ operation, level: 'low' as const });
/** A run of these steps: operation, pixels, inference time. */
const runOf = (...steps: readonly (readonly [string, number, number])[]) =>
  ({
    steps: steps.map(([operation, pixels]) => ({ step: { ...job(operation), pixels } })),
    stepMs: steps.map(([, , ms]) => ms),
  }) as unknown as JobRun;
const ran = (operation: string, pixels = 100) => runOf([operation, pixels, 0]);

describe('ProcessingTimeMeter', () => {
  let reports: WorkDone[][];
  let isAway: boolean;
  let meter: ProcessingTimeMeter;
  let metrics: Metrics;

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
    metrics = new Metrics('test');
    meter = new ProcessingTimeMeter(repository as QueueWorkRepository, new JobMetrics(metrics));
  });
  afterEach(() => vi.useRealTimers());

  it('divides the time among concurrent jobs, so that it adds up', async () => {
    const a = meter.begin(job('a'));
    vi.advanceTimersByTime(1_000);
    const b = meter.begin(job('b'));
    vi.advanceTimersByTime(2_000);
    a('completed', ran('a'));
    vi.advanceTimersByTime(500);
    b('completed', ran('b'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reports).toEqual([
      [
        { ...job('a'), pixels: 100, seconds: expect.closeTo(2) },
        { ...job('b'), pixels: 100, seconds: expect.closeTo(1.5) },
      ],
    ]);
  });

  it('adds up jobs of the same kind, and leaves out those that did not complete', async () => {
    for (const end of ['completed', 'failed', 'completed', 'stopped'] as const) {
      const done = meter.begin(job('a'));
      vi.advanceTimersByTime(1_000);
      done(end, ran('a'));
    }
    await meter.onApplicationShutdown();
    expect(reports).toEqual([[{ ...job('a'), pixels: 200, seconds: expect.closeTo(2) }]]);
  });

  it('divides the time of a job among its steps by their inference time', async () => {
    const done = meter.begin(job('a'));
    vi.advanceTimersByTime(4_000);
    done('completed', runOf(['a', 100, 300], ['b', 400, 900]));
    await meter.onApplicationShutdown();
    expect(reports).toEqual([
      [
        { ...job('a'), pixels: 100, seconds: expect.closeTo(1) },
        { ...job('b'), pixels: 400, seconds: expect.closeTo(3) },
      ],
    ]);
  });

  it('counts busy time while a job runs', async () => {
    const busySeconds = async () => {
      const { values } = await metrics.registry.getSingleMetric('ies_worker_busy_seconds_total')!.get();
      return values[0]!.value;
    };
    const done = meter.begin(job('a'));
    vi.advanceTimersByTime(2_000);
    expect(await busySeconds()).toBeCloseTo(2);
    vi.advanceTimersByTime(1_000);
    done('completed', ran('a'));
    vi.advanceTimersByTime(4_000);
    expect(await busySeconds()).toBeCloseTo(3);
    await meter.onApplicationShutdown();
    expect(reports).toEqual([[{ ...job('a'), pixels: 100, seconds: expect.closeTo(3) }]]);
  });

  it('counts the jobs that run, by operation and level', async () => {
    const running = async () => {
      const { values } = await metrics.registry.getSingleMetric('ies_jobs_running')!.get();
      return values.map(({ labels, value }) => [labels['operation'], labels['level'], value]);
    };
    const [first, second] = [meter.begin(job('a')), meter.begin(job('a'))];
    meter.begin(job('b'));
    expect(await running()).toEqual([
      ['a', 'low', 2],
      ['b', 'low', 1],
    ]);
    first('completed', ran('a'));
    second('stopped', ran('a'));
    expect(await running()).toEqual([
      ['a', 'low', 0],
      ['b', 'low', 1],
    ]);
  });

  it('survives a report that fails', async () => {
    isAway = true;
    meter.begin(job('a'))('completed', ran('a'));
    await vi.advanceTimersByTimeAsync(5_000);
    isAway = false;
    meter.begin(job('b'))('completed', ran('b'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reports.map((work) => work.map(({ operation }) => operation))).toEqual([['b']]);
  });
});
