import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveNew } from '../../../clients/js/src/cli/mcp/save-new.js';
import type { EnhanceResult } from '../../../clients/js/src/result.js';

describe('saveNew', () => {
  let root: string;
  let path: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'ies-mcp-results-'));
  });
  beforeEach(async () => {
    path = join(await mkdtemp(join(root, 'out-')), 'photo.png');
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const signal = new AbortController().signal;
  /** A result with this text, and what happens while it is downloaded. */
  const resultOf = (text: string, meanwhile = async (): Promise<void> => {}) => ({
    job: { id: 'job_1' } as EnhanceResult['job'],
    save: async (to: string): Promise<void> => {
      await meanwhile();
      await writeFile(to, text);
    },
  });
  const files = async (): Promise<string[]> => readdir(join(path, '..'));

  it('saves a file', async () => {
    await saveNew(resultOf('result'), path, signal);
    expect(await readFile(path, 'utf8')).toBe('result');
    expect(await files()).toEqual(['photo.png']);
  });

  it('does not replace a file that appears during the download', async () => {
    const saving = saveNew(
      resultOf('result', () => writeFile(path, 'other')),
      path,
      signal,
    );
    await expect(saving).rejects.toMatchObject({
      code: 'file_exists',
      message: expect.stringMatching(/exists.*job_1/) as unknown,
    });
    expect(await readFile(path, 'utf8')).toBe('other');
    expect(await files()).toEqual(['photo.png']);
  });

  it('lets only one of several calls write to a path', async () => {
    const calls = ['a', 'b', 'c'].map((text) => saveNew(resultOf(text), path, signal));
    const ended = await Promise.allSettled(calls);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await files()).toEqual(['photo.png']);
  });

  it('leaves nothing behind if the download fails', async () => {
    const failing = resultOf('', () => Promise.reject(new Error('no connection')));
    await expect(saveNew(failing, path, signal)).rejects.toThrow(/no connection/);
    expect(await files()).toEqual([]);
  });
});
