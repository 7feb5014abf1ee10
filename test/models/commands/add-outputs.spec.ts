import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GraphWriter } from '../../../src/models/compose/graph-writer.js';
import { runModelsCommand } from '../../support/models/models-command.js';
import { temporaryModels } from '../../support/models/models-dir.js';

it('models add names the other outputs when the first one is not a picture', async () => {
  const models = await temporaryModels();
  try {
    const path = join(models.path, 'features.onnx');
    const g = new GraphWriter(17, 'ours/');
    const x = g.input('x', 'float32', ['N', 3, 'H', 'W']);
    g.output(g.op('GlobalAveragePool', [x]), 'features', 'float32', null);
    g.output(g.op('Sqrt', [x]), 'picture', 'float32', ['N', 3, 'H', 'W']);
    await writeFile(path, g.model(8));
    const { code, json } = await runModelsCommand(
      ['add', path, '--operation', 'features', '--json'],
      models.path,
    );
    expect(code).toBe(1);
    expect((json as { error: string }).error).toMatch(
      /size of the source\. Only the first output, features, was tried\. If the result is another one \(picture float32\[N,3,H,W\]\), export the model with that output alone\.$/,
    );
  } finally {
    await models.remove();
  }
});
