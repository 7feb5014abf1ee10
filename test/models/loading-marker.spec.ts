import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LoadingMarker } from '../../src/models/swap/loading-marker.js';
import { ensureFlowBuild } from '../support/roles/flow-build.js';

const MODULE = pathToFileURL(join(process.cwd(), 'dist/models/swap/loading-marker.js')).href;

describe('the loading marker of a worker', () => {
  let dir: string;

  beforeAll(() => ensureFlowBuild());
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ies-marker-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** Starts another process that sets its marker and is ended by a signal. */
  async function loadAndEnd(signal: NodeJS.Signals): Promise<NodeJS.Signals | null> {
    const program = `const { LoadingMarker } = await import(${JSON.stringify(MODULE)});
      await LoadingMarker.set(${JSON.stringify(dir)}); console.log('set'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill(signal);
    const [, endedBy] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return endedBy;
  }

  it('counts deaths during loading, and resets after a successful load', async () => {
    await loadAndEnd('SIGKILL');
    await loadAndEnd('SIGKILL');
    const { marker, deaths } = await LoadingMarker.set(dir);
    expect(deaths).toBe(2);
    await marker.remove();
    expect(await readdir(dir)).toEqual([]);
    const again = await LoadingMarker.set(dir);
    expect(again.deaths).toBe(0);
    await again.marker.remove();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'is removed by a process that is asked to stop (%s)',
    async (signal) => {
      // Not with `exit`, which would tear down a device thread that is loading.
      expect(await loadAndEnd(signal)).toBe(signal);
      expect(await readdir(dir)).toEqual([]);
    },
  );

  it('is ignored if its process is on another machine or in another container', async () => {
    await loadAndEnd('SIGKILL');
    const path = join(dir, (await readdir(dir))[0]!);
    const text = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...text, realm: 'elsewhere' }));
    const { marker, deaths } = await LoadingMarker.set(dir);
    expect(deaths).toBe(0);
    await marker.remove();
    expect(await readdir(dir)).toHaveLength(1);
  });
});
