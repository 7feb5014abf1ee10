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

const FIND: Prepared = {
  name: 'idempotency_find',
  text: `SELECT request_hash, body FROM idempotency_keys
          WHERE account_id = $1 AND key = $2 AND created_at > now() - $3::int * interval '1 hour'`,
};

const REMEMBER: Prepared = {
  name: 'idempotency_remember',
  text: `INSERT INTO idempotency_keys (account_id, key, request_hash, status, body) VALUES ($1, $2, $3, 201, $4::json)
         ON CONFLICT (account_id, key) DO UPDATE
           SET request_hash = excluded.request_hash, body = excluded.body, created_at = now()`,
};

export interface IdempotentRequest {
  readonly accountId: string;
  /** The `Idempotency-Key` header, if present. */
  readonly key: string | undefined;
  /** Fingerprint of the request. A request with the same key but a different fingerprint is rejected. */
  readonly fingerprint: string;
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
      await tx.query(REMEMBER, [accountId, key, fingerprint, JSON.stringify(body)]);
      return { body, replayed: false };
    });
  }

  private async known<T extends object>(
    on: Queryable,
    { accountId, key, fingerprint }: IdempotentRequest,
  ): Promise<IdempotentAnswer<T> | undefined> {
    const [known] = await on.query<{ request_hash: string; body: T }>(FIND, [
      accountId,
      key,
      this.config.retentionIdempotencyHours,
    ]);
    if (known === undefined) return undefined;
    if (known.request_hash !== fingerprint) throw new AppError('idempotency_mismatch');
    return { body: known.body, replayed: true };
  }
}

/** A fingerprint of an operation and its parsed body, independent of the order of its fields. */
export function fingerprintOf(operation: string, body: unknown): string {
  return createHash('sha256').update(operation).update('\n').update(canonical(body)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
