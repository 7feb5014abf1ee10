import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_SERVER, type TritonOptions } from '../../../src/inference/engines/triton/triton-engine.js';
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

  const check = (options: Partial<TritonOptions> = {}): Promise<VersionVerdict> =>
    checkVersion(models.remote.servingVersion('upscale')!.folder, {
      triton: { ...NO_SERVER, urls: [server.url], ...options },
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

  it.each([
    ['cuts the connection', 'cut', 'unfit', 'gave no complete response'],
    ['is silent', 'silence', 'late', 'did not answer within 500 ms'],
  ] as const)('blames the model for a ready server that %s twice', async (_, fault, remote, text) => {
    server.faults.push(fault, fault);
    const verdict = await check({ timeoutMs: 500 });
    expect(verdict).toMatchObject({ ok: false, isTransient: true, remote });
    const { reason } = verdict as { reason: string };
    expect(reason).toMatch(/^the server of the stage x2-fast gives no response when it runs 1×\d+×\d+×3 \(/);
    expect(reason).toContain(text);
    expect(server.inferences).toHaveLength(2);
  });

  it('blames the model for a server that stops when it runs and is not back in time', async () => {
    server.faults.push('silence');
    const checked = check({ patienceMs: 300 });
    await expect.poll(() => server.inferences.length, { timeout: 20_000 }).toBe(1);
    await server.stop();
    expect(await checked).toMatchObject({ ok: false, remote: 'unfit' });
    await server.listen();
  });

  it('waits for a server that is down, or that takes requests and answers none', async () => {
    server.isHung = true;
    const away = { ok: false, isTransient: true, remote: 'away' };
    expect(await check({ timeoutMs: 500 })).toMatchObject(away);
    await server.stop();
    expect(await check()).toMatchObject(away);
    await server.listen();
  });
});
