import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile, SPECIAL_FILES } from '../testing/special-files.js';
import { loadCatalog } from './load-catalog.js';

const committed = join(import.meta.dirname, '../../../models/auto_enhance/1');

describe('a model version with a special file is not served', { timeout: 20_000 }, () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ies-read-version-'));
    for (const name of ['1', '2']) await cp(committed, join(root, 'auto_enhance', name), { recursive: true });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const path = (name: string): string => join(root, 'auto_enhance/2', name);

  async function refusedFor(): Promise<string> {
    const catalog = await loadCatalog(root);
    expect(catalog.route('auto_enhance', 'low')?.model.version).toBe(1);
    expect(catalog.refusals).toHaveLength(1);
    return catalog.refusals[0]!.message;
  }

  describe.each(Object.entries(SPECIAL_FILES))('%s', (_, { put, says }) => {
    it('as a graph', async () => {
      await replaceFile(path('tone.onnx'), put);
      const message = await refusedFor();
      expect(message).toContain(`auto_enhance/2 is not served: the file tone.onnx of stage tone ${says}`);
      expect(message).toMatch(/^[^\n]+; [^\n]+\.$/);
    });

    it('as the manifest', async () => {
      await replaceFile(path('manifest.json'), put);
      expect(await refusedFor()).toContain(`auto_enhance/2 is not served: manifest.json ${says}`);
    });

    it('as a golden image', async () => {
      const manifest = JSON.parse(await readFile(path('manifest.json'), 'utf8')) as object;
      const golden = [{ before: 'golden.png', after: 'golden.png', level: 'low' }];
      await writeFile(path('manifest.json'), JSON.stringify({ ...manifest, golden }));
      await put(path('golden.png'));
      expect(await refusedFor()).toContain(
        `auto_enhance/2 is not served: the golden image golden.png ${says}`,
      );
    });
  });
});
