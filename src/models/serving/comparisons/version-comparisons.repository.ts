import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../../infra/database/database.js';
import { IS_ALIVE } from '../model-workers.repository.js';
import type {
  ComparedVersions,
  ComparisonImage,
  ComparisonResults,
  VersionComparison,
} from './version-comparison.js';

/** Notifies the workers that a comparison is waiting. */
export const COMPARISON_WANTED = 'version_comparison_wanted';

/** Maximum number of comparisons that may wait or run at the same time, across all operators. */
export const MAX_UNFINISHED = 5;
/** A comparison whose worker died is retried only once, because the version may have killed the worker. */
const MAX_ATTEMPTS = 2;

/** Also true for a comparison that its worker disowned, because it has no worker. */
const WORKER_IS_GONE = `NOT EXISTS (SELECT FROM model_workers w WHERE w.id = c.worker_id AND ${IS_ALIVE})`;
const COLUMNS = `id, operation, level, version_a AS a, version_b AS b, status, results, failure,
  created_at AS "createdAt", ended_at AS "endedAt"`;

/** Serializes creations, so that two concurrent ones cannot both take the last free place. */
const LOCK: Prepared = {
  name: 'comparison_lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('version comparisons', 0))`,
};

const COUNT: Prepared = {
  name: 'comparison_count',
  text: `SELECT count(*)::int AS unfinished FROM version_comparisons WHERE status IN ('queued', 'processing')`,
};

const INSERT: Prepared = {
  name: 'comparison_insert',
  text: `WITH written AS (
           INSERT INTO version_comparisons (id, account_id, operation, level, version_a, version_b, photo)
           VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS})
         SELECT *, pg_notify('${COMPARISON_WANTED}', id) FROM written`,
};

/** Claims the oldest comparison whose versions are both in the worker's model repository. */
const CLAIM: Prepared = {
  name: 'comparison_claim',
  text: `WITH me AS (SELECT available || versions AS versions FROM model_workers WHERE id = $1),
         next AS (
           SELECT c.id FROM version_comparisons c, me
            WHERE (c.status = 'queued' OR (c.status = 'processing' AND ${WORKER_IS_GONE}))
              AND c.attempts < ${MAX_ATTEMPTS}
              AND me.versions @> jsonb_build_array(
                    jsonb_build_object('operation', c.operation, 'version', c.version_a),
                    jsonb_build_object('operation', c.operation, 'version', c.version_b))
            ORDER BY c.created_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED)
         UPDATE version_comparisons v SET status = 'processing', worker_id = $1, attempts = attempts + 1
           FROM next WHERE v.id = next.id
         RETURNING v.id, v.operation, v.level, v.version_a AS a, v.version_b AS b, v.photo`,
};

/** Fails comparisons that lost their worker at every attempt, because the versions are the likely cause. */
const FAIL_LOST: Prepared = {
  name: 'comparison_fail_lost',
  text: `UPDATE version_comparisons c SET status = 'failed', ended_at = now(), photo = NULL,
                failure = CASE WHEN c.worker_id IS NULL
                  THEN 'Two attempts to compare these versions ended without a result.'
                  ELSE 'Two workers ended while they compared these versions.' END
          WHERE c.status = 'processing' AND c.attempts >= ${MAX_ATTEMPTS} AND ${WORKER_IS_GONE}`,
};

const HELD: Prepared = {
  name: 'comparison_held',
  text: `SELECT id, attempts FROM version_comparisons WHERE worker_id = $1 AND status = 'processing'`,
};

/** Every claim increments the attempts, so a late statement does not affect a comparison that was claimed again. */
const DISOWN: Prepared = {
  name: 'comparison_disown',
  text: `UPDATE version_comparisons SET worker_id = NULL
          WHERE id = $1 AND worker_id = $2 AND attempts = $3 AND status = 'processing'`,
};

const GIVE_BACK: Prepared = {
  name: 'comparison_give_back',
  text: `WITH returned AS (
           UPDATE version_comparisons SET status = 'queued', worker_id = NULL, attempts = attempts - 1
            WHERE id = $1 AND worker_id = $2 AND status = 'processing' RETURNING id)
         SELECT pg_notify('${COMPARISON_WANTED}', id) FROM returned`,
};

const COMPLETE: Prepared = {
  name: 'comparison_complete',
  text: `UPDATE version_comparisons
            SET status = 'completed', ended_at = now(), photo = NULL, results = $3::jsonb,
                source_image = $4, image_a = $5, image_b = $6
          WHERE id = $1 AND worker_id = $2 AND status = 'processing'`,
};

