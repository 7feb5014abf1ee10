import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';

/** Uploads of one account that may be open at the same time. */
export const MAX_OPEN_UPLOADS = 20;

/** The lock makes the count exact, however many requests come at once. */
const LOCK: Prepared = {
  name: 'direct_upload_lock',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
};

const INSERT: Prepared = {
  name: 'direct_upload_insert',
  text: `INSERT INTO direct_uploads (id, account_id, bytes, sha256, name, created_at, expires_at)
         SELECT $2, $1, $3::int, $4, $5, $6::timestamptz, $7::timestamptz
          WHERE (SELECT count(*) FROM direct_uploads
                  WHERE account_id = $1 AND source_id IS NULL AND expires_at > now()) < ${MAX_OPEN_UPLOADS}
         RETURNING id`,
};

const FIND: Prepared = {
  name: 'direct_upload_find',
  text: `SELECT id, bytes, sha256, name, source_id AS "sourceId", expires_at <= now() AS "isExpired"
           FROM direct_uploads WHERE account_id = $1 AND id = $2`,
};

/** Held until the transaction ends: a second request waits here, and then finds that the first one has won. */
const CLAIM: Prepared = {
  name: 'direct_upload_claim',
  text: `SELECT 1 FROM direct_uploads WHERE account_id = $1 AND id = $2 AND source_id IS NULL FOR UPDATE`,
};

const COMPLETE: Prepared = {
  name: 'direct_upload_complete',
  text: `UPDATE direct_uploads SET source_id = $3 WHERE account_id = $1 AND id = $2`,
};

export interface DirectUpload {
  readonly id: string;
  /** Size that the client declared. */
  readonly bytes: number;
  /** The hash that the client declared, if any. */
  readonly sha256: string | null;
  readonly name: string | null;
  /** The source that it became. */
  readonly sourceId: string | null;
  readonly isExpired: boolean;
}

export interface NewDirectUpload extends Pick<DirectUpload, 'id' | 'bytes' | 'sha256' | 'name'> {
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Uploads that clients send to the object store themselves. */
@Injectable()
export class DirectUploadsRepository {
  constructor(private readonly database: Database) {}

  /** False when the account has too many open ones. */
  async insert(accountId: string, upload: NewDirectUpload): Promise<boolean> {
    const { id, bytes, sha256, name, createdAt, expiresAt } = upload;
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK, [`direct uploads:${accountId}`]);
      const values = [accountId, id, bytes, sha256, name, createdAt, expiresAt];
      return (await tx.query(INSERT, values)).length === 1;
    });
  }

  async find(accountId: string, id: string): Promise<DirectUpload | undefined> {
    return (await this.database.query<DirectUpload>(FIND, [accountId, id]))[0];
  }

  /** Locks an upload that is not completed yet. False when it is. */
  async claim(tx: Queryable, accountId: string, id: string): Promise<boolean> {
    return (await tx.query(CLAIM, [accountId, id])).length === 1;
  }

  /** Marks a claimed upload as completed. */
  async complete(tx: Queryable, accountId: string, id: string, sourceId: string): Promise<void> {
    await tx.query(COMPLETE, [accountId, id, sourceId]);
  }
}
