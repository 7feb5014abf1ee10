// `npm run bench -- <name> [--json]`: measures the built service on this machine.
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ROOT } from './lib/paths.mjs';
import { runMain } from './lib/setup-error.mjs';
import { setup } from './lib/setup.mjs';

const NAMES = [
  'api',
  'bodies',
  'chaos',
  'decode',
  'gpu',
  'growth',
  'memory',
  'pipeline',
  'swaps',
  'web',
  'webhooks',
];
const [name, ...rest] = process.argv.slice(2);
const path = join(ROOT, 'scripts', 'bench', `${name}.mjs`);
if (!NAMES.includes(name) || !existsSync(path)) {
  process.stderr.write(`Usage: npm run bench -- ${NAMES.join('|')} [--json]\n`);
  process.exit(2);
}
await runMain(setup);
const { run } = await import(pathToFileURL(path).href);
await run({ json: rest.includes('--json'), args: rest });
