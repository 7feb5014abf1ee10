// Runs commands of `npm run admin` one after the other. Ends by itself after the parent's disconnect, unless a command
// has left something open.
import 'reflect-metadata';
import { runAdmin } from '../../../dist/cli/run-admin.js';

/** Follows the output of each command in both streams. */
const END = '\0';

process.on('message', (words) => void run(/** @type {string[]} */ (words)));

/** @param {readonly string[]} words */
async function run(words) {
  const code = await runAdmin(words);
  process.stdout.write(END);
  process.stderr.write(END);
  process.send?.(code);
}
