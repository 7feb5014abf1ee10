import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Refusal } from './catalog.js';
import type { Manifest } from './manifest.js';
import { checkManifest } from './manifest-check.js';
import { ModelVersion } from './model-version.js';
import { filesOf } from './stage-files.js';

/** Why one version cannot serve; the message completes "… is not served: ". */
export class UnsoundVersion extends Error {
  override readonly name = 'UnsoundVersion';
}

/** The name of a version's folder: a whole number without leading zeros. */
export const VERSION_NAME = /^[1-9]\d{0,8}$/;

/** A refusal as it stands in the log, in `models check` and in `/health/models`. */
export function refusalOf(operation: string, version: string, reason: string): Refusal {
  return { operation, version, message: `${operation}/${version} is not served: ${reason}.` };
}

/**
 * Reads `<models>/<operation>/<version>` and checks all that needs no runtime: the manifest, and the hash of every
 * file, streaming.
 * @param folder absolute path
 * @throws UnsoundVersion that says what, where and what to do
 */
export async function readVersion(folder: string): Promise<ModelVersion> {
  const [operation, name] = [basename(dirname(folder)), basename(folder)];
  if (!VERSION_NAME.test(name))
    throw new UnsoundVersion('the name of a version folder must be a whole number; rename it');
  const manifest = await readManifest(folder, operation);
  await verifyFiles(folder, manifest);
  return new ModelVersion(manifest, Number(name), folder, await goldenHashes(folder, manifest));
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
  for (const [name, stage] of Object.entries(manifest.stages)) {
    for (const { file, sha256 } of filesOf(stage)) {
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
}

async function goldenHashes(folder: string, { golden = [] }: Manifest): Promise<readonly string[]> {
  const files = golden.flatMap(({ before, after }) => [before, after]);
  return Promise.all(
    files.map((file) =>
      hashFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
        throw new UnsoundVersion(`the golden image ${file} cannot be read (${error.code}); restore it`);
      }),
    ),
  );
}

/** SHA-256 of a file, lowercase hex, streaming. @throws the file system's error */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
