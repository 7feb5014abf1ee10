import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_SERVER } from '../../../src/inference/engines/triton/triton-engine.js';
import { checkVersion } from '../../../src/models/check/check-version.js';
import type { VersionVerdict } from '../../../src/models/check/verdict.js';
import { serveRepository } from '../../support/inference/onnx-server.js';
import type { ProtocolServer } from '../../support/inference/protocol-server.js';
import { RemoteModels } from '../../support/inference/remote-models.js';

describe('the check of a version on an inference server', () => {
  let models: RemoteModels;
  let server: ProtocolServer;

  beforeAll(async () => {
    models = await RemoteModels.create('upscale');
  });
  afterAll(() => models?.remove());
  beforeEach(async () => {
    server = await serveRepository(models.repository);
  });
  afterEach(() => server.stop());

  const check = (): Promise<VersionVerdict> =>
    checkVersion(models.remote.servingVersion('upscale')!.folder, {
      triton: { ...NO_SERVER, urls: [server.url] },
    });

  it('blames the server for a model that differs from the manifest', async () => {
    server.maxBatchSize = 1;
    expect(await check()).toMatchObject({
      ok: false,
      reason: expect.stringContaining('raise max_batch_size') as string,
      isTransient: true,
      remote: 'unfit',
    });
  });

  it('blames the server for a run that fails', async () => {
    server.faults.push({ status: 500, error: 'CUDA out of memory' }, { status: 500, error: 'again' });
    expect(await check()).toMatchObject({
      reason: expect.stringContaining('answers 500: again') as string,
      isTransient: true,
      remote: 'unfit',
    });
  });
});
