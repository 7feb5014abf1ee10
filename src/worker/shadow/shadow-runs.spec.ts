import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DeviceLostError } from '../../inference/device-fault.js';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import { ModelVersion } from '../../models/repository/model-version.js';
import type { JobRun } from '../job-run.js';
import { ShadowFailure } from './model-comparison.js';
import { ShadowRuns } from './shadow-runs.js';

type Parts = ConstructorParameters<typeof ShadowRuns>;

const committed = await loadCatalog(join(import.meta.dirname, '../../../models'));
const { manifest, folder } = committed.servingVersion('upscale')!;
const second = new ModelVersion(manifest, 2, folder, []);
const catalog = committed.withShadows({ versions: [second], untried: [], refusals: [] });
const shadow = { version: 2, percent: 100, since: '2026-01-01T00:00:00.000Z' };

/**
 * Runs a job on the shadow, which ends with this error.
 * @param isAway whether the inference server of the shadow is away
 * @returns the calls of the recorder
 */
async function recordedAfter(error: Error, isAway = false): Promise<string[]> {
  const calls: string[] = [];
  const called = (name: string) => async (): Promise<boolean> => {
    calls.push(name);
    return true;
  };
  const names = ['begin', 'compared', 'failed', 'brokenOff', 'lost', 'drop', 'report'];
  let complete: (run: JobRun) => void = () => undefined;
  const runs = new ShadowRuns(
    catalog,
    { onCompleted: (listener: typeof complete) => (complete = listener) } as unknown as Parts[1],
    { spare: async () => () => undefined, breakOff: () => undefined } as unknown as Parts[2],
    {
      isAway: () => isAway,
      run: async () => {
        calls.push('run');
        throw error;
      },
    } as unknown as Parts[3],
    Object.fromEntries(names.map((name) => [name, called(name)])) as unknown as Parts[4],
  );
  runs.onModuleInit();
  runs.choose([{ operation: 'upscale', serving: 1, previous: null, canary: null, shadow }]);
  const route = catalog.route('upscale', 'low')!;
  const job = { id: 'job_1', accountId: 'acc_1', sourcePixels: 1, sourceFormat: 'png', attempts: 1 };
  complete({ job, steps: [{ step: { operation: 'upscale', level: 'low' }, route }] } as unknown as JobRun);
  await expect.poll(() => calls.length, { timeout: 5_000 }).toBe(isAway ? 1 : 3);
  await runs.stop();
  return calls;
}

it.each([
  ['a fault of the version', 'failed', new ShadowFailure('the stage failed')],
  ['a fault of the serving version', 'brokenOff', new Error('the stage failed')],
  [
    'a full disk',
    'brokenOff',
    new ShadowFailure('the disk', { cause: Object.assign(new Error(), { code: 'ENOSPC' }) }),
  ],
  // The row stays, and counts this worker as lost.
  [
    'the loss of the device',
    'lost',
    new ShadowFailure('the device', { cause: new DeviceLostError('the thread died') }),
  ],
])('a shadow run that ends by %s is recorded as %s', async (_, recorded, error) => {
  expect(await recordedAfter(error)).toEqual(['begin', 'run', recorded, 'report']);
});

it('a shadow whose inference server is known to be away is not run', async () => {
  expect(await recordedAfter(new Error('the server is away'), true)).toEqual(['drop', 'report']);
});
