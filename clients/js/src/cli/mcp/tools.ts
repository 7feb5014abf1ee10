import { lstat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ImageEnhancementError, JobFailedError, TimeoutError } from '../../errors.js';
import { webAddress } from '../../files/file-input.js';
import type { Job } from '../../generated/schema.js';
import { checkIdempotencyKey } from '../../http/checks.js';
import { newIdempotencyKey, uploadKeyOf } from '../../http/idempotency-key.js';
import type { ImageEnhancement } from '../../node.js';
import type { EnhanceResult } from '../../result.js';
import { runLanes } from '../folder/lanes.js';
import { extensionOf, formatOf } from '../image-format.js';
import { requestedOrder } from './requested-order.js';
import { resultLocation } from './result-location.js';
import type { Roots } from './roots.js';
import { saveNew } from './save-new.js';
import { ToolArguments } from './tool-arguments.js';
import { BATCH_INPUT, ENHANCE_INPUT, type InputSchema, NO_INPUT, STATUS_INPUT } from './tool-schemas.js';

/** A part of a tool's result. */
export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** One call of a tool. */
export interface ToolCall {
  readonly client: ImageEnhancement;
  readonly roots: Roots;
  readonly signal: AbortSignal;
  /** Progress from 0 to 1. */
  readonly onProgress: (progress: number, message: string) => void;
}

/** A tool for agents. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: boolean };
  readonly run: (call: ToolCall, values: Readonly<Record<string, unknown>>) => Promise<Content[]>;
}

/** Larger results are not included in the response, because agents pay for what they read. */
const MAX_INLINE_BYTES = 4_000_000;
const UPLOADS_AT_ONCE = 4;

const WRITES = { readOnlyHint: false, openWorldHint: true };
const READS = { readOnlyHint: true, openWorldHint: true };

export const TOOLS: readonly Tool[] = [
  {
    name: 'enhance_image',
    description:
      'Enhances one image: skin smoothing, upscaling, automatic enhancement, background removal, or several of them. Waits for the result and returns it, or saves it with saveTo.',
    inputSchema: ENHANCE_INPUT,
    annotations: WRITES,
    run: enhanceImage,
  },
  {
    name: 'create_batch',
    description:
      'Enhances up to 1,000 images in the same way. Returns the batch at once: get_status follows it.',
    inputSchema: BATCH_INPUT,
    annotations: WRITES,
    run: createBatch,
  },
  {
    name: 'get_status',
    description: 'Tells how far a job or a batch is, and saves its results into a folder with saveTo.',
    inputSchema: STATUS_INPUT,
    annotations: WRITES,
    run: getStatus,
  },
  {
    name: 'list_models',
    description: 'Lists the operations of the service with their levels and the models that serve them.',
    inputSchema: NO_INPUT,
    annotations: READS,
    run: async ({ client, signal }) => [json(await client.operations({ signal }))],
  },
  {
    name: 'list_presets',
    description: 'Lists the presets: operations and output that are saved under a name.',
    inputSchema: NO_INPUT,
    annotations: READS,
    run: async ({ client, signal }) => [json(await client.presets.list({ signal }))],
  },
];

async function enhanceImage(call: ToolCall, values: Readonly<Record<string, unknown>>): Promise<Content[]> {
  const { client, roots, signal, onProgress } = call;
  const args = new ToolArguments(values, ENHANCE_INPUT);
  const image = await imageAt(roots, args.text('image')!);
  const saveTo = args.text('saveTo');
  // Check the path before the job is paid for.
  const path = saveTo === undefined ? undefined : await roots.writable(saveTo, args.flag('overwrite'));
  const format = path === undefined ? undefined : formatOf(extname(path));
  const result = await client.enhance(image, {
    ...(await requestedOrder(client, args, format === undefined ? {} : { format }, signal)),
    signal,
    idempotencyKey: args.text('idempotencyKey'),
    onProgress: ({ phase, progress }) => onProgress(progress, phase),
  });
  try {
    if (path === undefined) return [json(summaryOf(result.job)), ...(await inline(result, signal))];
    await (args.flag('overwrite') ? result.save(path, { signal }) : saveNew(result, path, signal));
    return [json({ ...summaryOf(result.job), savedTo: path })];
  } catch (error) {
    if (error instanceof ImageEnhancementError) error.jobId ??= result.job.id;
    throw error;
  }
}

/** Includes the result as data for the agent to look at, or its URL if the data is too large. */
async function inline(result: EnhanceResult, signal: AbortSignal): Promise<Content[]> {
  if (result.info.bytes > MAX_INLINE_BYTES) {
    return [{ type: 'text', text: resultLocation(result.url) }];
  }
  const data = Buffer.from(await result.bytes({ signal })).toString('base64');
  return [{ type: 'image', data, mimeType: `image/${result.info.format}` }];
}

