import { setTimeout as sleep } from 'node:timers/promises';
import type { Level } from '../../kernel/operations.js';
import { type DemoClient, type DemoJob, RefusedError } from './demo-client.js';
import type { DemoPhoto } from './demo-photos.js';

/** An uploaded photo. */
export interface DemoSource {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly photo: DemoPhoto;
}

export interface DemoJobRequest {
  readonly operation: string;
  readonly level: Level;
  readonly source: DemoSource;
}

/** The outcome of an order. */
export interface DemoOutcome extends DemoJobRequest {
  /** Absent if the service refused the order. */
  readonly job?: DemoJob;
  readonly fault?: string;
  /** The bytes of the result, if it completed. */
  readonly result?: Buffer;
}

/** Pause between two polls: fewer than 10 requests per second, the plan's limit. */
const POLL_MS = 150;

/**
 * Creates all jobs, polls each until it ends, and downloads the results.
 * @param onEnd called when a job ends
 */
export async function runJobs(
  client: DemoClient,
  orders: readonly DemoJobRequest[],
  options: { readonly signal: AbortSignal; readonly onEnd: (outcome: DemoOutcome) => void },
): Promise<DemoOutcome[]> {
  const outcomes: DemoOutcome[] = [];
  for (const order of orders) outcomes.push(await create(client, order));
  const end = async (index: number, job: DemoJob) => {
    outcomes[index] = await finished(client, { ...outcomes[index]!, job });
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

async function create(client: DemoClient, order: DemoJobRequest): Promise<DemoOutcome> {
  const { operation, level, source } = order;
  try {
    // A cut-out needs transparency. The contact sheet can read these two formats.
    const format = operation === 'bg_remove' ? 'png' : 'jpeg';
    const request = { sourceUrl: source.url, operation, level, output: { format } } as const;
    return { ...order, job: await client.enhance(request) };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { ...order, fault: error.message };
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
