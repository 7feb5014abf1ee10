import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gpuUsageReader, queryDriver } from './gpu-usage.js';

const PATIENCE_MS = 300;
/** Longer than a test may take. */
const HANGS_S = 600;

describe('gpuUsageReader', () => {
  let folder: string;
  let program: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gpu-usage-'));
    program = join(folder, 'nvidia-smi');
  });

  afterEach(() => rm(folder, { recursive: true }));

  const script = (...lines: readonly string[]): Promise<void> =>
    writeFile(program, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o700 });
  const reader = (path = program, patienceMs?: number): ReturnType<typeof gpuUsageReader> =>
    gpuUsageReader((limitMs) => queryDriver(limitMs, path), patienceMs);

  it('returns undefined only if the program is missing', async () => {
    expect(await reader()()).toBeUndefined();
    expect(await reader('false')()).toEqual([]);
    expect(await reader('/dev/null')()).toEqual([]);
  });

  it('reads the figures anew each time', async () => {
    const read = reader();
    for (const used of [1024, 2048]) {
      await script(`echo '0, NVIDIA H200, ${used}, 143771, 37'`);
      expect(await read()).toMatchObject([{ name: 'NVIDIA H200', memoryUsedBytes: used * 2 ** 20 }]);
    }
  });

  it('does not wait for a program that hangs, even if it ignores SIGTERM', async () => {
    await script("trap '' TERM", `exec sleep ${HANGS_S}`);
    expect(await reader(program, PATIENCE_MS)()).toEqual([]);
  });

  it('ends such a program, and then runs it again', async () => {
    await script("trap '' TERM", `exec sleep ${HANGS_S}`);
    const read = reader(program, PATIENCE_MS);
    await read();
    await script("echo '0, NVIDIA H200, 1024, 143771, 37'");
    await expect.poll(() => read(), { timeout: 20_000 }).toMatchObject([{ gpu: '0' }]);
  });

  it('runs one query at a time, for as long as the driver does not let go of it', async () => {
    let queries = 0;
    let end: () => void = () => undefined;
    const read = gpuUsageReader(() => {
      queries += 1;
      return new Promise((resolve) => (end = () => resolve([])));
    }, PATIENCE_MS);
    expect(await Promise.all([read(), read()])).toEqual([[], []]);
    expect(await read()).toEqual([]);
    expect(queries).toBe(1);
    end();
    await new Promise(setImmediate);
    expect(await read()).toEqual([]);
    expect(queries).toBe(2);
  });
});
