import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DIST, ROOT } from '../../scripts/lib/paths.mjs';
import { childEnvironment } from '../../src/config/child-environment.js';
import { SWIFTSHADER, whyNoWebgpu } from '../support/models/gpu-render.js';
import { ensureFlowBuild } from '../support/roles/flow-build.js';

const reason = whyNoWebgpu();
const LIMIT_MS = 300_000;
const SUPPORT = join(ROOT, 'test/support');
const PRELOAD = pathToFileURL(join(SUPPORT, 'inference/failing-device.mjs')).href;

interface Ending {
  readonly code: number | null;
  readonly output: string;
}

describe.skipIf(reason !== undefined)(
  `a GPU on which every run fails${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  { timeout: LIMIT_MS + 60_000 },
  () => {
    let folder: string;
    beforeEach(async () => {
      await ensureFlowBuild();
      folder = await mkdtemp(join(tmpdir(), 'ies-broken-gpu-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    const run = (fault: string): Promise<Ending> =>
      new Promise((resolve) => {
        const env = childEnvironment({
          VK_ICD_FILENAMES: SWIFTSHADER,
          XDG_RUNTIME_DIR: folder,
          NODE_OPTIONS: `--import=${PRELOAD}`,
          FAULT_FILE: fault,
        });
        const args = [join(SUPPORT, 'models/broken-gpu.mjs'), join(folder, 'order.json')];
        const child = execFile(process.execPath, args, { env, timeout: LIMIT_MS }, (_, stdout, stderr) =>
          resolve({ code: child.exitCode, output: stdout || stderr }),
        );
      });

    it('is lost, so that its jobs can return to the queue', async () => {
      const fault = join(folder, 'fault');
      const order = { dist: DIST, modelsDir: join(ROOT, 'models'), fault };
      await writeFile(join(folder, 'order.json'), JSON.stringify(order));
      const { code, output } = await run(fault);
      expect(JSON.parse(output)).toEqual({
        width: 16,
        deaths: ['DeviceLostError'],
        name: 'DeviceLostError',
        message:
          'The device thread is gone: webgpu does not run upscale/1/x2-fast anymore: CUDA error 700: an illegal memory access was encountered',
      });
      expect(code).toBe(70);
    });
  },
);
