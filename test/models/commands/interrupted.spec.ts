import type { ChildProcess } from 'node:child_process';
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
const add = (
  args: readonly string[],
  onStart?: Parameters<typeof runModelsCommand>[3],
): Promise<CommandOutcome> => runModelsCommand(['add', ...args], models.path, {}, onStart);
const ownModel = (): string[] => [file, '--operation', 'tone', ...READING];
const drafts = async (): Promise<string[]> =>
  (await readdir(models.path)).filter((name) => name.startsWith('.'));

it.each([
  ['add FILE', ownModel, 'tone/1'],
  ['add esrgan-slim', () => ['esrgan-slim'], 'upscale/1'],
])(
  '%s installs nothing and leaves no files behind if interrupted during the check',
  async (_, args, name) => {
    let child: ChildProcess | undefined;
    const outcome = add(args(), (started) => (child = started));
    const written = async (): Promise<string[]> => {
      const [root] = await drafts();
      return root === undefined ? [] : readdir(join(models.path, root, name)).catch(() => []);
    };
    await expect.poll(written).toContain('manifest.json');
    child!.kill('SIGINT');
    const { code, stdout } = await outcome;
    expect([code, stdout]).toEqual([null, '']);
    expect(await readdir(models.path)).toEqual(['m.onnx']);
  },
);

it('the next command removes what a killed one left behind', async () => {
  const now = Date.now() / 1_000;
  for (const [name, ageS] of [
    ['.draft-old', 90_000],
    ['.draft-new', 80_000],
  ] as const) {
    await mkdir(join(models.path, name, 'tone/1'), { recursive: true });
    await utimes(join(models.path, name), now - ageS, now - ageS);
  }
  const { code, stdout, stderr } = await add(ownModel());
  expect(code, stdout + stderr).toBe(0);
  expect((await readdir(models.path)).toSorted()).toEqual(['.draft-new', 'm.onnx', 'tone']);
});
