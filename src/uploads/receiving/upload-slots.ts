import type { EventEmitter } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import type { Principal } from '../../kernel/principal.js';
import { ClientDisconnected } from './received-file.js';

const RETRY_AFTER_SECONDS = 2;
/** Uploads of one key that may wait for a slot, for each slot that it has. */
const WAITING_PER_SLOT = 10;

interface HolderSlots {
  taken: number;
  /** In order of arrival; each takes over the slot that is released. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits how many uploads one key has in progress in this process, so that a client that opens hundreds of uploads and
 * never finishes them holds neither connections nor temporary files. A burst of short uploads waits for a moment and
 * is not refused. Sessions of the dashboard share one limit for each account.
 */
@Injectable()
export class UploadSlots {
  private readonly limit: number;
  private readonly waitMs: number;
  private readonly holders = new Map<string, HolderSlots>();

  constructor(@Inject(CONFIG) { maxUploadsPerKey, uploadSlotWaitMs }: Config) {
    this.limit = maxUploadsPerKey;
    this.waitMs = uploadSlotWaitMs;
  }

  /**
   * Takes a slot for a request.
   * @param connection emits `close` when the client disconnects: the request while its body is unread, otherwise the
   * response
   * @returns releases the slot; call it exactly once
   * @throws AppError `too_many_uploads` (429); ClientDisconnected
   */
  async take(
    { keyId, accountId }: Pick<Principal, 'keyId' | 'accountId'>,
    connection: EventEmitter,
  ): Promise<() => void> {
    const holder = keyId ?? accountId;
    const slots = this.holders.get(holder) ?? { taken: 0, waiting: new Set() };
    this.holders.set(holder, slots);
    if (slots.taken < this.limit) slots.taken += 1;
    else await this.turn(slots, connection);
    return () => this.release(holder, slots);
  }

  /** Resolves when a slot was handed over. */
  private turn({ waiting }: HolderSlots, connection: EventEmitter): Promise<void> {
    if (waiting.size >= this.limit * WAITING_PER_SLOT) throw this.refusal();
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        connection.off('close', leave);
        waiting.delete(takeOver);
        settle();
      };
      const takeOver = (): void => end(resolve);
      const leave = (): void => end(() => reject(new ClientDisconnected()));
      const timer = setTimeout(() => end(() => reject(this.refusal())), this.waitMs);
      waiting.add(takeOver);
      connection.once('close', leave);
    });
  }

  private release(holder: string, slots: HolderSlots): void {
    const [next] = slots.waiting;
    if (next !== undefined) return next();
    slots.taken -= 1;
    if (slots.taken === 0) this.holders.delete(holder);
  }

  private refusal(): AppError {
    return new AppError('too_many_uploads', {
      detail: `${this.limit} uploads are already in progress, which is the limit. Wait until one of them finishes. Nothing was stored.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}