const FAIL: Prepared = {
  name: 'comparison_fail',
  text: `UPDATE version_comparisons SET status = 'failed', ended_at = now(), photo = NULL, failure = $3
          WHERE id = $1 AND worker_id = $2 AND status = 'processing'`,
};

const FIND: Prepared = {
  name: 'comparison_find',
  text: `SELECT ${COLUMNS} FROM version_comparisons WHERE id = $1 AND account_id IS NOT DISTINCT FROM $2`,
};

const LIST: Prepared = {
  name: 'comparison_list',
  text: `SELECT ${COLUMNS} FROM version_comparisons WHERE account_id = $1 AND operation = $2
          ORDER BY created_at DESC LIMIT $3`,
};

const IMAGE_COLUMNS = { source: 'source_image', a: 'image_a', b: 'image_b' } as const;
const imageOf = (image: ComparisonImage): Prepared => ({
  name: `comparison_image_${image}`,
  text: `SELECT ${IMAGE_COLUMNS[image]} AS image FROM version_comparisons
          WHERE id = $1 AND account_id IS NOT DISTINCT FROM $2`,
});

/** A comparison that a worker has claimed. */
export interface ClaimedComparison extends ComparedVersions {
  readonly id: string;
  /** The uploaded file, which is untrusted. */
  readonly photo: Buffer;
}

/** Encoded pictures of a comparison; null where a version refused the photo. */
export type ComparisonImages = Readonly<Record<ComparisonImage, Buffer | null>>;

/** Comparisons of two versions on a photo. They are deleted after a day. */
@Injectable()
export class VersionComparisonsRepository {
  constructor(private readonly database: Database) {}

  /** The number of comparisons that wait or run. Concurrent counts wait until the transaction ends. */
  async countUnfinished(tx: Queryable): Promise<number> {
    await tx.query(LOCK);
    const [row] = await tx.query<{ unfinished: number }>(COUNT);
    return row!.unfinished;
  }

  /**
   * Adds a comparison, and notifies the workers when the transaction commits.
   * @param accountId the operator's own account, which may see the comparison; null for the command line
   */
  async insert(
    tx: Queryable,
    id: string,
    accountId: string | null,
    { operation, level, a, b }: ComparedVersions,
    photo: Buffer,
  ): Promise<VersionComparison> {
    const [row] = await tx.query<VersionComparison>(INSERT, [id, accountId, operation, level, a, b, photo]);
    return row!;
  }

  /** Undefined for an unknown comparison, or one of another account. */
  async find(id: string, accountId: string | null): Promise<VersionComparison | undefined> {
    const [row] = await this.database.query<VersionComparison>(FIND, [id, accountId]);
    return row;
  }

  /** Comparisons, newest first. */
  async list(accountId: string, operation: string, limit: number): Promise<readonly VersionComparison[]> {
    return this.database.query<VersionComparison>(LIST, [accountId, operation, limit]);
  }

  /** A picture of a comparison, WebP. Undefined when there is none. */
  async image(id: string, accountId: string | null, image: ComparisonImage): Promise<Buffer | undefined> {
    const [row] = await this.database.query<{ image: Buffer | null }>(imageOf(image), [id, accountId]);
    return row?.image ?? undefined;
  }

  /** The next comparison that a worker can run. Undefined without one. */
  async claim(workerId: string): Promise<ClaimedComparison | undefined> {
    await this.database.query(FAIL_LOST);
    const [row] = await this.database.query<ClaimedComparison>(CLAIM, [workerId]);
    return row;
  }

  /**
   * Releases the comparisons that a worker holds to the next claim of any worker, as if this worker had died: the
   * attempt counts. For a worker that runs none: it holds one if a connection broke between a claim and its response.
   */
  async disown(workerId: string): Promise<void> {
    const held = await this.database.query<{ id: string; attempts: number }>(HELD, [workerId]);
    for (const { id, attempts } of held) await this.database.query(DISOWN, [id, workerId, attempts]);
  }

  /** Releases a comparison to this or another worker, as if it had not been claimed. */
  async giveBack(id: string, workerId: string): Promise<void> {
    await this.database.query(GIVE_BACK, [id, workerId]);
  }

  async complete(
    id: string,
    workerId: string,
    results: ComparisonResults,
    { source, a, b }: ComparisonImages,
  ): Promise<void> {
    await this.database.query(COMPLETE, [id, workerId, JSON.stringify(results), source, a, b]);
  }

  /** Fails a comparison. @param failure a sentence */
  async fail(id: string, workerId: string, failure: string): Promise<void> {
    await this.database.query(FAIL, [id, workerId, failure]);
  }
}
