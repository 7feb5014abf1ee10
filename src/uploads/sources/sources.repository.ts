import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import type { ImageFormat } from '../../kernel/operations.js';
import { SourceEntity } from './source.entity.js';

/** A source without the times that the database sets. */
export type NewSource = Omit<SourceEntity, 'createdAt' | 'deletedAt'>;

const INSERT: Prepared = {
  name: 'source_insert',
  text: `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, has_alpha, decoding_bytes,
                              name, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
                 date_trunc('milliseconds', statement_timestamp()))
         RETURNING created_at AS "createdAt"`,
};

/** Older sources, which were not examined, all claim to have alpha, and a JPEG cannot. */
const FOR_JOB = `id, format, width, height, sha256, has_alpha AND format <> 'jpeg' AS "hasAlpha", deleted_at IS NOT NULL AS deleted, name`;

const FIND_FOR_JOB: Prepared = {
  name: 'source_find_for_job',
  text: `SELECT ${FOR_JOB} FROM sources WHERE account_id = $1 AND id = $2`,
};

const FIND_FOR_JOBS: Prepared = {
  name: 'source_find_for_jobs',
  text: `SELECT ${FOR_JOB} FROM sources WHERE account_id = $1 AND id = ANY ($2::text[])`,
};

/** Not prepared, so that PostgreSQL plans it for its values: with a null cursor or with one. */
const LIST = `
  SELECT id, account_id AS "accountId", object_key AS "objectKey", format, width, height, bytes::float8 AS bytes,
         sha256, name, has_alpha AS "hasAlpha", decoding_bytes::float8 AS "decodingBytes", created_at AS "createdAt",
         deleted_at AS "deletedAt"
    FROM sources
   WHERE account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR id < $2)
   ORDER BY sources.id DESC LIMIT $3`;

const MARK_DELETED: Prepared = {
  name: 'source_mark_deleted',
  text: `UPDATE sources SET deleted_at = now(), name = NULL
          WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
         RETURNING bytes::float8 AS bytes, object_key`,
};

/** What a new job must know of its source. */
export interface SourceOfJob {
  readonly id: string;
  readonly sha256: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  readonly deleted: boolean;
  /** File name of the upload; null for older ones. */
  readonly name: string | null;
}

@Injectable()
export class SourcesRepository {
  constructor(
    @InjectRepository(SourceEntity) private readonly sources: Repository<SourceEntity>,
    private readonly database: Database,
  ) {}

  /** @returns its creation time, which is that of the database, because retention goes by it */
  async insert(tx: Queryable, source: NewSource): Promise<Date> {
    const [row] = await tx.query<{ createdAt: Date }>(INSERT, [
      source.id,
      source.accountId,
      source.objectKey,
      source.format,
      source.width,
      source.height,
      source.bytes,
      source.sha256,
      source.hasAlpha,
      source.decodingBytes,
      source.name,
    ]);
    return row!.createdAt;
  }

  /** Includes deleted sources. */
  async find(accountId: string, id: string): Promise<SourceEntity | null> {
    return this.sources.findOneBy({ accountId, id });
  }

  /**
   * Includes deleted sources. Uses the caller's connection: if enough callers wait for a second connection while they
   * hold their first one, the pool deadlocks.
   */
  async findForJob(on: Queryable, accountId: string, id: string): Promise<SourceOfJob | undefined> {
    return (await on.query<SourceOfJob>(FIND_FOR_JOB, [accountId, id]))[0];
  }

  /** Like `findForJob`, for many, in no particular order and without missing ones. */
  async findForJobs(on: Queryable, accountId: string, ids: readonly string[]): Promise<SourceOfJob[]> {
    return on.query<SourceOfJob>(FIND_FOR_JOBS, [accountId, ids]);
  }

  /** Not limited to an account: the holder of a signed URL may read the source. */
  async findForSignedUrl(id: string): Promise<SourceEntity | null> {
    return this.sources.findOneBy({ id });
  }

  /** Newest first, one more than `limit`. */
  async list(accountId: string, limit: number, beforeId: string | undefined): Promise<SourceEntity[]> {
    return this.database.lists.query<SourceEntity>(LIST, [accountId, beforeId ?? null, limit + 1]);
  }

  /** The freed bytes and the object to erase; undefined when it does not exist, or no longer does. */
  async markDeleted(
    tx: Queryable,
    accountId: string,
    id: string,
  ): Promise<{ bytes: number; objectKey: string } | undefined> {
    const [row] = await tx.query<{ bytes: number; object_key: string }>(MARK_DELETED, [accountId, id]);
    return row === undefined ? undefined : { bytes: row.bytes, objectKey: row.object_key };
  }
}
