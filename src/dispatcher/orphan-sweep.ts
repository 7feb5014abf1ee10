import { Injectable, Logger } from '@nestjs/common';
import { clockOffsetMs } from '../infra/database/clock-offset.js';
import { Database } from '../infra/database/database.js';
import { SKIPPED } from '../infra/telemetry/sweep-metrics.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { StorePairing } from './store-pairing.js';
import { ReferencedObjects } from './referenced-objects.js';
import { RestoreHold } from './restore-hold.js';

/** Longer than any transaction that has written its object but not yet its row. */
const ORPHAN_MIN_AGE_MS = 3_600_000;
const PERIOD_MS = 6 * 3_600_000;
/** After a failure. A scan reads the whole store, so it must not be repeated all the time. */
const RETRY_MS = 10 * 60_000;
const BATCH = 500;
/** Crashes leave few orphans; more than this, and more than half of a batch, indicates another problem. */
const SUSPICIOUS = 20;
/** Parts of direct uploads. Clients write them, also after their account was deleted, so they indicate nothing. */
const WRITTEN_BY_CLIENTS = 'incoming/';

/** Aborts a sweep that would delete objects wrongly. */
class Refused extends Error {}

/** Deletes objects without a row, which killed processes leave behind. */
@Injectable()
export class OrphanSweep {
  private readonly logger = new Logger('orphan-sweep');
  /** Monotonic milliseconds: setting the clock back must not stop the cleanup. */
  private nextMs = 0;

  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
    private readonly knownObjects: ReferencedObjects,
    private readonly pairing: StorePairing,
    private readonly hold: RestoreHold,
  ) {}

  /**
   * Scans the whole store when due; stops early on request. A failed scan is due again after ten minutes.
   * @returns SKIPPED when it is not due, or does not dare to delete
   */
  async sweepWhenDue(signal: AbortSignal): Promise<typeof SKIPPED | undefined> {
    if (performance.now() < this.nextMs) return SKIPPED;
    this.nextMs = performance.now() + RETRY_MS;
    const isRefused = await this.sweepOrRefuse(signal);
    this.nextMs = performance.now() + PERIOD_MS;
    return isRefused ? SKIPPED : undefined;
  }

  /** @returns whether the sweep does not dare to delete */
  private async sweepOrRefuse(signal: AbortSignal): Promise<boolean> {
    try {
      const deleted = await this.sweep(signal);
      if (deleted > 0) this.logger.log({ deleted }, 'deleted objects without a row');
      return false;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.logger.error(`could not sweep objects without a row: ${error.message}`);
      return true;
    }
  }

  private async sweep(signal: AbortSignal): Promise<number> {
    if (!(await this.pairing.isPaired()))
      throw new Refused('the database and the object store belong to different installations');
    let batch: string[] = [];
    let deleted = 0;
    const heldMs = await this.hold.minAgeMs();
    if (heldMs !== undefined)
      this.logger.warn('objects newer than the restored database are kept until "admin -- restores release"');
    // The store measures ages with the clock of this host.
    const aheadMs = Math.max(0, await clockOffsetMs(this.database));
    const minAgeMs = Math.max(ORPHAN_MIN_AGE_MS, heldMs ?? 0) + aheadMs;
    for await (const key of this.store.keysOlderThan(minAgeMs)) {
      if (signal.aborted) return deleted;
      batch.push(key);
      if (batch.length < BATCH) continue;
      deleted += await this.deleteUnknown(batch);
      batch = [];
    }
    return deleted + (await this.deleteUnknown(batch));
  }

  private async deleteUnknown(keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0;
    const orphans = await this.knownObjects.unknownOf(keys);
    const own = keys.filter(isOwn).length;
    const unknown = orphans.filter(isOwn).length;
    if (unknown > SUSPICIOUS && unknown > own / 2)
      throw new Refused(`${unknown} of ${own} objects have no row; is the database complete?`);
    for (const key of orphans) await this.store.delete(key);
    return orphans.length;
  }
}

const isOwn = (key: string): boolean => !key.startsWith(WRITTEN_BY_CLIENTS);
