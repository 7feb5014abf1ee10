import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { PendingObject } from '../../infra/storage/object-store.js';
import { IMAGE_EXTENSIONS } from '../../kernel/operations.js';
import { type JobRun, left } from '../job-run.js';
import { resultKey } from '../result-key.js';
import type { StepDependencies } from '../step-dependencies.js';

/** Small enough that hashing one never keeps the event loop, large enough that there are few of them. */
const CHUNK_BYTES = 256 * 1024;

/** Keeps the result's bytes, hashing them on their way. Only the next step makes them the job's result. */
export async function store(run: JobRun, dependencies: StepDependencies): Promise<void> {
  const { path, format, width, height } = left(run.encoded, 'encoded result');
  const key = resultKey(run.job.id, run.claim, IMAGE_EXTENSIONS[format]);
  run.resultKey = key;
  const pending = await dependencies.store.beginWrite();
  try {
    const sent = await send(path, pending, run.signal);
    await pending.commit(key);
    run.stored = { key, format, width, height, ...sent };
  } finally {
    await pending.discard();
  }
  run.progress = 0.99;
}

/** Copies a file, through one small buffer whatever its size. */
async function send(
  path: string,
  pending: PendingObject,
  signal: AbortSignal,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const file = await open(path);
  try {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    let bytes = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, bytes);
      if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
      const part = chunk.subarray(0, bytesRead);
      hash.update(part);
      await pending.write(part);
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}
