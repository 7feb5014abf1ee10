import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DIST, NODE_MODULES, ROOT } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

/** For imports from dist, Node.js looks here before it looks in the root node_modules. */
const PACKED = join(DIST, 'node_modules');
/** Packages are packed here first, so that a killed run leaves nothing incomplete where Node.js would look. */
const NEXT = join(DIST, 'node_modules-next');
const STAMP = '.stamp';
/** The folder of the code that packages share. */
const SHARED = '.shared';
const LOADER = join(import.meta.dirname, 'packed-loader.mjs');
/** Read at the start, because an edit while this process runs changes the file, but not the running code. */
const OWN_SOURCES = [fileURLToPath(import.meta.url), LOADER].map((path) => readFileSync(path));

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
  '@simplewebauthn/server',
  'bullmq',
  'class-transformer',
  'class-validator',
  'commander',
  'content-disposition',
  'ioredis',
  'nodemailer',
  'otpauth',
  'pg',
  'pg-copy-streams',
  'prom-client',
  'protobufjs',
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
 * Packs the service's larger packages into a few compiled files in dist/node_modules, because loading them takes
 * most of the time of a start.
 * @param {(text: string) => void} say
 * @throws SetupError when packing fails; if the bundler does, the earlier packed files stay
 */
export async function ensurePackedPackages(say) {
  if (arePackagesPacked()) return;
  say('Packing the packages …');
  const wanted = stamp();
  rmSync(NEXT, { recursive: true, force: true });
  try {
    await packInto(NEXT);
    rmSync(PACKED, { recursive: true, force: true });
    renameSync(NEXT, PACKED);
    // Compiled code contains the path of its file.
    compile(join(PACKED, SHARED));
  } catch (error) {
    rmSync(NEXT, { recursive: true, force: true });
    throw new SetupError(
      `The packages could not be packed: ${error.message}\nIf you changed nothing, delete node_modules and dist and try again.`,
    );
  }
  writeFileSync(join(PACKED, STAMP), wanted);
}

async function packInto(folder) {
  // Imported here, because a production installation does not include the bundler.
  const { rolldown } = await import('rolldown');
  const exported = new Map();
  for (const name of PACKAGES) exported.set(name, await exportsOf(name));
  const bundle = await rolldown({
    input: Object.fromEntries(PACKAGES.map((name) => [chunkName(name), `${ENTRY}${name}`])),
    cwd: ROOT,
    platform: 'node',
    plugins: [entriesOf(exported), leaveOptional, onlyNode],
    onLog: (level, log) => {
      if (level === 'error') throw new Error(log.message);
    },
  });
  await bundle.write({
    dir: join(folder, SHARED),
    // Node.js 20 can load compiled code for scripts, but not for ES modules.
    format: 'cjs',
    // Some packages export this name themselves.
    esModule: false,
    // Class names are used as names of tables and tokens.
    keepNames: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // Comments and white space are a quarter of what each start reads and parses.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  writeFileSync(join(folder, SHARED, 'package.json'), '{ "type": "module" }\n');
  copyFileSync(LOADER, join(folder, SHARED, 'load.js'));
  for (const [name, names] of exported) writePackage(join(folder, name), name, names);
}

const ENTRY = '\0packed:';

/** The names that Node.js finds in the package. For CommonJS, a bundler would see only the default export. */
async function exportsOf(name) {
  return Object.keys(await import(name)).filter((each) => each !== 'module.exports');
}

function entriesOf(exported) {
  const code = (name) => `export { ${exported.get(name).join(', ')} } from '${name}';`;
  return {
    name: 'packed-entries',
    resolveId: (id) => (id.startsWith(ENTRY) ? id : null),
    load: (id) => (id.startsWith(ENTRY) ? { code: code(id.slice(ENTRY.length)), moduleType: 'js' } : null),
  };
}

/** An ES module with the exports of the packed package. The service never imports a subpath of a package. */
function writePackage(folder, name, names) {
  const described = { name, version: versionOf(name), type: 'module', exports: './index.js' };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(described)}\n`);
  const path = `${'../'.repeat(name.split('/').length)}${SHARED}/load.js`;
  const locals = names.map((each) => `${each}: $${each}`).join(', ');
  const exported = names.map((each) => `$${each} as ${each}`).join(', ');
  writeFileSync(
    join(folder, 'index.js'),
    `import { load } from '${path}';
const { ${locals} } = load('./${chunkName(name)}.cjs');
export { ${exported} };
`,
  );
}

/** Loads all packages in a separate process and stores the functions that V8 compiled, which each start runs. */
function compile(folder) {
  const program = `
    const { load, writeCompiledCode } = await import(${JSON.stringify(pathToFileURL(join(folder, 'load.js')).href)});
    for (const name of ${JSON.stringify(PACKAGES.map(chunkName))}) load('./' + name + '.cjs');
    writeCompiledCode();
    process.exit();`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

function chunkName(name) {
  return name.replace('@', '').replace('/', '-');
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

const CLOUDFLARE_CHECK = '= getStreamFuncs()';

/**
 * Makes pg use the sockets of Node.js without a check. To find out whether it runs at Cloudflare, it creates a
 * `Response`, for which Node.js 20 loads its HTTP client: 20 ms of CPU in each process that connects to PostgreSQL.
 */
const onlyNode = {
  name: 'only-node',
  transform(code, id) {
    if (!id.endsWith(join('node_modules', 'pg', 'lib', 'stream.js'))) return null;
    if (!code.includes(CLOUDFLARE_CHECK)) throw new Error(`${id} checks for Cloudflare differently.`);
    return { code: code.replace(CLOUDFLARE_CHECK, '= getNodejsStreamFuncs()'), map: null };
  },
};

function versionOf(name) {
  return JSON.parse(readFileSync(join(NODE_MODULES, name, 'package.json'), 'utf8')).version;
}

function stamp() {
  const hash = createHash('sha256');
  // Compiled code is for one version of V8.
  hash.update(process.version);
  for (const bytes of [readFileSync(join(ROOT, 'package-lock.json')), ...OWN_SOURCES]) hash.update(bytes);
  return `${hash.digest('hex')}\n`;
}
