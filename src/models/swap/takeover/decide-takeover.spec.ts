import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import { beforeEach, describe, expect, it } from 'vitest';
import { Catalog, type Refusal } from '../../repository/catalog.js';
import { loadCatalog } from '../../repository/load-catalog.js';
import type { EnhancerPool } from '../../../inference/enhancer-pool.js';
import type { ServingState } from '../../../roles/role-messages.js';
import { decideTakeover, servingStateOf } from './decide-takeover.js';

const committed = await loadCatalog(join(import.meta.dirname, '../../../models'));
const NO_CUDA = 'The stage upscale/1/x2 (x2.onnx) does not run on cuda: libcudnn.so.9 is missing';

describe('decideTakeover', () => {
  let lines: string[];
  let asked: number;
  let declined: string[];
  let isClosed: boolean;
  /** Devices that work with any model. */
  let usable: readonly string[];
  beforeEach(() => {
    [lines, asked, declined, isClosed, usable] = [[], 0, [], false, []];
  });

  const poolOf = (device: string, passedOver: readonly string[]): EnhancerPool =>
    ({ device, passedOver, close: async () => void (isClosed = true) }) as unknown as EnhancerPool;

  /** @param before the settings of the process that this one replaces */
  async function consider(
    device: string,
    passedOver: readonly string[],
    before: ServingState | null,
    refusals: readonly Refusal[] = [],
  ): Promise<void> {
    const say = (level: string) => (fields: object, text: string) =>
      lines.push(`${level}: ${text} ${JSON.stringify(fields)}`);
    const catalog = new Catalog(committed.loaded(), refusals);
    await decideTakeover(
      { catalog, devices: poolOf(device, passedOver), leftOut: [], promised: [] },
      { warn: say('warn'), error: say('error') } as unknown as LoggerService,
      {
        predecessor: async () => {
          asked += 1;
          return before;
        },
        decline: async (reason) => void declined.push(reason),
      },
      async ({ provider, index }) => usable.includes(index === undefined ? provider : `${provider}:${index}`),
    );
  }

  const same = (device: string): ServingState =>
    servingStateOf({ catalog: committed, devices: poolOf(device, []) });

  it('asks and logs nothing while everything is in order', async () => {
    await consider('cuda', [], same('cuda'));
    expect([asked, lines, declined]).toEqual([0, [], []]);
  });

  it('warns at every start when auto did not select the best device, with the reasons', async () => {
    await consider('cpu', [NO_CUDA], null);
    expect(lines).toEqual([
      `warn: INFERENCE_DEVICE=auto did not select a better device {"device":"cpu","passedOver":["${NO_CUDA}"]}`,
    ]);
  });

  it('warns if its device is slower than that of the previous worker, which does not work, and takes over', async () => {
    await consider('cpu', [NO_CUDA], same('cuda'));
    expect(lines[1]).toBe(
      `warn: taking over on a slower device {"device":"cpu","before":"cuda","passedOver":["${NO_CUDA}"]}`,
    );
    expect([declined, isClosed]).toEqual([[], false]);
    lines = [];
    await consider('cpu', [NO_CUDA], same('cpu'));
    expect(lines).toHaveLength(1);
  });

  it.each(['cuda', 'cuda:1,cuda:0'])(
    'declines to replace a worker on %s, which works, by one on a slower device',
    async (before) => {
      usable = ['cuda', 'cuda:1'];
      await consider('cpu', [NO_CUDA], same(before));
      expect(declined).toEqual([`it would run on cpu, although ${before} works: ${NO_CUDA}`]);
      expect(isClosed).toBe(true);
      await consider('cuda', [NO_CUDA], same('cpu'));
      expect(declined).toHaveLength(1);
    },
  );

  it('does not test WebGPU while a worker uses it, which shows that it works', async () => {
    await consider('cpu', [NO_CUDA], same('webgpu'));
    expect(declined).toEqual([`it would run on cpu, although webgpu works: ${NO_CUDA}`]);
  });

  it('closes its devices and declines if an operation would be lost', async () => {
    const message = 'sharpen/2 is not served: it needs more memory.';
    const before = same('cuda');
    const served = { operation: 'sharpen', version: 2, fingerprint: 'f' };
    await consider('cuda', [], { ...before, serves: [...before.serves, served] }, [
      { operation: 'sharpen', version: '2', message },
    ]);
    expect(declined).toEqual([`sharpen would be lost. ${message}`]);
    expect(isClosed).toBe(true);
    expect(lines[0]).toMatch(/^error: not taking over/);
  });
});
