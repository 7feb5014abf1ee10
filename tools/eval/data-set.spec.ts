import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeImage } from '#src/infra/image/codec/encode.js';
import { readMasked } from './data-set.js';
import { evaluateSmoothSkin } from './eval-smooth-skin.js';
import { type EvalHost, missingRow, whyNothing } from './eval-row.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ies-data-set-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function drawn(name: string, width: number, height: number): Promise<string> {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => (at < 3 ? 200 : 0));
  const image = { data, width, height, channels: 3 } as const;
  const options = { format: 'png', avifEffort: 0, webpEffort: 0, pngLevel: 6 } as const;
  const path = join(folder, name);
  await writeFile(path, (await encodeImage(image, options)).data);
  return path;
}

describe('readMasked', () => {
  it('reads a picture and its mask', async () => {
    const [input, truth] = [await drawn('a.png', 3, 2), await drawn('a-mask.png', 3, 2)];
    const { image, mask } = await readMasked({ input, truth }, 127);
    expect([image.width, image.height, ...mask]).toEqual([3, 2, 1, 0, 0, 0, 0, 0]);
  });

  it('refuses a mask of another size, and names both files', async () => {
    const [input, truth] = [await drawn('b.png', 3, 2), await drawn('b-mask.png', 2, 3)];
    await expect(readMasked({ input, truth }, 127)).rejects.toThrow(
      `The mask ${truth} has 2 × 3 pixels, and its picture ${input} has 3 × 2.`,
    );
  });
});

describe('an evaluation without results', () => {
  it('says what the folder lacks', () => {
    expect(whyNothing([missingRow('bg_remove', 'seg/SOD')], '/photos')).toMatch(
      /^There is nothing to measure/,
    );
  });

  it('says why a version cannot be measured', async () => {
    const version = { routes: { high: { analyse: null } } };
    const rows = await evaluateSmoothSkin({ data: folder, version } as unknown as EvalHost);
    expect(whyNothing(rows, folder)).toBe(
      'The version of smooth_skin cannot be measured: it has no analyse stage for a skin map.',
    );
  });
});
