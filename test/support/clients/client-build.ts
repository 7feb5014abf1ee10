import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFileLock } from '../../../src/infra/processes/file-lock.mjs';
import { NODE_MODULES, ROOT } from '../../../scripts/lib/paths.mjs';

/** The folder of the JavaScript client as users install it. */
export const CLIENT = join(ROOT, 'clients', 'js');
/** Not in dist, which is packed completely. */
const STAMP = join(NODE_MODULES, '.client-build.stamp');

/** Builds the JavaScript client unless its build is up to date. */
export async function ensureClientBuild(): Promise<void> {
  if (isCurrent()) return;
  mkdirSync(NODE_MODULES, { recursive: true });
  await withFileLock(
    join(NODE_MODULES, '.client-build.lock'),
    () => undefined,
    async () => {
      if (isCurrent()) return;
      const wanted = sourcesDigest();
      const script = join(CLIENT, 'scripts', 'build.mjs');
      const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`the client does not build:\n${stdout}${stderr}`);
      writeFileSync(STAMP, wanted);
    },
  );
}

const isCurrent = () =>
  existsSync(join(CLIENT, 'dist', 'cjs', 'node.js')) &&
  existsSync(STAMP) &&
  readFileSync(STAMP, 'utf8') === sourcesDigest();

function sourcesDigest(): string {
  const sources = readdirSync(join(CLIENT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join('src', path))
    .toSorted();
  const hash = createHash('sha256');
  for (const path of [
    ...sources,
    'package.json',
    'tsconfig.json',
    'tsconfig.cjs.json',
    'scripts/build.mjs',
  ]) {
    hash.update(`${path}\0`).update(readFileSync(join(CLIENT, path)));
  }
  return hash.digest('hex');
}
