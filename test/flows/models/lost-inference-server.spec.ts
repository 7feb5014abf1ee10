import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedTriton } from '../../../scripts/triton/triton-home.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { busyFile, BUSY_ORDER, solidFile } from '../../support/images/flow-drawn.js';
import {
  type FlowInferenceServer,
  flowInferenceServer,
} from '../../support/inference/flow-inference-server.js';
import { FlowModels } from '../../support/models/flow-models.js';
import { runModelsCommand } from '../../support/models/models-command.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

/** The job has 16 tiles. */
const FIRST_TILES = 2;

describe('an inference server', () => {
  let home: string;
  let models: FlowModels;
  let server: FlowInferenceServer;
  let service: FlowService;
  let client: FlowClient;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'ies-inference-'));
    const repository = join(home, 'repository');
    models = await FlowModels.create('auto_enhance');
    const exported = await runModelsCommand(
      ['export', 'triton', repository, '--operation', 'upscale', '--manifests', models.dir],
      'models',
    );
    expect(exported).toMatchObject({ code: 0 });
    server = await flowInferenceServer(repository);
    service = await FlowService.start({ env: { MODELS_DIR: models.dir, TRITON_URL: server.url } });
    client = await service.client();
  });
  afterAll(async () => {
    await service?.close();
    await server?.kill();
    await models?.close();
    if (home !== undefined) await rm(home, { recursive: true, force: true });
  });

  async function expectOneAttempt(id: string, returns = 0): Promise<void> {
    expect(await client.completed(id)).toMatchObject({ attempts: 1, error: null, device: 'triton' });
    expect(await service.database.job(id)).toMatchObject({ machine_faults: returns });
    expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
  }

  it('that is down when the worker starts delays only its own jobs', async () => {
    const { url } = await client.upload(await solidFile(300, 200, [20, 90, 160]));
    const waiting = await client.create(url, { operation: 'upscale', level: 'low' });
    const local = await client.create(url, { operation: 'auto_enhance' });
    await client.completed(local.id);
    await eventually('the worker to say what it waits for', () => {
      const { log } = service.role('worker');
      return log.includes('an inference server is not accepting requests') ? { found: true } : { seen: log };
    });
    expect(await client.job(waiting.id)).toMatchObject({ status: 'queued', attempts: 0 });
    await server.start();
    await expectOneAttempt(waiting.id);
  });

  it('killed in the middle of a job loses nothing, and the attempt does not count', async () => {
    const { url } = await client.upload(await busyFile());
    server.holdAfter(FIRST_TILES);
    const { id } = await client.create(url, BUSY_ORDER);
    await eventually('the first tiles to be made', async () => {
      const seen = await server.inferences('upscale.x4', 1);
      return seen >= FIRST_TILES && server.isHolding() ? { found: true } : { seen };
    });
    // A request that is refused after the kill would tell the worker that the server was not killed by it.
    await server.kill();
    expect((await client.job(id)).status, 'the kill hit the job').toBe('processing');
    // Waits longer than a run keeps retrying.
    await client.until(id, 'queued');
    const other = await client.create((await client.upload(await solidFile(64, 64, [9, 9, 9]))).url, {
      operation: 'auto_enhance',
    });
    await client.completed(other.id);
    expect(await client.job(id)).toMatchObject({ status: 'queued', attempts: 0 });
    await server.start();
    // The request may have been what killed the server.
    await expectOneAttempt(id, 1);
  });

  it.skipIf(installedTriton() !== undefined)(
    'that never responds fails its jobs, which cost nothing (not with a real Triton)',
    async () => {
      await service.stopRole('worker');
      await service.startRole('worker', { TRITON_TIMEOUT_MS: '300', JOB_MAX_RETURNS: '2' });
      server.holdAfter(0);
      const { url } = await client.upload(await solidFile(64, 48, [20, 90, 160]));
      const { id } = await client.create(url, { operation: 'upscale', level: 'low' });
      await client.until(id, 'failed');
      const { error } = await client.job(id);
      expect(error).toMatchObject({
        code: 'service_unavailable',
        message: expect.stringContaining('Try again later'),
      });
      expect(await service.database.ledger(id)).toEqual(['refund', 'reserve']);
    },
  );
});
