import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { join } from 'node:path';
import { SetupError } from '../lib/setup-error.mjs';

/** @typedef {{ file: string, bytes: number, sha256: string }} Part */

/**
 * The packed parts of a group; undefined when parts are missing or packing was not finished.
 * @returns {{ version: string, parts: Part[] } | undefined}
 */
export function readParts(folder, name) {
  const path = recordOf(folder, name);
  if (!existsSync(path)) return undefined;
  const record = JSON.parse(readFileSync(path, 'utf8'));
  return record.parts.every(({ file }) => existsSync(join(folder, file))) ? record : undefined;
}

/** @returns {Part[]} the parts of a group, in order */
export const partsOf = (folder, name) => readParts(folder, name)?.parts ?? [];

/**
 * Packs a folder with tar and xz, and splits the stream into parts. The record is written last, so the group is packed
 * again if the process is killed.
 * @returns {Promise<Part[]>}
 * @throws SetupError when tar or xz fails
 */
export async function packParts({ folder, name, version, staged, partBytes }) {
  rmSync(recordOf(folder, name), { force: true });
  for (const file of readdirSync(folder)) if (file.startsWith(`${name}.tar.xz.`)) rmSync(join(folder, file));
  const tar = spawn('tar', ['-cJf', '-', '--owner=0', '--group=0', '-C', staged, '.'], {
    env: { ...process.env, XZ_OPT: '-6 -T0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const complaint = readText(tar.stderr);
  const ended = new Promise((resolve, reject) => {
    tar.once('error', reject);
    tar.once('exit', resolve);
  });
  const parts = await writeParts(tar.stdout, { folder, name, partBytes });
  const code = await ended;
  if (code !== 0) throw new SetupError(`tar could not pack ${name}: ${(await complaint).trim()}`);
  writeFileSync(recordOf(folder, name), `${JSON.stringify({ version, parts }, null, 2)}\n`);
  return parts;
}

async function writeParts(stream, { folder, name, partBytes }) {
  /** @type {Part[]} */
  const parts = [];
  let open;
  const next = () => {
    const file = `${name}.tar.xz.${String(parts.length).padStart(3, '0')}`;
    return { file, bytes: 0, hash: createHash('sha256'), output: createWriteStream(join(folder, file)) };
  };
  const close = async ({ file, bytes, hash, output }) => {
    output.end();
    await finished(output);
    parts.push({ file, bytes, sha256: hash.digest('hex') });
    open = undefined;
  };
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length;) {
      open ??= next();
      const piece = chunk.subarray(at, at + partBytes - open.bytes);
      at += piece.length;
      open.bytes += piece.length;
      open.hash.update(piece);
      if (!open.output.write(piece)) await new Promise((resolve) => open.output.once('drain', resolve));
      if (open.bytes === partBytes) await close(open);
    }
  }
  if (open !== undefined) await close(open);
  return parts;
}

async function readText(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const recordOf = (folder, name) => join(folder, `${name}.json`);
