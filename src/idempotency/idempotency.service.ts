import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { Database, type Prepared, type Queryable } from '../infra/database/database.js';
import { AppError } from '../kernel/app-error.js';

const LOCK: Prepared = {
  name: 'idempotency_lock',
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked`,
};

/**
 * Suffix of the key of a second row, which holds the fingerprint by uploads. No client can send a key with a space. The
 * first row stays as all versions write it, so that two versions can run side by side.
 */
const BY_UPLOAD = ' by upload';

/** A second row of another time belongs to an earlier use of the key. */
const FIND: Prepared = {
  name: 'idempotency_find',
  text: `SELECT k.request_hash AS exact, u.request_hash AS "byUpload", k.body
           FROM idempotency_keys k
           LEFT JOIN idempotency_keys u
             ON u.account_id = k.account_id AND u.key = k.key || '${BY_UPLOAD}' AND u.created_at = k.created_at
          WHERE k.account_id = $1 AND k.key = $2 AND k.created_at > now() - $3::int * interval '1 hour'`,
};

const REMEMBER: Prepared = {
  name: 'idempotency_remember',
  text: `INSERT INTO idempotency_keys (account_id, key, request_hash, status, body)
         SELECT $1, r.key, r.hash, 201, r.body
           FROM (VALUES ($2::text, $3::text, $4::json), ($2 || '${BY_UPLOAD}', $5, '{}')) AS r (key, hash, body)
          WHERE r.hash IS NOT NULL
         ON CONFLICT (account_id, key) DO UPDATE
           SET request_hash = excluded.request_hash, body = excluded.body, created_at = now()`,
};

/** Fingerprints of a request that may name uploads. One of them is enough to recognize it. */
export interface Fingerprints {
  /** Of the body as it was sent. */
  readonly exact: string;
  /** Of the body with the ids of uploads in place of their URLs, if it has any. */
  readonly byUpload?: string;
}

/** Identifies a request. */
export type Fingerprint = string | Fingerprints;

export interface IdempotentRequest {
  readonly accountId: string;
  /** The `Idempotency-Key` header, if present. */
  readonly key: string | undefined;
  /** A request with the same key but a different fingerprint is rejected. */
  readonly fingerprint: Fingerprint;
}

export interface IdempotentAnswer<T> {
  readonly body: T;
  /** Whether the response is a replay. */
  readonly replayed: boolean;
}

/**
 * `Idempotency-Key` as in the IETF draft and at Stripe. The response is stored in the same transaction as the work, so
 * neither exists without the other. An advisory lock detects a concurrent request while the first is still in progress.
 */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Finds the response to an earlier request with this key, without a lock. This avoids repeated work before `run`.
   * @throws AppError `idempotency_mismatch`
   */
  async find<T extends object>(request: IdempotentRequest): Promise<IdempotentAnswer<T> | undefined> {
    return request.key === undefined ? undefined : this.known<T>(this.database, request);
  }

  /**
   * Runs `work` in a transaction, once for each key of an account. Later requests get the first response. `work` must
   * use only the `tx` that it is given.
   * @throws AppError `idempotency_in_progress`, `idempotency_mismatch`
   */
  async run<T extends object>(
    request: IdempotentRequest,
    work: (tx: Queryable) => Promise<T>,
  ): Promise<IdempotentAnswer<T>> {
    const { accountId, key, fingerprint } = request;
    return this.database.transaction(async (tx) => {
      if (key === undefined) return { body: await work(tx), replayed: false };
      const [lock] = await tx.query<{ locked: boolean }>(LOCK, [`idempotency:${accountId}:${key}`]);
      if (!lock!.locked) throw new AppError('idempotency_in_progress', { retryAfterSeconds: 1 });
      const known = await this.known<T>(tx, request);
      if (known !== undefined) return known;
      const body = await work(tx);
      const { exact, byUpload = null } = bothOf(fingerprint);
      await tx.query(REMEMBER, [accountId, key, exact, JSON.stringify(body), byUpload]);
      return { body, replayed: false };
    });
  }

  private async known<T extends object>(
    on: Queryable,
    { accountId, key, fingerprint }: IdempotentRequest,
  ): Promise<IdempotentAnswer<T> | undefined> {
    const [known] = await on.query<{ exact: string; byUpload: string | null; body: T }>(FIND, [
      accountId,
      key,
      this.config.retentionIdempotencyHours,
    ]);
    if (known === undefined) return undefined;
    const { exact, byUpload } = bothOf(fingerprint);
    // Keys that the previous version stored have no fingerprint by uploads.
    const isSame = known.exact === exact || (byUpload !== undefined && known.byUpload === byUpload);
    if (!isSame) throw new AppError('idempotency_mismatch');
    return { body: known.body, replayed: true };
  }
}

/** A fingerprint of an operation and its parsed body, independent of the order of its fields. */
export function fingerprintOf(operation: string, body: unknown): string {
  return createHash('sha256').update(operation).update('\n').update(canonical(body)).digest('hex');
}

function bothOf(fingerprint: Fingerprint): Fingerprints {
  return typeof fingerprint === 'string' ? { exact: fingerprint } : fingerprint;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
