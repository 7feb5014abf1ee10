import { ConnectionError, ImageEnhancementError } from '../errors.js';
import { chunksOf } from '../files/file-input.js';
import { pause } from '../http/pause.js';
import { RetryBudget } from '../http/retry-budget.js';
import { Silence } from '../http/silence.js';
import { throwIfAborted } from '../http/throw-if-aborted.js';
import type { Transport } from '../http/transport.js';
import type { RequestOptions } from '../options.js';

/** What is there of an archive. */
export interface ArchivePart {
  /** Names the archive that it is a part of. Null: none. */
  readonly etag: string | null;
  readonly sizeBytes: number;
}

/** Who reads an archive. */
export interface ArchiveReading extends Pick<RequestOptions, 'signal' | 'maxRetries'> {
  /** Called when the archive begins, at first, and again if it has changed meanwhile: what was read before is void. */
  readonly onStart: (etag: string | null) => void | Promise<void>;
}

/**
 * Reads an archive that has the same bytes each time (its `ETag` says so), and goes on after a broken connection where
 * it was.
 */
export class ArchiveReader {
  /** Of the whole archive; null while unknown. */
  totalBytes: number | null = null;
  /** What was read so far. */
  receivedBytes: number;
  private etag: string | null;
  private budget: RetryBudget;

  /** @param part what an earlier download has left */
  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly reading: ArchiveReading,
    part: ArchivePart = { etag: null, sizeBytes: 0 },
  ) {
    this.etag = part.etag;
    this.receivedBytes = part.etag === null ? 0 : part.sizeBytes;
    this.budget = this.newBudget();
  }

  /** @throws ApiError, ConnectionError, AbortedError, and what `onStart` throws */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const beforeBytes = this.receivedBytes;
      try {
        yield* this.attempt();
        return;
      } catch (error) {
        throwIfAborted(this.reading.signal);
        if (this.receivedBytes === this.totalBytes) return;
        // A connection that breaks again and again, but later each time, gets there.
        if (this.receivedBytes > beforeBytes) this.budget = this.newBudget();
        const failure = asConnectionError(error);
        const pauseMs = this.budget.pauseAfter(failure, true);
        if (pauseMs === null) throw failure;
        await pause(pauseMs, this.reading.signal);
      }
    }
  }

  private async *attempt(): AsyncGenerator<Uint8Array> {
    const silence = new Silence(this.reading.signal);
    try {
      const response = await this.open(silence.signal);
      silence.heard();
      if (response.status !== 206) await this.begin(response);
      if (response.body === null) return;
      for await (const chunk of chunksOf(response.body)) {
        silence.heard();
        yield chunk;
        this.receivedBytes += chunk.length;
      }
      if (this.totalBytes !== null && this.receivedBytes < this.totalBytes) {
        throw new ConnectionError('The archive ended before its end.');
      }
    } catch (error) {
      throw silence.failure ?? error;
    } finally {
      silence.release();
    }
  }

  private async open(signal: AbortSignal): Promise<Response> {
    const { etag, receivedBytes } = this;
    const headers = {
      accept: 'application/zip',
      ...(etag === null || receivedBytes === 0 ? {} : { range: `bytes=${receivedBytes}-`, 'if-range': etag }),
    };
    const response = await this.transport.send(
      { method: 'GET', path: this.path, headers },
      { signal, timeoutMs: Infinity, maxRetries: 0 },
      (answer) => Promise.resolve(answer),
    );
    if (response.status !== 206) return response;
    const [, start, total] =
      /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
    if (Number(start) !== receivedBytes)
      throw new ConnectionError('The service sent another part than was asked for.');
    this.totalBytes = Number(total);
    return response;
  }

  private async begin(response: Response): Promise<void> {
    this.etag = response.headers.get('etag');
    const length = response.headers.get('content-length');
    this.totalBytes = length === null ? null : Number(length);
    await this.reading.onStart(this.etag);
    this.receivedBytes = 0;
  }

  private newBudget(): RetryBudget {
    const limits = this.transport.retryLimits({ maxRetries: this.reading.maxRetries });
    return new RetryBudget(limits);
  }
}

function asConnectionError(error: unknown): unknown {
  if (error instanceof ImageEnhancementError) return error;
  return new ConnectionError('The connection broke while the archive was read.', { cause: error });
}
