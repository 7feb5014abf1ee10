import { ApiError, ConnectionError } from './errors.js';
import { chunksOf } from './files/file-input.js';
import { resultAddress } from './files/result-address.js';
import type { Job, JobResult } from './generated/schema.js';
import { sha256 } from './http/sha256.js';
import type { Transport } from './http/transport.js';
import type { Jobs } from './jobs/jobs.js';
import type { RequestOptions } from './options.js';

/** An enhanced image. Its bytes are downloaded only on request. */
export class EnhanceResult {
  readonly #transport: Transport;
  readonly #jobs: Jobs;

  constructor(
    transport: Transport,
    jobs: Jobs,
    /** The completed job. */
    readonly job: Job,
  ) {
    this.#transport = transport;
    this.#jobs = jobs;
  }

  /** URL of the image under the public address of the service. It works without a key until `exp`. */
  get url(): string {
    return this.job.resultUrl!;
  }

  /** Format, size and digest. */
  get info(): JobResult {
    return this.job.result!;
  }

  /** For `JSON.stringify`: the job, which contains everything. */
  toJSON(): Job {
    return this.job;
  }

  /** The bytes of the file, verified against the digest of the job. */
  async bytes(options: RequestOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.read(options, async (response) => {
      const bytes = new Uint8Array(await response.arrayBuffer());
      this.check(await sha256(bytes));
      return bytes;
    });
  }

  async blob(options: RequestOptions = {}): Promise<Blob> {
    return new Blob([await this.bytes(options)], { type: `image/${this.info.format}` });
  }

  /**
   * Writes the image to a file, which appears complete or not at all and is never in memory as a whole. Not available
   * in browsers.
   * @throws ImageEnhancementError `not_saved` when the file cannot be written
   */
  async save(path: string, options: RequestOptions = {}): Promise<void> {
    const draft = await this.#transport.platform.draftFile(path);
    try {
      await this.read(options, async (response) => {
        await draft.restart();
        if (response.body !== null) {
          for await (const chunk of chunksOf(response.body)) await draft.write(chunk);
        }
        this.check(draft.sha256());
      });
      await draft.keep();
    } finally {
      await draft.drop();
    }
  }

  /** @throws ConnectionError, so that the file is read again */
  private check(digest: string | null): void {
    if (digest === null || digest === this.info.sha256) return;
    throw new ConnectionError('What was read is not the result: its digest is another one.');
  }

  private async read<T>(options: RequestOptions, read: (response: Response) => Promise<T>): Promise<T> {
    const patient = this.#transport.forFile(options);
    try {
      return await this.readAt(this.url, patient, read);
    } catch (error) {
      // The signed URL may have expired. Reading the job again returns a new one.
      if (!(error instanceof ApiError) || ![401, 403, 404, 410].includes(error.status)) throw error;
      const job = await this.#jobs.get(this.job.id, options);
      return this.readAt(job.resultUrl ?? this.url, patient, read);
    }
  }

  private readAt<T>(
    url: string,
    options: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    return this.#transport.download(resultAddress(url, this.#transport.baseUrl), options, read);
  }
}
