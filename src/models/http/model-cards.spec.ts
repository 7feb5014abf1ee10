import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../config/env.js';
import { Catalog } from '../repository/catalog.js';
import { readVersion } from '../repository/read-version.js';
import { replaceFile, SPECIAL_FILES } from '../testing/special-files.js';
import { ModelCards } from './model-cards.js';

const COMMITTED = join(import.meta.dirname, '../../../models/auto_enhance/1');
const SPECIAL = Object.entries(SPECIAL_FILES).map(([what, { put }]) => [what, put] as const);

describe('ModelCards', () => {
  let modelsDir: string;
  let folder: string;

  beforeEach(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'ies-cards-'));
    folder = join(modelsDir, 'auto_enhance/1');
    await cp(COMMITTED, folder, { recursive: true });
  });
  afterEach(() => rm(modelsDir, { recursive: true }));

  const cards = (catalog = new Catalog([], [])) => new ModelCards(catalog, { modelsDir } as Config);

  it('reads the README and the manifest, also of a version that only workers have loaded', async () => {
    const card = { engine: 'onnx', license: 'Apache-2.0', card: expect.stringMatching(/^#/) };
    expect(await cards().cardOf('auto_enhance', 1)).toMatchObject(card);
    expect(await cards(new Catalog([await readVersion(folder)], [])).cardOf('auto_enhance', 1)).toMatchObject(
      card,
    );
    expect(await cards().cardOf('auto_enhance', 2)).toMatchObject({ engine: null, card: '' });
  });

  it.each(SPECIAL)('shows no card for %s in place of the README', async (_, put) => {
    await replaceFile(join(folder, 'README.md'), put);
    expect(await cards().cardOf('auto_enhance', 1)).toMatchObject({ engine: 'onnx', card: '' });
  });

  it.each(SPECIAL)('knows nothing of a version with %s in place of the manifest', async (_, put) => {
    await replaceFile(join(folder, 'manifest.json'), put);
    expect(await cards().cardOf('auto_enhance', 1)).toMatchObject({ engine: null, card: '' });
  });
});
