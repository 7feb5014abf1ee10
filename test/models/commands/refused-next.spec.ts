import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tinyModel, writeVersion } from '../../../src/models/testing/tiny-models.js';
import { runModelsCommand } from '../../support/models/models-command.js';
import { temporaryModels } from '../../support/models/models-dir.js';

it('models check refuses a version without an adapter', async () => {
  const models = await temporaryModels();
  const stage = { kind: 'render', file: 'm.onnx', tile: 64, halo: 8, scale: 1 };
  const broken = tinyModel({ dims: ['N', 3, 'H', 'W'], body: (_, x) => x });
  await writeVersion({
    modelsDir: models.path,
    operation: 'tone',
    files: { 'm.onnx': broken },
    stages: { t: stage },
  });
  const { code, json } = await runModelsCommand(['check', '--json'], models.path);
  expect(code).toBe(1);
  expect(json).toMatchObject([
    { ok: false, refusal: { message: expect.stringContaining('not the input image') } },
  ]);
  await models.remove();
});

it('models export does not overwrite the manifests in MODELS_DIR', async () => {
  const models = await temporaryModels();
  await symlink(models.path, join(models.path, '.link'));
  const args = ['export', 'triton', join(models.path, '.triton'), '--manifests', join(models.path, '.link')];
  expect(await runModelsCommand([...args, '--json'], models.path)).toMatchObject({
    code: 1,
    json: { error: expect.stringMatching(/is MODELS_DIR, whose manifests would be overwritten/) },
  });
  await models.remove();
});
