import { AppError } from '../../kernel/app-error.js';
import type { HeldPlaces } from '../../kernel/concurrency/held-places.js';
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
 * which there is no memory is not read on until others are complete. Bodies that arrive too slowly lose their memory to
 * it.
 */
export class JsonMemory {
  private readonly held = new WaitingRequestLimit(TOTAL_BYTES, CLIENT_BYTES, WAIT_MS);

  /**
   * @param client the address of the client, or its network
   * @param sizeBytes of the whole body, at most
   */
  body(client: string, sizeBytes: number): BodyBytes {
    return new BodyBytes((onRevoked) => this.held.take(client, sizeBytes, { refusal: noMemory, onRevoked }));
  }
}

/** The bytes of one body. */
export class BodyBytes {
  private received = 0;
  private isTaken = false;
  private isReleased = false;
  private places: HeldPlaces | undefined;

  /** @param take waits for the memory of the whole body, so that those that have theirs never wait for each other */
  constructor(private readonly take: (onRevoked: () => void) => Promise<HeldPlaces>) {}

  /**
   * More bytes have arrived.
   * @param onRevoked called with `service_unavailable` when the body arrives too slowly while others need its memory
   * @returns the wait for memory, during which no more bytes are read; undefined when the body needs no more memory.
   * Rejects with AppError `service_unavailable` when there is no memory in time
   */
  add(bytes: number, onRevoked: (error: AppError) => void = () => undefined): Promise<void> | undefined {
    this.received += bytes;
    this.places?.progress(bytes);
    if (this.received <= SMALL_BYTES || this.isTaken) return undefined;
    this.isTaken = true;
    return this.wait(() => onRevoked(tooSlow()));
  }

  /** Returns the memory; call it when the body was read or refused. */
  release(): void {
    this.isReleased = true;
    this.places?.release();
  }

  private async wait(onRevoked: () => void): Promise<void> {
    this.places = await this.take(onRevoked);
    // The client may have disconnected during the wait.
    if (this.isReleased) this.places.release();
  }
}

function noMemory(): AppError {
  return unavailable('The service is already receiving as many large JSON bodies as fit into memory.');
}

/** A 503, which every route documents: with free memory, the same body would have been read. */
function tooSlow(): AppError {
  return unavailable('The JSON body arrived too slowly, and other requests needed its memory.');
}

function unavailable(reason: string): AppError {
  return new AppError('service_unavailable', {
    detail: `${reason} Nothing was done. Try again.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
