import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETS } from './sets.mjs';

/**
 * Ending of the file that marks a folder as drawn by this script, and lists the hash of each file. It is outside of the
 * folder, because the specs read everything in it.
 */
const MARK = '.stand-ins';
const DRAFT = '.draft';
const HEAD = 'Drawn by "npm run data:stand-ins"; may be deleted.';

/**
 * Draws each set whose folder is missing. An existing folder contains the user's data and stays unchanged, unless this
 * script drew everything in it.
 * @param {string} folder where the sets go
 * @returns {Promise<{ drawn: string[], kept: string[] }>}
 */
export async function writeStandIns(folder) {
  const [drawn, kept] = [[], []];
  for (const [name, make] of Object.entries(SETS)) {
    const target = join(folder, name);
    const mark = `${target}${MARK}`;
    if (existsSync(target) && !existsSync(mark)) {
      kept.push(name);
      continue;
    }
    const files = await make();
    const lines = Object.entries(files).map(([file, bytes]) => lineOf(file, bytes));
    if (existsSync(target) && !isDrawn(target, [...linesOf(mark), ...lines])) {
      rmSync(mark);
      kept.push(name);
      continue;
    }
    writeDraft(`${target}${DRAFT}`, files);
    rmSync(target, { recursive: true, force: true });
    writeFileSync(mark, [HEAD, ...lines, ''].join('\n'));
    renameSync(`${target}${DRAFT}`, target);
    drawn.push(name);
  }
  return { drawn, kept };
}

/** Writes into another folder first, so that an interrupted run leaves no incomplete set. */
function writeDraft(draft, files) {
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(draft, file), bytes);
}

/**
 * Whether each file of a folder is one that this script drew. A folder that a user has replaced keeps the mark beside
 * it, and its files may have the same names.
 */
function isDrawn(target, lines) {
  const known = new Set(lines);
  return readdirSync(target, { withFileTypes: true }).every(
    (entry) => entry.isFile() && known.has(lineOf(entry.name, readFileSync(join(target, entry.name)))),
  );
}

function lineOf(file, bytes) {
  return `${createHash('sha256').update(bytes).digest('hex')}  ${file}`;
}

function linesOf(mark) {
  return readFileSync(mark, 'utf8').split('\n');
}
