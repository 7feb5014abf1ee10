import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import { WaitingRequestLimit } from '../../kernel/concurrency/waiting-request-limit.js';
import { ClientDisconnected } from '../../uploads/receiving/received-file.js';
import { escapedBase64Bytes } from './base64-size.js';

/** A process holds at most the bytes of this many bodies of the largest size. */
const LARGEST_BODIES = 4;
const LARGEST_BODIES_OF_ACCOUNT = 2;
const RETRY_AFTER_SECONDS = 2;

/**
 * Waits for memory of so many bytes.
 * @throws AppError `too_many_uploads` (429), `service_unavailable` (503); ClientDisconnected
 */
export type Reserve = (bytes: number) => Promise<void>;

/**
 * Limits the memory for bodies that a process must hold as a whole, in total and per account. A body waits for a moment
 * until others have been received, like uploads that wait for a slot.
 */
@Injectable()
export class BodyMemory {
  private readonly held: WaitingRequestLimit;

  constructor(@Inject(CONFIG) { uploadMaxBytes, uploadSlotWaitMs }: Config) {
    const largest = escapedBase64Bytes(uploadMaxBytes);
    const [total, perAccount] = [LARGEST_BODIES * largest, LARGEST_BODIES_OF_ACCOUNT * largest];
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
    work: (reserve: Reserve) => Promise<Result>,
  ): Promise<Result> {
    let release = (): void => undefined;
    let isOver = false;
    try {
      return await work(async (bytes) => {
        const taken = await this.take(accountId, bytes, gone);
        // The request may have failed while it waited.
        if (isOver) taken();
        else release = taken;
      });
    } finally {
      isOver = true;
      release();
    }
  }

  private async take(accountId: string, bytes: number, gone: AbortSignal): Promise<() => void> {
    try {
      return await this.held.take(accountId, bytes, () => this.refusal(accountId, bytes), gone);
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
