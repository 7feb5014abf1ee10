import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST, NODE_MODULES, ROOT } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

/** For imports from dist, Node.js looks here before it looks in the root node_modules. */
const PACKED = join(DIST, 'node_modules');
/** Packages are packed here first, so that a killed run leaves nothing incomplete where Node.js would look. */
const NEXT = join(DIST, 'node_modules-next');
const STAMP = '.stamp';
/** Read at the start, because an edit while this process runs changes the file, but not the running code. */
const OWN_SOURCE = readFileSync(fileURLToPath(import.meta.url));

/**
 * Each role loads these from about 2,500 small files, which takes most of the time and CPU of a start. They are packed
 * together, so that they share one copy of common code.
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

/** Not packed, because they load a binary or a file from their folder, start threads, or must exist only once. */
const LEFT = /^(?:pino|thread-stream|msgpackr-extract|reflect-metadata)(?:\/|$)/;

/** Whether the packages were packed from the current installation. */
export function arePackagesPacked() {
  const path = join(PACKED, STAMP);
  return existsSync(path) && readFileSync(path, 'utf8') === stamp();
}

/**
 * Packs the service's larger packages into a few files in dist/node_modules, which halves the start time of a role.
 * @param {(text: string) => void} say
 * @throws SetupError when the bundler fails; the earlier packed files stay
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
  // Imported here, because a production installation does not include the bundler.
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
    // Class names are used as names of tables and tokens.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: '.shared/[name]-[hash].js',
    // Comments and white space are a quarter of what each start reads and parses.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  writeFileSync(join(folder, '.shared', 'package.json'), '{ "type": "module" }\n');
  for (const name of PACKAGES) {
    // The service never imports a subpath of a package.
    const described = { name, version: versionOf(name), type: 'module', exports: './index.js' };
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'package.json'), `${JSON.stringify(described)}\n`);
  }
}

const ENTRY = '\0packed:';

/**
 * A module with the exports that Node.js finds in the package. For CommonJS, a bundler would see only the default
 * export.
 */
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

/** Leaves optional imports of frameworks to the running service, because the packages need not be installed. */
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
