import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkVersion } from '../../../src/models/check/check-version.js';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { DenoiseVersions, FREE, INPUT, OUTPUT, reasonOf } from '../../support/models/denoise-versions.js';

/** A little darker, for pictures from 0 to 1. */
const darker = (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(0.95)]);

describe('checkVersion with notes on colors', () => {
  let versions: DenoiseVersions;
  beforeAll(async () => {
    versions = await DenoiseVersions.open();
  });
  afterAll(() => versions.remove());

  const notesOf = async (input: object, output: object, body = darker): Promise<readonly string[]> => {
    const adapter = { input: { ...INPUT, ...input }, output: { ...OUTPUT, ...output } };
    const folder = await versions.make({ dims: FREE, body }, adapter);
    const verdict = await checkVersion(folder, { notes: true });
    expect(reasonOf(verdict)).toBe('it was accepted');
    return verdict.ok ? verdict.stages.flatMap(({ notes }) => notes) : [];
  };

  it.each([
    ['input', { range: [0, 255] }, {}],
    ['output', {}, { range: [0, 255] }],
  ])('says that the range of the %s is wrong', async (_, input, output) => {
    expect(await notesOf(input, output)).toEqual([
      expect.stringMatching(
        /^range of the stage clean: a picture of medium brightness becomes black or white in \d+% of its values; correct /,
      ),
    ]);
  });

  it('says it of a residual that is declared as an image, although the stage mixes the source in', async () => {
    const residual = (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(-0.01)]);
    expect(await notesOf({}, { strength: 'blend' }, residual)).toEqual([
      expect.stringMatching(/^range of the stage clean: .* becomes black or white in 100% /),
    ]);
  });

  it.each([
    ['input', { channels: 'BGR' }, {}],
    ['output', {}, { channels: 'BGR' }],
  ])('says that the channels of the %s are wrong', async (_, input, output) => {
    expect(await notesOf(input, output)).toEqual([
      'channels of the stage clean: red and blue are swapped in its result; correct channels of its input or of its output',
    ]);
  });

  it.each([
    ['input', { range: [0, 255] }, {}],
    ['output', {}, { range: [0, 0.01] }],
  ])('says that the range of the %s of a residual is wrong', async (_, input, output) => {
    const residual = (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(-0.05)]);
    expect(await notesOf(input, { meaning: 'residual', ...output }, residual)).toEqual([
      expect.stringMatching(/^range of the stage clean: .* becomes black or white in 100% /),
    ]);
  });

  it('says that an image is declared as a residual, but nothing of a real residual', async () => {
    expect(await notesOf({}, { meaning: 'residual' })).toEqual([
      expect.stringMatching(
        /^range of the stage clean: its residual changes a smooth picture by 8\d of 255 on average; /,
      ),
    ]);
    const residual = (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(-0.05)]);
    expect(await notesOf({}, { meaning: 'residual' }, residual)).toEqual([]);
  });

  it.each([
    ['a correct manifest', {}, {}],
    ['BGR on both sides', { channels: 'BGR' }, { channels: 'BGR' }],
  ])('has none for %s', async (_, input, output) => {
    expect(await notesOf(input, output)).toEqual([]);
  });
});
