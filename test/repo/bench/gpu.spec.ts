import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { difference } from '../../../scripts/bench/gpu/difference.mjs';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';

const BENCH = pathToFileURL(join(ROOT, 'scripts/bench/gpu.mjs')).href;

/** Runs the bench on tiny images. @returns its exit code, and each line that it prints */
function bench(device: string): { status: number | null; lines: Record<string, unknown>[][] } {
  const order = { json: true, device, pixels: 300, batches: [1], operation: 'auto_enhance' };
  const program = `const { run } = await import('${BENCH}'); await run(${JSON.stringify(order)});`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, CUDA_VISIBLE_DEVICES: '' },
  });
  const lines = stdout.trimEnd().split('\n');
  return { status, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>[]) };
}

describe('the difference of two results', () => {
  const gray = new Uint8Array(3 * 4).fill(128);

  it('is that of every channel of every pixel', () => {
    for (const at of gray.keys()) {
      const changed = gray.with(at, 140);
      expect(difference(changed, gray, 3)).toEqual({ largest: 12, mean: 1 });
    }
  });

  it('leaves out colors where both are transparent', () => {
    expect(difference(Uint8Array.of(9, 9, 9, 0), Uint8Array.of(200, 0, 0, 0), 4)).toMatchObject({
      largest: 0,
    });
    expect(difference(Uint8Array.of(9, 9, 9, 255), Uint8Array.of(9, 9, 20, 255), 4)).toMatchObject({
      largest: 11,
    });
  });

  it('is a fault if their sizes differ', () => {
    expect(difference(gray, gray.subarray(3), 3)).toEqual({ fault: 'the results have different sizes' });
  });
});

describe('the bench of a device', () => {
  beforeAll(() => ensureFlowBuild());

  it('compares results with those of the CPU, and prints all rows so far after each row', () => {
    const { status, lines } = bench('cpu');
    expect(status).toBe(0);
    expect(lines.map((rows) => rows.length)).toEqual([1, 2, 3]);
    for (const row of lines.at(-1)!)
      expect(row).toMatchObject({ device: 'cpu', precision: 'float32', largestDifference: 0 });
  });

  it('fails if a row does, and keeps it', () => {
    const { status, lines } = bench('cuda');
    expect(status).toBe(1);
    expect(lines.at(-1)!.map(({ level, fault }) => [level, typeof fault])).toEqual([
      ['low', 'string'],
      ['medium', 'string'],
      ['high', 'string'],
    ]);
  });
});
