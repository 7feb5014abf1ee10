import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { photo } from '../../../src/infra/image/testing/still-images.js';

const PROGRAM = fileURLToPath(new URL('../../support/roles/decode-pictures.mjs', import.meta.url));
const DECODER = fileURLToPath(new URL('../../../dist/main.decoder.js', import.meta.url));
/** A user that `/etc/passwd` does not contain. */
const STRANGER = 12_345;

let dir: string;
let dataDir: string;
let picture: string;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'restricted-'));
  dataDir = join(dir, 'data');
  mkdirSync(join(dataDir, 'scratch'), { recursive: true });
  picture = join(dir, 'picture.png');
  writeFileSync(picture, await photo(60, 40, 'png'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A folder for PATH in which these programs fail as if they lacked the required permissions. */
function failing(...names: readonly string[]): string {
  const folder = join(dir, 'failing');
  mkdirSync(folder);
  for (const name of names) {
    writeFileSync(join(folder, name), '#!/bin/sh\necho "Operation not permitted" >&2\nexit 1\n');
    chmodSync(join(folder, name), 0o755);
  }
  return `${folder}:${process.env['PATH']}`;
}

interface Told {
  readonly sizes: readonly (readonly number[])[];
  readonly confinement: string;
  readonly warnings: readonly string[];
  readonly uid: number;
}

/** Decodes in a process started by these commands. */
function decodeUnder(prefix: readonly string[], path = process.env['PATH']): Told {
  const [command, ...args] = [...prefix, process.execPath, PROGRAM, dataDir, picture];
  const { stdout, stderr, status } = spawnSync(command, args, {
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return JSON.parse(stdout) as Told;
}

const works = (command: readonly string[]): boolean => spawnSync(command[0]!, command.slice(1)).status === 0;

/** Root of a user namespace that allows no further namespaces. */
const NO_MORE_NAMESPACES = [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  '/bin/sh',
  '-c',
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  'sh',
] as const;
const NO_CAPABILITIES = [
  'setpriv',
  '--no-new-privs',
  '--bounding-set',
  '-all',
  '--inh-caps',
  '-all',
] as const;
const AS_STRANGER = `setpriv --reuid ${STRANGER} --regid ${STRANGER} --clear-groups --no-new-privs`.split(
  ' ',
);
/** Everything except the data folder is read-only. */
const READ_ONLY = (writable: string): readonly string[] => [
  'unshare',
  '--mount',
  '/bin/sh',
  '-c',
  'mount --bind "$0" "$0" && mount -o remount,bind,ro / && exec "$@"',
  writable,
];

const SIZES = [
  [60, 40],
  [60, 40],
];

describe.skipIf(process.platform !== 'linux')('decoding in a restricted container', () => {
  it('falls back with one warning when namespaces are refused', () => {
    const told = decodeUnder([], failing('unshare', 'bwrap'));
    expect(told).toMatchObject({ sizes: SIZES, confinement: 'privileges' });
    expect(told.warnings).toHaveLength(1);
    expect(told.warnings[0]).toContain('confinement "privileges"');
  });

  it('falls back to limits when changing privileges is refused, too', () => {
    const told = decodeUnder([], failing('unshare', 'bwrap', 'setpriv'));
    expect(told).toMatchObject({ sizes: SIZES, confinement: 'limits' });
    expect(told.warnings).toHaveLength(1);
  });

  it.skipIf(!works([...NO_MORE_NAMESPACES, 'true']))(
    'works as root without capabilities, new privileges or namespaces (needs user namespaces)',
    () => {
      const told = decodeUnder([...NO_MORE_NAMESPACES, ...NO_CAPABILITIES]);
      expect(told).toMatchObject({ sizes: SIZES, confinement: 'privileges', uid: 0 });
      expect(told.warnings).toHaveLength(1);
    },
  );

  it.skipIf(!works([...AS_STRANGER, 'test', '-r', DECODER]))(
    'works as an unnamed user without new privileges or namespaces (needs root)',
    () => {
      const path = failing('unshare', 'bwrap');
      chmodSync(dir, 0o755);
      for (const name of [dataDir, join(dataDir, 'scratch')]) chownSync(name, STRANGER, STRANGER);
      const told = decodeUnder(AS_STRANGER, path);
      expect(told).toMatchObject({ sizes: SIZES, confinement: 'privileges', uid: STRANGER });
      expect(told.warnings).toHaveLength(1);
    },
  );

  it.skipIf(!works([...READ_ONLY(tmpdir()), 'true']))(
    'works with a read-only root (needs the right to mount)',
    () => {
      const told = decodeUnder(READ_ONLY(dataDir));
      expect(told).toMatchObject({ sizes: SIZES });
      expect(['seccomp', 'sandbox', 'namespaces']).toContain(told.confinement);
      expect(told.warnings).toEqual([]);
    },
  );
});
