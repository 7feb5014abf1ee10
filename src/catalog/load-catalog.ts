import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Catalog, type Refusal } from './catalog.js';
import type { Manifest } from './manifest.js';
import { checkManifest } from './manifest-check.js';
import { OPERATION_NAME } from './manifest-shape.js';
import { ModelVersion } from './model-version.js';

/**
 * Reads a model repository, `<modelsDir>/<operation>/<version>/manifest.json`. Of each operation the highest
 * sound version serves; a higher one that is not sound is refused with one sentence and the one below it is
 * tried. Every file of the version that serves is hashed, streaming.
 * @throws Error when the folder itself cannot be read
 */
export async function loadCatalog(modelsDir: string): Promise<Catalog> {
  const root = resolve(modelsDir);
  const operations = await folders(root).catch((error: unknown) => {
    throw new Error(`The model repository ${root} cannot be read; set MODELS_DIR to the models folder.`, {
      cause: error,
    });
  });
  const found = await Promise.all(
    operations.filter((name) => OPERATION_NAME.test(name)).map((operation) => bestVersion(root, operation)),
  );
  return new Catalog(
    found.flatMap(({ version }) => (version === null ? [] : [version])),
    found.flatMap(({ refusals }) => refusals),
  );
}

async function bestVersion(
  root: string,
  operation: string,
): Promise<{ version: ModelVersion | null; refusals: Refusal[] }> {
  const names = await folders(join(root, operation));
  const numbered = names.filter((name) => /^[1-9]\d{0,8}$/.test(name));
  const refusals = names
    .filter((name) => !numbered.includes(name))
    .map((name) =>
      refusal(operation, name, 'the name of a version folder must be a whole number; rename it'),
    );
  for (const name of numbered.toSorted((a, b) => Number(b) - Number(a))) {
    const folder = join(root, operation, name);
    try {
      const manifest = await readManifest(folder, operation);
      await verifyFiles(folder, manifest);
      return { version: new ModelVersion(manifest, Number(name), folder), refusals };
    } catch (error) {
      if (!(error instanceof UnsoundVersion)) throw error;
      refusals.push(refusal(operation, name, error.message));
    }
  }
  return { version: null, refusals };
}

function refusal(operation: string, version: string, reason: string): Refusal {
  return { operation, version, message: `${operation}/${version} is not served: ${reason}.` };
}

/** Why one version cannot serve; the message completes "… is not served: ". */
class UnsoundVersion extends Error {
  override readonly name = 'UnsoundVersion';
}

async function readManifest(folder: string, operation: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnsoundVersion(`manifest.json cannot be read (${error.code}); add it or remove the folder`);
  });
  const check = checkManifest(parse(text), operation);
  if (check.ok) return check.manifest;
  throw new UnsoundVersion(`in manifest.json ${check.faults.join('; ')}; correct it or remove the folder`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnsoundVersion(`manifest.json is not JSON (${(error as SyntaxError).message}); correct it`);
  }
}

async function verifyFiles(folder: string, manifest: Manifest): Promise<void> {
  const files = Object.entries(manifest.stages).flatMap(([name, { file, sha256, tensorflow }]) =>
    [[file, sha256] as const, ...Object.entries(tensorflow?.weights ?? {})].map(
      (pair) => [name, pair] as const,
    ),
  );
  for (const [name, [file, sha256]] of files) {
    const actual = await hashFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      throw new UnsoundVersion(
        `the file ${file} of stage ${name} cannot be read (${error.code}); restore it`,
      );
    });
    if (actual === sha256) continue;
    throw new UnsoundVersion(
      `the file ${file} of stage ${name} has sha256 ${actual} but the manifest says ${sha256}; restore the file or correct the manifest`,
    );
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Names of the folders in a folder (links followed, dangling ones passed over), hidden ones left out. */
async function folders(path: string): Promise<string[]> {
  const names = (await readdir(path)).filter((name) => !name.startsWith('.'));
  const isFolder = await Promise.all(
    names.map((name) =>
      stat(join(path, name)).then(
        (entry) => entry.isDirectory(),
        () => false,
      ),
    ),
  );
  return names.filter((_, index) => isFolder[index]).toSorted();
}
