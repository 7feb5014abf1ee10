import type { CreateJobDto } from '../../../src/jobs/creation/create-job.dto.js';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import type { UsageDto } from '../../../src/quotas/usage.dto.js';
import type { SourceDto } from '../../../src/common/resources/source.dto.js';
import { eventually } from './flow-wait.js';

/** A response with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

/** The final states of a job. */
const FINAL: ReadonlySet<JobDto['status']> = new Set(['completed', 'failed']);
const FINAL_PAUSE_MS = 250;

export type Order = Omit<CreateJobDto, 'sourceUrl'>;

/** A client of the public API, as any user could write it. */
export class FlowClient {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /** Sends any request and never throws for a status. @param path below the base URL */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        'x-api-key': this.key,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
  }

  async upload(bytes: Uint8Array): Promise<SourceDto> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), 'picture');
    return (await this.expected(201, 'POST', '/api/ai/upload', form)) as unknown as SourceDto;
  }

  async create(sourceUrl: string, order: Order): Promise<JobDto> {
    return (await this.expected(201, 'POST', '/api/ai/enhance', {
      sourceUrl,
      ...order,
    })) as unknown as JobDto;
  }

  async job(id: string): Promise<JobDto> {
    return (await this.expected(200, 'GET', `/api/ai/enhance/${id}`)) as unknown as JobDto;
  }

  async usage(): Promise<UsageDto> {
    return (await this.expected(200, 'GET', '/api/usage')) as unknown as UsageDto;
  }

  async deleteSource(id: string): Promise<void> {
    await this.expected(204, 'DELETE', `/api/ai/sources/${id}`);
  }

  /** Polls until the job is in one of these states. */
  async until(id: string, ...states: readonly JobDto['status'][]): Promise<JobDto> {
    const look = async () => {
      const job = await this.job(id);
      return states.includes(job.status) ? { found: job } : { seen: job };
    };
    const isFinal = states.every((state) => FINAL.has(state));
    return eventually(
      `${id} to be ${states.join(' or ')}`,
      look,
      isFinal ? { maxPauseMs: FINAL_PAUSE_MS } : {},
    );
  }

  /** Polls until the job has ended. @throws Error when it did not complete */
  async completed(id: string): Promise<JobDto> {
    const job = await this.until(id, 'completed', 'failed');
    if (job.status === 'failed') throw new Error(`${id} failed: ${JSON.stringify(job.error)}`);
    return job;
  }

  /** Reads a URL of this service without a key. @throws Error for any status but 200 */
  async bytesAt(url: string): Promise<Buffer> {
    const answer = await fetch(url);
    if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Uploads, enhances, waits and reads the result. */
  async enhance(bytes: Uint8Array, order: Order): Promise<{ job: JobDto; bytes: Buffer }> {
    const { url } = await this.upload(bytes);
    return this.enhanceSource(url, order);
  }

  /** Like `enhance`, for an existing upload. */
  async enhanceSource(sourceUrl: string, order: Order): Promise<{ job: JobDto; bytes: Buffer }> {
    const { id } = await this.create(sourceUrl, order);
    const job = await this.completed(id);
    return { job, bytes: await this.bytesAt(job.resultUrl!) };
  }

  private async expected(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Record<string, unknown>> {
    const answer = await this.request(method, path, body);
    if (answer.status !== status) {
      throw new Error(`${method} ${path} answers ${answer.status}: ${JSON.stringify(answer.json)}`);
    }
    return answer.json;
  }
}
