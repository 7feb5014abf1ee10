import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkVersion } from '../../../src/models/check/check-version.js';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { DenoiseVersions, FREE, reasonOf } from '../../support/models/denoise-versions.js';
import { runModelsCommand } from '../../support/models/models-command.js';

/** Sharpens with the nearest pixels, `times` times, so that pixels up to `times` away count. */
const sharpened =
  (times: number) =>
  (g: GraphWriter, x: Value): Value => {
    const kernel = Array.from({ length: 9 }, (_, at) => (at === 4 ? 3 : -0.25));
    const weights = g.constant([...kernel, ...kernel, ...kernel], 'float32', [3, 1, 3, 3]);
    let made = x;
    for (let count = 0; count < times; count++)
      made = g.op('Conv', [made, weights], { kernel_shape: [3, 3], pads: [1, 1, 1, 1], group: 3 });
    return made;
  };

/** As dark as the first pixel of the tile, so everything depends on where the tile begins. */
const balanced = (g: GraphWriter, x: Value): Value => {
  const corner = g.op('Slice', [
    x,
    g.constant([0, 0], 'int64'),
    g.constant([1, 1], 'int64'),
    g.constant([2, 3], 'int64'),
  ]);
  return g.op('Mul', [x, corner]);
};

const notesOf = async (folder: string): Promise<readonly string[]> => {
  const verdict = await checkVersion(folder, { notes: true });
  expect(reasonOf(verdict)).toBe('it was accepted');
  return verdict.ok ? verdict.stages.flatMap(({ notes }) => notes) : [];
};

describe('checkVersion with notes', () => {
  let versions: DenoiseVersions;
  beforeAll(async () => {
    versions = await DenoiseVersions.open();
  });
  afterAll(() => versions.remove());

  const make = (body: (g: GraphWriter, x: Value) => Value, halo: number): Promise<string> =>
    versions.make({ dims: FREE, body }, { halo });

  it.each([
    [1, 0],
    [3, 2],
  ])('says that pixels up to %i away count, and the halo is %i', async (times, halo) => {
    expect(await notesOf(await make(sharpened(times), halo))).toEqual([
      `halo of the stage clean: it is ${halo}, but pixels up to ${times} away change the result, so seams are visible; raise it to ${times} or more`,
    ]);
  });

  it.each([
    [1, 1],
    [3, 3],
    [3, 16],
  ])('has none when pixels up to %i away count, and the halo is %i', async (times, halo) => {
    expect(await notesOf(await make(sharpened(times), halo))).toEqual([]);
  });

  it('says that seams are possible when the whole tile counts', async () => {
    expect((await notesOf(await make(balanced, 4))).join()).toMatch(
      /^halo of the stage clean: the result depends on the whole tile, so seams are possible/,
    );
  });

  it('is printed by models check, which accepts the version', async () => {
    const folder = await make(sharpened(1), 0);
    const { code, stdout } = await runModelsCommand(['check', folder], versions.models.path);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/is sound[^]*Look at halo of the stage clean: it is 0, but pixels up to 1 away/);
  });

  it('measures nothing for a worker, which only needs to know whether a version may serve', async () => {
    const verdict = await checkVersion(await make(sharpened(1), 0));
    expect(verdict).toMatchObject({ ok: true, stages: [{ notes: [] }] });
  });

  it.each(['auto_enhance', 'smooth_skin', 'upscale', 'bg_remove'])(
    'accepts the committed version of %s, and has none',
    async (operation) => {
      expect(await notesOf(join('models', operation, '1'))).toEqual([]);
    },
  );
});
