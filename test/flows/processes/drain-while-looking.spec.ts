import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowModels } from '../../support/models/flow-models.js';
import { FlowService } from '../../support/roles/flow-service.js';

describe('a worker stopped during a scan of its models', () => {
  let models: FlowModels;
  let service: FlowService;
  beforeAll(async () => {
    models = await FlowModels.create('auto_enhance', 'upscale');
    service = await FlowService.start({ env: { MODELS_DIR: models.dir, MODELS_POLL_MS: '200' } });
  });
  afterAll(async () => {
    await service?.close();
    await models?.close();
  });

  it('drains although the scan does not end', async () => {
    const client = await service.client();
    // A sparse file: hashing it takes many minutes, but it uses no disk space.
    await models.drop('upscale', 2, (draft) => {
      for (const stage of Object.values(draft.stages)) stage['file'] = 'endless.onnx';
    });
    const endless = join(models.dir, 'upscale', '2', 'endless.onnx');
    await writeFile(endless, '');
    await truncate(endless, 500e9);
    await sleep(3_000);
    const { url } = await client.upload(await solidFile(60, 40, [90, 120, 60]));
    const { id } = await client.create(url, { operation: 'auto_enhance' });
    await client.completed(id);
    expect(await service.stopRole('worker')).toEqual({ code: 0, signal: null });
  });
});
