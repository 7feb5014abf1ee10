import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Start of a GPU code container (CUDA fat binary). */
const MAGIC = 0xba55ed50;
const CONTAINER_ALIGNMENT = 8;
/** Offsets in the header of one entry: size of the header, size of the code, compute capability. */
const ENTRY = { headerBytes: 4, codeBytes: 8, capability: 28 };
const ENTRY_BYTES = 64;

/**
 * Fills the GPU code of every other compute capability with zeros, which pack to almost nothing. The headers stay, so
 * the CUDA runtime still finds the code of `capability` at its place. The layout is the one that `cuobjdump` reads.
 * @param {string} path an ELF library, changed in place
 * @param {number} capability such as 90 for 9.0
 * @returns {{ keptBytes: number, clearedBytes: number }} nothing is cleared when the library has no code for it
 */
export function keepCapability(path, capability) {
  const file = openSync(path, 'r+');
  try {
    const entries = readEntries(file);
    const kept = entries.filter((entry) => entry.capability === capability);
    const others = kept.length === 0 ? [] : entries.filter((entry) => entry.capability !== capability);
    for (const { at, bytes } of others) writeSync(file, Buffer.alloc(bytes), 0, bytes, at);
    return { keptBytes: total(kept), clearedBytes: total(others) };
  } finally {
    closeSync(file);
  }
}

const total = (entries) => entries.reduce((sum, { bytes }) => sum + bytes, 0);

function readEntries(file) {
  const section = fatBinarySection(file);
  const entries = [];
  if (section === undefined) return entries;
  let at = section.at;
  while (at < section.end) {
    const header = readAt(file, at, 16);
    if (header.readUInt32LE(0) !== MAGIC) {
      at += CONTAINER_ALIGNMENT;
      continue;
    }
    const end = at + header.readUInt16LE(6) + Number(header.readBigUInt64LE(8));
    at += header.readUInt16LE(6);
    while (at < end) {
      const entry = readAt(file, at, ENTRY_BYTES);
      const headerBytes = entry.readUInt32LE(ENTRY.headerBytes);
      const bytes = Number(entry.readBigUInt64LE(ENTRY.codeBytes));
      entries.push({ at: at + headerBytes, bytes, capability: entry.readUInt32LE(ENTRY.capability) });
      at += headerBytes + bytes;
    }
  }
  return entries;
}

/** The section `.nv_fatbin` of a 64-bit ELF file. */
function fatBinarySection(file) {
  const header = readAt(file, 0, 64);
  const table = Number(header.readBigUInt64LE(0x28));
  const [entryBytes, count, namesIndex] = [0x3a, 0x3c, 0x3e].map((offset) => header.readUInt16LE(offset));
  const sections = Array.from({ length: count }, (_, index) => {
    const entry = readAt(file, table + index * entryBytes, entryBytes);
    const at = Number(entry.readBigUInt64LE(24));
    return { name: entry.readUInt32LE(0), at, end: at + Number(entry.readBigUInt64LE(32)) };
  });
  const names = readAt(file, sections[namesIndex].at, sections[namesIndex].end - sections[namesIndex].at);
  return sections.find(({ name }) => names.toString('latin1', name, names.indexOf(0, name)) === '.nv_fatbin');
}

function readAt(file, at, bytes) {
  const buffer = Buffer.alloc(bytes);
  if (readSync(file, buffer, 0, bytes, at) !== bytes)
    throw new Error('The library is shorter than its headers say.');
  return buffer;
}
