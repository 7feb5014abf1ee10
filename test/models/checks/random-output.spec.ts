import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkVersion } from '../../../src/models/check/check-version.js';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { DenoiseVersions, FREE, reasonOf, refusal } from '../../support/models/denoise-versions.js';

/** Adds noise. @param scale standard deviation, of pixels from 0 to 1 */
const noisy =
  (scale: number) =>
  (g: GraphWriter, x: Value): Value =>
    g.op('Add', [x, g.op('Mul', [g.op('RandomNormalLike', [x], {}), g.constant(scale)])]);

describe('checkVersion of a version with random output', () => {
  let versions: DenoiseVersions;
  beforeAll(async () => {
    versions = await DenoiseVersions.open();
  });
  afterAll(() => versions.remove());

  const notesOf = async (scale: number): Promise<readonly string[]> => {
    const folder = await versions.make({ dims: FREE, body: noisy(scale) }, { halo: 4, maxBatch: 1 });
    const verdict = await checkVersion(folder, { notes: true });
    expect(reasonOf(verdict)).toBe('it was accepted');
    return verdict.ok ? verdict.stages.flatMap(({ notes }) => notes) : [];
  };

  it('accepts it with a note, and does not blame its halo', async () => {
    expect(await notesOf(0.05)).toEqual([
      'output of the stage clean: the same input gives another result each time, so equal jobs differ, and tiles may not fit together; export it without random operators',
    ]);
  });

  it('has no note when the differences are not visible', async () => {
    expect(await notesOf(0.0001)).toEqual([]);
  });

  it('refuses it with larger batches, which cannot be compared with single items', async () => {
    const folder = await versions.make({ dims: FREE, body: noisy(0.05) }, { maxBatch: 2 });
    expect(await refusal(folder)).toMatch(
      /the stage clean gives another result each time, so batches cannot be compared with single items; set its maxBatch to 1, or export it without random operators/,
    );
  });
});
