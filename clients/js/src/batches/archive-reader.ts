import { ApiError, ConnectionError, ImageEnhancementError } from '../errors.js';
import { chunksOf } from '../files/file-input.js';
import { pause } from '../http/pause.js';
import { RetryBudget } from '../http/retry-budget.js';
import { Silence } from '../http/silence.js';
import { throwIfAborted } from '../http/throw-if-aborted.js';
import type { Transport } from '../http/transport.js';
import type { RequestOptions } from '../options.js';

const RANGE_NOT_SATISFIABLE = 416;

/** The part of an archive that has already been received. */
export interface ArchivePart {
  /** The ETag of the archive; null if there is none. */
  readonly etag: string | null;
  readonly sizeBytes: number;
}

/** The options of a read. */
export interface ArchiveReading extends Pick<RequestOptions, 'signal' | 'maxRetries'> {
  /**
   * Called when the archive begins. Called again if the archive has changed: discard everything that was read before.
   */
  readonly onStart: (etag: string | null) => void | Promise<void>;
}

/** Reads an archive whose bytes are always the same (identified by its `ETag`). Resumes after a broken connection. */
export class ArchiveReader {
  /** Size of the whole archive; null while it is unknown. */
  totalBytes: number | null = null;
  /** Bytes received so far. */
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

  /** @throws ApiError, ConnectionError, AbortedError, and the errors of `onStart` */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const beforeBytes = this.receivedBytes;
      try {
        yield* this.attempt();
        return;
      } catch (error) {
        throwIfAborted(this.reading.signal);
        if (this.receivedBytes === this.totalBytes) return;
        // Progress resets the retries, so a connection that breaks repeatedly can still complete the download.
        if (this.receivedBytes > beforeBytes) this.budget = this.newBudget();
        const failure = asConnectionError(error);
        const pauseMs = this.budget.pauseAfter(failure, true);
        if (pauseMs === null) throw failure;
        await pause(pauseMs, this.reading.signal);
      }
    }
  }

  private async *attempt(): AsyncGenerator<Uint8Array> {
    const silence = new Silence(this.reading.signal, this.transport.timeoutMsOf(this.reading));
    try {
      const response = await this.open(silence.signal);
      silence.heard();
      const isWhole = response.status !== 206;
      // A proxy may have removed the range. The same archive has the same bytes.
      let knownBytes = isWhole && this.isSame(response) ? this.receivedBytes : 0;
      if (isWhole && knownBytes === 0) await this.begin(response);
      // Not before: a changed archive may be exactly as long as what was read of the earlier one.
      if (isWhole) this.totalBytes = lengthOf(response);
      if (response.body === null) return;
      for await (const chunk of chunksOf(response.body)) {
        silence.heard();
        const news = chunk.subarray(knownBytes);
        knownBytes -= chunk.length - news.length;
        if (news.length === 0) continue;
        yield news;
        this.receivedBytes += news.length;
      }
      if (this.totalBytes !== null && this.receivedBytes < this.totalBytes) {
        throw new ConnectionError('The archive ended before its end.');
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === RANGE_NOT_SATISFIABLE) throw this.misfit(error);
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
    if (response.status !== 206) {
      if (response.headers.get('content-type')?.startsWith('application/zip') === true) return response;
      throw new ConnectionError('The answer is no archive: is this the address of the service?');
    }
    const [, start, total] =
      /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
    if (response.headers.has('etag') && !this.isSame(response)) throw this.misfit();
    if (Number(start) !== receivedBytes)
      throw new ConnectionError('The service sent another part than was asked for.');
    this.totalBytes = Number(total);
    return response;
  }

  private async begin(response: Response): Promise<void> {
    this.etag = response.headers.get('etag');
    await this.reading.onStart(this.etag);
    this.receivedBytes = 0;
  }

  /** Whether the response is of the archive that was read so far, by its strong ETag. */
  private isSame(response: Response): boolean {
    return this.etag?.startsWith('"') === true && response.headers.get('etag') === this.etag;
  }

  /** What was received is not a part of the archive. The next attempt reads it from the start. */
  private misfit(error?: ApiError): ConnectionError {
    this.etag = null;
    return new ConnectionError('The part of the archive that was here does not fit.', { cause: error });
  }

  private newBudget(): RetryBudget {
    const limits = this.transport.retryLimits({ maxRetries: this.reading.maxRetries });
    return new RetryBudget(limits);
  }
}

function lengthOf(response: Response): number | null {
  const length = response.headers.get('content-length');
  return length === null ? null : Number(length);
}

function asConnectionError(error: unknown): unknown {
  if (error instanceof ImageEnhancementError) return error;
  return new ConnectionError('The connection broke while the archive was read.', { cause: error });
}
