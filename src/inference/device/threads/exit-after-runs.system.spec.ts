import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');

/** Keeps a device thread busy with tiles of `edge` pixels, then exits the process during a run. */
const program = (
  waitMs: number,
  edge: number,
): string => `import { loadCatalog } from '${ROOT}/dist/models/repository/load-catalog.js';
import { exitAfterRuns } from '${ROOT}/dist/inference/device/threads/exit-after-runs.js';
import { Enhancer } from '${ROOT}/dist/inference/enhancer.js';
const catalog = await loadCatalog('${ROOT}/models');
const route = catalog.routes().find(({ operation, level }) => operation === 'upscale' && level === 'low');
const small = { ...route, render: { ...route.render, tile: ${edge} } };
const onDeath = () => undefined;
const enhancer = await Enhancer.start({ catalog: { routes: () => [small] }, device: 'cpu', threads: 1, onDeath });
const [width, height, channels] = [512, 512, 3];
const image = { width, height, channels, data: new Uint8Array(width * height * channels) };
for (let job = 0; job < 4; job++) enhancer.render(small, image, null).catch(onDeath);
setTimeout(() => exitAfterRuns(70, ${waitMs}), 100 + Math.random() * 30);
`;

async function endOf(
  waitMs: number,
  edge: number,
): Promise<{ code: unknown; signal: unknown; errors: string }> {
  // Not `--eval`: threads inherit its flags.
  const path = join(folder, 'busy.mjs');
  await writeFile(path, program(waitMs, edge));
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code, signal] = await once(child, 'exit');
  return { code, signal, errors };
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ies-exit-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('exitAfterRuns', () => {
  it('ends with its exit code and without a C++ error while a device thread computes', async () => {
    for (let round = 0; round < 5; round++) {
      expect(await endOf(10_000, 32)).toEqual({ code: 70, signal: null, errors: '' });
    }
  });

  it('kills the process when the threads do not end in time', async () => {
    // A run of a small tile may end before the process is killed.
    expect(await endOf(0, 256)).toEqual({ code: null, signal: 'SIGKILL', errors: '' });
  });
});