async function createBatch(call: ToolCall, values: Readonly<Record<string, unknown>>): Promise<Content[]> {
  const { client, roots, signal, onProgress } = call;
  const args = new ToolArguments(values, BATCH_INPUT);
  const images = await Promise.all(args.texts('images').map((image) => imageAt(roots, image)));
  const idempotencyKey = args.text('idempotencyKey') ?? newIdempotencyKey();
  checkIdempotencyKey(idempotencyKey);
  const order = await requestedOrder(client, args, {}, signal);
  const sourceUrls: string[] = [];
  let done = 0;
  try {
    await runLanes([...images.entries()], UPLOADS_AT_ONCE, signal, async ([index, image]) => {
      // The same uploads for the same call, because a repeated request must be equal.
      const uploadKey = await uploadKeyOf(`${idempotencyKey}-${index}`);
      sourceUrls[index] = (await client.upload(image, { signal, idempotencyKey: uploadKey })).url;
      done += 1;
      onProgress(done / images.length, `uploaded ${done} of ${images.length}`);
    });
    const request = { ...order, sourceUrls };
    const { skipped, ...batch } = await client.batches.create(request, { signal, idempotencyKey });
    return [json({ ...batch, ...(skipped.length === 0 ? {} : { skipped }) })];
  } catch (error) {
    if (error instanceof ImageEnhancementError) error.idempotencyKey = idempotencyKey;
    throw error;
  }
}

async function getStatus(call: ToolCall, values: Readonly<Record<string, unknown>>): Promise<Content[]> {
  const { client, roots, signal, onProgress } = call;
  const args = new ToolArguments(values, STATUS_INPUT);
  const id = args.text('id')!;
  const timeoutMs = args.seconds('waitSeconds', 600) * 1000;
  const saveTo = args.text('saveTo');
  const folder = saveTo === undefined ? undefined : await roots.writableFolder(saveTo);
  if (!id.startsWith('bat_')) {
    if (timeoutMs > 0) {
      const waiting = client.jobs.wait(id, {
        timeoutMs,
        signal,
        onProgress: ({ job }) => onProgress(job.progress, job.status),
      });
      await waiting.catch(unlessTimeout);
    }
    const job = await client.jobs.get(id, { signal });
    const saved = folder === undefined ? undefined : await saveAll(call, [job], folder);
    return [json({ ...summaryOf(job), ...(saved === undefined ? {} : { savedTo: saved[0] ?? null }) })];
  }
  if (timeoutMs > 0) {
    const waiting = client.batches.wait(id, {
      timeoutMs,
      signal,
      onProgress: ({ percent, status }) => onProgress(percent / 100, status),
    });
    await waiting.catch(unlessTimeout);
  }
  const batch = await client.batches.get(id, { signal });
  if (folder === undefined) return [json(batch)];
  const jobs = await client.batches.items(id, { status: 'completed', limit: 100 }, { signal }).all();
  return [json({ ...batch, saved: await saveAll(call, jobs, folder) })];
}

/** A job that continues or has failed is not an error of this call. The agent sees its state. */
function unlessTimeout(error: unknown): void {
  if (error instanceof TimeoutError || error instanceof JobFailedError) return;
  throw error;
}

/**
 * Saves the results that have not been saved yet. Their names contain the ids of the jobs, so an existing file is the
 * result, or what a person has made of it.
 */
async function saveAll(
  { client, roots, signal }: ToolCall,
  jobs: readonly Job[],
  folder: string,
): Promise<string[]> {
  const saved: string[] = [];
  const completed = jobs.filter(({ status }) => status === 'completed');
  await runLanes([...completed.entries()], UPLOADS_AT_ONCE, signal, async ([index, job]) => {
    const number = job.batchIndex === undefined ? '' : `${String(job.batchIndex).padStart(4, '0')}-`;
    const result = await client.result(job, { signal });
    const name = `${number}${job.id}.${job.operation}${extensionOf(result.info.format)}`;
    const path = await roots.writable(join(folder, name), true);
    if (!(await exists(path))) await saveNew(result, path, signal).catch(unlessExists);
    saved[index] = path;
  });
  return saved;
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Another call has saved the same result in the meantime. */
function unlessExists(error: unknown): void {
  if (!(error instanceof ImageEnhancementError && error.code === 'file_exists')) throw error;
}

async function imageAt(roots: Roots, image: string): Promise<string> {
  return webAddress(image) === undefined ? roots.readable(image) : image;
}

/** The fields of a job that an agent needs. Other fields would only cost tokens. */
function summaryOf(job: Job): object {
  const { id, status, error, result, resultUrl, progress } = job;
  const operations = job.operations.map(({ operation, level }) => ({ operation, level }));
  return { id, status, progress, operations, error, result: result ?? null, resultUrl: resultUrl ?? null };
}

function json(value: unknown): Content {
  return { type: 'text', text: JSON.stringify(value) };
}
