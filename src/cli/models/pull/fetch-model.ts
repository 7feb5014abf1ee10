import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hashModelFile } from '../../../models/files/model-file.js';
import { FileLock } from '../../../infra/processes/file-lock.mjs';
import { type ModelsContext, ModelsError } from '../models-command.js';
import { type Download, download, sizeOf, Unobtainable } from './download.js';
import { sourcesOf } from './model-sources.js';
import { statedHash } from './stated-hash.js';
import type { UpstreamModel } from './upstream-catalog.js';

/** A file in `<models>/.pulling` with a verified hash. */
export interface FetchedModel {
  readonly path: string;
  /** Lowercase hex. */
  readonly sha256: string;
}

/**
 * Downloads a model's file from the first source that has it. Resumes an interrupted download.
 * @param given the hash that the user expects; the catalog's hash takes precedence
 * @param use called with the file, before another command may pull the same model
 * @throws ModelsError for a wrong hash, or when no hash is known; errors of `use`
 */
export async function fetchModel<T>(
  model: UpstreamModel,
  given: string | undefined,
  context: ModelsContext,
  use: (file: FetchedModel) => Promise<T>,
): Promise<T> {
  const { config, progress } = context;
  const folder = join(config.modelsDir, '.pulling');
  await mkdir(folder, { recursive: true });
  const lock = await FileLock.tryAcquire(join(folder, `${model.name}.lock`));
  if (!(lock instanceof FileLock))
    throw new ModelsError(`Process ${lock.pid} is pulling ${model.name}; wait until it has ended.`);
  try {
    progress.begin(model.file.bytes ?? 1, model.name);
    return await use(await fetched(model, given, folder, context));
  } finally {
    lock.release();
  }
}

async function fetched(
  { name, file }: UpstreamModel,
  given: string | undefined,
  folder: string,
  { config, progress, signal }: ModelsContext,
): Promise<FetchedModel> {
  const onProgress = (done: number, total: number | null): void =>
    progress.to(
      file.bytes === null ? 0 : done,
      `${name} ${megabytes(done)} of ${total === null ? '?' : megabytes(total)} MB`,
    );
  const sources = sourcesOf(file, config.modelsMirror);
  for (const [index, address] of sources.entries()) {
    try {
      const expected = file.sha256 ?? given ?? (await statedHash(address, signal));
      const path = join(folder, `${name}-${expected.slice(0, 16)}.part`);
      const isMirror = config.modelsMirror !== undefined;
      await verified({ address, isMirror, path, bytes: file.bytes, signal, onProgress }, expected);
      return { path, sha256: expected };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Unobtainable) || index === sources.length - 1) throw error;
    }
  }
  throw new ModelsError(`The catalog names no address for ${name}.`);
}

/** Downloads a file and verifies its hash. The beginning may come from a source with another file: then once more. */
async function verified(wanted: Download, expected: string): Promise<void> {
  const { address, path } = wanted;
  const isResumed = (await sizeOf(path)) > 0;
  await download(wanted);
  const actual = await hashModelFile(path);
  if (actual === expected) return;
  await rm(path, { force: true });
  if (isResumed) return verified(wanted, expected);
  throw new Unobtainable(
    `${address} has sha256 ${actual} instead of ${expected}: the file was replaced or corrupted in transit. The download was deleted.`,
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
