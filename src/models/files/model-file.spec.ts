import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModelFile, readModelFile } from './model-file.js';

const LIMIT = { maxBytes: 2 ** 32 };

describe('ModelFile', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'ies-model-file-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const hashed = (
    name: string,
    options: { maxBytes: number; deadlineMs?: number } = LIMIT,
  ): Promise<string> => ModelFile.with(folder, name, options, (file) => file.sha256());

  it('reads and hashes a file of several chunks', async () => {
    const bytes = Buffer.alloc(700_001, 'weights');
    await writeFile(join(folder, 'w.bin'), bytes);
    expect(await hashed('w.bin')).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect((await readModelFile(join(folder, 'w.bin'))).equals(bytes)).toBe(true);
  });

  it('follows links that stay below the folder, and a link to the folder itself', async () => {
    await mkdir(join(folder, 'version/data'), { recursive: true });
    await writeFile(join(folder, 'version/data/w.bin'), 'weights');
    await symlink('data/w.bin', join(folder, 'version/w.bin'));
    await symlink('version', join(folder, 'linked'));
    expect((await readModelFile(join(folder, 'linked/w.bin'))).toString()).toBe('weights');
  });

  it('refuses a sibling whose name begins with that of the folder, and the folder itself', async () => {
    await mkdir(join(folder, '1'));
    await mkdir(join(folder, '10'));
    await writeFile(join(folder, '10/w.bin'), 'of another');
    await symlink('../10/w.bin', join(folder, '1/w.bin'));
    await expect(readModelFile(join(folder, '1/w.bin'))).rejects.toThrow('outside of its folder');
    await expect(ModelFile.with(folder, '.', LIMIT, (file) => file.bytes())).rejects.toThrow(
      'outside of its folder',
    );
  });

  it('refuses a file that is larger than allowed before reading it', async () => {
    await writeFile(join(folder, 'w.bin'), '12345');
    expect(await hashed('w.bin', { maxBytes: 5 })).toMatch(/^[0-9a-f]{64}$/);
    await expect(hashed('w.bin', { maxBytes: 4 })).rejects.toThrow(
      'has 5 bytes, more than the 4 that are allowed',
    );
  });

  it('gives up on a file that cannot be read in time', async () => {
    await writeFile(join(folder, 'w.bin'), '');
    await truncate(join(folder, 'w.bin'), 2 ** 32);
    await expect(hashed('w.bin', { ...LIMIT, deadlineMs: 20 })).rejects.toThrow(
      'cannot be read within 1 s; check the disk that it is on',
    );
  });

  it('reports what is not a readable regular file', async () => {
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    await expect(hashed('fifo')).rejects.toThrow('is a FIFO, not a regular file');
    await expect(readModelFile('/dev/zero')).rejects.toThrow('is a device, not a regular file');
    await expect(hashed('none')).rejects.toThrow(/^is missing$/);
    await symlink('nowhere', join(folder, 'link'));
    await expect(hashed('link')).rejects.toThrow('is a link to a file that does not exist; copy the file');
  });

  it('names the file that differs only in upper and lower case', async () => {
    await writeFile(join(folder, 'Weights.BIN'), '');
    await expect(hashed('weights.bin')).rejects.toThrow(
      'is missing: the folder has "Weights.BIN", which differs in upper and lower case; rename it',
    );
  });

  it('says what to do about a file that this user may not read', async () => {
    // Nobody may read this one, not even root.
    await expect(readModelFile('/sys/bus/cpu/uevent')).rejects.toThrow(
      'may not be read (EACCES); let the user that runs this process read the folder and the file',
    );
  });
});
