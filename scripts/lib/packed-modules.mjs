import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST } from './paths.mjs';
import { SetupError } from './setup-error.mjs';

const FOLDER = '.packed';
const PACKED = join(DIST, FOLDER);
/** Modules are packed here first, so that a killed run leaves nothing incomplete where Node.js would look. */
const NEXT = join(DIST, `${FOLDER}-next`);
const STAMP = '.stamp';

/**
 * Programs that start often, by their path in dist. Each loads up to 450 small modules. Those of a group share files.
 * `models` does not share those of the roles, and child processes have one each, because they would be split otherwise.
 */
const GROUPS = [
  ['main.admin', 'main.all', 'main.api', 'main.dispatcher', 'main.worker'],
  ['main.decoder'],
  ['main.encoder'],
  ['main.thumbnail'],
  ['main.model-trial'],
  ['main.version-render'],
  ['models/check/checker-process'],
  ['main.models', 'tools/main.models'],
];
export const PROGRAMS = GROUPS.flat();

/** The content that replaces a program. The compiled program stays in the same folder, for debuggers. */
export const stubOf = (path) =>
  `import '${'../'.repeat(path.split('/').length - 1) || './'}${FOLDER}/${nameOf(path)}.js';\n`;
/** Also what an earlier version of this file wrote, which may have had another name for the same program. */
const STUB = /^import '\.[./]*\/\.packed\/[^'/]+';\n$/;
/** Of a program in the folder of all packed programs. */
const nameOf = (path) => path.replaceAll('/', '-');
const compiled = (path) => join(DIST, `${path}.unpacked.js`);

/**
 * Whether the programs were packed from the current build.
 * @param {string} version of the build
 */
export function areModulesPacked(version) {
  const path = join(PACKED, STAMP);
  return existsSync(path) && readFileSync(path, 'utf8') === stamp(version);
}

/**
 * Packs the modules of each program into a few files in dist/.packed, and makes the program import those.
 * @param {(text: string) => void} say
 * @param {string} version of the build
 * @throws SetupError when the bundler fails; the compiled programs stay
 */
export async function packModules(say, version) {
  say('Packing the modules …');
  rmSync(NEXT, { recursive: true, force: true });
  for (const path of PROGRAMS) keepCompiled(path);
  try {
    for (const group of GROUPS) await packInto(NEXT, group);
  } catch (error) {
    rmSync(NEXT, { recursive: true, force: true });
    throw new SetupError(
      `The modules could not be packed: ${error.message}\nIf you changed nothing, delete node_modules and dist and try again.`,
    );
  }
  writeFileSync(join(NEXT, STAMP), stamp(version));
  rmSync(PACKED, { recursive: true, force: true });
  renameSync(NEXT, PACKED);
  for (const path of PROGRAMS) writeFileSync(join(DIST, `${path}.js`), stubOf(path));
}

function keepCompiled(path) {
  const program = join(DIST, `${path}.js`);
  if (!STUB.test(readFileSync(program, 'utf8'))) copyFileSync(program, compiled(path));
}

async function packInto(folder, group) {
  // Imported here, because a production installation does not include the bundler.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: Object.fromEntries(group.map((path) => [nameOf(path), compiled(path)])),
    cwd: DIST,
    platform: 'node',
    // Modules have side effects when they are imported: decorators, metadata.
    treeshake: false,
    plugins: [packagesStay, modulesKnowTheirPlace],
    onLog: (level, log) => {
      if (level === 'error') throw new Error(log.message);
    },
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // Class names are used as names of tables and tokens.
    keepNames: true,
    // Dead code elimination would remove calls that are made only for the error that they may throw.
    minify: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
}

const BARE = /^(?!node:|\0)[^./#]/;

/** Leaves packages to Node.js, including those in dist/node_modules. */
const packagesStay = {
  name: 'packages-stay',
  resolveId: (id, importer) => (importer !== undefined && BARE.test(id) ? { id, external: true } : null),
};

/** Makes modules find files relative to their compiled location. The source map refers to the source. */
const modulesKnowTheirPlace = {
  name: 'modules-know-their-place',
  load(id) {
    if (!id.startsWith(DIST + sep)) return null;
    const place = relative(PACKED, id).split(sep).join('/');
    const code = readFileSync(id, 'utf8').replaceAll(
      'import.meta.url',
      `new URL(${JSON.stringify(place)}, import.meta.url).href`,
    );
    return { code, map: mapOf(id, code) };
  },
};

function mapOf(id, code) {
  const [, name] = /\/\/# sourceMappingURL=(.+)\s*$/.exec(code) ?? [];
  if (name === undefined) return null;
  const path = join(dirname(id), name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

function stamp(version) {
  const hash = createHash('sha256').update(version);
  return `${hash.update(readFileSync(fileURLToPath(import.meta.url))).digest('hex')}\n`;
}
