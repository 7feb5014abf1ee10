import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';

/** Active links of one account. */
export const MAX_SHARE_LINKS = 100;

/** One link to the result of a job. */
export interface ShareLink {
  readonly id: string;
  readonly jobId: string;
  /** Whether its page can show the source, too. */
  readonly showsOriginal: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const COLUMNS = `id, job_id AS "jobId", shows_original AS "showsOriginal", created_at AS "createdAt", expires_at AS "expiresAt"`;

/** Links of the account `$1` that show something. */
const ACTIVE = `
           FROM share_links l
          WHERE account_id = $1 AND expires_at > now()
            AND EXISTS (SELECT 1 FROM jobs j
                         WHERE j.id = l.job_id AND j.deleted_at IS NULL AND j.result_erased_at IS NULL)`;

/** Locks the job first, as the deletion of an account does. */
const LOCK_JOB: Prepared = {
  name: 'share_link_lock_job',
  text: 'SELECT 1 FROM jobs WHERE account_id = $1 AND id = $2 FOR KEY SHARE',
};

/** Makes the count exact, without blocking references to the account. */
const LOCK_ACCOUNT: Prepared = {
  name: 'share_link_lock_account',
  text: 'SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};

/** A link never outlasts the result (`$7`). */
const INSERT: Prepared = {
  name: 'share_link_insert',
  text: `INSERT INTO share_links (id, account_id, job_id, token_hash, shows_original, created_at, expires_at)
         SELECT $2, $1, $3, $4, $5::boolean, now(), least(now() + $6::int * interval '1 second', $7::timestamptz)
          WHERE (SELECT count(*) ${ACTIVE}) < ${MAX_SHARE_LINKS}
         RETURNING ${COLUMNS}`,
};

const LIST: Prepared = {
  name: 'share_link_list',
  text: `SELECT ${COLUMNS} ${ACTIVE} AND ($2::text IS NULL OR job_id = $2)
          ORDER BY id DESC LIMIT ${MAX_SHARE_LINKS}`,
};

const FIND_BY_TOKEN: Prepared = {
  name: 'share_link_find_by_token',
  text: `SELECT ${COLUMNS}, (SELECT a.suspended_at IS NOT NULL FROM accounts a WHERE a.id = account_id) AS "isSuspended"
           FROM share_links WHERE token_hash = $1`,
};

const DELETE: Prepared = {
  name: 'share_link_delete',
  text: 'DELETE FROM share_links WHERE account_id = $1 AND id = $2 RETURNING job_id AS "jobId"',
};

export interface NewShareLink {
  readonly id: string;
  readonly jobId: string;
  readonly tokenHash: Buffer;
  readonly showsOriginal: boolean;
  readonly lifetimeSeconds: number;
  readonly resultExpiresAt: Date;
}

@Injectable()
export class ShareLinksRepository {
  constructor(private readonly database: Database) {}

  /** Undefined when the account has as many as it may have, even under concurrency. */
  async insert(tx: Queryable, accountId: string, link: NewShareLink): Promise<ShareLink | undefined> {
    const { id, jobId, tokenHash, showsOriginal, lifetimeSeconds, resultExpiresAt } = link;
    await tx.query(LOCK_JOB, [accountId, jobId]);
    await tx.query(LOCK_ACCOUNT, [accountId]);
    const values = [accountId, id, jobId, tokenHash, showsOriginal, lifetimeSeconds, resultExpiresAt];
    return (await tx.query<ShareLink>(INSERT, values))[0];
  }

  /** Active links, newest first. @param jobId null: of every job */
  async list(accountId: string, jobId: string | null): Promise<ShareLink[]> {
    return this.database.query<ShareLink>(LIST, [accountId, jobId]);
  }

  /** Includes expired links and those of suspended accounts. */
  async findByTokenHash(
    tokenHash: Buffer,
  ): Promise<(ShareLink & { readonly isSuspended: boolean }) | undefined> {
    return (await this.database.query<ShareLink & { isSuspended: boolean }>(FIND_BY_TOKEN, [tokenHash]))[0];
  }

  /** @returns the job of the deleted link */
  async delete(tx: Queryable, accountId: string, id: string): Promise<string | undefined> {
    return (await tx.query<{ jobId: string }>(DELETE, [accountId, id]))[0]?.jobId;
  }
}
