import { AppError } from '../../kernel/app-error.js';
import { HeldRequestLimit } from '../../kernel/concurrency/held-request-limit.js';

/** Shorter bodies need no reserved memory: an open connection takes about as much. */
const SMALL_BYTES = 16 * 1024;
/** Bytes of longer bodies that a process holds until they are complete: 128 of the largest size. */
const TOTAL_BYTES = 64 * 2 ** 20;
const CLIENT_BYTES = TOTAL_BYTES / 4;
const RETRY_AFTER_SECONDS = 2;

/**
 * Limits the memory for JSON bodies that have not arrived completely, in total and per client. They are read before the
 * guards run, so anyone could open thousands of requests, send all but the last byte of each, and wait.
 */
export class JsonMemory {
  private readonly held = new HeldRequestLimit(TOTAL_BYTES, CLIENT_BYTES);

  /** @param client the address of the client, or its network */
  body(client: string): BodyBytes {
    return new BodyBytes(this.held, client);
  }
}

/** The bytes of one body. */
export class BodyBytes {
  private received = 0;
  private reserved = 0;
  private releases: (() => void)[] = [];

  constructor(
    private readonly held: HeldRequestLimit,
    private readonly client: string,
  ) {}

  /** More bytes have arrived. @throws AppError `service_unavailable` when there is no memory for them */
  add(bytes: number): void {
    this.received += bytes;
    const missing = this.received > SMALL_BYTES ? this.received - this.reserved : 0;
    if (missing === 0) return;
    if (!this.held.isFree(this.client, missing)) throw noMemory();
    this.reserved += missing;
    this.releases.push(this.held.take(this.client, missing));
  }

  /** Returns the memory; call it when the body was read or refused. */
  release(): void {
    for (const release of this.releases.splice(0)) release();
  }
}

function noMemory(): AppError {
  return new AppError('service_unavailable', {
    detail:
      'The service is already receiving as many large JSON bodies as fit into memory. Nothing was done. Try again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
