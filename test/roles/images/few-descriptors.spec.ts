import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isMachineFault } from '../../../src/infra/storage/storage-fault.js';

const PROGRAM = fileURLToPath(new URL('../../support/images/few-descriptors.mjs', import.meta.url));
/** Enough for Node.js itself. */
const DESCRIPTORS = 90;

describe.skipIf(process.platform !== 'linux')('a process that may open no more files', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'few-descriptors-'));
    mkdirSync(join(dataDir, 'scratch'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('refuses work that needs a new image process, and goes on once it can open files again', () => {
    const script = `ulimit -n ${DESCRIPTORS}; exec "$@"`;
    const command = [process.execPath, PROGRAM, dataDir, join(dataDir, 'scratch')];
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', ...command], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      full: 'EMFILE',
      decoder: 'EMFILE',
      thumbnail: 'service_unavailable',
      later: 'done',
    });
    expect(isMachineFault(Object.assign(new Error('the decoder'), { code: 'EMFILE' }))).toBe(true);
  });
});
