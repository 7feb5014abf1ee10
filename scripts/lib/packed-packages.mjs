import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST, NODE_MODULES, ROOT } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

/** Node looks here before it looks in node_modules, when it is dist that imports a package. */
const PACKED = join(DIST, 'node_modules');
/** They are packed beside it, so that a run that is killed leaves no half of them where Node would look. */
const NEXT = join(DIST, 'node_modules-next');
const STAMP = '.stamp';
/** Read now: an edit while this process runs changes the file, but not what this process packs. */
const OWN_SOURCE = readFileSync(fileURLToPath(import.meta.url));

/**
 * What each role loads from some 2,500 small files, which takes most of the time and CPU of a start. They are packed
 * together, so that they share one copy of what they have in common.
 */
export const PACKAGES = [
  '@fastify/busboy',
  '@fastify/cookie',
  '@fastify/cors',
  '@fastify/static',
  '@nestjs/bullmq',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
  '@nestjs/typeorm',
  'bullmq',
  'class-transformer',
  'class-validator',
  'ioredis',
  'pg',
  'prom-client',
  'typeorm',
  'undici',
];

/** Stay where they are: they load a binary or a file beside them, start threads, or must be there only once. */
const LEFT = /^(?:pino|thread-stream|msgpackr-extract|reflect-metadata)(?:\/|$)/;

/** Whether the packages were packed from what is installed. */
export function arePackagesPacked() {
  const path = join(PACKED, STAMP);
  return existsSync(path) && readFileSync(path, 'utf8') === stamp();
}

/**
 * Packs the service's larger packages into a few files in dist/node_modules: a role starts in half the time.
 * @param {(text: string) => void} say
 * @throws SetupError when the bundler fails; what was packed before stays
 */
export async function ensurePackedPackages(say) {
  if (arePackagesPacked()) return;
  say('Packing the packages …');
  const wanted = stamp();
  rmSync(NEXT, { recursive: true, force: true });
  try {
    await packInto(NEXT);
  } catch (error) {
    rmSync(NEXT, { recursive: true, force: true });
    throw new SetupError(
      `The packages could not be packed: ${error.message}\nIf you changed nothing, delete node_modules and dist and try again.`,
    );
  }
  writeFileSync(join(NEXT, STAMP), wanted);
  rmSync(PACKED, { recursive: true, force: true });
  renameSync(NEXT, PACKED);
}

async function packInto(folder) {
  // Only here: the bundler is no part of a service that is built.
  const { rolldown } = await import('rolldown');
  const entries = new Map();
  for (const name of PACKAGES) entries.set(name, await entryOf(name));
  const bundle = await rolldown({
    input: Object.fromEntries(PACKAGES.map((name) => [`${name}/index`, `${ENTRY}${name}`])),
    cwd: ROOT,
    platform: 'node',
    plugins: [entriesFrom(entries), leaveOptional],
    onLog: (level, log) => {
      if (level === 'error') throw new Error(log.message);
    },
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    // The names of classes are names of tables and tokens.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: '.shared/[name]-[hash].js',
    // Comments and spaces are a quarter of what each start reads and parses.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  writeFileSync(join(folder, '.shared', 'package.json'), '{ "type": "module" }\n');
  for (const name of PACKAGES) {
    // Nothing of the service imports a part of a package.
    const described = { name, version: versionOf(name), type: 'module', exports: './index.js' };
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'package.json'), `${JSON.stringify(described)}\n`);
  }
}

const ENTRY = '\0packed:';

/** A module that exports what Node finds in the package: of CommonJS, a bundler would see the default alone. */
async function entryOf(name) {
  const names = Object.keys(await import(name)).filter((each) => each !== 'module.exports');
  return `export { ${names.join(', ')} } from '${name}';`;
}

function entriesFrom(entries) {
  return {
    name: 'packed-entries',
    resolveId: (id) => (id.startsWith(ENTRY) ? id : null),
    load: (id) =>
      id.startsWith(ENTRY) ? { code: entries.get(id.slice(ENTRY.length)), moduleType: 'js' } : null,
  };
}

const BARE = /^(?!node:|\0)[^./]/;

/** Frameworks ask for packages that need not be installed: that remains a question for the running service. */
const leaveOptional = {
  name: 'leave-optional',
  async resolveId(id, importer, options) {
    if (importer === undefined || !BARE.test(id)) return null;
    if (LEFT.test(id)) return { id, external: true };
    return (await this.resolve(id, importer, { ...options, skipSelf: true })) ?? { id, external: true };
  },
};

function versionOf(name) {
  return JSON.parse(readFileSync(join(NODE_MODULES, name, 'package.json'), 'utf8')).version;
}

function stamp() {
  const hash = createHash('sha256');
  for (const bytes of [readFileSync(join(ROOT, 'package-lock.json')), OWN_SOURCE]) hash.update(bytes);
  return `${hash.digest('hex')}\n`;
}
