import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { IMAGE_EXTENSIONS } from '../../kernel/operations.js';
import { type JobRun, left } from '../job-run.js';
import { resultKey } from '../result-key.js';
import type { Tools } from '../tools.js';

/** Small enough that hashing one never keeps the event loop, large enough that there are few of them. */
const CHUNK_BYTES = 256 * 1024;

/** Keeps the result's bytes, hashing them on their way. Only the next step makes them the job's result. */
export async function store(run: JobRun, tools: Tools): Promise<void> {
  const { path, format, width, height } = left(run.encoded, 'encoded result');
  const key = resultKey(run.job.id, run.claim, IMAGE_EXTENSIONS[format]);
  run.resultKey = key;
  const pending = await tools.store.beginWrite();
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(path, {
      highWaterMark: CHUNK_BYTES,
    }) as AsyncIterable<Buffer>) {
      run.signal.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.length;
      await pending.write(chunk);
    }
    await pending.commit(key);
    run.stored = { key, format, width, height, bytes, sha256: hash.digest('hex') };
  } finally {
    await pending.discard();
  }
  run.progress = 0.99;
}
