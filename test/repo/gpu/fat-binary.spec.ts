import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepCapability } from '../../../scripts/gpu/fat-binary.mjs';

const MAGIC = 0xba55ed50;
const SECTION_AT = 64;

/** One program for GPUs of a compute capability; all its bytes are `fill`. */
function entry(capability: number, bytes: number, fill: number): Buffer {
  const header = Buffer.alloc(64);
  header.writeUInt16LE(2, 0);
  header.writeUInt32LE(header.length, 4);
  header.writeBigUInt64LE(BigInt(bytes), 8);
  header.writeUInt32LE(capability, 28);
  return Buffer.concat([header, Buffer.alloc(bytes, fill)]);
}

function container(...entries: readonly Buffer[]): Buffer {
  const body = Buffer.concat(entries);
  const header = Buffer.alloc(16);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt16LE(1, 4);
  header.writeUInt16LE(header.length, 6);
  header.writeBigUInt64LE(BigInt(body.length), 8);
  return Buffer.concat([header, body]);
}

/** An ELF file with a section `.nv_fatbin` and its table of names. */
function library(section: Buffer): Buffer {
  const names = Buffer.from('\0.nv_fatbin\0.shstrtab\0', 'latin1');
  const namesAt = SECTION_AT + section.length;
  const tableAt = namesAt + names.length;
  const header = Buffer.alloc(SECTION_AT);
  header.write('\x7fELF', 0, 'latin1');
  header.writeBigUInt64LE(BigInt(tableAt), 0x28);
  for (const [offset, value] of [
    [0x3a, 64],
    [0x3c, 3],
    [0x3e, 2],
  ] as const)
    header.writeUInt16LE(value, offset);
  const row = (name: number, at: number, size: number): Buffer => {
    const bytes = Buffer.alloc(64);
    bytes.writeUInt32LE(name, 0);
    bytes.writeBigUInt64LE(BigInt(at), 24);
    bytes.writeBigUInt64LE(BigInt(size), 32);
    return bytes;
  };
  const table = [
    row(0, 0, 0),
    row(1, SECTION_AT, section.length),
    row(names.indexOf('.shstrtab'), namesAt, names.length),
  ];
  return Buffer.concat([header, section, names, ...table]);
}

describe('keepCapability', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ies-fat-'));
    path = join(folder, 'library.so');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const section = (other: number): Buffer =>
    Buffer.concat([
      container(entry(80, 40, other), entry(90, 24, 9)),
      // Containers are aligned to 8 bytes, with padding between them.
      Buffer.alloc(8),
      container(entry(90, 16, 7), entry(120, 32, other)),
    ]);

  it('clears only the code for other GPUs', () => {
    writeFileSync(path, library(section(5)));
    expect(keepCapability(path, 90)).toEqual({ keptBytes: 40, clearedBytes: 72 });
    expect(readFileSync(path)).toEqual(library(section(0)));
  });

  it('changes nothing in a library without code for the GPU, or without GPU code', () => {
    for (const whole of [library(section(5)), library(Buffer.alloc(0))]) {
      writeFileSync(path, whole);
      expect(keepCapability(path, 70)).toEqual({ keptBytes: 0, clearedBytes: 0 });
      expect(readFileSync(path)).toEqual(whole);
    }
  });
});
