import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EnhancerPool } from '../../../src/inference/enhancer-pool.js';
import { ServerUnavailable } from '../../../src/inference/engines/triton/server-errors.js';
import { NO_SERVER } from '../../../src/inference/engines/triton/triton-engine.js';
import type { ImageCodecs } from '../../../src/infra/image/image-codecs.js';
import { Scratch } from '../../../src/infra/storage/scratch.js';
import { ModelComparison, ShadowFailure } from '../../../src/worker/shadow/model-comparison.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { smallCodecs } from '../../support/images/small-codecs.js';
import { serveRepository } from '../../support/inference/onnx-server.js';
import type { ProtocolServer } from '../../support/inference/protocol-server.js';
import { RemoteModels } from '../../support/inference/remote-models.js';

type Parts = ConstructorParameters<typeof ModelComparison>;

let models: RemoteModels;
let server: ProtocolServer;
let dataDir: string;
let scratch: Scratch;
let codecs: ImageCodecs;
let devices: EnhancerPool;

beforeAll(async () => {
  models = await RemoteModels.create('upscale');
  server = await serveRepository(models.repository);
  dataDir = await mkdtemp(join(tmpdir(), 'shadow-outage-'));
  scratch = await Scratch.open(join(dataDir, 'scratch'));
  codecs = smallCodecs(dataDir, scratch);
});
afterAll(async () => {
  await devices?.close();
  await codecs?.close();
  await server?.stop();
  await scratch?.close();
  await rm(dataDir, { recursive: true });
  await models?.remove();
});

it('an inference server that is away is no failure of the shadow, but a request without a response is', async () => {
  const serving = models.local.route('upscale', 'low')!;
  const remote = models.remote.route('upscale', 'low')!;
  const shadow = { ...remote, render: { ...remote.render, id: 'upscale/2/x2-fast' } };
  devices = await EnhancerPool.start({
    catalog: { routes: () => [serving, shadow] },
    devices: [{ device: 'cpu' }],
    threads: 1,
    triton: { ...NO_SERVER, urls: [server.url], patienceMs: 300 },
    onDeath: (error) => {
      throw error;
    },
  });
  const photo = await solidFile(64, 64, [20, 90, 160]);
  const comparison = new ModelComparison(
    { find: async () => ({ deletedAt: null, objectKey: 'photo' }) } as unknown as Parts[0],
    { read: async () => photo } as unknown as Parts[1],
    codecs,
    devices,
    scratch,
    { maxInputPixels: 1_000_000 },
  );
  const job = { id: 'job_1', accountId: 'acc_1', sourceId: 'src_1', sourcePixels: 64 * 64 };
  const routes = { job, serving, shadow };
  const run = () => comparison.run(routes, new AbortController().signal);
  expect(await run()).toMatchObject({ servingMs: expect.any(Number), shadowMs: expect.any(Number) });
  server.faults.push('cut', 'cut');
  await expect(run()).rejects.toThrow(ShadowFailure);
  await expect.poll(() => comparison.isAway(routes)).toBe(false);
  await server.stop();
  await expect(run()).rejects.toThrow(ServerUnavailable);
  expect(comparison.isAway(routes)).toBe(true);
  expect(comparison.isAway({ serving, shadow: serving })).toBe(false);
  await server.listen();
});
