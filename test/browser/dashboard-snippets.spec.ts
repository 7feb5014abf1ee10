import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SharedService } from '../support/roles/shared-service.js';
import { photo } from '../support/images/images.js';
import { snippet, type SnippetLanguage } from '../../web/src/lib/snippets.js';

const run = promisify(execFile);
const RUN_MS = 120_000;

/** Runs the code that the playground offers to copy, unchanged. */
describe('the code samples of the playground', () => {
  let service: SharedService;
  let dir: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    service = await SharedService.join();
    const { account } = await service.client();
    dir = await mkdtemp(join(tmpdir(), 'ies-snippets-'));
    await writeFile(join(dir, "mara's photo.jpg"), await photo(64, 48, 'jpeg'));
    env = { ...process.env, API_KEY: account.key };
  });
  afterAll(async () => {
    await service?.close();
    await rm(dir, { recursive: true, force: true });
  });

  const code = (language: SnippetLanguage) =>
    snippet(language, {
      baseUrl: service.baseUrl,
      fileName: "mara's photo.jpg",
      order: {
        operations: [
          { operation: 'auto_enhance', level: 'low' },
          { operation: 'upscale', level: 'low' },
        ],
        output: { format: 'jpeg', quality: 80, background: '#ffffff', provenance: true },
      },
    });

  it('work in a shell', { timeout: RUN_MS }, async () => {
    await run('bash', ['-euc', code('curl')], { cwd: dir, env });
    expect((await readFile(join(dir, 'result'))).subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it('work in Node.js', { timeout: RUN_MS }, async () => {
    await writeFile(join(dir, 'enhance.mjs'), code('javascript'));
    await run(process.execPath, ['enhance.mjs'], { cwd: dir, env });
    expect((await readFile(join(dir, 'result.jpeg'))).subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it('work in Python without any packages', { timeout: RUN_MS }, async () => {
    const python = join(dir, 'python');
    await mkdir(python);
    await copyFile(join(dir, "mara's photo.jpg"), join(python, "mara's photo.jpg"));
    await writeFile(join(python, 'enhance.py'), code('python'));
    // -S runs without site-packages.
    await run('python3', ['-S', 'enhance.py'], { cwd: python, env });
    expect((await readFile(join(python, 'result.jpeg'))).subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it('show the error of the service in Python', { timeout: RUN_MS }, async () => {
    await writeFile(join(dir, 'refused.py'), code('python'));
    const refused = run('python3', ['-S', 'refused.py'], { cwd: dir, env: { ...env, API_KEY: 'ies_wrong' } });
    await expect(refused).rejects.toThrow(/RuntimeError: .*key/);
  });
});
