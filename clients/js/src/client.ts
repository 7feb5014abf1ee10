import { Batches } from './batches/batches.js';
import { enhance, type EnhanceOptions, type OrderOptions } from './enhance.js';
import { enhanceInOneRequest } from './enhance-in-one-request.js';
import { ImageEnhancementError } from './errors.js';
import type { FileInput, ImageInput } from './files/file-input.js';
import type { Job, Operation, OperationList, Source, Usage } from './generated/schema.js';
import { ApiPromise } from './http/api-promise.js';
import { Transport } from './http/transport.js';
import { Jobs } from './jobs/jobs.js';
import type { JobTerms } from './jobs/order.js';
import type { ClientOptions, RequestOptions, UploadOptions, UsageExportOptions } from './options.js';
import type { Platform } from './platform/platform.js';
import { Presets } from './presets.js';
import { EnhanceResult } from './result.js';
import { Sources } from './sources.js';
import { upload } from './upload.js';
import { Webhooks } from './webhooks/webhooks.js';

const NO_JOB = 'Give a job or its id. An error without a jobId has no job: repeat the call.';

/** A client of the image enhancement service. One client can serve a whole program. */
export class Client {
  readonly batches: Batches;
  readonly jobs: Jobs;
  readonly presets: Presets;
  readonly sources: Sources;
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  protected constructor(options: ClientOptions, platform: Platform) {
    this.#transport = new Transport(options, platform);
    this.batches = new Batches(this.#transport);
    this.jobs = new Jobs(this.#transport);
    this.presets = new Presets(this.#transport);
    this.sources = new Sources(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
  }

  /**
   * Uploads an image, creates the job, and waits for its end, in one call.
   * @param image a path (not in browsers), bytes, a Blob, a stream, the URL of an image on the web, or that of an
   *   upload
   * @throws QuotaExceededError, InvalidImageError, JobFailedError, TimeoutError, and the other errors of this library
   */
  async enhance(image: ImageInput, options: EnhanceOptions): Promise<EnhanceResult> {
    const job = await enhance(this.#transport, this.jobs, image, options);
    return new EnhanceResult(this.#transport, this.jobs, job);
  }

  /**
   * Like `enhance`, but returns the bytes of the result: one request for the file, the job, and the result, instead of
   * four.
   * @throws the errors of `enhance`
   */
  enhanceInOneRequest(image: FileInput, options: JobTerms & OrderOptions): Promise<Uint8Array<ArrayBuffer>> {
    return enhanceInOneRequest(this.#transport, this.jobs, image, options);
  }

  /** Uploads one image, or makes the service fetch it from a URL. Create jobs with the `url` of the returned source. */
  upload(file: FileInput | URL, options: UploadOptions = {}): ApiPromise<Source> {
    return upload(this.#transport, file, options);
  }

  /**
   * The result of a job. Waits until the job has completed.
   * @param job its id, or the job itself, which is not requested again if it has completed
   * @throws JobFailedError, TimeoutError, and the other errors of `jobs.wait`
   */
  async result(job: string | Job, options: RequestOptions = {}): Promise<EnhanceResult> {
    const completed = await this.completed(job, options);
    return new EnhanceResult(this.#transport, this.jobs, completed);
  }

  /** The available operations. */
  operations(options: RequestOptions = {}): ApiPromise<Operation[]> {
    return ApiPromise.of(async (onResponse) => {
      const request = { method: 'GET', path: '/ai/operations', onResponse } as const;
      return (await this.#transport.json<OperationList>(request, options)).data;
    });
  }

  /** The account's plan, its limits, and their current usage. */
  usage(options: RequestOptions = {}): ApiPromise<Usage> {
    return this.#transport.json({ method: 'GET', path: '/usage' }, options);
  }

  /**
   * Enhancements by day, key, and operation as CSV: `day,key_id,key_name,operation,enhancements`.
   * @param options the first and the last day (UTC), such as `2026-01-31`; default: the last 30 days
   */
  exportUsage(options: UsageExportOptions = {}): ApiPromise<string> {
    const { from, to, ...rest } = options;
    return ApiPromise.of((onResponse) => {
      const request = { method: 'GET', path: '/usage/export', query: { from, to } } as const;
      return this.#transport.send(request, rest, async (response) => {
        const text = await response.text();
        onResponse(response);
        return text;
      });
    });
  }

  private async completed(job: string | Job, options: RequestOptions): Promise<Job> {
    if (typeof job !== 'string' && job?.status === 'completed') return job;
    const id = typeof job === 'string' ? job : job?.id;
    // The `jobId` of an error may be null, and not every caller has types.
    if (id === undefined) throw new ImageEnhancementError('invalid_option', NO_JOB);
    return this.jobs.wait(id, { signal: options.signal, timeoutMs: options.timeoutMs });
  }
}
