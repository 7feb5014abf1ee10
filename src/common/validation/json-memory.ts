import { AppError } from '../../kernel/app-error.js';
import { WaitingRequestLimit } from '../../kernel/concurrency/waiting-request-limit.js';

/** Shorter bodies need no reserved memory: an open connection takes about as much. */
const SMALL_BYTES = 16 * 1024;
/** Bytes of longer bodies that a process holds until they are complete: 128 of the largest size. */
const TOTAL_BYTES = 64 * 2 ** 20;
const CLIENT_BYTES = TOTAL_BYTES / 4;
/** Bodies that a client sends at once are complete long before, even if all clients share one address. */
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Limits the memory for JSON bodies that have not arrived completely, in total and per client. They are read before the
 * guards run, so anyone could open thousands of requests, send all but the last byte of each, and wait. A body for
 * which there is no memory is not read on until others are complete.
 */
export class JsonMemory {
  private readonly held = new WaitingRequestLimit(TOTAL_BYTES, CLIENT_BYTES, WAIT_MS);

  /**
   * @param client the address of the client, or its network
   * @param sizeBytes of the whole body, at most
   */
  body(client: string, sizeBytes: number): BodyBytes {
    return new BodyBytes(() => this.held.take(client, sizeBytes, noMemory));
  }
}

/** The bytes of one body. */
export class BodyBytes {
  private received = 0;
  private isTaken = false;
  private isReleased = false;
  private free: (() => void) | undefined;

  /** @param take waits for the memory of the whole body, so that those that have theirs never wait for each other */
  constructor(private readonly take: () => Promise<() => void>) {}

  /**
   * More bytes have arrived.
   * @returns the wait for memory, during which no more bytes are read; undefined when the body needs no more memory.
   * Rejects with AppError `service_unavailable` when there is no memory in time
   */
  add(bytes: number): Promise<void> | undefined {
    this.received += bytes;
    if (this.received <= SMALL_BYTES || this.isTaken) return undefined;
    this.isTaken = true;
    return this.wait();
  }

  /** Returns the memory; call it when the body was read or refused. */
  release(): void {
    this.isReleased = true;
    this.free?.();
    this.free = undefined;
  }

  private async wait(): Promise<void> {
    const free = await this.take();
    // The client may have disconnected during the wait.
    if (this.isReleased) free();
    else this.free = free;
  }
}

function noMemory(): AppError {
  return new AppError('service_unavailable', {
    detail:
      'The service is already receiving as many large JSON bodies as fit into memory. Nothing was done. Try again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
