import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hashOfFiles } from './hash-of-files.mjs';
import { arePackagesPacked, ensurePackedPackages } from './packed-packages.mjs';
import { areModulesPacked, packModules } from './packed-modules.mjs';
import { DIST, NODE_MODULES, ROOT } from './paths.mjs';
import { SetupError } from './setup-error.mjs';
import { ensureWebBuild, isWebBuildCurrent } from './web-build.mjs';

/** Source folders, and the project that compiles each into dist. */
const PROJECTS = [
  { folder: 'src', config: 'tsconfig.build.json', output: '' },
  { folder: 'tools', config: 'tools/tsconfig.build.json', output: 'tools' },
];
/** Not below a temporary folder of the system: modules find their packages from here. */
const OUT = join(ROOT, 'out');
const STAMP = join(DIST, '.stamp');
/** The sources that a running build began with. */
const BEGUN = join(DIST, '.stamp-begun');
/** What `npm run build` need not compile again, because it wrote the output itself. */
const INCREMENTAL = join(DIST, '.tsbuildinfo');
/** Emits the same JavaScript as `typescript` in a fifth of the CPU time, but has no API. */
const COMPILER = join(NODE_MODULES, 'typescript-7', 'bin', 'tsc');

/** Whether dist was built from exactly these sources and packages, including the dashboard. */
export function isBuildCurrent() {
  return isServiceCurrent() && isPackingCurrent() && isWebBuildCurrent();
}

/**
 * Builds everything in dist that is outdated: the service, its packages, and the dashboard.
 * @param {(text: string) => void} say
 * @throws SetupError when a compiler fails
 */
export async function ensureBuild(say) {
  ensureServiceBuild(say);
  await ensurePacking(say);
  await ensureWebBuild(say);
}

/** Whether the programs and packages were packed from the current build and installation. */
export function isPackingCurrent() {
  return arePackagesPacked() && existsSync(STAMP) && areModulesPacked(readFileSync(STAMP, 'utf8'));
}

/**
 * Packs the modules and packages of each program, which halves its start time.
 * @param {(text: string) => void} say
 * @throws SetupError when the bundler fails; the compiled files stay
 */
export async function ensurePacking(say) {
  await ensurePackedPackages(say);
  const version = readFileSync(STAMP, 'utf8');
  if (!areModulesPacked(version)) await packModules(say, version);
}

/** Whether the service alone is current. Its specs do not need the dashboard. */
export function isServiceCurrent() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp();
}

/**
 * Builds the service unless it is current. Does not check types (`npm run typecheck` and `npm test` do): with isolated
 * modules, the output is the same in half the time.
 * @param {(text: string) => void} say
 * @throws SetupError when the compiler fails
 */
export function ensureServiceBuild(say) {
  if (isServiceCurrent()) return;
  say('Building …');
  beginBuild();
  rmSync(INCREMENTAL, { force: true });
  for (const { config } of PROJECTS) compile(config);
  recordBuild();
}

/**
 * For a command that only imports modules of the service: dist if it is current, otherwise a temporary build, because
 * specs or a service may be running from dist.
 * @template T
 * @param {(text: string) => void} say
 * @param {(folder: string) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws SetupError when the compiler fails
 */
export async function withServiceModules(say, use) {
  if (isServiceCurrent()) return use(DIST);
  say('Compiling …');
  mkdirSync(OUT, { recursive: true });
  const folder = mkdtempSync(join(OUT, 'modules-'));
  try {
    compile(PROJECTS[0].config, '--outDir', folder);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws SetupError when the compiler fails */
function compile(config, ...more) {
  const args = [COMPILER, '-p', config, '--noCheck', '--incremental', 'false', ...more];
  const result = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  if (result.status === 0) return;
  throw new SetupError(
    `The build failed:\n${result.stdout}${result.stderr}\nIf you changed nothing, delete node_modules and dist and try again.`,
  );
}

/**
 * Before the compilers run: from now on, dist is not current. Sources that change during the build make it outdated,
 * because it is recorded with the sources of now.
 */
export function beginBuild() {
  const begun = stamp();
  mkdirSync(DIST, { recursive: true });
  rmSync(STAMP, { force: true });
  writeFileSync(BEGUN, begun);
}

/**
 * After the compilers of `npm run build`: does the rest, and records the build, so that `npm start` does not repeat it.
 * @param {(text: string) => void} say
 * @throws SetupError when a bundler fails
 */
export async function finishBuild(say) {
  recordBuild();
  await ensurePackedPackages(say);
  // Also if the sources did not change: the compiler has replaced the packed programs.
  await packModules(say, readFileSync(STAMP, 'utf8'));
  await ensureWebBuild(say);
}

/** Records the build that `beginBuild` began, and deletes what belongs to an earlier one. */
export function recordBuild() {
  removeOrphans();
  renameSync(BEGUN, STAMP);
}

/** Depends on the content, not on times, so that a checkout or copy of the same sources is not rebuilt. */
function stamp() {
  const inputs = PROJECTS.flatMap(({ folder, config }) => [
    ...sources(folder).map((path) => join(folder, path)),
    config,
  ]);
  return `${hashOfFiles(ROOT, [...inputs, 'tsconfig.json', 'package-lock.json'])}\n`;
}

function sources(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.endsWith('.spec.ts'))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/**
 * Deletes output files whose source no longer exists, because they could still be imported. The dashboard and the
 * packages manage their own files.
 */
function removeOrphans() {
  const wanted = new Set(
    PROJECTS.flatMap(({ folder, output }) =>
      sources(folder).map((path) => join(output, path.replace(/\.(?:ts|mjs)$/, ''))),
    ),
  );
  for (const path of readdirSync(DIST, { recursive: true })) {
    const match =
      /^(?!(?:web|node_modules|\.packed)(?:-next)?[/\\]|.*\.unpacked\.js$)(.*)\.(?:m?js|m?js\.map|d\.ts)$/.exec(
        path,
      );
    if (match !== null && !wanted.has(match[1])) rmSync(join(DIST, path));
  }
}
