import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { hashRecoveryCode } from './recovery-codes.js';

/** Wrong codes in a row before codes are refused for a while. */
const MAX_FAILURES = 10;
const BLOCK_MINUTES = 15;

const STATUS: Prepared = {
  name: 'two_factor_status',
  text: `SELECT f.enabled_at AS "enabledAt", count(c.code_hash)::int AS "recoveryCodesLeft"
           FROM two_factor_secrets f LEFT JOIN recovery_codes c ON c.account_id = f.account_id AND c.used_at IS NULL
          WHERE f.account_id = $1 AND f.enabled_at IS NOT NULL GROUP BY f.account_id`,
};

const BEGIN_SETUP: Prepared = {
  name: 'two_factor_begin_setup',
  text: `INSERT INTO two_factor_secrets AS f (account_id, sealed_secret) VALUES ($1, $2)
         ON CONFLICT (account_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, created_at = now()
          WHERE f.enabled_at IS NULL RETURNING account_id`,
};

const SECRET_IN_SETUP: Prepared = {
  name: 'two_factor_secret_in_setup',
  text: `SELECT sealed_secret AS "sealedSecret" FROM two_factor_secrets WHERE account_id = $1 AND enabled_at IS NULL`,
};

/** Only with the secret that the code was checked against. */
const ENABLE: Prepared = {
  name: 'two_factor_enable',
  text: `UPDATE two_factor_secrets SET enabled_at = now(), last_step = $3
          WHERE account_id = $1 AND sealed_secret = $2 AND enabled_at IS NULL RETURNING account_id`,
};

const DISABLE: Prepared = {
  name: 'two_factor_disable',
  text: 'DELETE FROM two_factor_secrets WHERE account_id = $1 AND enabled_at IS NOT NULL RETURNING account_id',
};

const LOCK: Prepared = {
  name: 'two_factor_lock',
  text: `SELECT account_id FROM two_factor_secrets WHERE account_id = $1 AND enabled_at IS NOT NULL FOR UPDATE`,
};

const DELETE_CODES: Prepared = {
  name: 'recovery_codes_delete',
  text: 'DELETE FROM recovery_codes WHERE account_id = $1',
};

const INSERT_CODES: Prepared = {
  name: 'recovery_codes_insert',
  text: 'INSERT INTO recovery_codes (account_id, code_hash) SELECT $1, unnest($2::bytea[])',
};

/** Counted before the code is checked, so that many requests at once cannot guess more often. */
const COUNT_ATTEMPT: Prepared = {
  name: 'two_factor_count_attempt',
  text: `UPDATE two_factor_secrets SET failed_attempts = failed_attempts + 1,
                blocked_until = CASE WHEN failed_attempts + 1 >= ${MAX_FAILURES}
                                     THEN now() + interval '${BLOCK_MINUTES} minutes' END
          WHERE account_id = $1 AND enabled_at IS NOT NULL AND (blocked_until IS NULL OR blocked_until <= now())
         RETURNING sealed_secret AS "sealedSecret"`,
};

const BLOCKED_SECONDS: Prepared = {
  name: 'two_factor_blocked_seconds',
  text: `SELECT ceil(extract(epoch FROM blocked_until - now()))::int AS seconds FROM two_factor_secrets
          WHERE account_id = $1 AND enabled_at IS NOT NULL`,
};

/** Steps only rise, so no code works twice. */
const USE_STEP: Prepared = {
  name: 'two_factor_use_step',
  text: `UPDATE two_factor_secrets SET last_step = $2, failed_attempts = 0, blocked_until = NULL
          WHERE account_id = $1 AND enabled_at IS NOT NULL AND last_step < $2 RETURNING account_id`,
};

const USE_RECOVERY_CODE: Prepared = {
  name: 'recovery_code_use',
  text: `WITH used AS (UPDATE recovery_codes SET used_at = now()
                        WHERE account_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING account_id)
         UPDATE two_factor_secrets SET failed_attempts = 0, blocked_until = NULL
          WHERE account_id = (SELECT account_id FROM used) AND enabled_at IS NOT NULL RETURNING account_id`,
};

export interface TwoFactorStatus {
  readonly enabledAt: Date;
  readonly recoveryCodesLeft: number;
}

interface SecretRow {
  readonly sealedSecret: Buffer;
}

/** Secrets of authenticator apps, sealed, and hashes of recovery codes. */
@Injectable()
export class TwoFactorRepository {
  constructor(private readonly database: Database) {}

  /** Undefined while it is off. */
  async status(accountId: string): Promise<TwoFactorStatus | undefined> {
    return (await this.database.query<TwoFactorStatus>(STATUS, [accountId]))[0];
  }

  /** Stores the secret of a new setup in place of an unfinished one. @returns false when it is on already */
  async beginSetup(accountId: string, sealedSecret: Buffer): Promise<boolean> {
    return (await this.database.query(BEGIN_SETUP, [accountId, sealedSecret])).length > 0;
  }

  async secretInSetup(accountId: string): Promise<Buffer | undefined> {
    return (await this.database.query<SecretRow>(SECRET_IN_SETUP, [accountId]))[0]?.sealedSecret;
  }

  /** @returns false when it is on already, or another setup was begun meanwhile */
  async enable(tx: Queryable, accountId: string, sealedSecret: Buffer, step: number): Promise<boolean> {
    return (await tx.query(ENABLE, [accountId, sealedSecret, step])).length > 0;
  }

  /** @returns whether it was on */
  async disable(tx: Queryable, accountId: string): Promise<boolean> {
    return (await tx.query(DISABLE, [accountId])).length > 0;
  }

  /** Replaces all recovery codes. @returns false while it is off */
  async replaceCodes(tx: Queryable, accountId: string, codes: readonly string[]): Promise<boolean> {
    if ((await tx.query(LOCK, [accountId])).length === 0) return false;
    await tx.query(DELETE_CODES, [accountId]);
    await tx.query(INSERT_CODES, [accountId, codes.map((code) => hashRecoveryCode(accountId, code))]);
    return true;
  }

  /** @returns the sealed secret; undefined while it is off, or codes are refused */
  async countAttempt(accountId: string): Promise<Buffer | undefined> {
    return (await this.database.query<SecretRow>(COUNT_ATTEMPT, [accountId]))[0]?.sealedSecret;
  }

  /** Seconds until codes are accepted again; undefined while it is off. */
  async blockedSeconds(accountId: string): Promise<number | undefined> {
    const [row] = await this.database.query<{ seconds: number | null }>(BLOCKED_SECONDS, [accountId]);
    return row === undefined ? undefined : Math.max(1, row.seconds ?? 1);
  }

  /** @returns false when a code of this step, or a later one, was used before */
  async useStep(tx: Queryable, accountId: string, step: number): Promise<boolean> {
    return (await tx.query(USE_STEP, [accountId, step])).length > 0;
  }

  /** @returns false when the code is unknown or was used before */
  async useRecoveryCode(tx: Queryable, accountId: string, code: string): Promise<boolean> {
    const values = [accountId, hashRecoveryCode(accountId, code)];
    return (await tx.query(USE_RECOVERY_CODE, values)).length > 0;
  }
}
