import { setTimeout as sleep } from 'node:timers/promises';
import type { Level } from '../../kernel/operations.js';

/** The fields of a job that the demo reads: docs/openapi.json. */
export interface DemoJob {
  readonly id: string;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly operation: string;
  readonly level: Level;
  readonly resultUrl?: string;
  readonly result?: { readonly format: string; readonly width: number; readonly height: number };
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly timings: {
    readonly queuedMs: number | null;
    readonly inferenceMs: number | null;
    readonly totalMs: number | null;
  };
}

/** A response other than 2xx, with the text of its problem document. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

interface DemoRequest {
  readonly method?: string;
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The public HTTP API, as any client would use it. */
export class DemoClient {
  constructor(
    private readonly baseUrl: string,
    private readonly apiKey: string,
    private readonly signal: AbortSignal,
  ) {}

  /** @returns the `sourceUrl` for jobs, and the size in pixels */
  async upload(photo: Buffer, name: string): Promise<{ url: string; width: number; height: number }> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(photo)]), name);
    return this.send('/api/ai/upload', { method: 'POST', body: form });
  }

  async enhance(request: {
    sourceUrl: string;
    operation: string;
    level: Level;
    output: { format: 'jpeg' | 'png' };
  }): Promise<DemoJob> {
    return this.send('/api/ai/enhance', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
  }

  async job(id: string): Promise<DemoJob> {
    return this.send(`/api/ai/enhance/${id}`, {});
  }

  /** Result URLs are signed, so they need no key. */
  async download(url: string): Promise<Buffer> {
    const response = await fetch(url, { signal: this.signal });
    if (!response.ok) throw new RefusedError(await explain(response));
    return Buffer.from(await response.arrayBuffer());
  }

  private async send<T>(path: string, init: DemoRequest): Promise<T> {
    for (;;) {
      const response = await fetch(`${this.baseUrl}${path}`, {
        ...init,
        headers: { ...init.headers, 'x-api-key': this.apiKey },
        signal: this.signal,
      });
      if (response.ok) return (await response.json()) as T;
      if (response.status !== 429) throw new RefusedError(await explain(response));
      const waitSeconds = Number(response.headers.get('retry-after') ?? 1);
      await sleep(waitSeconds * 1_000, undefined, { signal: this.signal });
    }
  }
}

async function explain(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const problem = JSON.parse(text) as { title?: string; detail?: string };
    return `${response.status} ${problem.title ?? ''}: ${problem.detail ?? ''}`;
  } catch {
    return `${response.status}: ${text.slice(0, 200)}`;
  }
}
