import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DIST, NODE_MODULES, ROOT } from '../lib/paths.mjs';

/**
 * The module name in an import or a require. Bundlers call it `require$1` and may quote the name with backticks. Text
 * that only looks like an import does no harm.
 */
const IMPORTED = /(?:from|import|require)[$\w]*\s*\(?\s*["'`]([^"'`\n./][^"'`\n]*)["'`]/g;

/** Optional peer dependencies that images include, so that tracing needs only OTEL_EXPORTER_OTLP_ENDPOINT. */
const TRACING = '@opentelemetry/';

/**
 * The names of the packages that the compiled service loads from node_modules: those that dist imports and that are not
 * packed into it, without development packages, and without optional peer dependencies other than those for tracing.
 */
export function servicePackages() {
  const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const isInImages = (name) => {
    if (name.startsWith(TRACING)) return true;
    const entry = locked[`node_modules/${name}`];
    return entry !== undefined && entry.dev !== true && entry.peer !== true;
  };
  const packed = new Set(packagesIn(join(DIST, 'node_modules')));
  return namesIn(DIST).filter((name) => !packed.has(name) && isInImages(name));
}

/**
 * The folders of packages and of their dependencies, without binaries for another C library.
 * @param {readonly string[]} names
 * @returns {string[]} absolute, sorted
 */
export function packagesWithDependencies(names) {
  const found = new Set();
  const visit = (name, from) => {
    const folder = packageFolder(name, from);
    if (folder === undefined || found.has(folder)) return;
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (manifest.libc !== undefined && ![manifest.libc].flat().includes('glibc')) return;
    found.add(folder);
    for (const next of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      visit(next, folder);
  };
  for (const name of names) visit(name, ROOT);
  return [...found].toSorted((a, b) => (a < b ? -1 : 1));
}

/**
 * The folder of a package as Node.js resolves it from another folder; undefined for an optional one that is missing.
 */
export function packageFolder(name, from = ROOT) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === ROOT || folder === dirname(folder)) return undefined;
  }
}

/** The names of the packages that the modules in a folder import. */
function namesIn(folder) {
  const names = new Set();
  for (const path of readdirSync(folder, { recursive: true })) {
    if (!/\.[cm]?js$/.test(path) || path.startsWith('web/')) continue;
    for (const [, specifier] of readFileSync(join(folder, path), 'utf8').matchAll(IMPORTED)) {
      const parts = specifier.split('/');
      names.add(specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]);
    }
  }
  return [...names].filter((name) => existsSync(join(NODE_MODULES, name, 'package.json')));
}

function packagesIn(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    );
}
