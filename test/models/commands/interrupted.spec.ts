import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tinyModel } from '../../../src/models/testing/tiny-models.js';
import { type CommandOutcome, runModelsCommand } from '../../support/models/models-command.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

let models: ModelsDir;
let file: string;
beforeAll(async () => {
  models = await temporaryModels();
  file = join(models.path, 'm.onnx');
  await writeFile(
    file,
    tinyModel({ dims: ['N', 3, 'H', 'W'], body: (g, x) => g.op('Mul', [x, g.constant(0.9)]) }),
  );
});
afterAll(() => models?.remove());

const READING = ['--range', '0,1', '--meaning', 'image', '--channels', 'RGB', '--output-range', '0,1'];
const add = (onStart?: Parameters<typeof runModelsCommand>[3]): Promise<CommandOutcome> =>
  runModelsCommand(['add', file, '--operation', 'tone', ...READING], models.path, {}, onStart);
const drafts = async (): Promise<string[]> =>
  (await readdir(models.path)).filter((name) => name.startsWith('.'));

it('an interrupted command leaves no files behind', async () => {
  const { code, stdout } = await add((child) => {
    void expect
      .poll(async () => {
        const [root] = await drafts();
        return root === undefined ? [] : readdir(join(models.path, root, 'tone/1')).catch(() => []);
      })
      .toContain('manifest.json')
      .finally(() => child.kill('SIGINT'));
  });
  expect([code, stdout]).toEqual([null, '']);
  expect(await readdir(models.path)).toEqual(['m.onnx']);
});

it('the next command removes what a killed one left behind', async () => {
  const now = Date.now() / 1_000;
  for (const [name, ageS] of [
    ['.draft-old', 7_200],
    ['.installing-1', 7_200],
    ['.draft-new', 60],
  ] as const) {
    await mkdir(join(models.path, name, 'tone/1'), { recursive: true });
    await utimes(join(models.path, name), now - ageS, now - ageS);
  }
  const { code, stdout, stderr } = await add();
  expect(code, stdout + stderr).toBe(0);
  expect((await readdir(models.path)).toSorted()).toEqual(['.draft-new', 'm.onnx', 'tone']);
});
