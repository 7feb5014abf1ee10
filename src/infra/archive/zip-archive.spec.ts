import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, closeSync, rmSync, writeFileSync, writeSync, ftruncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ByteRange } from '../storage/object-store.js';
import { ZipArchive } from './zip-archive.js';
import type { ZipFile } from './zip-file.js';

interface File extends ZipFile {
  readonly bytes: Buffer;
}

const AT = new Date('2026-11-21T08:09:10Z');
const file = (name: string, text: string): File => {
  const bytes = Buffer.from(text);
  return { name, bytes, sizeBytes: bytes.length, crc32: crc32(bytes), modifiedAt: AT };
};
const FILES = [
  file('manifest.json', '{"items":[]}'),
  file('0000-münchen 🙂.txt', 'a'.repeat(1_000)),
  file('0001-empty.txt', ''),
  file('0002-last.txt', 'the end'),
];

const open = async ({ bytes }: File, { start, end }: ByteRange): Promise<Readable> =>
  Readable.from([bytes.subarray(start, end + 1)]);

async function bytesOf(archive: ZipArchive<File>, range: ByteRange | null = null): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of archive.read(range, open)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What Python's zipfile reads, including a check of the checksums. */
const LIST = `
import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert len(sys.argv) > 2 or z.testzip() is None
print(json.dumps([[i.filename, i.file_size, i.date_time[3:], i.external_attr >> 16, i.header_offset] for i in z.infolist()]))
print(z.read(z.infolist()[-1]).decode())
`;
const python = (...args: string[]): string[] =>
  execFileSync('python3', ['-c', LIST, ...args], { encoding: 'utf8' })
    .trim()
    .split('\n');

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'ies-zip-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const isThere = (program: string): boolean => spawnSync(program, ['--help']).error === undefined;
const READERS = ['python3', 'unzip'];

describe.skipIf(!READERS.every(isThere))(`ZipArchive (needs ${READERS.join(' and ')})`, () => {
  it("is read by Python's zipfile and by unzip", async () => {
    const archive = new ZipArchive(FILES);
    const bytes = await bytesOf(archive);
    expect(bytes.length).toBe(archive.sizeBytes);
    const path = join(dir, 'small.zip');
    writeFileSync(path, bytes);
    const [list, last] = python(path);
    const shape = FILES.map(({ name, sizeBytes }) => [name, sizeBytes, [8, 9, 10], 0o100644]);
    expect((JSON.parse(list!) as unknown[][]).map((entry) => entry.slice(0, 4))).toEqual(shape);
    expect(last).toBe('the end');
    expect(execFileSync('unzip', ['-t', path], { encoding: 'utf8' })).toContain('No errors detected');
  });

  it('may be empty', async () => {
    const path = join(dir, 'empty.zip');
    writeFileSync(path, await bytesOf(new ZipArchive<File>([])));
    expect(execFileSync('python3', ['-m', 'zipfile', '-l', path], { encoding: 'utf8' })).toContain(
      'File Name',
    );
  });

  it('uses ZIP64 above 4 GiB', async () => {
    const huge = { bytes: Buffer.alloc(0), sizeBytes: 2_500_000_000, crc32: 0, modifiedAt: AT };
    const files = [
      { ...huge, name: 'one.bin' },
      { ...huge, name: 'two.bin' },
      file('far.txt', 'beyond four gigabytes'),
    ];
    const archive = new ZipArchive<File>(files);
    // A sparse file that holds everything except the bytes of the two huge files.
    const path = join(dir, 'huge.zip');
    const target = openSync(path, 'w');
    ftruncateSync(target, archive.sizeBytes);
    const starts = [0, 30 + 7 + huge.sizeBytes, 2 * (30 + 7 + huge.sizeBytes)];
    const ends = [30 + 7 - 1, starts[1]! + 30 + 7 - 1, archive.sizeBytes - 1];
    for (const [index, start] of starts.entries()) {
      const bytes = await bytesOf(archive, { start, end: ends[index]! });
      writeSync(target, bytes, 0, bytes.length, start);
    }
    closeSync(target);
    const [list, last] = python(path, 'unchecked');
    expect(
      (JSON.parse(list!) as unknown[][]).map(([name, size, , , offset]) => [name, size, offset]),
    ).toEqual(files.map(({ name, sizeBytes }, index) => [name, sizeBytes, starts[index]]));
    expect(last).toBe('beyond four gigabytes');
    expect(execFileSync('unzip', ['-Z1', path], { encoding: 'utf8' })).toBe('one.bin\ntwo.bin\nfar.txt\n');
  });
});

describe('ZipArchive', () => {
  it('returns any range of the same bytes', async () => {
    const archive = new ZipArchive(FILES);
    const whole = await bytesOf(archive);
    for (let start = 0; start < whole.length; start += 37) {
      const end = Math.min(whole.length - 1, start + 113);
      expect(await bytesOf(archive, { start, end })).toEqual(whole.subarray(start, end + 1));
    }
    const last = whole.length - 1;
    expect(await bytesOf(archive, { start: last, end: last })).toEqual(whole.subarray(last));
  });

  it('refuses a file of 4 GiB', () => {
    expect(() => new ZipArchive([{ name: 'x', sizeBytes: 2 ** 32, crc32: 0, modifiedAt: AT }])).toThrow(
      RangeError,
    );
  });

  it.each([-1, 1])('fails when a file has %i bytes more than recorded', async (more) => {
    const changed = { ...FILES[3]!, sizeBytes: FILES[3]!.sizeBytes - more };
    const archive = new ZipArchive<File>([changed]);
    const whole = async ({ bytes }: File): Promise<Readable> => Readable.from([bytes]);
    const read = async (): Promise<void> => {
      for await (const _ of archive.read(null, whole));
    };
    await expect(read()).rejects.toThrow('another size');
  });
});
