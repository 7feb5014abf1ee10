import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceVersion } from '../../../scripts/gpu/kit-groups.mjs';
import { packParts, readParts } from '../../../scripts/gpu/kit-parts.mjs';
import { ROOT } from '../../../scripts/lib/paths.mjs';

const PART_BYTES = 4_096;
/** Replaces Node.js and prints how it was started. */
const NODE = '#!/bin/sh\necho "started $*"\n';

describe('the kit for GPU machines', () => {
  let folder: string;
  let kit: string;
  let checkout: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ies-kit-'));
    [kit, checkout] = [join(folder, 'kit'), join(folder, 'checkout')];
    mkdirSync(kit);
    mkdirSync(join(checkout, 'scripts', 'gpu'), { recursive: true });
    copyFileSync(join(ROOT, 'scripts/gpu/run.sh'), join(checkout, 'scripts/gpu/run.sh'));
    const content = {
      node: { 'node_modules/.gpu-kit/bin/node': NODE },
      service: { 'dist/main.js': 'built', 'dist/large.bin': randomBytes(20_000).toString('base64') },
    };
    const sums: string[] = [];
    for (const [name, files] of Object.entries(content)) {
      const staged = join(folder, `staged-${name}`);
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(staged, path)), { recursive: true });
        writeFileSync(join(staged, path), text);
        chmodSync(join(staged, path), 0o755);
      }
      const parts = await packParts({ folder: kit, name, version: '1', staged, partBytes: PART_BYTES });
      sums.push(...parts.map(({ file, sha256 }) => `${sha256}  ${file}\n`));
    }
    writeFileSync(join(kit, 'SHA256SUMS'), sums.join(''));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Delivers some of the parts, as one transfer does, and runs the kit. */
  const run = (isDelivered: (file: string) => boolean) => {
    const parts = join(checkout, 'out', 'gpu-kit');
    rmSync(parts, { recursive: true, force: true });
    mkdirSync(parts, { recursive: true });
    for (const file of readdirSync(kit))
      if (file === 'SHA256SUMS' || isDelivered(file)) cpSync(join(kit, file), join(parts, file));
    return spawnSync('bash', [join(checkout, 'scripts/gpu/run.sh'), '--minutes', '1'], {
      encoding: 'utf8',
      env: { ...process.env, GPU_KIT_STATE: join(folder, 'state') },
    });
  };

  it('is split into parts of at most the given size, and records the version it was packed from', () => {
    const { version, parts } = readParts(kit, 'service')!;
    expect(version).toBe('1');
    expect(parts.length).toBeGreaterThan(3);
    for (const { file, bytes } of parts) {
      expect(readFileSync(join(kit, file)).length).toBe(bytes);
      expect(bytes).toBeLessThanOrEqual(PART_BYTES);
    }
    rmSync(join(kit, 'service.tar.xz.001'), { force: false });
    expect(readParts(kit, 'service')).toBeUndefined();
  });

  it('waits for missing parts, refuses a damaged one, and keeps the parts it has', async () => {
    const staged = join(folder, 'staged-service');
    await packParts({ folder: kit, name: 'service', version: '1', staged, partBytes: PART_BYTES });
    const parts = readParts(kit, 'service')!.parts;
    const node = readFileSync(join(kit, 'SHA256SUMS'), 'utf8').split('\n')[0]!;
    writeFileSync(
      join(kit, 'SHA256SUMS'),
      [node, ...parts.map(({ file, sha256 }) => `${sha256}  ${file}`), ''].join('\n'),
    );

    const first = run((file) => file.startsWith('node'));
    expect(first.status).toBe(3);
    expect(first.stdout).toContain(`Missing parts: ${parts.map(({ file }) => file).join(' ')}`);

    const damaged = parts.at(-1)!.file;
    const whole = readFileSync(join(kit, damaged));
    appendFileSync(join(kit, damaged), 'x');
    const second = run((file) => file.startsWith('service'));
    expect(second.status).toBe(3);
    expect(second.stdout).toContain(`Missing parts: ${damaged}\n`);
    writeFileSync(join(kit, damaged), whole);

    const third = run((file) => file === damaged);
    expect(third.stderr).toBe('');
    expect(third.status).toBe(0);
    expect(third.stdout).toBe(`started scripts/gpu/run.mjs --state ${join(folder, 'state')} --minutes 1\n`);
    expect(readFileSync(join(checkout, 'dist/main.js'), 'utf8')).toBe('built');
  });

  it.each([
    ['the same number of parts, which have the same names', randomBytes(20_000).toString('base64')],
    ['fewer parts', 'small'],
  ])('accepts a newer kit with %s', async (_, large) => {
    const staged = join(folder, 'staged-service');
    writeFileSync(join(staged, 'dist/large.bin'), large);
    const order = { folder: kit, name: 'service', version: large, staged, partBytes: PART_BYTES };
    const parts = await packParts(order);
    const node = readFileSync(join(kit, 'SHA256SUMS'), 'utf8').split('\n')[0]!;
    const sums = [node, ...parts.map(({ file, sha256 }) => `${sha256}  ${file}`), ''];
    writeFileSync(join(kit, 'SHA256SUMS'), sums.join('\n'));
    const { status, stdout } = run(() => true);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^started /) as string });
    expect(readFileSync(join(checkout, 'dist/large.bin'), 'utf8')).toBe(large);
    const kept = readdirSync(join(folder, 'state/parts')).filter((file) => file.startsWith('service'));
    expect(kept.toSorted()).toEqual(parts.map(({ file }) => file));
  });

  it('packs the service again after a change of any part of its build', () => {
    const root = join(folder, 'built');
    const stamps = ['dist/.stamp', 'dist/.stamp-web', 'dist/.packed/.stamp', 'dist/node_modules/.stamp'];
    const versions = [...stamps, 'node_modules/.stamp'].map((path) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), 'changed');
      return serviceVersion(root);
    });
    expect(new Set(versions).size).toBe(versions.length);
  });
});
