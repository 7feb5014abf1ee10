import { setTimeout as sleep } from 'node:timers/promises';
import type { Level } from '../../kernel/operations.js';
import { type DemoClient, type DemoJob, RefusedError } from './demo-client.js';

/** One combination and what became of it. */
export interface DemoOutcome {
  readonly operation: string;
  readonly level: Level;
  /** Absent when the service refused to create it. */
  readonly job?: DemoJob;
  readonly fault?: string;
  /** Bytes of the result when it completed. */
  readonly result?: Buffer;
}

/** Between two polls of any jobs: under 10 requests a second, the plan's limit. */
const POLL_MS = 150;

/**
 * Creates all jobs at once, polls each to its end and fetches the results.
 * @param onEnd told of each as it ends
 */
export async function runJobs(
  client: DemoClient,
  sourceUrl: string,
  combinations: readonly { operation: string; level: Level }[],
  options: { readonly signal: AbortSignal; readonly onEnd: (outcome: DemoOutcome) => void },
): Promise<DemoOutcome[]> {
  const outcomes: DemoOutcome[] = [];
  for (const combination of combinations) outcomes.push(await create(client, sourceUrl, combination));
  const end = async (index: number, job: DemoJob) => {
    const { operation, level } = outcomes[index]!;
    outcomes[index] = await finished(client, { operation, level, job });
    options.onEnd(outcomes[index]);
  };
  const open = outcomes.flatMap(({ job }, index) => (job === undefined ? [] : [{ index, id: job.id }]));
  while (open.length > 0) {
    const next = open.shift()!;
    const job = await client.job(next.id);
    if (job.status === 'completed' || job.status === 'failed') await end(next.index, job);
    else open.push(next);
    if (open.length > 0) await sleep(POLL_MS, undefined, { signal: options.signal });
  }
  return outcomes;
}

async function create(
  client: DemoClient,
  sourceUrl: string,
  { operation, level }: { operation: string; level: Level },
): Promise<DemoOutcome> {
  try {
    // A cut-out needs transparency. The contact sheet's reader knows these two formats.
    const format = operation === 'bg_remove' ? 'png' : 'jpeg';
    return {
      operation,
      level,
      job: await client.enhance({ sourceUrl, operation, level, output: { format } }),
    };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { operation, level, fault: error.message };
  }
}

async function finished(
  client: DemoClient,
  outcome: DemoOutcome & { readonly job: DemoJob },
): Promise<DemoOutcome> {
  const { job } = outcome;
  if (job.resultUrl !== undefined) return { ...outcome, result: await client.download(job.resultUrl) };
  return { ...outcome, fault: job.error === null ? 'no result' : `${job.error.code}: ${job.error.message}` };
}
