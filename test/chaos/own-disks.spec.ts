import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';

/** An unprivileged user, also where the tests run as root. */
const USER = process.getuid!() === 0 ? { uid: 1000, gid: 1000 } : {};
const NAMESPACE = ['--user', '--map-current-user', '--keep-caps', '--mount', 'true'];

/** Whether the kernel lets an unprivileged user create namespaces; found without the code under test. */
const canUnshare = spawnSync('unshare', NAMESPACE, USER).status === 0;
/** False where node is installed below the home folder of root. */
const canRunNode = spawnSync(process.execPath, ['--version'], USER).status === 0;

describe.skipIf(!canRunNode)('small disks of an unprivileged user', () => {
  let dir: string;

  beforeAll(() => {
    // The repository may be unreadable for that user.
    dir = mkdtempSync(join(tmpdir(), 'ies-own-disks-'));
    chmodSync(dir, 0o755);
    for (const name of ['own-disks.mjs', 'small-disk.mjs'])
      copyFileSync(join(ROOT, 'scripts/chaos/servers', name), join(dir, name));
    copyFileSync(join(import.meta.dirname, 'fill-own-disk.mjs'), join(dir, 'fill-own-disk.mjs'));
    if (USER.uid !== undefined) execFileSync('chown', ['-R', '1000:1000', dir]);
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('can be filled to the last byte, and emptied, without capabilities', () => {
    const options = { ...USER, cwd: dir, encoding: 'utf8', env: { ...process.env, TMPDIR: dir } } as const;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['fill-own-disk.mjs'], options);
    const uid = USER.uid ?? process.getuid!();
    expect(stdout, stderr).toBe(canUnshare ? `ENOSPC 0 ${uid} written` : 'no namespace');
    expect(status).toBe(0);
  });
});
