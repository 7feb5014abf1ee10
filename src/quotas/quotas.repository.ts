import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../infra/database/database.js';

const READ_USAGE: Prepared = {
  name: 'quota_read_usage',
  text: `SELECT coalesce((SELECT used FROM enhancement_usage WHERE account_id = $1 AND period = $2), 0) AS enhancements,
                coalesce((SELECT used_bytes FROM storage_usage WHERE account_id = $1), 0)::float8 AS storage_bytes`,
};

const RESERVE_STORAGE: Prepared = {
  name: 'quota_reserve_storage',
  text: `INSERT INTO storage_usage AS u (account_id, used_bytes)
         SELECT $1, $2::bigint WHERE $2::bigint <= $3::bigint
         ON CONFLICT (account_id) DO UPDATE SET used_bytes = u.used_bytes + $2::bigint
          WHERE u.used_bytes + $2::bigint <= $3::bigint
         RETURNING 1 AS reserved`,
};

const ADD_STORAGE: Prepared = {
  name: 'quota_add_storage',
  text: `INSERT INTO storage_usage AS u (account_id, used_bytes) VALUES ($1, greatest(0, $2::bigint))
         ON CONFLICT (account_id) DO UPDATE SET used_bytes = greatest(0, u.used_bytes + $2::bigint)`,
};

/** The ledger row decides: only a job's first settlement inserts it, so no job is settled twice. */
const REFUND: Prepared = {
  name: 'quota_refund',
  text: `WITH settled AS (
           INSERT INTO quota_ledger (job_id, kind, account_id, period, enhancements) VALUES ($1, 'refund', $2, $3, $4)
           ON CONFLICT DO NOTHING RETURNING account_id, period, enhancements)
         UPDATE enhancement_usage u SET used = greatest(0, u.used - s.enhancements) FROM settled s
          WHERE u.account_id = s.account_id AND u.period = s.period`,
};

const CLAIM_NOTICE: Prepared = {
  name: 'quota_claim_notice',
  text: `INSERT INTO quota_notices AS n (account_id, quota, last_at) VALUES ($1, $2, $3)
         ON CONFLICT (account_id, quota) DO UPDATE SET last_at = $3 WHERE n.last_at <= $3::timestamptz - interval '1 hour'
         RETURNING 1 AS claimed`,
};

/** Enhancements that a job has taken from an account's month: none in test mode. */
export interface Reservation {
  readonly accountId: string;
  readonly period: string;
  readonly enhancements: number;
}

export interface Usage {
  readonly enhancements: number;
  readonly storageBytes: number;
}

/** Counters and ledger of the account's quotas. Every change is one guarded statement, exact under concurrency. */
@Injectable()
export class QuotasRepository {
  constructor(private readonly database: Database) {}

  async usage(accountId: string, period: string): Promise<Usage> {
    const [row] = await this.database.query<{ enhancements: number; storage_bytes: number }>(READ_USAGE, [
      accountId,
      period,
    ]);
    return { enhancements: row!.enhancements, storageBytes: row!.storage_bytes };
  }

  /** Adds `bytes` if the account stays within `limitBytes`; otherwise returns false. */
  async reserveStorage(
    tx: Queryable,
    accountId: string,
    bytes: number,
    limitBytes: number,
  ): Promise<boolean> {
    return (await tx.query(RESERVE_STORAGE, [accountId, bytes, limitBytes])).length === 1;
  }

  /** Adds bytes, or frees them if negative, regardless of the limit: what exists must be counted. */
  async addStorage(tx: Queryable, accountId: string, bytes: number): Promise<void> {
    if (bytes !== 0) await tx.query(ADD_STORAGE, [accountId, bytes]);
  }

  /** Refunds the reserved enhancements of a job, once, in the month they were reserved in. */
  async refundEnhancements(tx: Queryable, jobId: string, reserved: Reservation): Promise<void> {
    if (reserved.enhancements === 0) return;
    await tx.query(REFUND, [jobId, reserved.accountId, reserved.period, reserved.enhancements]);
  }

  /** Whether the account is due a notice about this quota: on the first refusal, then at most hourly. */
  async claimNotice(tx: Queryable, accountId: string, quota: string, at: Date): Promise<boolean> {
    return (await tx.query(CLAIM_NOTICE, [accountId, quota, at])).length === 1;
  }
}
