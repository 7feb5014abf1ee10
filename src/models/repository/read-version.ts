import { basename, dirname } from 'node:path';
import type { Refusal } from './catalog.js';
import type { Manifest } from '../manifest/manifest.js';
import { OPERATION_NAME } from '../manifest/manifest-shape.js';
import { checkManifest } from '../manifest/manifest-check.js';
import { parseManifest } from './parse-manifest.js';
import { MODEL_FILE_LIMITS, ModelFile } from '../files/model-file.js';
import { ModelVersion } from './model-version.js';
import { refusalReason } from './refusal-reason.js';
import { externalLocations, locationFault } from '../onnx/external-locations.js';
import { filesOf } from '../manifest/stage-files.js';
import { UnreadableModelFile } from '../files/unreadable-model-file.js';

/** A version cannot serve. The message completes "… is not served: ". */
export class InvalidVersion extends Error {
  override readonly name = 'InvalidVersion';
}

/** The name of a version's folder: an integer without leading zeros. */
export const VERSION_NAME = /^[1-9]\d{0,8}$/;

/** Completes "… is not served: ". */
export const MISNAMED_OPERATION =
  'the name of an operation folder must start with a lowercase letter and consist of up to 64 lowercase letters, digits and underscores; rename it';

/** Faults of a manifest that one refusal lists. */
const MAX_FAULTS = 10;

/** A refusal in the log, in `models check`, and in `/health/models`. */
export function refusalOf(operation: string, version: string, reason: string): Refusal {
  return { operation, version, message: `${operation}/${version} is not served: ${refusalReason(reason)}.` };
}

/**
 * Reads `<models>/<operation>/<version>` and checks everything that needs no runtime: the manifest, and the hash of
 * every file, as a stream.
 * @param folder absolute path
 * @throws InvalidVersion with what is wrong, where, and what to do
 */
export async function readVersion(folder: string): Promise<ModelVersion> {
  try {
    return await checkedVersion(folder);
  } catch (error) {
    if (error instanceof InvalidVersion) throw error;
    // One version that the check itself cannot handle must not take all others down.
    throw new InvalidVersion(
      `its files could not be checked (${String(error)}); correct or remove the folder`,
      {
        cause: error,
      },
    );
  }
}

async function checkedVersion(folder: string): Promise<ModelVersion> {
  const [operation, name] = [basename(dirname(folder)), basename(folder)];
  if (!OPERATION_NAME.test(operation)) throw new InvalidVersion(MISNAMED_OPERATION);
  if (!VERSION_NAME.test(name))
    throw new InvalidVersion(
      'the name of a version folder must be a whole number of 1 to 9 digits, the first of them not 0; rename it',
    );
  const manifest = await readManifest(folder, operation);
  await verifyFiles(folder, manifest);
  return new ModelVersion(manifest, Number(name), folder, await goldenHashes(folder, manifest));
}

async function readManifest(folder: string, operation: string): Promise<Manifest> {
  const options = { maxBytes: MODEL_FILE_LIMITS.manifestBytes };
  const text = await ModelFile.with(folder, 'manifest.json', options, (file) => file.bytes()).catch(
    unsound('manifest.json', 'add it or remove the folder'),
  );
  const check = checkManifest(parse(text.toString('utf8')), operation);
  if (check.ok) return check.manifest;
  const first = check.faults.slice(0, MAX_FAULTS);
  const more = check.faults.length - first.length;
  const faults = [...first, ...(more > 0 ? [`there are ${more} more faults`] : [])].join('; ');
  throw new InvalidVersion(`in manifest.json ${faults}; correct it or remove the folder`);
}

function parse(text: string): unknown {
  try {
    return parseManifest(text);
  } catch (error) {
    throw new InvalidVersion(`manifest.json is not JSON (${(error as SyntaxError).message}); correct it`);
  }
}

async function verifyFiles(folder: string, { engine, stages }: Manifest): Promise<void> {
  for (const [name, stage] of Object.entries(stages)) {
    if (stage.kind === 'matte' || stage.remote !== undefined) continue;
    const graphs = new Set([stage.file, stage.fp16?.file, stage.int8?.file]);
    for (const { file, sha256 } of filesOf(stage)) {
      const what = `the file ${file} of stage ${name}`;
      const isGraph = graphs.has(file);
      const maxBytes = isGraph ? MODEL_FILE_LIMITS.graphBytes : MODEL_FILE_LIMITS.weightsBytes;
      await ModelFile.with(folder, file, { maxBytes }, async (opened) => {
        verifyHash(what, await opened.sha256(), sha256);
        if (engine !== 'onnx' || !isGraph) return;
        verifyLocations(what, await externalLocations(opened), Object.keys(stage.external ?? {}));
      }).catch(unsound(what, 'restore it'));
    }
  }
}

function verifyHash(what: string, actual: string, sha256: string): void {
  if (actual === sha256) return;
  throw new InvalidVersion(
    `${what} has sha256 ${actual} but the manifest says ${sha256}; restore the file or correct the manifest`,
  );
}

/** The runtime opens any path that the graph names, so only plain names of files in the manifest are accepted. */
function verifyLocations(what: string, locations: readonly string[], listed: readonly string[]): void {
  const unlisted = locations.find((location) => !listed.includes(location));
  if (unlisted === undefined) return;
  throw new InvalidVersion(`${what} ${locationFault(unlisted)}`);
}

async function goldenHashes(folder: string, { golden = [] }: Manifest): Promise<readonly string[]> {
  const options = { maxBytes: MODEL_FILE_LIMITS.goldenBytes };
  const hashes: string[] = [];
  for (const file of golden.flatMap(({ before, after }) => [before, after]))
    hashes.push(
      await ModelFile.with(folder, file, options, (opened) => opened.sha256()).catch(
        unsound(`the golden image ${file}`, 'restore it'),
      ),
    );
  return hashes;
}

/** @param remedy for a missing file */
function unsound(what: string, remedy: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof UnreadableModelFile)
      throw new InvalidVersion(`${what} ${error.fault}; ${error.remedy ?? remedy}`, { cause: error });
    throw error;
  };
}
