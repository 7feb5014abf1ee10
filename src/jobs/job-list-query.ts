import { mergeNewest } from '../infra/database/merge-newest.js';
import { lowestIdOf } from '../kernel/ids.js';
import { JOB_STATUSES, type JobStatus } from '../kernel/operations.js';
import { JOB_COLUMNS } from './job.entity.js';

/** @param jobs a relation with the columns of `JOB_COLUMNS` */
export function withSource(jobs: string): string {
  return `SELECT j.*, s.format AS "sourceFormat" FROM ${jobs} j JOIN sources s ON s.id = j."sourceId"`;
}

export const JOBS_WITH_SOURCE = withSource(`(SELECT ${JOB_COLUMNS} FROM jobs)`);

export interface JobFilter {
  readonly beforeId?: string | undefined;
  readonly status?: JobStatus | undefined;
  /** Whether failed jobs were canceled. If absent, both are listed. */
  readonly isCanceled?: boolean | undefined;
  readonly operation?: string | undefined;
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly batchId?: string | undefined;
  /** Part of the file name of the photo, in any case. A search looks at the newest `MAX_SEARCHED` jobs. */
  readonly sourceName?: string | undefined;
}

/** Ids and creation times come from different clocks; an id is at most an hour ahead (see `newId`). */
const CLOCK_SLACK_MS = 86_400_000;

/** Names have no index, so that a search without a match does not read a million rows. */
export const MAX_SEARCHED = 2_000;

/** Conditions on null parameters are always true; PostgreSQL plans each page for its values. */
const CONDITION = `account_id = $1 AND deleted_at IS NULL
  AND ($2::text IS NULL OR id COLLATE "C" < $2)
  AND ($3::text IS NULL OR operation = $3)
  AND ($4::timestamptz IS NULL OR created_at > $4)
  AND ($5::timestamptz IS NULL OR created_at < $5)
  AND ($7::text IS NULL OR id COLLATE "C" > $7)
  AND ($8::text IS NULL OR id COLLATE "C" < $8)
  AND ($9::boolean IS NULL OR (error_code IS NOT DISTINCT FROM 'canceled') = $9)
  AND ($10::text IS NULL OR batch_id = $10)`;

/** A scalar subquery looks up each source by its id; a join could read the whole table. */
const IS_NAMED = `($11::text IS NULL OR
    (SELECT strpos(lower(s.name), lower($11)) > 0 FROM sources s WHERE s.id = source_id))`;

const NEWEST = 'ORDER BY id COLLATE "C" DESC LIMIT';

/** A batch has few jobs, which an index finds: they are filtered and sorted. */
const OF_BATCH = `SELECT id FROM jobs WHERE batch_id = $10 AND ${CONDITION} AND ($12::text IS NULL OR status = $12)
  AND ${IS_NAMED} ${NEWEST} $6`;

/** The newest jobs whose photo has a name like that, among the newest jobs of the account. */
function named(branches: readonly string[]): string {
  const ranges = branches.map(
    (branch) => `(SELECT id, source_id FROM jobs WHERE ${CONDITION} AND ${branch} ${NEWEST} ${MAX_SEARCHED})`,
  );
  const searched = `SELECT id, source_id FROM (${ranges.join(' UNION ALL ')}) ranges ${NEWEST} ${MAX_SEARCHED}`;
  return `SELECT id FROM (${searched}) searched WHERE ${IS_NAMED} ${NEWEST} $6`;
}

/**
 * One page of an account's jobs, newest first. Reads one index range per status, limited by id to the
 * requested days, however many jobs do not match.
 */
export function jobListQuery(
  accountId: string,
  filter: JobFilter,
  limit: number,
): { readonly text: string; readonly values: readonly unknown[] } {
  const { beforeId, status, isCanceled, operation, createdAfter, createdBefore, batchId, sourceName } =
    filter;
  const statuses = JOB_STATUSES.filter((one) => status === undefined || one === status);
  const branches = statuses.map((one) => `status = '${one}'`);
  const ids = batchId === undefined ? idsIn(branches, sourceName) : OF_BATCH;
  return {
    text: `${JOBS_WITH_SOURCE} WHERE j.id IN (${ids}) ORDER BY j.id DESC`,
    values: [
      accountId,
      beforeId ?? null,
      operation ?? null,
      createdAfter ?? null,
      createdBefore ?? null,
      limit,
      idNear(createdAfter, -CLOCK_SLACK_MS),
      idNear(createdBefore, CLOCK_SLACK_MS),
      isCanceled ?? null,
      batchId ?? null,
      ...(batchId === undefined ? [] : [sourceName ?? null, status ?? null]),
      ...(batchId === undefined && sourceName !== undefined ? [sourceName] : []),
    ],
  };
}

function idsIn(branches: readonly string[], sourceName: string | undefined): string {
  return sourceName === undefined ? mergeNewest('jobs', CONDITION, branches, '$6') : named(branches);
}

/** An id of about that time; null without a time. */
function idNear(time: string | undefined, slackMs: number): string | null {
  return time === undefined ? null : lowestIdOf('job', Date.parse(time) + slackMs);
}
