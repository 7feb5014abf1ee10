import { describe, expect, it } from 'vitest';
import { NoTracing } from '../infra/telemetry/tracing/no-tracing.js';
import { JobRunner } from './job-runner.js';

type Parts = ConstructorParameters<typeof JobRunner>;

/** Runs one job whose pipeline returns this; returns how the run was counted and what was offered to shadows. */
async function endOf(isCompleted: boolean): Promise<{ ends: string[]; offered: number; timed: number }> {
  const ends: string[] = [];
  let offered = 0;
  let timed = 0;
  const nothing = (): void => undefined;
  const job = { id: 'job_1', accountId: 'acc_1', claims: 1, operation: 'upscale', createdAt: new Date() };
  const runner = new JobRunner(
    {
      next: async () => ({ job, lease: {}, steps: [], abort: new AbortController(), release: nothing }),
    } as unknown as Parts[0],
    { keep: nothing, drop: nothing } as unknown as Parts[1],
    { take: () => ({ enhancer: {}, release: nothing }) } as unknown as Parts[2],
    { run: async () => isCompleted } as unknown as Parts[3],
    {} as Parts[4],
    { room: () => ({ remove: async () => undefined }) } as unknown as Parts[5],
    {
      started: nothing,
      begin: () => (end: string) => ends.push(end),
      completed: () => (timed += 1),
    } as unknown as Parts[6],
    new NoTracing(),
  );
  runner.onCompleted(() => (offered += 1));
  await runner.runNext();
  return { ends, offered, timed };
}

describe('JobRunner', () => {
  it('counts a run whose job was canceled at its end as stopped, and offers it to no shadow', async () => {
    expect(await endOf(false)).toEqual({ ends: ['stopped'], offered: 0, timed: 0 });
  });

  it('counts a run that completed its job', async () => {
    expect(await endOf(true)).toEqual({ ends: ['completed'], offered: 1, timed: 1 });
  });
});
