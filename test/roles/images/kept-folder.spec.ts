import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DecoderFixture } from '../../support/roles/decoder-fixture.js';
import { eventually } from '../../support/roles/flow-wait.js';

const { rm } = fs;

/** A folder with mode 0 inside would do, but root may remove it. */
function keepFolders(): void {
  fs.rm = async (path, options) => {
    if (!String(path).includes('decoder-')) return rm(path, options);
    const error = new Error(`EACCES: permission denied, rmdir '${String(path)}'`);
    throw Object.assign(error, { code: 'EACCES' });
  };
  syncBuiltinESMExports();
}

function removeFolders(): void {
  fs.rm = rm;
  syncBuiltinESMExports();
}

describe('a working folder that cannot be removed', () => {
  let fixture: DecoderFixture;
  beforeEach(async () => {
    fixture = await DecoderFixture.make();
    keepFolders();
  });
  afterEach(async () => {
    vi.useRealTimers();
    removeFolders();
    await fixture.close();
  });

  const kept = () => fixture.warnings.filter((text) => /folder of a decoder .* EACCES/.test(text));

  it('changes no result, and its process is replaced', async () => {
    const { pool } = fixture.open({ processes: 1 });
    const pids: (number | undefined)[] = [];
    const killed = () =>
      pool.use(async ({ process }) => {
        pids.push(process.pid);
        await process.stop();
        return 'result';
      });
    expect(await Promise.all([killed(), killed(), killed()])).toEqual(['result', 'result', 'result']);
    expect(new Set(pids).size).toBe(3);
    expect(kept()).toHaveLength(3);
  });

  it('is no unhandled error when an idle process ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { pool } = fixture.open({ processes: 2 });
    // Two processes, since the first one is in use while the second one is asked for.
    await pool.use(() => pool.use(async () => undefined));
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    await eventually('the idle process to end', () =>
      kept().length === 1 ? { found: true } : { seen: fixture.warnings },
    );
    // An unhandled rejection would fail this file.
    await sleep(0);
    expect(kept()).toHaveLength(1);
  });
});
