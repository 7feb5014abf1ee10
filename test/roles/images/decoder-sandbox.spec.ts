import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasBubblewrap } from '../../../src/infra/processes/bubblewrap.js';
import { hasSystemCallFilter } from '../../../src/infra/processes/system-call-filter.js';
import { HeaderReader } from '../../../src/infra/image/decoder/header-reader.js';
import { drawSolid, phoneJpeg, photo, pipelineOf } from '../../../src/infra/image/testing/still-images.js';
import { decodeImage } from '../../../src/infra/image/codec/decode.js';
import { IMAGE_FORMATS } from '../../../src/kernel/operations.js';
import { DecoderFixture } from '../../support/roles/decoder-fixture.js';

const STRONGEST = hasSystemCallFilter(process.arch) ? 'seccomp' : 'sandbox';
const LIMITS = { maxPixels: 50_000_000, expectedPixels: 10_000 };

let fixture: DecoderFixture;
beforeEach(async () => {
  fixture = await DecoderFixture.make();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await fixture.close();
});

describe.skipIf(!hasBubblewrap())('a decoder in a sandbox (needs bubblewrap)', () => {
  it.each(IMAGE_FORMATS)('decodes a %s exactly as this process does', async (format) => {
    const file = await photo(120, 80, format);
    const decoder = fixture.open();
    const pixels = await decoder.decodeToFile(file, fixture.target(), LIMITS);
    expect(fixture.warnings).toEqual([]);
    expect(decoder.pool.confinement).toBe(STRONGEST);
    const read = new Uint8Array(120 * 80 * 3);
    await pixels.read({ x: 0, y: 0, width: 120, height: 80 }, read);
    expect(Buffer.compare(read, (await decodeImage(file, LIMITS)).data)).toBe(0);
    await pixels.remove();
  });

  it('decodes a large WebP, which the library buffers in a temporary file', async () => {
    const file = await pipelineOf(drawSolid(7_000, 7_000, [90, 120, 150]))
      .webp({ effort: 0 })
      .toBuffer();
    const limits = { ...LIMITS, expectedPixels: 49_000_000 };
    const pixels = await fixture.open().decodeToFile(file, fixture.target(), limits);
    expect(pixels).toMatchObject({ width: 7_000, height: 7_000 });
    await pixels.remove();
    expect(await readdir(join(fixture.dataDir, 'scratch'), { recursive: true })).toEqual(['decoder-1']);
  });

  it('rotates a large image', async () => {
    const file = await phoneJpeg(6_000, 4_000, 6);
    const limits = { ...LIMITS, expectedPixels: 24_000_000 };
    const pixels = await fixture.open().decodeToFile(file, fixture.target(), limits);
    expect(pixels).toMatchObject({ width: 4_000, height: 6_000 });
    await pixels.remove();
  });

  it('reads headers without a working folder', async () => {
    const reader = new HeaderReader(fixture.pool());
    writeFileSync(fixture.target('a'), await photo(30, 10, 'avif'));
    const header = await reader.read(fixture.target('a'), LIMITS);
    expect(header).toMatchObject({ format: 'avif', width: 30 });
    expect(reader.pool.confinement).toBe(STRONGEST);
  });

  it('sees only the system, its code and its folder', async () => {
    await fixture.open().pool.warm();
    const { pid } = await fixture.process();
    const root = `/proc/${pid}/root`;
    const seen = await readdir(root);
    for (const name of ['home', 'root', 'var', 'srv', 'run']) expect(seen).not.toContain(name);
    expect(await readdir(join(root, 'etc'))).not.toContain('passwd');
    expect(await readdir(join(root, fixture.dataDir), { recursive: true })).toEqual([
      'scratch',
      'scratch/decoder-1',
    ]);
    // Beside its folder, it sees nothing, except the path to its code if that is there, too.
    const temporary = dirname(fixture.dataDir);
    const isPathToCode = (name: string): boolean => process.cwd().startsWith(join(temporary, name, '/'));
    const beside = (await readdir(join(root, temporary))).filter((name) => !isPathToCode(name));
    expect(beside).toEqual([basename(fixture.dataDir)]);
    // Around its code, it sees only what Node.js needs to load it.
    const around = await readdir(join(root, process.cwd()));
    expect(around.toSorted()).toEqual(['dist', 'node_modules', 'package.json']);
    const mounts = readFileSync(`/proc/${pid}/mounts`, 'utf8').split('\n');
    const writable = mounts
      .filter((line) => / \/[^ ]* [^ ]+ rw,/.test(line))
      .map((line) => line.split(' ')[1]!);
    expect(
      writable.filter((path) => !/^\/($|proc|dev)/.test(path) && !path.endsWith('/scratch/decoder-1')),
    ).toEqual([]);
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    // 2 means a system call filter.
    expect(status).toMatch(STRONGEST === 'seccomp' ? /^Seccomp:\s+2$/m : /^Seccomp:\s+[02]$/m);
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1').trim()).toBe('1000');
    expect(readFileSync(`/proc/${pid}/limits`, 'latin1')).toMatch(/^Max data size +13\d{8} /m);
  });

  it('is skipped with one warning where bwrap fails', async () => {
    const tools = mkdtempSync(join(tmpdir(), 'tools-'));
    mkdirSync(join(tools, 'bin'));
    symlinkSync('/bin/false', join(tools, 'bin', 'bwrap'));
    vi.stubEnv('PATH', `${join(tools, 'bin')}:${process.env['PATH']}`);
    const decoder = fixture.open({ processes: 2 });
    const decode = async (name: string) =>
      (await decoder.decodeToFile(await photo(60, 40, 'png'), fixture.target(name), LIMITS)).remove();
    await decode('first');
    await Promise.all([decode('a'), decode('b')]);
    expect(decoder.pool.confinement).toBe('namespaces');
    expect(fixture.warnings).toHaveLength(1);
    expect(fixture.warnings[0]).toContain(`${STRONGEST}: the image process exited with code 1`);
    rmSync(tools, { recursive: true });
  });
});
