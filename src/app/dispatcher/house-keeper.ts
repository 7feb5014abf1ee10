import { Injectable, Logger } from '@nestjs/common';
import { IDEMPOTENCY_TTL_HOURS } from '../../idempotency/idempotency.service.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import { ObjectStore } from '../../infra/storage/object-store.js';

const PERIOD_MS = 60_000;
/** No upload lasts this long: the idle time-out ends it far earlier. */
const TEMPORARY_MAX_AGE_MS = 3_600_000;
/** Long enough for any transaction that has written its object and not yet its row. */
const ORPHAN_MIN_AGE_MS = 3_600_000;
const ORPHAN_PERIOD_MS = 6 * 3_600_000;
const ORPHAN_BATCH = 500;

const OLD_IDEMPOTENCY_KEYS: Prepared = {
  name: 'keep_idempotency_keys',
  text: `DELETE FROM idempotency_keys WHERE created_at < now() - interval '${IDEMPOTENCY_TTL_HOURS} hours'`,
};

const OLD_RATE_LIMITS: Prepared = {
  name: 'keep_rate_limits',
  text: `DELETE FROM rate_limits WHERE window_index < floor(extract(epoch FROM now()) / 60) - 2`,
};

/** Of these object keys, those that a row still speaks of. */
const KNOWN_OBJECTS: Prepared = {
  name: 'keep_known_objects',
  text: `SELECT object_key AS key FROM sources WHERE object_key = ANY ($1) AND deleted_at IS NULL
         UNION ALL SELECT result_key FROM jobs
          WHERE id = ANY (SELECT substring(k FROM 'job_[0-9a-f]{32}') FROM unnest($1::text[]) AS k)
            AND result_key = ANY ($1) AND result_erased_at IS NULL`,
};

/** Throws away what nobody will ask for again. Not urgent, hence once a minute at most. */
@Injectable()
export class HouseKeeper {
  private readonly logger = new Logger('housekeeper');
  private lastMs = 0;
  private lastOrphansMs = 0;

  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
  ) {}

  async keep(): Promise<void> {
    if (Date.now() - this.lastMs < PERIOD_MS) return;
    this.lastMs = Date.now();
    await this.database.query(OLD_IDEMPOTENCY_KEYS);
    await this.database.query(OLD_RATE_LIMITS);
    await this.store.sweepTemporary(TEMPORARY_MAX_AGE_MS);
    if (Date.now() - this.lastOrphansMs < ORPHAN_PERIOD_MS) return;
    this.lastOrphansMs = Date.now();
    await this.deleteOrphans();
  }

  /** Objects without a row: what a process left that was killed between writing the one and the other. */
  private async deleteOrphans(): Promise<void> {
    let batch: string[] = [];
    let deleted = 0;
    for await (const key of this.store.keysOlderThan(ORPHAN_MIN_AGE_MS)) {
      batch.push(key);
      if (batch.length < ORPHAN_BATCH) continue;
      deleted += await this.deleteUnknown(batch);
      batch = [];
    }
    deleted += await this.deleteUnknown(batch);
    if (deleted > 0) this.logger.log({ deleted }, 'objects without a row were deleted');
  }

  private async deleteUnknown(keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0;
    const known = new Set(
      (await this.database.query<{ key: string }>(KNOWN_OBJECTS, [keys])).map((row) => row.key),
    );
    const orphans = keys.filter((key) => !known.has(key));
    for (const key of orphans) await this.store.delete(key);
    return orphans.length;
  }
}
