import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import type { DaysByPlan } from '../../config/variables/retention-env.js';
import { CONFIG } from '../../config/tokens.js';
import { clockOffsetMs } from '../../infra/database/clock-offset.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import { TEST_JOBS_SECONDS, TEST_PIXELS_SECONDS } from '../../kernel/accounts/livemode.js';
import { type IdKind, lowestIdOf } from '../../kernel/ids.js';
import {
  DELETED_SOURCES,
  OLD_BATCHES,
  OLD_DELIVERIES,
  OLD_EVENTS,
  OLD_JOBS,
  OLD_LEDGER,
  OLD_SOURCES,
} from './retention.sql.js';
import { DELETED_TEST_JOBS, OLD_TEST_JOBS, OLD_TEST_SOURCES, TEST_MODE_BATCH } from './test-mode.sql.js';

/** Test mode has its own retention periods. */
const TEST_STEPS = [
  { statement: OLD_TEST_SOURCES, idKind: 'source', seconds: TEST_PIXELS_SECONDS },
  { statement: OLD_TEST_JOBS, idKind: 'job', seconds: TEST_JOBS_SECONDS },
  { statement: DELETED_TEST_JOBS, idKind: 'job', seconds: TEST_JOBS_SECONDS },
] as const;

const DAY_MS = 86_400_000;
/** Timestamps in ids are at most an hour ahead of the clock, and a delay of a day does no harm. */
const SLACK_MS = DAY_MS;

interface Step {
  readonly statement: Prepared;
  readonly idKind: IdKind;
  readonly days: DaysByPlan;
}

/**
 * Deletes expired rows in bounded batches. Any number of dispatchers may run it. Objects are not touched here.
 */
@Injectable()
export class Retention {
  private readonly logger = new Logger('retention');
  private readonly steps: readonly Step[];

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) config: Config,
  ) {
    this.steps = [
      { statement: OLD_JOBS, idKind: 'job', days: config.retentionJobDays },
      { statement: OLD_BATCHES, idKind: 'batch', days: config.retentionJobDays },
      { statement: OLD_SOURCES, idKind: 'source', days: config.retentionSourceDays },
      { statement: DELETED_SOURCES, idKind: 'source', days: config.retentionJobDays },
      { statement: OLD_LEDGER, idKind: 'job', days: config.retentionLedgerDays },
      { statement: OLD_DELIVERIES, idKind: 'delivery', days: config.retentionDeliveryDays },
      { statement: OLD_EVENTS, idKind: 'event', days: config.retentionEventDays },
    ];
  }

  /** One pass over the rows that are expired for some plan; stops early on request. */
  async run(signal: AbortSignal): Promise<void> {
    // The clock of this host may be wrong, and deletion is final.
    const nowMs = Date.now() - (await clockOffsetMs(this.database));
    for (const step of this.steps) {
      const deleted = await this.walk(step, nowMs, signal);
      this.report(step.statement, deleted);
    }
    for (const step of TEST_STEPS) this.report(step.statement, await this.clearTestMode(step, nowMs, signal));
  }

  private async clearTestMode(
    { statement, idKind, seconds }: (typeof TEST_STEPS)[number],
    nowMs: number,
    signal: AbortSignal,
  ): Promise<number> {
    const beforeId = lowestIdOf(idKind, nowMs - seconds * 1_000);
    let deleted = 0;
    while (!signal.aborted) {
      const [row] = await this.database.query<{ deleted: number }>(statement, [beforeId]);
      deleted += row!.deleted;
      if (row!.deleted < TEST_MODE_BATCH) break;
    }
    return deleted;
  }

  private report({ name }: Prepared, deleted: number): void {
    if (deleted > 0) this.logger.log({ deleted, what: name }, 'deleted expired rows');
  }

  private async walk({ statement, idKind, days }: Step, nowMs: number, signal: AbortSignal): Promise<number> {
    const shortest = Math.min(...Object.values(days).filter((one) => one > 0));
    if (shortest === Infinity) return 0;
    const beforeId = lowestIdOf(idKind, nowMs - shortest * DAY_MS + SLACK_MS);
    let deleted = 0;
    let lastId: string | null = '';
    while (lastId !== null && !signal.aborted) {
      const [row]: { lastId: string | null; deleted: number }[] = await this.database.query(statement, [
        lastId,
        beforeId,
        JSON.stringify(days),
      ]);
      deleted += row!.deleted;
      lastId = row!.lastId;
    }
    return deleted;
  }
}
