import { Injectable } from '@nestjs/common';
import { IDEMPOTENCY_TTL_HOURS } from '../../idempotency/idempotency.service.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import { ObjectStore } from '../../infra/storage/object-store.js';

const PERIOD_MS = 60_000;
/** No upload lasts this long: the idle time-out ends it far earlier. */
const TEMPORARY_MAX_AGE_MS = 3_600_000;

const OLD_IDEMPOTENCY_KEYS: Prepared = {
  name: 'keep_idempotency_keys',
  text: `DELETE FROM idempotency_keys WHERE created_at < now() - interval '${IDEMPOTENCY_TTL_HOURS} hours'`,
};

const OLD_RATE_LIMITS: Prepared = {
  name: 'keep_rate_limits',
  text: `DELETE FROM rate_limits WHERE window_index < floor(extract(epoch FROM now()) / 60) - 2`,
};

/** Throws away what nobody will ask for again. Not urgent, hence once a minute at most. */
@Injectable()
export class HouseKeeper {
  private lastMs = 0;

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
  }
}
