import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'image-enhancement', 'contract');

/** The version of Schemathesis whose options and report the specs and `npm run fuzz` use. */
export const SCHEMATHESIS = 'schemathesis==4.32.5';

/** Where `npm run contract:setup` installs its tools, and where the contract specs look for them. */
export const CONTRACT_TOOLS = {
  folder,
  spectral: join(folder, 'node_modules', '.bin', 'spectral'),
  schemathesis: join(folder, 'venv', 'bin', 'schemathesis'),
  /** The file of the npm package `remove.bg`. */
  removebgNpm: join(folder, 'node_modules', 'remove.bg', 'dist', 'index.js'),
  /** A Python with the PyPI package `removebg`. */
  removebgPython: join(folder, 'removebg', 'bin', 'python'),
};

/**
 * The suffix of a spec's name when its tool is not installed.
 * @param {string} program
 */
export const missingTool = (program) =>
  existsSync(program) ? '' : ' (skipped: the tool is missing, npm run contract:setup)';
