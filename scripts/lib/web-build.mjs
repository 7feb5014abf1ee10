import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { runNode } from './check.mjs';
import { hashOfFiles } from './hash-of-files.mjs';
import { DIST, NODE_MODULES, ROOT } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

const WEB = join(ROOT, 'web');
/** The client library, which the dashboard uses to access the service. */
const CLIENT = join(ROOT, 'clients', 'js', 'src');
/** The files that the api process serves. A new build is created next to them, so that they are never incomplete. */
export const WEB_OUTPUT = join(DIST, 'web');
const NEXT_OUTPUT = join(DIST, 'web-next');
const STAMP = join(DIST, '.stamp-web');
const COMPRESSED = new Set(['.js', '.css', '.html', '.svg', '.json']);
const MIN_BYTES = 512;

/** Whether dist/web was built from exactly these sources. */
export function isWebBuildCurrent() {
  return existsSync(STAMP) && existsSync(WEB_OUTPUT) && readFileSync(STAMP, 'utf8') === stamp();
}

/**
 * Builds the dashboard unless it is current, with .br and .gz versions of each text file.
 * @param {(text: string) => void} say
 * @throws SetupError when the bundler fails
 */
export async function ensureWebBuild(say) {
  if (isWebBuildCurrent()) return;
  say('Building the dashboard …');
  const wanted = stamp();
  rmSync(NEXT_OUTPUT, { recursive: true, force: true });
  const bundler = join(NODE_MODULES, 'vite', 'bin', 'vite.js');
  const args = ['build', '--config', join('web', 'vite.config.ts'), '--outDir', NEXT_OUTPUT];
  // Otherwise, it would be a development build when tests build it.
  const env = { NODE_ENV: 'production' };
  const { code, output } = await runNode([bundler, ...args, '--logLevel', 'warn'], 'collect', env);
  if (code !== 0) throw new SetupError(`The dashboard could not be built:\n${output}`);
  compress(NEXT_OUTPUT);
  rmSync(STAMP, { force: true });
  rmSync(WEB_OUTPUT, { recursive: true, force: true });
  renameSync(NEXT_OUTPUT, WEB_OUTPUT);
  writeFileSync(STAMP, wanted);
}

/** Depends on the content, like the rest of dist. */
function stamp() {
  const inputs = [...filesUnder(WEB), ...filesUnder(CLIENT)].filter((path) => !path.endsWith('.spec.ts'));
  const tools = ['lingui.mjs', 'preload-start.mjs'].map((name) => join(import.meta.dirname, name));
  const paths = [...inputs, ...tools, join(ROOT, 'package-lock.json')].toSorted((a, b) => (a < b ? -1 : 1));
  return `${hashOfFiles(
    ROOT,
    paths.map((path) => path.slice(ROOT.length)),
  )}\n`;
}

/** Compresses files once instead of for each request. */
function compress(folder) {
  for (const path of filesUnder(folder)) {
    if (!COMPRESSED.has(extname(path)) || statSync(path).size < MIN_BYTES) continue;
    const bytes = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  }
}

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
