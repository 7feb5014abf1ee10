import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NotificationListener } from '../../../infra/database/notifications.js';
import { loadCatalog } from '../../repository/load-catalog.js';
import { storedStepKind } from '../../repository/work-kind.js';
import { MemoryVerdicts } from '../../testing/memory-verdicts.js';
import { ModelVerdicts } from '../model-verdicts.js';
import type { UnservedJobs } from './owed-versions.js';
import { UnservedPromises } from './unserved-promises.js';

const COMMITTED = join(import.meta.dirname, '../../../../models/auto_enhance/1');
const OPERATION = 'auto_enhance';
const promised = (version: number, isPinned: boolean) => ({ operation: OPERATION, version, isPinned });

describe('UnservedPromises', () => {
  let modelsDir: string;
  let unserved: UnservedJobs;
  let warnings: string[];
  let promises: UnservedPromises;
  /** The listener of requests to scan the repository. */
  let onReload: NotificationListener;

  beforeEach(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'ies-promises-'));
    for (const version of [1, 2])
      await cp(COMMITTED, join(modelsDir, OPERATION, String(version)), { recursive: true });
    warnings = [];
  });
  afterEach(async () => {
    promises.end();
    await rm(modelsDir, { recursive: true });
  });

  /** Starts the checks of a worker that has loaded version 2. @returns counts of checks and of requests */
  async function started(jobs: UnservedJobs, verdicts = new MemoryVerdicts()) {
    unserved = jobs;
    const counts = { checks: 0, requests: 0, isOwed: async (): Promise<boolean> => false };
    promises = new UnservedPromises({
      modelsDir,
      loaded: await loadCatalog(modelsDir),
      verdicts: new ModelVerdicts(verdicts, { device: 'cpu', memoryLimitBytes: 8e9 }),
      readUnserved: async () => {
        counts.checks += 1;
        return unserved;
      },
      onOwed: (isOwed) => {
        counts.requests += 1;
        counts.isOwed = isOwed;
      },
      logger: { warn: (_: unknown, text: string) => warnings.push(text) } as unknown as LoggerService,
      pauseMs: 10,
    });
    promises.begin({
      subscribe: (_, listener) => {
        onReload = listener;
        return () => undefined;
      },
    });
    return counts;
  }
  /** Waits until a check that began after this call has ended. */
  const checked = async (counts: { readonly checks: number }): Promise<void> => {
    const before = counts.checks;
    await expect.poll(() => counts.checks).toBeGreaterThan(before + 1);
  };
  const requested = async (jobs: UnservedJobs): Promise<number> => {
    const counts = await started(jobs);
    await expect.poll(() => counts.checks).toBeGreaterThan(2);
    return counts.requests;
  };

  it('asks once for a worker with the version that waiting jobs pin, and again after a change', async () => {
    const jobs = { kinds: [`${OPERATION}/low/1/false@1`], promised: [promised(1, true)] };
    const counts = await started(jobs);
    await expect.poll(() => counts.checks).toBeGreaterThan(3);
    expect(counts.requests).toBe(1);
    expect(warnings).toEqual(['accepted jobs need versions that no worker has loaded']);
    unserved = { ...jobs, kinds: [storedStepKind(`${OPERATION}/high/1/false@1`)] };
    await expect.poll(() => counts.requests).toBe(2);
  });

  it('still needs the worker until none of the jobs waits that it could run', async () => {
    const pin = (version: number): string => `${OPERATION}/low/1/false@${version}`;
    const jobs = { kinds: [pin(0), pin(1)], promised: [promised(0, true), promised(1, true)] };
    const counts = await started(jobs);
    await expect.poll(() => counts.requests).toBe(1);
    expect(await counts.isOwed()).toBe(true);
    // Another worker loaded version 1. Nothing can load version 0.
    unserved = { ...jobs, kinds: [pin(0)] };
    expect(await counts.isOwed()).toBe(false);
  });

  it('does not ask again because of other unfinished jobs, or the order of the rows', async () => {
    const kinds = ['low', 'high'].map((level) => storedStepKind(`${OPERATION}/${level}/1/false@1`));
    const others = [promised(7, false), promised(8, false)];
    const counts = await started({ kinds, promised: [...others, promised(1, true)] });
    await expect.poll(() => counts.requests).toBe(1);
    unserved = { kinds: kinds.toReversed(), promised: [promised(1, true), ...others.toReversed()] };
    await checked(counts);
    unserved = { kinds, promised: [promised(8, true), promised(1, true)] };
    await checked(counts);
    unserved = { kinds, promised: [promised(1, true)] };
    await checked(counts);
    expect(counts.requests).toBe(1);
  });

  it.each([
    ['no job waited', []],
    ['no worker could run those that waited', [`${OPERATION}/low/1/false@3`]],
  ])('asks again for jobs that are accepted after %s', async (_, kinds) => {
    const jobs = { kinds: [`${OPERATION}/low/1/false@1`], promised: [promised(1, true)] };
    const counts = await started(jobs);
    await expect.poll(() => counts.requests).toBe(1);
    unserved = { ...jobs, kinds };
    await checked(counts);
    unserved = jobs;
    await expect.poll(() => counts.requests).toBe(2);
  });

  describe('after a worker with the version did not take over', () => {
    const jobs = { kinds: [`${OPERATION}/low/1/false@1`], promised: [promised(1, true)] };
    let counts: { checks: number; requests: number };
    beforeEach(async () => {
      counts = await started(jobs);
      await expect.poll(() => counts.requests).toBe(1);
      promises.stay('jobs wait that were promised auto_enhance/1, which does not load here.');
      unserved = { ...jobs, kinds: [storedStepKind(`${OPERATION}/high/1/false@1`)] };
      await checked(counts);
    });

    it('does not ask again for other jobs, and logs it once', async () => {
      promises.stay('another request failed');
      expect(counts.requests).toBe(1);
      expect(warnings).toEqual([
        'accepted jobs need versions that no worker has loaded',
        'no other worker took over; accepted jobs still need versions that no worker has loaded',
      ]);
    });

    it('asks again if an operator requests a scan', async () => {
      onReload(null);
      await checked(counts);
      expect(counts.requests).toBe(1);
      onReload('now');
      await expect.poll(() => counts.requests).toBe(2);
    });

    it('asks again if versions are added or removed', async () => {
      await rm(join(modelsDir, OPERATION, '2'), { recursive: true });
      await expect.poll(() => counts.requests).toBe(2);
    });
  });

  it('asks for the version of a chain, although another of its versions is gone', async () => {
    const kinds = [`x/low/steps/+upscale/low/2/false@9+${OPERATION}/low/1/false@1`];
    expect(await requested({ kinds, promised: [promised(1, true)] })).toBe(1);
  });

  it.each([
    ['every job can run', { kinds: [], promised: [promised(1, true)] }],
    ['the version is loaded', { kinds: [`${OPERATION}/low/9/false`], promised: [promised(2, false)] }],
    ['the folder is gone', { kinds: [`${OPERATION}/low/1/false@3`], promised: [promised(3, true)] }],
    ['the version would not help', { kinds: [`${OPERATION}/low/9/false`], promised: [promised(1, false)] }],
  ])('does not ask if %s', async (_, jobs) => {
    expect(await requested(jobs)).toBe(0);
  });

  it('does not ask for a damaged version', async () => {
    await writeFile(join(modelsDir, OPERATION, '1/tone.onnx'), 'not the graph');
    const jobs = { kinds: [`${OPERATION}/low/1/false@1`], promised: [promised(1, true)] };
    expect(await requested(jobs)).toBe(0);
  });

  it('continues after a check that failed', async () => {
    const verdicts = new MemoryVerdicts();
    let isAway = true;
    const read = verdicts.read.bind(verdicts);
    verdicts.read = async () => {
      if (isAway) throw new Error('the database is away');
      return read();
    };
    const jobs = { kinds: [`${OPERATION}/low/1/false@1`], promised: [promised(1, true)] };
    const counts = await started(jobs, verdicts);
    await expect.poll(() => warnings).toContain('could not look for jobs that no worker can run');
    isAway = false;
    await expect.poll(() => counts.requests).toBe(1);
  });
});
