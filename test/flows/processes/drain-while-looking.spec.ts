import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowModels } from '../../support/models/flow-models.js';
import { openFilesOf } from '../../support/roles/flow-processes.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

describe('a worker stopped during a scan of its models', () => {
  let models: FlowModels;
  let service: FlowService;
  beforeAll(async () => {
    models = await FlowModels.create('auto_enhance', 'upscale');
    service = await FlowService.start({
      // A worker that waits for the scan does not end within the time of this spec.
      env: { MODELS_DIR: models.dir, MODELS_POLL_MS: '200', DRAIN_TIMEOUT_MS: '3600000' },
    });
  });
  afterAll(async () => {
    await service?.close();
    await models?.close();
  });

  it('drains although the scan does not end', async () => {
    const client = await service.client();
    const scanning = () =>
      eventually('the worker to scan the new version', () => {
        const seen = openFilesOf(service.role('worker').pid);
        return { found: seen.find((path) => path.includes('/upscale/2/zeros-')), seen };
      });
    await models.dropSlowToScan('upscale', 2);
    await scanning();
    const { url } = await client.upload(await solidFile(60, 40, [90, 120, 60]));
    const { id } = await client.create(url, { operation: 'auto_enhance' });
    await client.completed(id);
    await scanning();
    expect(await service.stopRole('worker')).toEqual({ code: 0, signal: null });
  });
});
