import { IMAGE_EXTENSIONS } from '../../kernel/operations.js';
import { type JobRun, left } from '../job-run.js';
import { resultKey } from '../result-key.js';
import type { Tools } from '../tools.js';

/** Keeps the result's bytes. Only the next step makes them the job's result. */
export async function store(run: JobRun, tools: Tools): Promise<void> {
  const encoded = left(run.encoded, 'encoded result');
  const key = resultKey(run.job.id, run.claim, IMAGE_EXTENSIONS[encoded.format]);
  run.resultKey = key;
  await tools.store.put(key, encoded.data);
  run.progress = 0.99;
}
