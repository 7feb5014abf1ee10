import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import type { HeldPlaces } from '../../kernel/concurrency/held-places.js';
import { WaitingRequestLimit } from '../../kernel/concurrency/waiting-request-limit.js';
import type { BodyHold } from '../../uploads/receiving/body-guard.js';
import { ClientDisconnected } from '../../uploads/receiving/received-file.js';
import { escapedBase64Bytes } from './base64-size.js';

/** A process holds at most the bytes of this many bodies of the largest size. */
const MAX_BODIES = 4;
const MAX_BODIES_OF_ACCOUNT = 2;
const RETRY_AFTER_SECONDS = 2;

/** The memory that may be lent to a body. */
export interface LentMemory extends BodyHold {
  /**
   * Waits for memory of so many bytes; call it once.
   * @throws AppError `too_many_uploads` (429), `service_unavailable` (503); ClientDisconnected
   */
  readonly reserve: (bytes: number) => Promise<void>;
}

/**
 * Limits the memory for bodies that a process must hold as a whole, in total and per account. A body waits for a moment
 * until others have been received, like uploads that wait for a slot. If one waits, bodies that arrive too slowly are
 * canceled.
 */
@Injectable()
export class BodyMemory {
  private readonly held: WaitingRequestLimit;

  constructor(@Inject(CONFIG) { uploadMaxBytes, uploadSlotWaitMs }: Config) {
    const largest = escapedBase64Bytes(uploadMaxBytes);
    const [total, perAccount] = [MAX_BODIES * largest, MAX_BODIES_OF_ACCOUNT * largest];
    this.held = new WaitingRequestLimit(total, perAccount, uploadSlotWaitMs);
  }

  /**
   * Runs `work`, which may reserve memory once. Releases it afterward.
   * @param gone aborted when the client disconnects, which ends the wait for memory
   * @throws what `work` throws
   */
  async lend<Result>(
    accountId: string,
    gone: AbortSignal,
    work: (memory: LentMemory) => Promise<Result>,
  ): Promise<Result> {
    const revocation = new AbortController();
    let places: HeldPlaces | undefined;
    let isOver = false;
    try {
      return await work({
        revoked: revocation.signal,
        progress: (bytes) => places?.progress(bytes),
        arrived: () => places?.arrived(),
        reserve: async (bytes) => {
          places = await this.take(accountId, bytes, gone, () => revocation.abort());
          // The request may have failed while it waited.
          if (isOver) places.release();
        },
      });
    } finally {
      isOver = true;
      places?.release();
    }
  }

  private async take(
    accountId: string,
    bytes: number,
    gone: AbortSignal,
    onRevoked: () => void,
  ): Promise<HeldPlaces> {
    const refusal = (): AppError => this.refusal(accountId, bytes);
    try {
      return await this.held.take(accountId, bytes, { refusal, gone, onRevoked });
    } catch (error) {
      throw gone.aborted ? new ClientDisconnected() : error;
    }
  }

  private refusal(accountId: string, bytes: number): AppError {
    const isOwn = !this.held.isWithinShare(accountId, bytes);
    const whose = isOwn ? 'Your account' : 'The service';
    return new AppError(isOwn ? 'too_many_uploads' : 'service_unavailable', {
      detail: `${whose} is already receiving as many bytes of Base64 as fit into memory. Try again, or send a file, which has no such limit. Nothing was stored or charged.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}
