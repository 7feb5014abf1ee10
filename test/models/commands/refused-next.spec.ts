import { mkdir, symlink, writeFile } from 'node:fs/promises';
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

it('models add counts only folders whose names are versions', async () => {
  const models = await temporaryModels();
  await mkdir(join(models.path, 'tone/20261201093000'), { recursive: true });
  const path = join(models.path, 'm.onnx');
  await writeFile(
    path,
    tinyModel({ dims: ['N', 3, 'H', 'W'], body: (g, x) => g.op('Mul', [x, g.constant(0.5)]) }),
  );
  const args = ['add', path, '--operation', 'tone', '--range', '0,1', '--output-range', '0,1', '--json'];
  expect(
    await runModelsCommand([...args, '--meaning', 'image', '--output-channels', 'RGB'], models.path),
  ).toMatchObject({
    code: 0,
    json: { folder: join(models.path, 'tone/1') },
  });
  await models.remove();
});

it('models pull says that the folder of the models cannot be written', async () => {
  const { code, stderr } = await runModelsCommand(['pull', 'esrgan-slim'], '/dev/null/models');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^Nothing can be written to \/dev\/null\/models \(ENOTDIR\)\. Run .*\n$/),
  });
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
