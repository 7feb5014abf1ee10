import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';

const document = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
const unit = /```ini\n(# \/etc\/systemd[^]*?)```/.exec(document)![1]!;
const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0;
const ROLES = ['api', 'worker', 'dispatcher'];

describe('the systemd unit of docs/operations.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ies-systemd-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(ROLES)('starts the program of the %s in the folder of the service', (role) => {
    const [, program] = /^ExecStart=\/usr\/bin\/node dist\/(.*)\.js$/m.exec(unit.replaceAll('%i', role))!;
    expect(existsSync(join(ROOT, 'src', `${program}.ts`))).toBe(true);
    expect(unit).toMatch(/^WorkingDirectory=\/\S+$/m);
  });

  it.skipIf(!isInstalled)('is valid (needs systemd-analyze)', () => {
    const path = join(folder, 'image-enhancement@api.service');
    const here = unit
      .replace('/usr/bin/node', process.execPath)
      .replace('User=images', `User=${userInfo().username}`)
      .replace('WorkingDirectory=/opt/image-enhancement', `WorkingDirectory=${ROOT}`);
    writeFileSync(path, here);
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
      encoding: 'utf8',
    });
    // Faults of other units on this machine are reported, too.
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('image-enhancement'))).toEqual([]);
    expect(status).toBe(0);
  });
});
