import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { free, input, output, same } from '../../../models/testing/foreign-graphs.js';
import { tinyModel, writeVersion } from '../../../models/testing/tiny-models.js';
import { installedNotes } from './installed-notes.js';

let modelsDir: string;
beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'installed-notes-'));
});
afterEach(() => rm(modelsDir, { recursive: true }));

const graph = (opset: number): Uint8Array => tinyModel({ opset, dims: free, body: same });

/** @param halo a setting of the manifest */
const version = (number: number, opset: number, halo: number): Promise<string> =>
  writeVersion({
    modelsDir,
    operation: 'same',
    version: number,
    files: { 'm.onnx': graph(opset) },
    stages: {
      picture: {
        kind: 'render',
        file: 'm.onnx',
        tile: 64,
        halo,
        scale: 1,
        input: input(),
        output: output(),
      },
    },
  });

it('names the version that has the same files, and whether its manifest is the same', async () => {
  const first = await version(1, 17, 0);
  const second = await version(2, 18, 0);
  expect(await installedNotes(first)).toEqual([]);
  expect(await installedNotes(second)).toEqual([]);
  const repeated = await version(3, 17, 0);
  expect(await installedNotes(repeated)).toEqual([
    `files: version 1 has the same ones. Remove ${repeated} if you do not need both.`,
  ]);
  const changed = await version(4, 18, 8);
  expect(await installedNotes(changed)).toEqual([
    'files: version 2 has the same ones, with another manifest.',
  ]);
});

it('skips versions whose manifest cannot be read', async () => {
  await writeFile(join(await version(1, 17, 0), 'manifest.json'), 'null');
  await writeFile(join(await version(2, 17, 0), 'manifest.json'), '{');
  expect(await installedNotes(await version(3, 17, 0))).toEqual([]);
});
