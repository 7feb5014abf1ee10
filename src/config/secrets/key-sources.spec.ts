import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../env.js';
import { keySources } from './key-sources.js';
import { secretsPath, writeKeys } from './secrets.js';

const PATIENCE = { timeout: 20_000, interval: 50 };

describe('the keys of a running process', () => {
  let dataDir: string;
  let path: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ies-keys-'));
    path = secretsPath(dataDir);
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('stay when the file is removed, which is not created again, and follow it when it is back', async () => {
    const warn = vi.fn<(text: string) => void>();
    const { sealingKeys } = await keySources(readConfig({ DATA_DIR: dataDir }), warn);
    const before = sealingKeys();
    await rename(path, `${path}.away`);
    await vi.waitFor(
      () => expect(warn).toHaveBeenCalledWith(expect.stringContaining('is missing')),
      PATIENCE,
    );
    expect(existsSync(path)).toBe(false);
    expect(sealingKeys()).toEqual(before);
    await rename(`${path}.away`, path);
    const rotated = ['n'.repeat(43), ...before];
    await writeKeys(dataDir, 'sealingKey', rotated, new Date());
    await vi.waitFor(() => expect(sealingKeys()).toEqual(rotated), PATIENCE);
  });

  it('stay when the file is damaged', async () => {
    const warn = vi.fn<(text: string) => void>();
    const { signingKeys } = await keySources(readConfig({ DATA_DIR: dataDir }), warn);
    const before = signingKeys();
    await writeFile(path, '{}');
    await vi.waitFor(
      () => expect(warn).toHaveBeenCalledWith(expect.stringContaining('is damaged')),
      PATIENCE,
    );
    expect(signingKeys()).toEqual(before);
  });
});
