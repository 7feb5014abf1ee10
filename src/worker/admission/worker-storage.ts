import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { type DiskSpace, isSameDisk } from '../../infra/storage/disk-space.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { Scratch } from '../../infra/storage/scratch.js';
import { isFullDisk } from '../../infra/storage/storage-fault.js';
import type { DiskNeed } from './disk-need.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;
/** Jitter, so that workers sharing a disk do not probe at the same moment. */
const JITTER = 0.2;
const PROBE_BYTES = 64 * 1024;
const LOOK_AGAIN_MS = 2_000;
/** Reserve on a separate scratch disk; a sixteenth of a small one. */
const SCRATCH_RESERVE_BYTES = 16 * 2 ** 20;

/** The disk state in `/health/ready` of a worker. */
export interface StorageState {
  readonly storage: 'ok' | 'full' | 'unavailable';
  /** Undefined when it is unknown. */
  readonly freeBytes?: number;
  /** Why the disks or the object store are unavailable, if this is known. For the log and operators. */
  readonly cause?: string;
}

/**
 * Why a job has no disk space: running jobs use it (`busy`), the disk is full (`full`), or only smaller jobs fit
 * (`short`).
 */
export type ReservationFailure = 'busy' | 'full' | 'short';

/**
 * The disks of a worker: the scratch folder and, through the object store, the results. Reserves space for
 * jobs before they start, and suspends the worker after a fault of the machine until a probe write succeeds.
 * Jobs meanwhile stay in the queue, where other workers find them.
 */
@Injectable()
export class WorkerStorage {
  private readonly logger = new Logger('storage');
  private readonly waiting: (() => void)[] = [];
  private readonly closing = new AbortController();
  private reserved: DiskNeed = { scratchBytes: 0, storeBytes: 0 };
  private suspended: Promise<void> | undefined;
  private fault: 'full' | 'unavailable' = 'full';
  /** What suspended the worker. */
  private cause: string | undefined;

  constructor(
    private readonly scratch: Scratch,
    private readonly store: ObjectStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'diskReserveBytes' | 'dataDir'>,
  ) {}

  /** Bytes that a job may use on the scratch disk while it is empty; never negative. @throws errors of the disks */
  async scratchCapacityBytes(): Promise<number> {
    const { scratch, scratchReserveBytes } = await this.look();
    return Math.max(0, scratch.totalBytes - scratchReserveBytes);
  }

  /** Whether the scratch disk is too small for a job even while it is empty. @throws errors of the disks */
  async isTooSmallFor(need: DiskNeed): Promise<boolean> {
    return need.scratchBytes > (await this.scratchCapacityBytes());
  }

  /**
   * Reserves space for a job.
   * @returns a function that gives the space back; or why there is none. After `busy`, wait for `freed`
   */
  async reserve(need: DiskNeed): Promise<(() => void) | ReservationFailure> {
    const { scratch, storeFreeBytes, scratchReserveBytes, isShared } = await this.look();
    // Read after the check: jobs may have ended meanwhile.
    const wanted = sum(this.reserved, need);
    const { diskReserveBytes } = this.config;
    const scratchBytes = wanted.scratchBytes + (isShared ? wanted.storeBytes : 0) + scratchReserveBytes;
    const hasRoom =
      scratchBytes <= scratch.freeBytes && wanted.storeBytes + diskReserveBytes <= storeFreeBytes;
    if (!hasRoom) {
      if (this.reserved.scratchBytes > 0) return 'busy';
      const isFull = scratch.freeBytes < scratchReserveBytes || storeFreeBytes < diskReserveBytes;
      return isFull ? 'full' : 'short';
    }
    this.reserved = wanted;
    return () => {
      this.reserved = sum(this.reserved, need, -1);
      for (const wake of this.waiting.splice(0)) wake();
    };
  }

