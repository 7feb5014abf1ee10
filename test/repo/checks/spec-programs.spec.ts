import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';

const MODULE = pathToFileURL(join(ROOT, 'scripts/lib/vitest/spec-programs.mjs')).href;

/** Found through PATH alone, so none of them is there. */
const PROGRAMS = {
  bubblewrap: 'bwrap',
  'chromium-headless-shell': 'chromium-headless-shell',
  prometheus: 'promtool',
  buildah: 'buildah',
};

/** As root, `npm test` installs what is missing. */
describe.skipIf(process.getuid?.() !== 0)('the programs of specs (needs root)', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'ies-programs-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  /**
   * Installs the programs with an `apt-get` that makes an empty file of each.
   * @param unknown a package that it refuses, together with all others of the same call
   * @returns the packages of each call
   */
  async function installed(unknown: string): Promise<string[][]> {
    const makes = Object.entries(PROGRAMS).map(
      ([name, binary]) => `case " $* " in *" ${name} "*) : > ${join(dir, binary)};; esac`,
    );
    const lines = [
      '#!/bin/sh',
      'case " $* " in *" update "*) exit 0;; esac',
      `echo "$*" >> ${join(dir, 'calls')}`,
      `case " $* " in *" ${unknown} "*) exit 100;; esac`,
      'umask 022',
      ...makes,
      `/bin/chmod 755 ${dir}/*`,
    ];
    writeFileSync(join(dir, 'apt-get'), `${lines.join('\n')}\n`, { mode: 0o755 });
    const code = `(await import(${JSON.stringify(MODULE)})).ensurePrograms([])`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      env: { PATH: dir },
    });
    const calls = readFileSync(join(dir, 'calls'), 'utf8').trim().split('\n');
    return calls.map((call) => Object.keys(PROGRAMS).filter((name) => call.split(' ').includes(name)));
  }

  it('are installed in one call', async () => {
    const calls = await installed('none');
    expect(calls.filter((names) => names.length > 0)).toEqual([Object.keys(PROGRAMS)]);
  });

  it('are installed without the one that the release lacks', async () => {
    await installed('prometheus');
    expect(existsSync(join(dir, 'buildah'))).toBe(true);
    expect(existsSync(join(dir, 'promtool'))).toBe(false);
  });
});
