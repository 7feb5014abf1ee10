import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SETS } from './sets.mjs';

/** Marks a folder as drawn by this script. */
const MARK = '.stand-ins';

/**
 * Draws each set whose folder is missing. An existing folder contains the user's data and stays unchanged, unless this
 * script drew it.
 * @param {string} folder where the sets go
 * @returns {Promise<{ drawn: string[], kept: string[] }>}
 */
export async function writeStandIns(folder) {
  const [drawn, kept] = [[], []];
  for (const [name, make] of Object.entries(SETS)) {
    const target = join(folder, name);
    if (existsSync(target) && !existsSync(`${target}${MARK}`)) {
      kept.push(name);
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    // Outside of the folder, because the specs read everything in it. Written first, so that an incomplete set is drawn
    // again.
    writeFileSync(`${target}${MARK}`, 'Drawn by "npm run data:stand-ins"; may be deleted.\n');
    mkdirSync(target, { recursive: true });
    for (const [file, bytes] of Object.entries(await make())) writeFileSync(join(target, file), bytes);
    drawn.push(name);
  }
  return { drawn, kept };
}