  /**
   * Resolves when a job has released its space, or after a while, because other programs use the disk, too.
   */
  freed(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_AGAIN_MS);
      this.waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Suspends the worker after a file operation that failed because of the machine. */
  suspend(cause?: unknown): void {
    this.fault = cause === undefined || isFullDisk(cause) ? 'full' : 'unavailable';
    this.cause = cause instanceof Error ? String(cause) : undefined;
    this.suspended ??= this.recover().finally(() => (this.suspended = undefined));
  }

  /** Resolves when the worker is not suspended, or has stopped taking jobs. */
  async ready(): Promise<void> {
    await this.suspended;
  }

  /** Ends all waits: the worker takes no more jobs. */
  close(): void {
    this.closing.abort();
    for (const wake of this.waiting.splice(0)) wake();
  }

  async state(): Promise<StorageState> {
    try {
      const { scratch, storeFreeBytes, scratchReserveBytes } = await this.look();
      await this.store.check();
      const freeBytes = Math.min(scratch.freeBytes, storeFreeBytes);
      const isFull = scratch.freeBytes < scratchReserveBytes || storeFreeBytes < this.config.diskReserveBytes;
      if (this.suspended !== undefined)
        return { storage: this.fault, freeBytes, ...(this.cause !== undefined && { cause: this.cause }) };
      return { storage: isFull ? 'full' : 'ok', freeBytes };
    } catch (error) {
      return { storage: 'unavailable', cause: String(error) };
    }
  }

  private async recover(): Promise<void> {
    this.logger.error(
      { storage: this.fault, error: this.cause },
      'not taking jobs until disks and object store are writable',
    );
    for (let pauseMs = FIRST_PAUSE_MS; !this.closing.signal.aborted; pauseMs *= 2) {
      const jittered = Math.min(pauseMs, MAX_PAUSE_MS) * (1 - JITTER * Math.random());
      await sleep(jittered, undefined, { signal: this.closing.signal }).catch(() => undefined);
      if (await this.isWritable()) {
        this.logger.log('disks and object store are writable again');
        return;
      }
    }
  }

  /** Writes and removes a small file in both places. */
  private async isWritable(): Promise<boolean> {
    const bytes = Buffer.alloc(PROBE_BYTES, 1);
    try {
      const { scratch, storeFreeBytes, scratchReserveBytes } = await this.look();
      if (scratch.freeBytes < scratchReserveBytes + PROBE_BYTES) return false;
      if (storeFreeBytes < this.config.diskReserveBytes + PROBE_BYTES) return false;
      await this.scratch.probe(bytes);
      // Under a key of its own: two workers must not delete each other's.
      const key = `probes/${randomUUID()}`;
      await this.store.put(key, bytes);
      await this.store.delete(key);
      return true;
    } catch (error) {
      this.logger.debug({ error: String(error) }, 'disks or object store are not writable');
      return false;
    }
  }

  private async look(): Promise<{
    readonly scratch: DiskSpace;
    readonly storeFreeBytes: number;
    /** Reserve on the scratch disk: DISK_RESERVE_BYTES if it is the disk of DATA_DIR. */
    readonly scratchReserveBytes: number;
    readonly isShared: boolean;
  }> {
    const [scratch, storeFreeBytes, isShared] = await Promise.all([
      this.scratch.space(),
      this.store.freeBytes(),
      isSameDisk(this.scratch.dir, this.config.dataDir),
    ]);
    const ownReserveBytes = Math.min(SCRATCH_RESERVE_BYTES, scratch.totalBytes / 16);
    const scratchReserveBytes = isShared ? this.config.diskReserveBytes : ownReserveBytes;
    return { scratch, storeFreeBytes, isShared, scratchReserveBytes };
  }
}

function sum(a: DiskNeed, b: DiskNeed, sign: 1 | -1 = 1): DiskNeed {
  return {
    scratchBytes: a.scratchBytes + sign * b.scratchBytes,
    storeBytes: a.storeBytes + sign * b.storeBytes,
  };
}
