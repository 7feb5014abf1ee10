import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SETS } from './sets.mjs';

/** Marks a folder whose files were drawn here. */
const MARK = '.stand-ins';

/**
 * Draws each set whose folder is missing. A folder that exists is somebody's data and stays as it is, unless it was drawn.
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
    // Beside the folder, since the specs read all that is in it. First, so that half a set can be drawn again.
    writeFileSync(`${target}${MARK}`, 'Drawn by "npm run data:stand-ins"; may be deleted.\n');
    mkdirSync(target, { recursive: true });
    for (const [file, bytes] of Object.entries(await make())) writeFileSync(join(target, file), bytes);
    drawn.push(name);
  }
  return { drawn, kept };
}
