import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { ObjectStore, PendingObject } from '../../infra/storage/object-store.js';
import type { AppliedOutput } from '../../kernel/output-options.js';
import { IMAGE_EXTENSIONS, type ImageFormat } from '../../kernel/operations.js';
import type { JobRun } from '../job-run.js';
import { resultKey } from '../../jobs/result-key.js';
import type { EncodedResult } from './encode.js';

/** Small enough not to block the event loop while hashing, large enough to need few chunks. */
const CHUNK_BYTES = 256 * 1024;

/** A result in the object store. */
export interface StoredResult {
  readonly key: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Lowercase hex. */
  readonly sha256: string;
  /** Unsigned; archives of results contain it. */
  readonly crc32: number;
  readonly applied: AppliedOutput;
}

/** Stores and hashes the encoded result. Only `complete` makes it the result of the job. */
export async function storeResult(
  run: JobRun,
  { path, format, width, height, applied }: EncodedResult,
  store: ObjectStore,
): Promise<StoredResult> {
  const key = resultKey(run.job.id, run.claim, IMAGE_EXTENSIONS[format]);
  run.resultKey = key;
  const pending = await store.beginWrite();
  try {
    const sent = await send(path, pending, run.signal);
    await pending.commit(key);
    run.progress = 0.99;
    return { key, format, width, height, applied, ...sent };
  } finally {
    await pending.discard();
  }
}

/** Copies a file through one small buffer. */
async function send(
  path: string,
  pending: PendingObject,
  signal: AbortSignal,
): Promise<Pick<StoredResult, 'bytes' | 'sha256' | 'crc32'>> {
  const file = await open(path);
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let bytes = 0;
    let checksum = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, bytes);
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex'), crc32: checksum };
      const part = chunk.subarray(0, bytesRead);
      hash.update(part);
      checksum = crc32(part, checksum);
      await pending.write(part);
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}
